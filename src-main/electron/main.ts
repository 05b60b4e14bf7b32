// Entry of the desktop app: what has to be settled before Electron is ready, then the start or the answer to a question.
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { app } from 'electron';
import { assertNever } from '../../src-shared/assert-never.ts';
import { PATCHBAY_VERSION } from '../../src-shared/mcp-identity.ts';
import { clientEntry } from '../core/config/client-entry.ts';
import { dataDirOf, ensurePrivateFolder } from '../core/config/data-dir.ts';
import { findNode } from '../core/config/find-node.ts';
import { usageLines } from '../program-options.ts';
import type { Wish } from '../program-options.ts';
import { stopRunning } from '../second-start.ts';
import { refuse, say } from '../terminal-talk.ts';
import { registerAppScheme } from './app-page.ts';
import { parseArguments } from './start-arguments.ts';
import { startApp } from './start-app.ts';

registerAppScheme();
// Whoever started us may have closed its end long ago; a line that nobody reads is no fault.
process.stdout.on('error', () => {});
process.stderr.on('error', () => {});
app.setName('Patchbay');

// An address that is not absolute is refused by the settings a moment later, with its own line.
const profile = path.resolve(dataDirOf(process.env), 'electron');
const facts = {
  execPath: process.execPath,
  isElectron: true,
  node: await findNode(process.env),
  outDir: fileURLToPath(new URL('.', import.meta.url)),
  environment: process.env,
};

const given = parseArguments(process.argv.slice(1));
if (given.kind === 'run') {
  // Chromium's profile lies in the data folder, so each data folder has one instance. Awaited before Electron is ready.
  await ensurePrivateFolder(profile);
  app.setPath('userData', profile);
  void startApp({ facts, given, profile });
} else {
  await answer(given);
  // What was written has to be out first.
  process.stdout.write('', () => process.stderr.write('', () => app.exit(Number(process.exitCode ?? 0))));
}

async function answer(wish: Exclude<Wish, { kind: 'run' }>): Promise<void> {
  switch (wish.kind) {
    case 'version':
      return say([PATCHBAY_VERSION]);
    case 'help':
      return say(usageLines());
    case 'client-entry':
      return say([clientEntry(facts, wish.style)]);
    case 'mistake':
      return refuse([wish.fault]);
    case 'stop':
      return stopRunning(facts.environment, wish.force);
    default:
      assertNever(wish);
  }
}
