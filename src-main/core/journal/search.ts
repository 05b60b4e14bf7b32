// Searches the journal from its end, one piece of a file in memory at a time.
import { open, readdir } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { journalEventSchema } from '../../../src-shared/model/index.ts';
import type { JournalEvent } from '../../../src-shared/model/index.ts';
import { isMissing } from '../config/system-error.ts';

/** What is looked for; text is found in any value of an event, upper and lower case alike. */
export interface JournalQuery {
  readonly text?: string;
  readonly session?: string;
  readonly limit: number;
}

const PIECE_BYTES = 256 * 1024;
/** A longer line was not written by us as it stands; it is skipped, so that memory stays bounded. */
const LINE_BYTES = 32 * 1024 * 1024;
const NEWLINE = 0x0a;

/** The newest events that fit, newest first. Lines that are torn or of an unknown kind are skipped. */
export async function searchJournal(folder: string, query: JournalQuery): Promise<readonly JournalEvent[]> {
  const names = (await entriesOf(folder))
    .filter((name) => name.endsWith('.jsonl'))
    .toSorted()
    .toReversed();
  const found: JournalEvent[] = [];
  for (const name of names) {
    if (found.length >= query.limit) break;
    await searchFile(path.join(folder, name), query, found);
  }
  return found;
}

/** A folder that was deleted holds nothing; the next event makes it again. */
async function entriesOf(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

async function searchFile(file: string, query: JournalQuery, found: JournalEvent[]): Promise<void> {
  let handle: FileHandle;
  try {
    handle = await open(file, 'r');
  } catch (error) {
    // Somebody tidied up by hand meanwhile.
    if (isMissing(error)) return;
    throw error;
  }
  try {
    for await (const line of linesFromEnd(handle)) {
      const event = parse(line);
      if (event !== undefined && matches(event, query)) found.push(event);
      if (found.length >= query.limit) return;
    }
  } finally {
    await handle.close();
  }
}

async function* linesFromEnd(handle: FileHandle): AsyncGenerator<string> {
  let position = (await handle.stat()).size;
  let rest: Buffer[] = [];
  let restBytes = 0;
  while (position > 0) {
    const length = Math.min(PIECE_BYTES, position);
    position -= length;
    const { buffer } = await handle.read(Buffer.alloc(length), 0, length, position);
    let end = length;
    for (let at = buffer.lastIndexOf(NEWLINE); at >= 0; at = at === 0 ? -1 : buffer.lastIndexOf(NEWLINE, at - 1)) {
      yield Buffer.concat([buffer.subarray(at + 1, end), ...rest]).toString('utf8');
      rest = [];
      restBytes = 0;
      end = at;
    }
    restBytes += end;
    rest = restBytes > LINE_BYTES ? [] : [buffer.subarray(0, end), ...rest];
  }
  yield Buffer.concat(rest).toString('utf8');
}

function parse(line: string): JournalEvent | undefined {
  if (line === '') return undefined;
  try {
    return journalEventSchema.safeParse(JSON.parse(line)).data;
  } catch {
    // A torn line: the program was killed while it wrote.
    return undefined;
  }
}

function matches(event: JournalEvent, query: JournalQuery): boolean {
  if (query.session !== undefined && !('session' in event && event.session === query.session)) return false;
  return query.text === undefined || query.text === '' || holds(event, query.text.toLowerCase());
}

function holds(value: unknown, text: string): boolean {
  if (typeof value === 'string') return value.toLowerCase().includes(text);
  if (typeof value === 'number') return String(value).includes(text);
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some((inner) => holds(inner, text));
}
