// Checks the one path of every call: its order, its refusals, what is journaled, and that no secret comes out of it.
import { beforeEach, describe, expect, it } from 'vitest';
import { appError } from '../../src-shared/errors.ts';
import type { ClientActor, PersonActor } from '../../src-shared/model/index.ts';
import { TOOLS } from '../../src-shared/tools/index.ts';
import type { ToolName } from '../../src-shared/tools/index.ts';
import { HANDLERS } from '../../src-main/mcp/handlers.ts';
import { ALLOW_ALL } from '../../src-main/mcp/policy.ts';
import type { Policy } from '../../src-main/mcp/policy.ts';
import { runTool } from '../../src-main/mcp/run-tool.ts';
import { NO_PROGRESS } from '../../src-main/mcp/waiting.ts';
import { createCoreDouble } from '../support/mcp-core-double.ts';
import type { CoreDouble } from '../support/mcp-core-double.ts';

const ACTOR: ClientActor = { kind: 'client', id: 'id-1', name: 'Assistant', version: '1' };
const PERSON: PersonActor = { kind: 'person', id: 'p', view: 'window' };
const links = { sessionUrl: (name: string) => `http://127.0.0.1:8080/session/${name}` };

let double: CoreDouble;
beforeEach(() => {
  double = createCoreDouble();
  double.open('web-1');
});

interface Seen {
  readonly text: string;
  readonly code: unknown;
  readonly structure: unknown;
  readonly whole: string;
}

async function call(name: ToolName, given: unknown, policy: Policy = ALLOW_ALL): Promise<Seen> {
  const signal = new AbortController().signal;
  const asked = { name, arguments: given, actor: ACTOR, signal, progress: NO_PROGRESS };
  const result = await runTool({ core: double.core, links, policy }, asked);
  const [first] = result.content;
  const data = result._meta?.['patchbay/error'];
  const code: unknown = typeof data === 'object' && data !== null && 'code' in data ? data.code : undefined;
  const text = first?.type === 'text' ? first.text : '';
  return { text, code, structure: result.structuredContent, whole: JSON.stringify(result) };
}

const EXEC = { sessionName: 'web-1', command: 'uptime', waitSeconds: 0 };
/** A call of every tool that types, with arguments that are right. */
const TYPING: readonly { readonly tool: ToolName; readonly given: object }[] = [
  { tool: 'ssh_exec', given: EXEC },
  { tool: 'ssh_terminal', given: { sessionName: 'web-1', input: 'x' } },
  { tool: 'ssh_disconnect', given: { sessionName: 'web-1' } },
  { tool: 'ssh_command_cancel', given: { sessionName: 'web-1', commandId: 'c-aaaaaaaaaaaa' } },
];
const READING: readonly { readonly tool: ToolName; readonly given: object }[] = [
  { tool: 'ssh_list_sessions', given: {} },
  { tool: 'ssh_get_session_url', given: { sessionName: 'web-1' } },
  { tool: 'ssh_session_status', given: { sessionName: 'web-1' } },
  { tool: 'ssh_command_output', given: { sessionName: 'web-1', commandId: 'c-aaaaaaaaaaaa' } },
  { tool: 'ssh_hosts', given: {} },
];

describe('the map of handlers', () => {
  it('has one for each tool', () => {
    expect(Object.keys(HANDLERS)).toEqual(Object.keys(TOOLS));
    const connect = { tool: 'ssh_connect' };
    const both = [connect, ...TYPING, ...READING].map(({ tool }) => tool);
    expect(both.toSorted()).toEqual(Object.keys(TOOLS).toSorted());
  });
});

describe('a pause', () => {
  it.each(TYPING)('stops $tool', async ({ tool, given }) => {
    await double.core.pause.set('input', PERSON);
    expect(await call(tool, given)).toMatchObject({ code: 'PAUSED', structure: undefined });
    expect(double.session('web-1').ran).toEqual([]);
  });

  it('stops ssh_connect before anything is dialled', async () => {
    await double.core.pause.set('input', PERSON);
    expect(await call('ssh_connect', { name: 'b', host: 'h', credentials: { agent: true } })).toMatchObject({
      code: 'PAUSED',
    });
    expect(double.connects).toEqual([]);
  });

  it.each(READING)('lets $tool pass', async ({ tool, given }) => {
    double.session('web-1').run({ command: 'x', timeoutMs: 1 }, ACTOR);
    await double.core.pause.set('input', PERSON);
    expect((await call(tool, given)).code).toBeUndefined();
  });
});

describe('a person who has taken over', () => {
  it.each(TYPING)('is not disturbed by $tool', async ({ tool, given }) => {
    const command = double.session('web-1').run({ command: 'x', timeoutMs: 1 }, ACTOR);
    double.session('web-1').lease.take(PERSON);
    const seen = await call(tool, given);
    expect(seen.code).toBe('HUMAN_IN_CONTROL');
    expect(seen.text).toMatch(/^HUMAN_IN_CONTROL: /);
    expect(command.view().status).toBe('running');
    expect(double.session('web-1').ran).toHaveLength(1);
    expect(double.session('web-1').asked).toEqual([]);
  });

  it('gives it back with a note that the next result carries, once', async () => {
    const { lease } = double.session('web-1');
    lease.take(PERSON);
    lease.handBack(PERSON, 'The disk was full, I made room.');
    const seen = await call('ssh_exec', EXEC);
    expect(seen.structure).toMatchObject({ notices: ['The disk was full, I made room.'] });
    expect(seen.text).toContain('Note: The disk was full, I made room.');
    expect((await call('ssh_session_status', { sessionName: 'web-1' })).structure).toMatchObject({ notices: [] });
  });
});

describe('words of others in a result', () => {
  it('have nothing hidden in them: neither in notices nor in errors', async () => {
    const { lease } = double.session('web-1');
    lease.take(PERSON);
    lease.handBack(PERSON, 'a\u202eb\u001b[31m');
    const shown = 'a<U+202E>b\u241b[31m';
    const seen = await call('ssh_exec', EXEC);
    expect(seen.structure).toMatchObject({ notices: [shown] });
    expect(seen.text).toContain(`Note: ${shown}`);
    const deny: Policy = { ...ALLOW_ALL, rule: () => ({ kind: 'deny', reason: 'no\u2066t\u009b now' }) };
    const refused = await call('ssh_exec', EXEC, deny);
    expect(refused.text).toContain('DENIED: no<U+2066>t<U+009B> now');
    expect(refused.whole).not.toMatch(/[\u2066\u009b]/);
  });
});

describe('the order of the checks', () => {
  it('puts the arguments first, then the switch, the pause, the session', async () => {
    await double.core.pause.set('input', PERSON);
    const off: Policy = { ...ALLOW_ALL, enabled: () => false };
    expect((await call('ssh_exec', { command: '' }, off)).code).toBe('INVALID_PARAMS');
    expect((await call('ssh_exec', { ...EXEC, sessionName: 'nobody' }, off)).code).toBe('DENIED');
    expect((await call('ssh_exec', { ...EXEC, sessionName: 'nobody' })).code).toBe('PAUSED');
    await double.core.pause.set('off', PERSON);
    const deny: Policy = { ...ALLOW_ALL, rule: () => ({ kind: 'deny', reason: 'This host is locked' }) };
    expect((await call('ssh_exec', { ...EXEC, sessionName: 'nobody' }, deny)).code).toBe('SESSION_NOT_FOUND');
    expect(await call('ssh_exec', EXEC, deny)).toMatchObject({
      code: 'DENIED',
      text: expect.stringContaining('This host is locked') as unknown,
    });
  });

  it('asks the person where a rule says so, about the checked arguments', async () => {
    const asked: unknown[] = [];
    const policy: Policy = {
      ...ALLOW_ALL,
      rule: () => ({ kind: 'ask' }),
      approve: (question) => {
        asked.push([question.tool, question.arguments['command'], question.session?.name, question.actor.name]);
        return Promise.reject(appError('DENIED', { message: 'Not today' }));
      },
    };
    expect(await call('ssh_exec', { ...EXEC, waitSeconds: '0' }, policy)).toMatchObject({ code: 'DENIED' });
    expect(asked).toEqual([['ssh_exec', 'uptime', 'web-1', 'Assistant']]);
    expect(double.journal).toEqual([]);
  });

  it.each([
    {
      what: 'a take-over',
      act: () => Promise.resolve(double.session('web-1').lease.take(PERSON)),
      code: 'HUMAN_IN_CONTROL',
    },
    { what: 'a pause', act: () => double.core.pause.set('input', PERSON), code: 'PAUSED' },
  ])('sees $what that came while the approval was open', async ({ act, code }) => {
    const policy: Policy = {
      ...ALLOW_ALL,
      rule: () => ({ kind: 'ask' }),
      approve: act,
    };
    expect((await call('ssh_exec', EXEC, policy)).code).toBe(code);
    expect(double.session('web-1').ran).toEqual([]);
  });
});

describe('the journal', () => {
  it('has each call before and after, with the actor and the exact command', async () => {
    const command = 'echo "$HOME" \\\n  && printf \'%s\\n\' "ü"';
    await call('ssh_exec', { ...EXEC, command });
    const [started, ended] = double.journal;
    expect(started).toMatchObject({
      ...{ type: 'tool.started', tool: 'ssh_exec', session: 'web-1', actor: ACTOR },
      arguments: { sessionName: 'web-1', command, waitSeconds: 0 },
    });
    expect(ended).toMatchObject({ type: 'tool.ended', tool: 'ssh_exec', session: 'web-1', outcome: 'ok' });
    expect(ended).toMatchObject({ callId: started !== undefined && 'callId' in started ? started.callId : '' });
  });

  it('has the code of a call that failed', async () => {
    double.session('web-1').runFailure = appError('SESSION_LOST');
    await call('ssh_exec', EXEC);
    expect(double.journal.at(-1)).toMatchObject({ type: 'tool.ended', outcome: 'SESSION_LOST' });
  });
});

describe('secrets', () => {
  const SECRETS = { username: 'u', keyFile: '/k', passphrase: 'passphrase-HIDDEN', password: 'password-HIDDEN' };

  it('are refused in the host, before anything is stored or logged', async () => {
    const seen = await call('ssh_connect', { name: 'a', host: 'tester:pw-HIDDEN@127.0.0.1', credentials: {} });
    expect(seen).toMatchObject({
      code: 'INVALID_PARAMS',
      text: expect.stringContaining('credentials.password') as unknown,
    });
    expect(double.connects).toEqual([]);
    expect(double.journal).toEqual([]);
    expect(JSON.stringify([double.log, seen])).not.toContain('HIDDEN');
  });

  it('appear neither in the result nor in journal and log, also when the error repeats them', async () => {
    double.failConnect(
      appError('AUTHENTICATION_FAILED', {
        message: 'refused for password-HIDDEN',
        details: { tried: 'passphrase-HIDDEN' },
      }),
    );
    const seen = await call('ssh_connect', { name: 'b', host: 'h', credentials: SECRETS });
    expect(seen.code).toBe('AUTHENTICATION_FAILED');
    expect(seen.whole).not.toContain('HIDDEN');
    expect(JSON.stringify(double.journal)).not.toContain('HIDDEN');
    expect(double.core.options.secrets.redact('password-HIDDEN')).not.toContain('HIDDEN');
    expect(double.connects[0]?.credentials).toEqual(SECRETS);
  });
});

describe('faults', () => {
  it('of our own are answered without their text and logged with it', async () => {
    double.session('web-1').runFailure = new TypeError('x is not a function');
    const seen = await call('ssh_exec', EXEC);
    expect(seen.code).toBe('INTERNAL_ERROR');
    expect(seen.whole).not.toContain('not a function');
    expect(JSON.stringify(double.log)).toContain('x is not a function');
  });

  it('with a code that the tool does not declare are answered and logged as a fault', async () => {
    double.session('web-1').runFailure = appError('HOST_KEY_CHANGED');
    expect((await call('ssh_exec', EXEC)).code).toBe('HOST_KEY_CHANGED');
    expect(double.log).toContainEqual(
      expect.objectContaining({ level: 'error', message: 'a tool answered a code that it does not declare' }),
    );
  });
});

describe('ignored arguments', () => {
  it('FC44 are named in the result and do no harm', async () => {
    const seen = await call('ssh_list_sessions', { unknown_extra: 1 });
    expect(seen.structure).toMatchObject({
      notices: ['ssh_list_sessions has no argument "unknown_extra": it was ignored.'],
    });
    expect(seen.text).toContain('Note: ssh_list_sessions has no argument');
  });
});
