// What a runtime without an app of its own runs: the program that understands `electron path/to/app [arguments]`.

const MANIFEST = { name: 'electron', productName: 'Electron', type: 'module', main: 'main.mjs' };

const MAIN = `
import { app } from 'electron';
import fs from 'node:fs';
import Module, { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const require = createRequire(import.meta.url);

function stop(text, code = 0) {
  (code === 0 ? process.stdout : process.stderr).write(text + '\\n');
  process.exit(code);
}

function parse(args) {
  const preloads = [];
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at];
    if (arg === '--version' || arg === '-v') stop('v' + process.versions.electron);
    if (arg === '--abi' || arg === '-a') stop(process.versions.modules);
    if (arg === '--require' || arg === '-r') preloads.push(args[(at += 1)]);
    else if (!arg.startsWith('-')) return { preloads, target: path.resolve(arg) };
  }
  return { preloads };
}

function adopt(folder) {
  const file = path.join(folder, 'package.json');
  if (!fs.existsSync(file)) return false;
  const manifest = JSON.parse(fs.readFileSync(file, 'utf8'));
  if (manifest.version) app.setVersion(manifest.version);
  if (manifest.productName ?? manifest.name) app.setName(manifest.productName ?? manifest.name);
  return true;
}

const { preloads, target } = parse(process.argv.slice(1));
if (preloads.length > 0) Module._preloadModules(preloads);
if (target === undefined) stop('usage: electron [options] path/to/app [arguments]', 1);
Object.defineProperty(process, 'defaultApp', { value: true, enumerable: true });
const isFolder = adopt(target);
let entry;
try {
  entry = require.resolve(target);
} catch (error) {
  stop('no app in ' + target + ': ' + error.message, 1);
}
app.setAppPath(isFolder ? target : path.dirname(entry));
await import(pathToFileURL(entry).href);
`;

/** The files of default_app.asar. */
export const DEFAULT_APP = { 'package.json': JSON.stringify(MANIFEST), 'main.mjs': MAIN };
