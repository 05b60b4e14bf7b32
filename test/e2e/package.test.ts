// Builds the Debian package, installs it into a private copy of the system, uses it as an ordinary user and removes it.
// Needs: p7zip-full, xvfb
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { readFuses } from '../../scripts/electron/fuses.mjs';
import { isRunning, waitFor } from '../support/processes.ts';
import type { PrivateSystem } from '../support/private-system.ts';
import { startPrivateSystem } from '../support/private-system.ts';
import { run } from '../support/run.ts';
import type { TestSshd } from '../support/sshd.ts';
import { startSshd } from '../support/sshd.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const INSTALLED = '/opt/Patchbay';

const entrySchema = z.object({
  mcpServers: z.object({
    patchbay: z.object({ command: z.string(), args: z.array(z.string()), env: z.record(z.string(), z.string()) }),
  }),
});

describe('the Debian package', () => {
  let system: PrivateSystem;
  let sshd: TestSshd;
  let app: ChildProcess | undefined;
  /** What packing said. */
  let built = '';

  beforeAll(async () => {
    const packed = await run(process.execPath, [path.join(ROOT, 'scripts/bootstrap.mjs'), 'package', 'deb', '--fast']);
    built = packed.stdout + packed.stderr;
    system = await startPrivateSystem();
    sshd = await startSshd();
    const deb = fs.readdirSync(path.join(ROOT, 'dist')).find((name) => name.endsWith('.deb'));
    await system.run('dpkg', ['-i', path.join(ROOT, 'dist', deb ?? 'no deb was built')]);
  });
  afterAll(async () => {
    await system.close();
    await sshd.stop();
  });

  it('has every fuse hardened but the one that the bridge needs', async () => {
    const executable = path.join(ROOT, 'dist/linux-unpacked/patchbay');
    expect(await readFuses(executable)).toEqual({
      runAsNode: true,
      cookieEncryption: true,
      nodeOptions: false,
      nodeCliInspect: false,
      embeddedAsarIntegrityValidation: true,
      onlyLoadAppFromAsar: true,
      loadBrowserProcessSpecificV8Snapshot: false,
      grantFileProtocolExtraPrivileges: false,
    });
  });

  it('says what Patchbay is, no more, and has an entry in the menu that its window belongs to', async () => {
    const { stdout: control } = await system.run('dpkg', ['-s', 'patchbay']);
    expect(control).toContain('\nDescription: SSH sessions for AI assistants\n');
    expect(control).not.toMatch(/Homepage|approv|127\.0\.0\.1/i);
    const { stdout: entry } = await system.run('cat', ['/usr/share/applications/patchbay.desktop']);
    expect(entry).toMatch(/^StartupWMClass=patchbay$/m);
    expect(entry).toMatch(/^Exec=\/opt\/Patchbay\/patchbay %U$/m);
    expect(built).not.toContain('desktopName');
  });

  it('holds the bundles and no sources, maps, node_modules or fixtures', () => {
    const archive = fs.readFileSync(path.join(ROOT, 'dist/linux-unpacked/resources/app.asar'));
    const names = namesIn(JSON.parse(archive.toString('utf8', 16, 16 + archive.readUInt32LE(12))), '');
    expect(names).toEqual(expect.arrayContaining(['package.json', 'out/main.js', 'out/headless.js', 'out/bridge.js']));
    expect(names.filter((name) => /node_modules|\.map$|\.tsx?$|fixture|conformance/.test(name))).toEqual([]);
  });

  it('prints an entry that points into the installation, and the bridge of that entry runs a command', async () => {
    const line = system.asUser('xvfb-run', ['-a', 'patchbay', '--hidden']);
    app = spawn(line.command, line.args, { stdio: 'ignore' });
    const dataDir = path.join(system.home, '.local/share/patchbay');
    await waitFor('the run file of the installed app', () => fs.existsSync(path.join(dataDir, 'run.json')), 30_000);

    const printed = await run('nsenter', system.asUser('xvfb-run', ['-a', 'patchbay', '--print-client-config']).args);
    const { patchbay } = entrySchema.parse(JSON.parse(printed.stdout)).mcpServers;
    expect(patchbay.command).toBe(`${INSTALLED}/patchbay`);
    expect(patchbay.args).toEqual([`${INSTALLED}/resources/app.asar/out/bridge.js`]);

    const variables = Object.entries(patchbay.env).map(([name, value]) => `${name}=${value}`);
    const bridge = system.asUser('env', [...variables, patchbay.command, ...patchbay.args]);
    const client = new Client({ name: 'package-test', version: '1.0.0' });
    await client.connect(new StdioClientTransport({ command: bridge.command, args: [...bridge.args] }));
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('ssh_exec');

    const { account, host, port, hostKeys } = sshd;
    const knownHosts = hostKeys.map(({ publicKey }) => `[${host}]:${port} ${publicKey}`).join('\n');
    await system.run('sh', [
      '-c',
      `mkdir ${system.home}/.ssh && echo '${knownHosts}' > ${system.home}/.ssh/known_hosts`,
    ]);
    await system.run('chown', ['-R', 'desk:', `${system.home}/.ssh`]);
    const credentials = { username: account.name, password: account.password };
    const connected = await client.callTool({ name: 'ssh_connect', arguments: { name: 'a', host, port, credentials } });
    expect(connected.isError ?? false, JSON.stringify(connected.content)).toBe(false);
    const done = await client.callTool({
      name: 'ssh_exec',
      arguments: { sessionName: 'a', command: 'echo from $USER' },
    });
    expect(done.structuredContent).toMatchObject({ status: 'exited', exitCode: 0, stdout: `from ${account.name}\n` });
    await client.close();
  });

  it('leaves nothing running and no file behind when it is removed', async () => {
    expect(system.processes().some(runsInstalled)).toBe(true);
    await system.run('dpkg', ['-P', 'patchbay']);
    expect(system.processes().filter(runsInstalled)).toEqual([]);
    if (app?.exitCode === null) await once(app, 'close');
    const ours = system.changedFiles().filter((name) => !/^\/(var\/(lib\/dpkg|log|cache)|etc\/.*-?$)/.test(name));
    // The desktop rebuilds this cache of all programs' icons after each change.
    expect(ours.filter((name) => !name.endsWith('/icon-theme.cache'))).toEqual([]);
    expect(system.changedFiles().filter((name) => /patchbay/i.test(name))).toEqual([]);
  });
});

/** Whether a process runs a program of the installation. */
function runsInstalled(pid: number): boolean {
  if (!isRunning(pid)) return false;
  try {
    return fs.readlinkSync(`/proc/${pid}/exe`).startsWith(INSTALLED);
  } catch {
    // The process has ended meanwhile.
    return false;
  }
}

const folderSchema = z.looseObject({ files: z.record(z.string(), z.unknown()).optional() });

/** Every file in the header of an asar archive. */
function namesIn(node: unknown, at: string): string[] {
  const { files } = folderSchema.parse(node);
  if (files === undefined) return [at];
  return Object.entries(files).flatMap(([name, child]) => namesIn(child, at === '' ? name : `${at}/${name}`));
}
