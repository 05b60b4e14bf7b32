// Tells the person that other accounts could read what belongs to them alone: in the log, and as a card where it is serious.
import { closeToOthers } from './core/config/close-to-others.ts';
import type { WasOpen } from './core/config/close-to-others.ts';
import type { Cards, Log } from './core/core.ts';

/** Whoever could read these may use Patchbay as this person does. */
const WITH_TOKENS = ['tokens.json', 'run.json'];

/** Closes what stands open in the data folder. `folderMode`: the rights of the folder itself, which is closed already. */
export async function findOpenFiles(dataDir: string, folderMode: number | undefined): Promise<readonly WasOpen[]> {
  const folder = folderMode === undefined ? [] : [{ name: '', mode: folderMode.toString(8), closed: true }];
  return [...folder, ...(await closeToOthers(dataDir))];
}

/** Where it is said. */
export interface Told {
  readonly cards: Pick<Cards, 'addFault'>;
  readonly log: Pick<Log, 'warn'>;
}

/** Says what was found. */
export function tellOpenFiles(found: readonly WasOpen[], dataDir: string, told: Told): void {
  for (const { name, mode, closed } of found) {
    const file = name === '' ? dataDir : `${dataDir}/${name}`;
    told.log.warn(closed ? 'was open to other accounts and is closed to them now' : 'is open to other accounts', {
      file,
      mode,
    });
  }
  // Inside a folder that nobody else may enter, a file's own rights matter to nobody.
  const reachable = found.some(({ name }) => name === '');
  const readable = found.filter(({ name }) => WITH_TOKENS.includes(name)).map(({ name }) => name);
  if (reachable && readable.length > 0) {
    told.cards.addFault('Access tokens could be read by others', tokenText(readable));
  }
}

function tokenText(names: readonly string[]): string {
  return (
    `Other accounts on this computer could read ${names.join(' and ')} in the data folder. ` +
    'They are closed now. If other people use this computer, renew the tokens.'
  );
}
