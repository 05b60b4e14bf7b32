#!/usr/bin/env node
// Builds a Debian package with dpkg-deb from the command line that electron-builder gives to fpm, which need not be there.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { PlainFailure } from '../setup/say.mjs';
import { controlText } from './deb-control.mjs';
import { parseFpmOptions } from './fpm-options.mjs';

const SCRIPTS = {
  'before-install': 'preinst',
  'after-install': 'postinst',
  'before-remove': 'prerm',
  'after-remove': 'postrm',
};

const options = parseFpmOptions(process.argv.slice(2));
fs.mkdirSync(path.dirname(options.value.package), { recursive: true });
// Beside the result, so that files can be linked and need not be copied.
const root = fs.mkdtempSync(`${options.value.package}.root-`);
try {
  for (const { source, target } of options.inputs) place(source, path.join(root, target));
  const bytes = normalise(root);
  writeControl(path.join(root, 'DEBIAN'), bytes);
  const [method, ...more] = (process.env.PATCHBAY_DEB_COMPRESSION ?? 'xz').split(' ');
  execute('dpkg-deb', ['--root-owner-group', `-Z${method}`, ...more, '--build', root, options.value.package]);
} finally {
  fs.rmSync(root, { recursive: true, force: true });
}

function place(source, target) {
  fs.mkdirSync(path.dirname(target), { recursive: true });
  if (!source.endsWith('/')) {
    fs.copyFileSync(source, target);
    return;
  }
  const linked = spawnSync('cp', ['-al', source.slice(0, -1), target]);
  if (linked.status === 0) return;
  fs.rmSync(target, { recursive: true, force: true });
  execute('cp', ['-a', source.slice(0, -1), target]);
}

/** Folders and plain files get the usual rights, whatever the umask was. @returns the size of all files in bytes */
function normalise(folder) {
  fs.chmodSync(folder, 0o755);
  let bytes = 0;
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name);
    const stat = fs.lstatSync(file);
    if (entry.isDirectory()) bytes += normalise(file);
    else bytes += stat.size;
    if (entry.isFile()) fs.chmodSync(file, stat.mode & 0o111 ? 0o755 : 0o644);
  }
  return bytes;
}

function writeControl(folder, bytes) {
  fs.mkdirSync(folder, { mode: 0o755 });
  fs.writeFileSync(path.join(folder, 'control'), controlText(options, bytes), { mode: 0o644 });
  for (const [option, name] of Object.entries(SCRIPTS)) {
    const script = options.value[option];
    if (script !== undefined) fs.writeFileSync(path.join(folder, name), fs.readFileSync(script), { mode: 0o755 });
  }
}

function execute(command, args) {
  const { status, error } = spawnSync(command, args, { stdio: ['ignore', 2, 2] });
  if (status !== 0) throw new PlainFailure(`${command} failed: ${error?.message ?? `code ${status}`}`);
}
