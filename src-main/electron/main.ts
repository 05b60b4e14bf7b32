// Entry of the desktop app: what has to be settled before Electron is ready, then the start or the answer to a question.
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { app } from 'electron';
import { answerWish } from '../answer-wish.ts';
import { dataDirOf, ensurePrivateFolder } from '../core/config/data-dir.ts';
import { findNode } from '../core/config/find-node.ts';
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
  await answerWish(given, facts);
  // What was written has to be out first.
  process.stdout.write('', () => process.stderr.write('', () => app.exit(Number(process.exitCode ?? 0))));
}
