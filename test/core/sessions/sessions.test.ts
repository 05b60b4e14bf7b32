// Sessions through the core, against a real sshd: opening, limits, finding, closing, the journal.
import fs from 'node:fs';
import { afterEach, beforeAll, afterAll, describe, expect, it } from 'vitest';
import { appError } from '../../../src-shared/errors.ts';
import type { TestCore } from '../../support/core.ts';
import { assistant, outputOf, person, runToEnd, startCore } from '../../support/core.ts';
import { freePort } from '../../support/net.ts';
import { waitFor } from '../../support/processes.ts';
import type { TestSshd } from '../../support/sshd.ts';
import { startSshd } from '../../support/sshd.ts';

let server: TestSshd;
let home: TestCore | undefined;
beforeAll(async () => {
  server = await startSshd();
});
afterAll(() => server.stop());
afterEach(async () => {
  await home?.close();
  home = undefined;
});

const never = new AbortController().signal;

describe('opening a session', () => {
  it('tells where it goes and what the server said, and runs commands', async () => {
    home = await startCore();
    const session = await home.connect('web-1', server);
    expect(session.view()).toMatchObject({
      ...{
        name: 'web-1',
        host: '127.0.0.1',
        port: server.port,
        username: 'tester',
        kind: 'posix',
        status: 'connected',
      },
      ...{
        statusReason: null,
        retryAt: null,
        fingerprint: server.hostKeys[0]?.fingerprint,
        hostKeyType: 'ssh-ed25519',
      },
      ...{ workingDir: server.account.home, busy: false, running: null, queued: 0, lastExitCode: null, reconnects: 0 },
      ...{ lease: { holder: 'agent', client: assistant }, terminalOpen: false },
    });
    expect(session.view().serverVersion).toMatch(/^OpenSSH_/);
    expect(session.view().shell).toMatch(/^bash /);
    expect(await runToEnd(session, 'cd /tmp; echo out; echo err >&2; exit 3')).toEqual({
      ...{ status: 'exited', exitCode: 3, stdout: 'out\n', stderr: 'err\n' },
    });
    expect(session.view()).toMatchObject({ workingDir: '/tmp', lastExitCode: 3 });
    expect(session.view().bytesIn).toBeGreaterThan(1000);
  });

  it('refuses a bad name, a taken name and a missing way to log in before anything is sent', async () => {
    home = await startCore();
    const nowhere = { host: '127.0.0.1', port: await freePort(), credentials: { password: 'x' } };
    const connect = (request: object) =>
      home?.core.sessions.connect({ name: 'a', ...nowhere, ...request }, assistant, never);
    await expect(connect({ name: 'no blanks' })).rejects.toMatchObject({
      code: 'INVALID_PARAMS',
      details: { field: 'name' },
    });
    await expect(connect({ name: '' })).rejects.toMatchObject({ code: 'INVALID_PARAMS' });
    await expect(connect({ name: 'x'.repeat(65) })).rejects.toMatchObject({ code: 'INVALID_PARAMS' });
    await expect(connect({ credentials: {} })).rejects.toMatchObject({ code: 'INVALID_PARAMS' });
    await home.connect('web-1', server);
    await expect(connect({ name: 'web-1' })).rejects.toMatchObject({ code: 'SESSION_EXISTS' });
    expect(home.core.sessions.list().map(({ name }) => name)).toEqual(['web-1']);
  });

  it('lets no more than the limit through, however many ask at once', async () => {
    home = await startCore({ settings: { MAX_SESSIONS: 3 } });
    const own = home;
    const names = Array.from({ length: 10 }, (_, i) => `s-${i}`);
    const outcomes = await Promise.allSettled(names.map((name) => own.connect(name, server)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
    for (const reason of refused) expect(reason).toMatchObject({ code: 'SESSION_LIMIT', details: { maxSessions: 3 } });
    await home.core.sessions.disconnect('s-0', assistant, 'done');
    await home.connect('s-9', server);
    expect(home.core.sessions.list()).toHaveLength(3);
  });

  it('keeps the place of a name while it connects, and gives it back when that fails', async () => {
    home = await startCore({ settings: { MAX_SESSIONS: 1 } });
    const wrong = { credentials: { username: 'tester', password: 'wrong' } };
    const [first, second] = await Promise.allSettled([
      home.connect('web-1', server, wrong),
      home.connect('web-1', server, wrong),
    ]);
    expect(first).toMatchObject({ status: 'rejected', reason: { code: 'AUTHENTICATION_FAILED' } });
    expect(second).toMatchObject({ status: 'rejected', reason: { code: 'SESSION_EXISTS' } });
    await home.connect('web-1', server);
    expect(home.core.sessions.list()).toHaveLength(1);
  });

  it('is given up when the caller gives up', async () => {
    home = await startCore({ mode: 'app' });
    const giveUp = new AbortController();
    const connecting = home.core.sessions.connect(
      {
        ...{ name: 'web-1', host: server.host, port: server.port },
        credentials: { username: 'tester', keyFile: server.account.keyFile },
      },
      assistant,
      giveUp.signal,
    );
    await waitFor('the card of the host key', () => home?.core.cards.list().length === 1);
    giveUp.abort(appError('SESSION_LOST'));
    await expect(connecting).rejects.toThrow();
    expect(home.core.sessions.list()).toEqual([]);
  });

  it('says so when the server ends the connection while the shell is being started, or the caller gives up then', async () => {
    const script = `${server.folder}/never-answers`;
    fs.writeFileSync(script, '#!/bin/sh\nexec sleep 60\n', { mode: 0o755 });
    const silent = await startSshd({ accounts: [{ name: 'silent', shell: script }] });
    try {
      home = await startCore();
      const cut = expect(home.connect('web-1', silent)).rejects.toMatchObject({
        ...{ code: 'CONNECTION_ERROR', details: { reason: 'closed_after_login' } },
      });
      // An sshd that serves a login which has got so far has logged it.
      await waitFor('the shell to be asked for', () => /Starting session: command/.test(silent.log()));
      await silent.killConnections();
      await cut;
      const giveUp = new AbortController();
      const { account, host, port } = silent;
      const credentials = { username: account.name, keyFile: account.keyFile };
      const request = { name: 'web-1', host, port, credentials };
      const left = expect(home.core.sessions.connect(request, assistant, giveUp.signal)).rejects.toThrow();
      await waitFor('the second', () => silent.log().split('Starting session: command').length > 2);
      giveUp.abort();
      await left;
      expect(home.core.sessions.list()).toEqual([]);
    } finally {
      await silent.stop();
    }
  });

  it('knows the hosts of the ssh_config', async () => {
    home = await startCore();
    const folder = `${process.env['HOME'] ?? ''}/.ssh`;
    fs.mkdirSync(folder, { mode: 0o700 });
    fs.writeFileSync(
      `${folder}/config`,
      `Host box\n  HostName 127.0.0.1\n  Port ${server.port}\n  User tester\n  IdentityFile ${server.account.keyFile}\n`,
    );
    expect(await home.core.sessions.hosts()).toMatchObject([{ alias: 'box', host: '127.0.0.1', port: server.port }]);
    const session = await home.core.sessions.connect({ name: 'web-1', host: 'box' }, person, never);
    expect(session.view()).toMatchObject({ host: '127.0.0.1', username: 'tester', lease: { holder: 'idle' } });
  });

  it('learns the secrets it was given, so that our own texts never show them', async () => {
    const secrets: string[] = [];
    home = await startCore();
    const learn = home.core.options.secrets.learn.bind(home.core.options.secrets);
    Object.assign(home.core.options.secrets, {
      learn: (secret: string) => {
        secrets.push(secret);
        learn(secret);
      },
    });
    await home.connect('web-1', server, { credentials: { username: 'tester', password: server.account.password } });
    expect(secrets).toEqual([server.account.password]);
    const everything = JSON.stringify([await home.journal(), home.logged, home.core.sessions.get('web-1').view()]);
    expect(everything).not.toContain(server.account.password);
  });
});

describe('an unknown host key in the app', () => {
  it('waits for the person; trusted, the call goes on, and the key is on file for the next one', async () => {
    home = await startCore({ mode: 'app' });
    const { core } = home;
    const changes: number[] = [];
    core.events.on('cards.changed', () => changes.push(core.cards.list().length));
    const connecting = home.connect('web-1', server);
    await waitFor('the card', () => core.cards.list().length === 1);
    const [card] = core.cards.list();
    expect(card).toMatchObject({ kind: 'host-key', host: '127.0.0.1', fingerprint: server.hostKeys[0]?.fingerprint });
    await core.cards.answerHostKey(card?.id ?? '', true, person);
    expect((await connecting).view().status).toBe('connected');
    expect(changes).toEqual([1, 0]);
    await home.connect('web-2', server);
    expect(fs.readFileSync(`${home.dataDir}/known_hosts`, 'utf8').trim().split('\n')).toHaveLength(1);
    expect((await home.journal()).filter(({ type }) => type === 'hostkey.answered')).toMatchObject([
      { answer: 'trusted', actor: person, port: server.port },
    ]);
  });

  it('is refused with DENIED when the person refuses, before any credential is sent', async () => {
    home = await startCore({ mode: 'app' });
    const { core } = home;
    const connecting = home.connect('web-1', server);
    await waitFor('the card', () => core.cards.list().length === 1);
    await core.cards.answerHostKey(core.cards.list()[0]?.id ?? '', false, person);
    await expect(connecting).rejects.toMatchObject({ code: 'DENIED' });
    expect(fs.existsSync(`${home.dataDir}/known_hosts`)).toBe(false);
  });

  it('is accepted and noted when the policy says so', async () => {
    home = await startCore({ mode: 'app', settings: { HOST_KEY_POLICY: 'accept-new' } });
    await home.connect('web-1', server);
    expect((await home.journal()).filter(({ type }) => type === 'hostkey.answered')).toMatchObject([
      { answer: 'accepted-new', actor: { kind: 'system' } },
    ]);
  });
});

describe('two calls at once', () => {
  it('FC10 gives each call its own output, in order within a session, side by side across sessions', async () => {
    home = await startCore();
    const sessions = [await home.connect('a', server), await home.connect('b', server)];
    const numbers = [1, 2, 3, 4, 5];
    const started = Date.now();
    const runs = sessions.flatMap((session) =>
      numbers.map((n) => session.run({ command: `sleep 0.3; echo ${session.name}${n}`, timeoutMs: 60_000 }, assistant)),
    );
    // The list never waits for a command: it is answered while all ten are unfinished.
    expect(home.core.sessions.list().map((session) => session.view().queued)).toEqual([4, 4]);
    expect(runs.every((run) => run.view().endedAt === null)).toBe(true);
    await Promise.all(runs.map(({ ended }) => ended));
    const outputs = await Promise.all(runs.map(outputOf));
    expect(outputs.map(({ stdout }) => stdout)).toEqual([
      ...numbers.map((n) => `a${n}\n`),
      ...numbers.map((n) => `b${n}\n`),
    ]);
    const spans = runs.map((run) => ({ from: run.view().startedAt ?? 0, to: run.view().endedAt ?? 0 }));
    const [a, b] = [spans.slice(0, 5), spans.slice(5)];
    for (const lane of [a, b])
      lane.slice(1).forEach((span, i) => expect(span.from).toBeGreaterThanOrEqual(lane[i]?.to ?? Infinity));
    // Side by side: the first of b started before the last of a ended.
    expect(b[0]?.from).toBeLessThan(a[4]?.to ?? 0);
    expect(started).toBeLessThan(Date.now());
  });
});

describe('finding and closing', () => {
  it('names the sessions that exist when one is not found', async () => {
    home = await startCore();
    expect(() => home?.core.sessions.get('web')).toThrow('there are no sessions');
    await home.connect('web-1', server);
    await home.connect('web-2', server);
    expect(() => home?.core.sessions.get('web')).toThrow('there are: web-1, web-2');
    await expect(home.core.sessions.disconnect('web', assistant, 'x')).rejects.toMatchObject({
      ...{ code: 'SESSION_NOT_FOUND', details: { sessions: ['web-1', 'web-2'] } },
    });
  });

  it('ends what runs, tells what that was, removes the spool and lets the name be used again', async () => {
    home = await startCore();
    const { core } = home;
    const removed: string[] = [];
    core.events.on('session.removed', ({ name }) => removed.push(name));
    const session = await home.connect('web-1', server);
    const running = session.run({ command: 'sleep 100', timeoutMs: 600_000 }, assistant);
    const queued = session.run({ command: 'echo never', timeoutMs: 600_000 }, assistant);
    await waitFor('the start', () => running.view().status === 'running');
    const ended = await core.sessions.disconnect('web-1', assistant, 'work is done');
    expect(ended.map(({ command, status }) => [command, status])).toEqual([
      ['sleep 100', 'cancelled'],
      ['echo never', 'cancelled'],
    ]);
    await queued.ended;
    expect({ removed, list: core.sessions.list() }).toEqual({ removed: ['web-1'], list: [] });
    const [own = ''] = fs.readdirSync(`${home.dataDir}/spool`);
    expect(fs.readdirSync(`${home.dataDir}/spool/${own}`)).toEqual([]);
    expect(session.transcript.ended && session.terminal.stream.ended).toBe(true);
    expect(() => session.run({ command: 'x', timeoutMs: 1 }, assistant)).toThrow('is lost: work is done');
    await home.connect('web-1', server);
  });

  it('writes the life of a session and its commands into the journal, in order', async () => {
    home = await startCore();
    const session = await home.connect('web-1', server);
    await runToEnd(session, 'echo hello; false');
    await home.core.sessions.disconnect('web-1', person, 'closed by the person');
    const { username, fingerprint } = { username: 'tester', fingerprint: server.hostKeys[0]?.fingerprint };
    const events = await home.journal();
    expect(events.map(({ type }) => type)).toEqual([
      ...['app.started', 'hostkey.answered', 'session.opened', 'command.started', 'command.ended', 'session.closed'],
    ]);
    expect(events[2]).toMatchObject({ session: 'web-1', host: '127.0.0.1', username, fingerprint, actor: assistant });
    expect(events[3]).toMatchObject({
      command: 'echo hello; false',
      actor: assistant,
      workingDir: server.account.home,
    });
    expect(events[4]).toMatchObject({ status: 'exited', exitCode: 1, stdoutBytes: 6, stderrBytes: 0 });
    expect(events[5]).toMatchObject({ reason: 'closed by the person', actor: person });
  });

  it('leaves nothing of earlier runs in the spool folder, and nothing of its own', async () => {
    home = await startCore();
    const spool = `${home.dataDir}/spool`;
    const [own] = fs.readdirSync(spool);
    expect(fs.statSync(`${spool}/${own ?? ''}`).mode & 0o777).toBe(0o700);
    await home.connect('web-1', server);
    await home.core.close('test');
    expect(fs.readdirSync(spool)).toEqual([]);
    expect((await fs.promises.readdir(`${home.dataDir}/journal`)).length).toBe(1);
  });
});

describe('events', () => {
  it('tells changes of a session at most about ten times a second, the last one included', async () => {
    home = await startCore();
    const { core } = home;
    const session = await home.connect('web-1', server);
    const views: { at: number; running: string | null }[] = [];
    core.events.on('session.changed', (view) => views.push({ at: Date.now(), running: view.running?.command ?? null }));
    for (let i = 0; i < 100; i += 1) await runToEnd(session, `true ${i}`);
    await waitFor('the last change', () => views.at(-1)?.running === null);
    const gaps = views.slice(1).map(({ at }, i) => at - (views[i]?.at ?? 0));
    expect(gaps.filter((gap) => gap < 90)).toEqual([]);
  });

  it('tells every change of a command', async () => {
    home = await startCore();
    const told: string[] = [];
    home.core.events.on('command.changed', ({ commandId, status }) => told.push(`${commandId} ${status}`));
    const session = await home.connect('web-1', server);
    const run = session.run({ command: 'true', timeoutMs: 1000 }, assistant);
    await run.ended;
    await waitFor('the end', () => told.includes(`${run.id} exited`));
    expect(told).toContain(`${run.id} running`);
  });

  it('writes a fault of a listener into the log and goes on', async () => {
    home = await startCore();
    home.core.events.on('clients.changed', () => {
      throw new Error('bad listener');
    });
    const at = Date.now();
    home.core.clients.add({ id: 'c', name: 'n', version: '1', transport: 'tcp', since: at, lastSeen: at });
    expect(home.core.clients.list()).toHaveLength(1);
    expect(home.logged.some((line) => line.includes('bad listener'))).toBe(true);
  });
});
