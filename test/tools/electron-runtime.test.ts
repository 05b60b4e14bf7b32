// Tests the parts that the Electron runtime is built with: archives, hash, fuses.
// Needs: p7zip-full
import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { packAsar } from '../../scripts/electron/asar.mjs';
import { readFuses, resetFuses } from '../../scripts/electron/fuses.mjs';
import { extractMember } from '../../scripts/electron/tarball.mjs';
import { extractZip } from '../../scripts/electron/zip.mjs';

let folder = '';
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'patchbay-runtime-'));
});
afterEach(() => fs.rmSync(folder, { recursive: true }));

const inFolder = (name: string) => path.join(folder, name);

describe('extractMember', () => {
  const content = Buffer.from(Array.from({ length: 70_000 }, (_, i) => i % 251));

  const makeTarball = () => {
    fs.writeFileSync(inFolder('wanted.bin'), content);
    fs.writeFileSync(inFolder('other.txt'), 'other');
    execFileSync('tar', ['-czf', 'a.tgz', 'other.txt', 'wanted.bin', 'other.txt'], { cwd: folder });
    return createHash('sha512')
      .update(fs.readFileSync(inFolder('a.tgz')))
      .digest('base64');
  };

  it('writes the one member when the hash is right', async () => {
    const sha512 = makeTarball();
    await extractMember({ tarball: inFolder('a.tgz'), member: 'wanted.bin', target: inFolder('out'), sha512 });
    expect(fs.readFileSync(inFolder('out')).equals(content)).toBe(true);
  });

  it('fails when the hash is another or the member is not there', async () => {
    const sha512 = makeTarball();
    const options = { tarball: inFolder('a.tgz'), member: 'wanted.bin', target: inFolder('out'), sha512 };
    await expect(extractMember({ ...options, sha512: 'AAAA' })).rejects.toThrow('expected AAAA');
    await expect(extractMember({ ...options, member: 'missing' })).rejects.toThrow('does not hold missing');
  });
});

describe('extractZip', () => {
  it('unpacks chosen files under other names, stored, deflated and empty', async () => {
    fs.mkdirSync(inFolder('App/locales'), { recursive: true });
    fs.writeFileSync(inFolder('App/App'), 'x'.repeat(5000));
    fs.writeFileSync(inFolder('App/locales/en.pak'), 'short, so it is stored');
    fs.writeFileSync(inFolder('App/empty'), '');
    fs.writeFileSync(inFolder('App/foreign.js'), 'no');
    execFileSync('7za', ['a', '-bd', 'a.zip', 'App'], { cwd: folder, stdio: 'ignore' });
    const names: Record<string, string> = {
      'App/App': 'electron',
      'App/locales/en.pak': 'locales/en.pak',
      'App/empty': 'empty',
    };
    await extractZip(inFolder('a.zip'), inFolder('out'), (name: string) => names[name]);
    expect(fs.readFileSync(inFolder('out/electron'), 'utf8')).toBe('x'.repeat(5000));
    expect(fs.readFileSync(inFolder('out/locales/en.pak'), 'utf8')).toBe('short, so it is stored');
    expect(fs.readdirSync(inFolder('out')).toSorted()).toEqual(['electron', 'empty', 'locales']);
  });

  it('says so when the archive is cut off', async () => {
    fs.writeFileSync(inFolder('a.zip'), 'PK and nothing more');
    await expect(extractZip(inFolder('a.zip'), inFolder('out'), (name: string) => name)).rejects.toThrow('cut off');
  });
});

describe('fuses', () => {
  const SENTINEL = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';

  it('are set back to the defaults, and a removed one stays removed', async () => {
    const file = inFolder('binary');
    fs.writeFileSync(file, `before${SENTINEL}\u0001\u00080r101110after`);
    await resetFuses(file);
    expect(await readFuses(file)).toEqual({
      runAsNode: true,
      nodeOptions: true,
      nodeCliInspect: true,
      embeddedAsarIntegrityValidation: false,
      onlyLoadAppFromAsar: false,
      loadBrowserProcessSpecificV8Snapshot: false,
      grantFileProtocolExtraPrivileges: true,
    });
    expect(fs.readFileSync(file, 'utf8')).toBe(`before${SENTINEL}\u0001\u00081r110001after`);
  });

  it('are not touched in a file without a wire', async () => {
    fs.writeFileSync(inFolder('binary'), 'nothing here');
    await expect(resetFuses(inFolder('binary'))).rejects.toThrow('does not have one fuse wire');
  });
});

describe('packAsar', () => {
  it('makes an archive whose header leads to each file', () => {
    const archive = packAsar({ 'a.txt': 'first', 'b.txt': 'zweite Ü' });
    const header: unknown = JSON.parse(archive.toString('utf8', 16, 16 + archive.readUInt32LE(12)));
    expect(header).toEqual({ files: { 'a.txt': { size: 5, offset: '0' }, 'b.txt': { size: 9, offset: '5' } } });
    const body = 8 + archive.readUInt32LE(4);
    expect(archive.toString('utf8', body + 5, body + 14)).toBe('zweite Ü');
  });
});
