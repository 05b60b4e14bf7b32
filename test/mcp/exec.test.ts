// Checks ssh_exec and its companions through real clients of each kind over each way in: waits, queue, progress, giving up.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { appError } from '../../src-shared/errors.ts';
import { CLIENT_KINDS, connectClient } from '../support/mcp-clients.ts';
import type { ProgressSeen, TestClient } from '../support/mcp-clients.ts';
import { createCoreDouble } from '../support/mcp-core-double.ts';
import type { CommandDouble, CoreDouble, SessionDouble } from '../support/mcp-core-double.ts';
import { startMcp } from '../support/mcp-server.ts';
import type { McpTestServer } from '../support/mcp-server.ts';
import { waitFor } from '../support/processes.ts';

const WAYS = ['tcp', 'http'] as const;
const EACH = WAYS.flatMap((way) => CLIENT_KINDS.map((kind) => ({ way, kind })));
/** Progress this often, so that a test need not wait for the real pace. */
const PROGRESS_MS = 40;

describe.each(EACH)('ssh_exec for a client of kind $kind over $way', ({ way, kind }) => {
  let double: CoreDouble;
  let server: McpTestServer;
  let client: TestClient;
  let session: SessionDouble;
  let round = 0;

  beforeAll(async () => {
    double = createCoreDouble();
    server = await startMcp(double.core, { progressMs: PROGRESS_MS });
    client = await connectClient({ kind, way: server[way], token: server.token });
  });
  beforeEach(() => {
    round += 1;
    session = double.open(`s-${round}`);
  });
  afterAll(async () => {
    await client.close();
    await server.close();
  });

  const started = async (): Promise<CommandDouble> => {
    await waitFor('the command to be asked for', () => session.ran.length > 0);
    return session.command(session.ran[0]?.id ?? '');
  };
  const ask = (more: object, options = {}) =>
    client.call('ssh_exec', { sessionName: session.name, command: 'make', ...more }, options);

  it('answers when the command has ended, with everything as it was', async () => {
    const asked = ask({ workingDir: '/srv', stdin: 'in', timeoutSeconds: 5 });
    const command = await started();
    expect(command.request).toEqual({
      command: 'make',
      workingDir: '/srv',
      stdin: Buffer.from('in'),
      timeoutMs: 5_000,
    });
    command.streams.stdout.append('built\n');
    command.streams.stderr.append('one warning\n');
    command.finish({ exitCode: 2 });
    const { isError, structure, text } = await asked;
    expect(isError).toBe(false);
    expect(structure).toEqual({
      ...{
        commandId: command.id,
        status: 'exited',
        exitCode: 2,
        signal: null,
        stdout: 'built\n',
        stderr: 'one warning\n',
      },
      ...{ stdoutBytes: 6, stderrBytes: 12, truncated: false, lossy: false, workingDir: '/home/deploy' },
      ...{ startedAt: '1970-01-01T00:00:02.000Z', durationMs: 1_000, shellRestarted: false },
      ...{ queuePosition: null, blockedBy: null, notices: [] },
    });
    expect(text.split('\n')).toEqual([
      `Command ${command.id} exited with code 2 after 1.0 s, directory now /home/deploy.`,
      ...['stdout (6 bytes):', 'built', 'stderr (12 bytes):', 'one warning'],
    ]);
  });

  it('FC17 answers "running" after waitSeconds, and the command goes on', async () => {
    const { structure, text } = await ask({ waitSeconds: 0.05 });
    const command = await started();
    expect(structure).toMatchObject({ status: 'running', exitCode: null, commandId: command.id });
    expect(text).toContain('Go on with ssh_command_output');
    command.streams.stdout.append('late\n');
    const output = client.call('ssh_command_output', {
      sessionName: session.name,
      commandId: command.id,
      offset: 5,
      waitSeconds: 20,
    });
    command.finish();
    expect((await output).structure).toMatchObject({ status: 'exited', exitCode: 0, output: '', complete: true });
    expect(command.cancels).toEqual([]);
  });

  it('answers "queued" with place and blocker behind another command', async () => {
    const first = session.run({ command: 'sleep 9', timeoutMs: 1 }, { kind: 'system' });
    const { structure } = await ask({ waitSeconds: 0 });
    expect(structure).toMatchObject({ status: 'queued', queuePosition: 1, blockedBy: first.id, startedAt: null });
  });

  it('FC17 sends rising progress with the last line while it waits, and none after the result', async () => {
    const seen: ProgressSeen[] = [];
    const asked = ask({ waitSeconds: 30 }, { onprogress: (one: ProgressSeen) => seen.push(one) });
    const command = await started();
    command.line = 'compiling main.c';
    await waitFor('three messages of progress', () => seen.length >= 3);
    command.finish();
    await asked;
    const count = seen.length;
    await client.call('ssh_list_sessions');
    expect(seen).toHaveLength(count);
    const values = seen.map(({ progress }) => progress);
    expect(values).toEqual([...new Set(values)].toSorted((a, b) => a - b));
    expect(seen.at(-1)?.message).toBe('compiling main.c');
  });

  it('does not stop the command of a client whose own patience ends', async () => {
    const asked = ask({ waitSeconds: 30 }, { timeout: 100 });
    await expect(asked).rejects.toThrow(/timed out/i);
    const command = await started();
    // The client's cancellation has been read when its next call is answered.
    await client.call('ssh_list_sessions');
    expect(command.cancels).toEqual([]);
    expect(command.view().status).toBe('running');
  });

  it('passes durable on', async () => {
    const asked = ask({ durable: true });
    (await started()).finish();
    expect((await asked).isError).toBe(false);
    expect(session.ran[0]?.request).toMatchObject({ durable: true });
  });

  it('is refused where it is not possible: too much stdin, a lost session', async () => {
    const stdin = 'x'.repeat(8 * 1024 * 1024 + 1);
    expect((await ask({ stdin })).text).toMatch(/^INVALID_PARAMS: stdin must be at most 8388608 bytes, not 8388609\./);
    session.runFailure = appError('SESSION_LOST');
    expect(await ask({})).toMatchObject({ isError: true, structure: undefined, error: { code: 'SESSION_LOST' } });
    expect(session.ran).toEqual([]);
  });

  it('tells that the connection was lost, with the output so far', async () => {
    const asked = ask({});
    const command = await started();
    command.streams.stdout.append('half');
    command.finish({ status: 'lost', exitCode: null });
    const { structure, text } = await asked;
    expect(structure).toMatchObject({ status: 'lost', exitCode: null, stdout: 'half' });
    expect(text).toContain('it is not run again');
  });

  it('leaves a note of the person for the next result when the client has given up', async () => {
    const asked = ask({ waitSeconds: 30 }, { timeout: 100 });
    const command = await started();
    session.notices.push('Look at the log first');
    await expect(asked).rejects.toThrow(/timed out/i);
    await client.call('ssh_list_sessions');
    command.finish();
    const status = await client.call('ssh_session_status', { sessionName: session.name });
    expect(status.structure).toMatchObject({ notices: ['Look at the log first'] });
  });

  afterEach(() => {
    for (const command of session.ran) command.finish();
  });
});

describe('an explicit cancellation', () => {
  let double: CoreDouble;
  let server: McpTestServer;
  beforeEach(async () => {
    double = createCoreDouble();
    server = await startMcp(double.core);
  });
  afterEach(() => server.close());

  // Over HTTP a stateless client cancels by closing the stream, which nobody can tell from a client that is gone.
  it.each(EACH.filter(({ way, kind }) => way !== 'http' || kind !== 'stateless'))(
    'by a client of kind $kind over $way stops the command, and no answer is sent',
    async ({ way, kind }) => {
      const client = await connectClient({ kind, way: server[way], token: server.token });
      const session = double.open('web-1');
      const abort = new AbortController();
      const asked = client.call('ssh_exec', { sessionName: 'web-1', command: 'make' }, { signal: abort.signal });
      await waitFor('the command', () => session.ran.length === 1);
      abort.abort('the user pressed stop');
      await expect(asked).rejects.toThrow();
      await waitFor('the command to be stopped', () => session.ran[0]?.cancels.length === 1);
      expect(session.ran[0]?.view().status).toBe('cancelled');
      expect((await client.call('ssh_list_sessions')).isError).toBe(false);
      const answers = double.log.filter(
        ({ details }) => details['method'] === 'tools/call' && details['outcome'] === 'ok',
      );
      expect(answers).toHaveLength(1);
      await client.close();
    },
  );

  it.each(EACH)('is not meant by a client of kind $kind over $way that is simply gone', async ({ way, kind }) => {
    const client = await connectClient({ kind, way: server[way], token: server.token });
    const session = double.open('web-1');
    client.call('ssh_exec', { sessionName: 'web-1', command: 'make' }).catch(() => undefined);
    await waitFor('the command', () => session.ran.length === 1);
    await client.close();
    const other = await connectClient({ kind: 'new', way: server.tcp, token: server.token });
    const output = await other.call('ssh_command_output', { sessionName: 'web-1', commandId: session.ran[0]?.id });
    expect(output.structure).toMatchObject({ status: 'running' });
    expect(session.ran[0]?.cancels).toEqual([]);
    session.ran[0]?.finish();
    await other.close();
  });
});

describe('ssh_command_output and ssh_command_cancel', () => {
  let double: CoreDouble;
  let server: McpTestServer;
  let client: TestClient;
  let session: SessionDouble;
  let command: CommandDouble;

  beforeEach(async () => {
    double = createCoreDouble();
    server = await startMcp(double.core);
    client = await connectClient({ kind: 'old', way: server.tcp, token: server.token });
    session = double.open('web-1');
    session.run({ command: 'make', timeoutMs: 1 }, { kind: 'system' });
    command = session.command(session.ran[0]?.id ?? '');
  });
  afterEach(async () => {
    await client.close();
    await server.close();
  });

  const output = (more: object) =>
    client.call('ssh_command_output', { sessionName: 'web-1', commandId: command.id, ...more });

  it('waits for new output when there is nothing past the offset', async () => {
    command.streams.stdout.append('one\n');
    const asked = output({ offset: 4, waitSeconds: 20 });
    await client.call('ssh_list_sessions');
    command.streams.stdout.append('two\n');
    expect((await asked).structure).toMatchObject({ output: 'two\n', offset: 4, nextOffset: 8, complete: false });
  });

  it('pages through bytes without cutting a character, and in the end gives exactly what there was', async () => {
    const text = 'äöü€😀'.repeat(50);
    command.streams.stdout.append(text);
    command.finish();
    let got = '';
    let offset = 0;
    for (let complete = false; !complete;) {
      const { structure } = await output({ offset, limit: 7 });
      expect(structure).toMatchObject({ lossy: false, offset });
      got += String(structure?.['output']);
      offset = Number(structure?.['nextOffset']);
      complete = structure?.['complete'] === true;
    }
    expect(got).toBe(text);
  });

  it('gives the start of a character as it is when the limit leaves no other way', async () => {
    command.streams.stdout.append('€');
    command.finish();
    expect((await output({ limit: 1 })).structure).toMatchObject({ nextOffset: 1, lossy: true });
  });

  it('gives exact bytes as base64', async () => {
    const bytes = Buffer.from([0, 255, 27, 128, 10, 226]);
    command.streams.stderr.append(bytes);
    command.finish();
    const { structure } = await output({ stream: 'stderr', encoding: 'base64' });
    expect(structure).toMatchObject({
      output: bytes.toString('base64'),
      nextOffset: 6,
      complete: true,
      stderrBytes: 6,
    });
  });

  it.each([
    { what: 'quotes', piece: '"\\' },
    { what: 'line feeds', piece: '\n' },
    { what: 'plain text', piece: 'x' },
  ])('stays under 36,000 characters of JSON by default with 200 kB of $what', async ({ piece }) => {
    command.streams.stdout.append(piece.repeat(200_000 / piece.length));
    command.finish();
    for (const encoding of ['text', 'base64']) {
      const { structure, text } = await output({ encoding });
      expect(JSON.stringify(structure).length).toBeLessThan(36_000);
      expect(JSON.stringify(text).length).toBeLessThan(36_000);
      expect(structure).toMatchObject({ complete: false });
      expect(Number(structure?.['nextOffset'])).toBeGreaterThan(10_000);
    }
  });

  it('refuses an offset past the end, and an id that nobody knows, with the ids that exist', async () => {
    expect((await output({ offset: 1 })).text).toMatch(/^INVALID_PARAMS: offset must be at most 0, /);
    const unknown = await output({ commandId: 'c-zzzzzzzzzzzz' });
    expect(unknown).toMatchObject({ error: { code: 'COMMAND_NOT_FOUND', details: { commands: [command.id] } } });
  });

  it('stops a command with the signal asked for, and tells of one that had ended', async () => {
    const cancel = (more: object = {}) =>
      client.call('ssh_command_cancel', { sessionName: 'web-1', commandId: command.id, ...more });
    expect((await cancel({ signal: 'term' })).structure).toMatchObject({
      status: 'cancelled',
      exitCode: 130,
      notices: [],
    });
    expect(command.cancels).toEqual(['TERM']);
    expect((await cancel()).structure).toMatchObject({ notices: ['The command had ended before: cancelled.'] });
    expect(command.cancels).toEqual(['TERM']);
  });
});
