// Remembers where the window was and what the person was told, in a small file of the data folder.
import { readFile, writeFile } from 'node:fs/promises';
import * as z from 'zod';

const stateSchema = z.object({
  bounds: z
    .object({
      x: z.number().int(),
      y: z.number().int(),
      width: z.number().int().min(100),
      height: z.number().int().min(100),
    })
    .optional(),
  maximized: z.boolean().default(false),
  /** The person knows that closing the window does not end Patchbay. */
  toldAboutTray: z.boolean().default(false),
});

/** What is remembered. */
export type WindowState = z.infer<typeof stateSchema>;

/** The state and its file. */
export interface WindowStateFile {
  readonly current: WindowState;
  /** Changes and stores; a file that cannot be written costs only the memory of it. */
  update(change: Partial<WindowState>): Promise<void>;
}

/** Reads the file; a missing or damaged one means the defaults. */
export async function openWindowState(file: string): Promise<WindowStateFile> {
  let current = stateSchema.parse((await read(file)) ?? {});
  let writing: Promise<void> = Promise.resolve();
  return {
    get current() {
      return current;
    },
    update(change) {
      current = { ...current, ...change };
      writing = writing.then(() => writeFile(file, JSON.stringify(current), { mode: 0o600 }).catch(() => undefined));
      return writing;
    },
  };
}

async function read(file: string): Promise<WindowState | undefined> {
  try {
    return stateSchema.safeParse(JSON.parse(await readFile(file, 'utf8'))).data;
  } catch {
    // First start, or a file that somebody damaged: the window opens where it opens by default.
    return undefined;
  }
}
