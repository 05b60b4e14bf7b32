// Servers that refuse requests, ask questions or hang up in the middle; simulated, because real ones cannot be had.
import { afterEach, describe, expect, it } from 'vitest';
import { appErrorOf } from '../../support/app-error.ts';
import { startRelay } from '../../support/net.ts';
import type { OddServer, OddServerOptions } from '../../support/odd-server.ts';
import { asks, startOddServer } from '../../support/odd-server.ts';
import { collect, connectTo } from '../../support/ssh-connect.ts';

const NOBODY = { name: 'tester', uid: 0, password: '', keyFile: '', home: '', shell: '' };
const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

async function odd(options: OddServerOptions): Promise<OddServer> {
  const server = await startOddServer(options);
  cleanUps.push(() => server.close());
  return server;
}

async function login({ port }: Pick<OddServer, 'port'>) {
  const connection = await connectTo({ port, account: NOBODY }, { credentials: { password: 'kbd-secret' } });
  cleanUps.push(() => connection.close());
  return connection;
}

describe('a device without exec', () => {
  it('refuses exec, and its only channel is given back for a shell', async () => {
    const device = await odd({ noExec: true });
    const connection = await login(device);
    const error = await appErrorOf(connection.exec('show version'));
    expect(error).toMatchObject({ code: 'UNSUPPORTED', details: { reason: 'exec_refused', port: device.port } });
    const shell = await connection.shell({ cols: 80, rows: 24, term: 'vt100' });
    const first = await new Promise<Buffer>((resolve) => (shell.onData = resolve));
    expect(first.toString()).toBe('device>');
    expect(device.mostChannels).toBe(1);
  });

  it.each([{ noPty: true }, { noShell: true }])('says that no terminal opens (%o)', async (options) => {
    const connection = await login(await odd(options));
    const error = await appErrorOf(connection.shell({ cols: 80, rows: 24, term: 'vt100' }));
    expect(error).toMatchObject({ code: 'UNSUPPORTED', details: { reason: 'shell_refused' } });
  });
});

describe('a command that ends in the packet that says it has begun', () => {
  it('keeps its output and its exit code', async () => {
    const server = await odd({
      exec: (channel, command) => {
        channel.write(command);
        channel.exit(7);
        channel.end();
      },
    });
    const relay = await startRelay(server.port, { gatherMs: 30 });
    cleanUps.push(() => relay.close());
    const connection = await login(relay);
    const { stdout, exitCode } = await collect(await connection.exec('quick'));
    expect([stdout.toString(), exitCode]).toEqual(['quick', 7]);
  });
});

describe('questions at login', () => {
  const hidden = (prompt: string) => [{ prompt, echo: false }];

  it('answers one hidden password prompt, after a round without questions', async () => {
    const right = (answers: readonly string[]): boolean => answers.join() === 'kbd-secret';
    await login(await odd({ login: asks([[], hidden('Password: ')], right) }));
    await login(await odd({ login: asks([hidden('Enter your credential')], right) }));
  });

  const cases = [
    { name: 'a one-time code', rounds: [hidden('Verification code: ')], question: 'Verification code:' },
    { name: 'a code after the password', rounds: [hidden('Password: '), hidden('OTP: ')], question: 'OTP:' },
    { name: 'a visible question', rounds: [[{ prompt: 'Your name?\u001b[2J', echo: true }]], question: 'Your name?' },
    {
      name: 'two questions at once',
      rounds: [[...hidden('Password: '), ...hidden('Token: ')]],
      question: 'Password: Token:',
    },
  ];
  it.each(cases)('does not answer $name and shows it', async ({ rounds, question }) => {
    const error = await appErrorOf(login(await odd({ login: asks(rounds, () => true) })));
    expect(error).toMatchObject({
      code: 'AUTHENTICATION_FAILED',
      details: { reason: 'question_unanswered', question },
    });
  });

  it('takes a second password prompt for a wrong password', async () => {
    const error = await appErrorOf(
      login(await odd({ login: asks([hidden('Password: '), hidden('Password: ')], () => true) })),
    );
    expect(error).toMatchObject({ code: 'AUTHENTICATION_FAILED', details: { reason: 'wrong_password' } });
  });

  it('says that a password has expired', async () => {
    const server = await odd({
      login: (context) => {
        if (context.method === 'password') context.requestChange('Change it', () => undefined);
        else context.reject(['password']);
      },
    });
    expect((await appErrorOf(login(server))).details['reason']).toBe('password_expired');
  });

  it('says that the server ended the login', async () => {
    const server = await odd({ login: (_context, connection) => void connection.end() });
    const error = await appErrorOf(login(server));
    expect(error).toMatchObject({ code: 'AUTHENTICATION_FAILED', details: { reason: 'login_ended', tries: 1 } });
  });

  it('says at the time-out that the login was not finished', async () => {
    const { port } = await odd({ login: () => undefined });
    const credentials = { password: 'kbd-secret' };
    const error = await appErrorOf(connectTo({ port, account: NOBODY }, { credentials, timeoutMs: 500 }));
    expect(error.message).toContain('did not finish the login within 0.5 s');
  });

  it('names only methods that nobody can give here', async () => {
    const error = await appErrorOf(login(await odd({ login: (context) => context.reject(['hostbased']) })));
    expect(error).toMatchObject({ details: { reason: 'method_missing', methods: ['hostbased'] } });
  });
});
