// The person's ssh_config as people write it, and what a connect request means with it.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { appErrorOf } from '../../support/app-error.ts';
import { loadSshHosts, resolveTarget } from '../../../src-main/core/ssh/ssh-config.ts';
import { wordsOf } from '../../../src-main/core/ssh/ssh-config-parse.ts';
import { run } from '../../support/run.ts';
import { parseHost } from '../../../src-main/core/ssh/host-form.ts';

let home: string;
beforeEach(() => {
  home = fs.mkdtempSync(path.join(os.tmpdir(), 'patchbay-home-'));
  vi.stubEnv('HOME', home);
});
afterEach(() => {
  vi.unstubAllEnvs();
  fs.rmSync(home, { recursive: true });
});

function config(text: string, name = 'config'): void {
  const file = path.join(home, '.ssh', name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text);
}

const me = os.userInfo().username;
const password = { password: 'not-a-secret' };

describe('the hosts of ssh_config', () => {
  it('are none without a file', async () => {
    expect(await loadSshHosts()).toEqual([]);
  });

  it('are the literal aliases with their values; the first value wins, patterns only give values', async () => {
    config(`
# my hosts
Host web-1 web-2
    HostName 192.0.2.10
    User deploy
    IdentityFile ~/.ssh/web key
    IdentityFile "~/.ssh/second key"

Host web-1
  Port 2222
  User ignored
Host=db
hostname = %h.example.com
  ForwardAgent yes
  SomethingNew maybe
Host bare
Host *.lab !bad.lab
  User student
Match host other
  User never
Host *
  User everybody
  Port 24
  IdentityFile ~/.ssh/%r_%h
  IdentityFile none
`);
    const everybodys = (user: string, host: string): string => `~/.ssh/${user}_${host}`;
    expect(await loadSshHosts()).toEqual([
      {
        alias: 'web-1',
        host: '192.0.2.10',
        port: 2222,
        username: 'deploy',
        keyFiles: ['~/.ssh/web', '~/.ssh/second key', everybodys('deploy', '192.0.2.10')],
        source: 'ssh_config',
      },
      {
        alias: 'web-2',
        host: '192.0.2.10',
        port: 24,
        username: 'deploy',
        keyFiles: ['~/.ssh/web', '~/.ssh/second key', everybodys('deploy', '192.0.2.10')],
        source: 'ssh_config',
      },
      {
        alias: 'db',
        host: 'db.example.com',
        port: 24,
        username: 'everybody',
        keyFiles: [everybodys('everybody', 'db.example.com')],
        source: 'ssh_config',
      },
      {
        alias: 'bare',
        host: 'bare',
        port: 24,
        username: 'everybody',
        keyFiles: [everybodys('everybody', 'bare')],
        source: 'ssh_config',
      },
    ]);
  });

  it('come from included files too, and an Include inside a block counts for that block only', async () => {
    config(
      'Include conf.d/*.conf ~/.ssh/missing\nHost outer\n  Include inner\nHost loop\n  User looper\nInclude config\n',
    );
    config('Host a\n  User one\n', 'conf.d/10-a.conf');
    config('Host b\n  User two\n', 'conf.d/20-b.conf');
    config('Host hidden\n', 'conf.d/.hidden.conf');
    config('Host never\n', 'conf.d/notes.txt');
    config('User inner\nHost outer other\n  Port 99\n', 'inner');
    const hosts = await loadSshHosts();
    expect(hosts.map(({ alias, username, port }) => [alias, username, port])).toEqual([
      ['a', 'one', 22],
      ['b', 'two', 22],
      ['outer', 'inner', 99],
      ['loop', 'looper', 22],
    ]);
  });

  it('have the values that ssh itself finds', async () => {
    config(
      'Host one\n HostName one.example.com\n Port 2201\nHost o* !old\n User group\nHost old one\n User late\nHost *\n Port 2299\n',
    );
    for (const { alias, host, port, username } of await loadSshHosts()) {
      const { stdout } = await run('ssh', ['-G', '-F', path.join(home, '.ssh', 'config'), alias]);
      const value = (name: string): string => new RegExp(`^${name} (.*)$`, 'm').exec(stdout)?.[1] ?? '';
      expect([host, String(port), username]).toEqual([value('hostname'), value('port'), value('user')]);
    }
  });

  it('keep a bad port out', async () => {
    config('Host odd\n Port seventy\n');
    expect((await loadSshHosts())[0]?.port).toBe(22);
  });

  it('are read word by word as ssh does', () => {
    expect(wordsOf('  Host a "b c"  d')).toEqual(['Host', 'a', 'b c', 'd']);
    expect(wordsOf('Port=22')).toEqual(['Port', '22']);
    expect(wordsOf('Port = 22')).toEqual(['Port', '22']);
    expect(wordsOf('Port =22')).toEqual(['Port', '22']);
    expect(wordsOf('')).toEqual([]);
  });
});

describe('resolveTarget', () => {
  it('fills in port 22 and the local user', async () => {
    expect(await resolveTarget({ name: 's', host: '192.0.2.1', credentials: password })).toEqual({
      host: '192.0.2.1',
      port: 22,
      username: me,
      credentials: password,
      identityFiles: [],
    });
  });

  it('reads the host in every form that models use', async () => {
    const forms: Readonly<Record<string, string>> = {
      ' 127.0.0.1 ': `127.0.0.1 22 ${me}`,
      'tester@127.0.0.1:2222': '127.0.0.1 2222 tester',
      '[::1]': `::1 22 ${me}`,
      '[::1]:2200': `::1 2200 ${me}`,
      '::1': `::1 22 ${me}`,
      'tester@[fe80::1%eth0]:23': 'fe80::1%eth0 23 tester',
      'ssh://tester@host.example.com:2022/': 'host.example.com 2022 tester',
      'a@b@host': 'host 22 a@b',
    };
    for (const [given, expected] of Object.entries(forms)) {
      const { host, port, username } = await resolveTarget({ name: 's', host: given, credentials: password });
      expect(`${host} ${port} ${username}`).toBe(expected);
    }
  });

  it('shows what was wrong with a host', () => {
    for (const bad of [
      '',
      '  ',
      '@host',
      'user@',
      'host:22x',
      'host:0',
      'host:70000',
      '[::1',
      'two words',
      'a/b',
      'x:',
    ]) {
      expect(() => parseHost(bad)).toThrow(/host is not a host name/);
    }
    expect(() => parseHost('host:22x')).toThrow('"host:22x"');
  });

  it('looks aliases up; what the request says wins; an alias with keys needs no credentials', async () => {
    config(
      'Host lab\n HostName 192.0.2.7\n Port 2222\n User labber\n IdentityFile ~/.ssh/lab\nHost nokeys\n HostName 192.0.2.8\n',
    );
    expect(await resolveTarget({ name: 's', host: 'lab' })).toEqual({
      host: '192.0.2.7',
      port: 2222,
      username: 'labber',
      credentials: {},
      identityFiles: ['~/.ssh/lab'],
    });
    const own = { username: 'other', ...password };
    expect(await resolveTarget({ name: 's', host: 'lab', port: 5, credentials: own })).toMatchObject({
      host: '192.0.2.7',
      port: 5,
      username: 'other',
    });
    const error = await appErrorOf(resolveTarget({ name: 's', host: 'nokeys' }));
    expect(error).toMatchObject({
      code: 'INVALID_PARAMS',
      message: 'credentials needs one of keyFile, password or agent',
    });
    expect(await appErrorOf(resolveTarget({ name: 's', host: 'h', credentials: { agent: false } }))).toMatchObject({
      details: { expected: ['keyFile', 'password', 'agent'] },
    });
  });

  it.each(['ro\u202eot', 'root\u001b[31m', 'ro\u200bot'])('refuses %j as a user name', async (username) => {
    await expect(resolveTarget({ name: 'x', host: 'h', credentials: { username, ...password } })).rejects.toMatchObject(
      {
        code: 'INVALID_PARAMS',
        details: { reason: 'bad_username', argument: 'credentials.username' },
      },
    );
    config(`Host alias\n  HostName 192.0.2.1\n  User ${username}\n`);
    await expect(resolveTarget({ name: 'x', host: 'alias', credentials: password })).rejects.toThrow('cannot be seen');
  });

  it('does not guess when host and argument contradict each other', async () => {
    const port = await appErrorOf(resolveTarget({ name: 's', host: 'h:2222', port: 22, credentials: password }));
    expect(port.message).toBe('port is 22, but host says 2222');
    const credentials = { username: 'b', ...password };
    const user = await appErrorOf(resolveTarget({ name: 's', host: 'a@h', credentials }));
    expect(user.details).toEqual({ reason: 'contradiction', argument: 'credentials.username' });
    await resolveTarget({ name: 's', host: 'b@h:22', port: 22, credentials });
  });
});
