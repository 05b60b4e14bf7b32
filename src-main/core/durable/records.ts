// Keeps on disk what is needed to find unfinished durable commands again after a restart. No secret is in it.
import fs from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { actorSchema, commandIdSchema, epochMsSchema, sessionNameSchema } from '../../../src-shared/model/index.ts';
import { writePrivate } from '../config/write-private.ts';
import { isMissing } from '../config/system-error.ts';
import type { Log } from '../core.ts';

const recordSchema = z.strictObject({
  version: z.literal(1),
  commandId: commandIdSchema,
  sessionName: sessionNameSchema,
  host: z.string(),
  port: z.number().int(),
  username: z.string(),
  /** `SHA256:...` of the host key: only the same host is trusted with the command. */
  fingerprint: z.string(),
  hostKeyType: z.string(),
  /** How to log in without a person: key files and agent; false where a password or passphrase is needed. */
  login: z.strictObject({
    unattended: z.boolean(),
    keyFile: z.string().nullable(),
    agent: z.boolean(),
    identityFiles: z.array(z.string()),
  }),
  /** Absolute path on the host. */
  folder: z.string(),
  actor: actorSchema,
  command: z.string(),
  workingDir: z.string().nullable(),
  timeoutMs: z.number(),
  queuedAt: epochMsSchema,
  startedAt: epochMsSchema,
});

/** One unfinished durable command. */
export type DurableRecord = z.infer<typeof recordSchema>;

/** The records of this data folder, one file each (0600). */
export class DurableRecords {
  readonly #folder: string;
  readonly #log: Log;

  constructor(dataDir: string, log: Log) {
    this.#folder = path.join(dataDir, 'durable');
    this.#log = log;
  }

  /** All that can be read; what cannot is left where it is and told to the log. */
  async load(): Promise<readonly DurableRecord[]> {
    const names = await fs.readdir(this.#folder).catch((error: unknown) => {
      if (isMissing(error)) return [];
      throw error;
    });
    const records: DurableRecord[] = [];
    for (const name of names.filter((one) => one.endsWith('.json'))) {
      const record = await this.#read(name);
      if (record !== null) records.push(record);
    }
    return records.toSorted((a, b) => a.startedAt - b.startedAt);
  }

  /** Stores or replaces one. Rejects with the system's error. */
  async keep(record: DurableRecord): Promise<void> {
    await fs.mkdir(this.#folder, { recursive: true, mode: 0o700 });
    await writePrivate(this.#fileOf(record.commandId), `${JSON.stringify(record)}\n`);
  }

  async drop(commandId: string): Promise<void> {
    await fs.rm(this.#fileOf(commandId), { force: true });
  }

  #fileOf(commandId: string): string {
    return path.join(this.#folder, `${commandId}.json`);
  }

  async #read(name: string): Promise<DurableRecord | null> {
    try {
      return recordSchema.parse(JSON.parse(await fs.readFile(path.join(this.#folder, name), 'utf8')));
    } catch (error) {
      this.#log.warn('the record of a durable command cannot be read', { file: name, error: String(error) });
      return null;
    }
  }
}
