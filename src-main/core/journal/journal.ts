// The journal: what happened, one JSON line per event, append-only, kept across restarts.
import { ensurePrivateFolder } from '../config/data-dir.ts';
import type { Journal } from '../core.ts';
import { searchJournal } from './search.ts';
import { JournalWriter } from './writer.ts';
import type { WriterOptions } from './writer.ts';

/** What openJournal gets. */
export type JournalOptions = WriterOptions;

/** Opens the journal. Rejects when the folder cannot be made. */
export async function openJournal(options: JournalOptions): Promise<Journal> {
  await ensurePrivateFolder(options.folder);
  const writer = new JournalWriter(options);
  return {
    append: (event) => writer.append(event),
    async search(query) {
      await writer.settled();
      return searchJournal(options.folder, query);
    },
    close: () => writer.close(),
  };
}
