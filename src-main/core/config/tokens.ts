// The access tokens: made once, kept across restarts so that a client's entry goes on working, renewed on request.
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import type { SecretNet } from '../core.ts';
import { isMissing } from './system-error.ts';
import { writePrivate } from './write-private.ts';

/** 256 bits. */
const TOKEN_BYTES = 32;

const tokenSchema = z.string().regex(/^[A-Za-z0-9_-]{40,}$/);
const tokensSchema = z.object({ mcp: tokenSchema, viewer: tokenSchema, operator: tokenSchema });

/** `mcp` lets clients call tools, `viewer` lets pages watch, `operator` lets pages type. */
export type TokenValues = Readonly<z.infer<typeof tokensSchema>>;

/** The tokens as they are now. */
export interface Tokens {
  readonly current: TokenValues;
  /** Makes and stores new ones; the old ones count no more once this resolves. */
  renew(): Promise<void>;
}

/** Reads `tokens.json` of the data folder, or makes it where it is missing or damaged. */
export async function openTokens(dataDir: string, secrets: SecretNet): Promise<Tokens> {
  const file = path.join(dataDir, 'tokens.json');
  const kept = await read(file);
  const learn = (values: TokenValues): TokenValues => {
    for (const token of Object.values(values)) secrets.learn(token);
    return values;
  };
  let current = learn(kept ?? (await store(file)));
  return {
    get current() {
      return current;
    },
    async renew() {
      current = learn(await store(file));
    },
  };
}

async function read(file: string): Promise<TokenValues | undefined> {
  try {
    return tokensSchema.safeParse(JSON.parse(await readFile(file, 'utf8'))).data;
  } catch (error) {
    // A damaged file costs only the tokens in it: new ones are made.
    if (isMissing(error) || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

async function store(file: string): Promise<TokenValues> {
  const token = (): string => randomBytes(TOKEN_BYTES).toString('base64url');
  const values = { mcp: token(), viewer: token(), operator: token() };
  await writePrivate(file, `${JSON.stringify(values, undefined, 2)}\n`);
  return values;
}
