// npm run build: the programs and pages in out/.
import { ensureBuilt } from '../build/up-to-date.mjs';
import { ensureModules } from '../setup/modules.mjs';

/** Builds what is out of date; everything with --force. */
export async function command(args) {
  await ensureModules();
  await ensureBuilt({ force: args.includes('--force') });
  return 0;
}
