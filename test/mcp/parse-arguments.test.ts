// Checks how arguments are read: what is forgiven, what is refused, and what an error says.
import { describe, expect, it } from 'vitest';
import { AppError } from '../../src-shared/errors.ts';
import { TOOLS } from '../../src-shared/tools/index.ts';
import type { ToolDeclaration } from '../../src-shared/tools/index.ts';
import { parseArguments } from '../../src-main/mcp/parse-arguments.ts';

const connect = TOOLS.ssh_connect.input;
const exec = TOOLS.ssh_exec.input;
const terminal = TOOLS.ssh_terminal.input;
const CREDENTIALS = { username: 'tester', password: 'pw-Secret-1' };

function refusal(schema: ToolDeclaration['input'], given: unknown): AppError {
  try {
    parseArguments(schema, given);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('the arguments were taken');
}

describe('FC44 arguments as models send them', () => {
  it('FC44 a number as text is the number', () => {
    const { value } = parseArguments(connect, {
      name: 'a1',
      host: '127.0.0.1',
      port: '2222',
      credentials: CREDENTIALS,
    });
    expect(value.port).toBe(2222);
    expect(
      parseArguments(exec, { sessionName: 'a', command: 'x', timeoutSeconds: ' 1.5e1 ' }).value.timeoutSeconds,
    ).toBe(15);
  });

  it('FC44 a number that is none is refused with field and value', () => {
    const error = refusal(connect, { name: 'a2', host: '127.0.0.1', port: '22x' });
    expect(error).toMatchObject({
      code: 'INVALID_PARAMS',
      message: 'port must be a whole number from 1 to 65535, not "22x"',
    });
  });

  it.each([
    'tester:pw-HIDDEN@127.0.0.1',
    ' ssh://tester:pw-HIDDEN@127.0.0.1:22/',
    'tester:p@w-HIDDEN@[::1]:22',
    `tester:pw-HIDDEN@${'x'.repeat(300)}`,
  ])('FC44 a password in the host is refused and not shown: case %#', (host) => {
    const error = refusal(connect, { name: 'a2', host, port: 'x' });
    expect(error.code).toBe('INVALID_PARAMS');
    expect(error.message).toMatch(/^host must not hold a password: .* credentials\.password/);
    expect(error.details).toMatchObject({ fields: [{ field: 'host' }] });
    expect(JSON.stringify([error.message, error.hint, error.details])).not.toContain('HIDDEN');
  });

  it.each(['tester@127.0.0.1', 'ssh://tester@127.0.0.1:22', 'tester@[::1]:22', 'fe80::1', '127.0.0.1:22'])(
    'FC44 a host without a password is taken: %s',
    (host) => {
      expect(parseArguments(connect, { name: 'a2', host, credentials: CREDENTIALS }).value.host).toBe(host);
    },
  );

  it('FC44 blanks around a name are passed over', () => {
    const { value } = parseArguments(connect, { name: ' a3\n', host: ' 127.0.0.1 ', credentials: CREDENTIALS });
    expect(value).toMatchObject({ name: 'a3', host: '127.0.0.1' });
  });

  it('FC44 blanks in commands, input and passwords are kept', () => {
    expect(parseArguments(exec, { sessionName: 'a', command: '  x \n', stdin: ' y ' }).value).toMatchObject({
      command: '  x \n',
      stdin: ' y ',
    });
    const password = ' p w ';
    const { value } = parseArguments(connect, { name: 'a', host: 'h', credentials: { password } });
    expect(value.credentials).toEqual({ password });
  });

  it('FC44 an object sent as JSON text is the object', () => {
    const { value } = parseArguments(connect, { name: 'a6', host: 'h', credentials: JSON.stringify(CREDENTIALS) });
    expect(value.credentials).toEqual(CREDENTIALS);
  });

  it('FC44 null means not given', () => {
    const { value, ignored } = parseArguments(exec, {
      sessionName: 'a',
      command: 'x',
      timeoutSeconds: null,
      stdin: null,
    });
    expect(value).toEqual({ sessionName: 'a', command: 'x' });
    expect(ignored).toEqual([]);
    expect(refusal(exec, { sessionName: null, command: 'x' }).message).toBe('sessionName is missing');
  });

  it('FC44 a limit below zero is refused with its field', () => {
    const error = refusal(exec, { sessionName: 'a', command: 'true', timeoutSeconds: -1 });
    expect(error.message).toBe('timeoutSeconds must be a number above 0 and at most 86400, not -1');
  });

  it('FC44 an unknown argument is named and passed over, also inside an object', () => {
    const { value, ignored } = parseArguments(connect, {
      name: 'a',
      host: 'h',
      unknown_extra: 1,
      credentials: { ...CREDENTIALS, user: 'x' },
      ['__proto__']: { polluted: true },
    });
    expect(value).toEqual({ name: 'a', host: 'h', credentials: CREDENTIALS });
    expect(ignored).toEqual(expect.arrayContaining(['unknown_extra', 'credentials.user']));
  });
});

describe('other forms that are forgiven', () => {
  it('true and false as text', () => {
    expect(parseArguments(exec, { sessionName: 'a', command: 'x', durable: 'True' }).value.durable).toBe(true);
    expect(parseArguments(exec, { sessionName: 'a', command: 'x', durable: 'false' }).value.durable).toBe(false);
  });

  it('a number where a text is expected', () => {
    const { value } = parseArguments(connect, { name: 7, host: 'h', credentials: { password: 123_456 } });
    expect(value).toMatchObject({ name: '7', credentials: { password: '123456' } });
  });

  it('a choice in capitals, a list as text, and one thing where a list is expected', () => {
    expect(parseArguments(terminal, { sessionName: 'a', keys: '["ENTER","ctrl-C"]' }).value.keys).toEqual([
      'enter',
      'ctrl-c',
    ]);
    expect(parseArguments(terminal, { sessionName: 'a', keys: ' tab ' }).value.keys).toEqual(['tab']);
  });

  it('no arguments at all for a tool that needs none', () => {
    expect(parseArguments(TOOLS.ssh_hosts.input, undefined).value).toEqual({});
    expect(parseArguments(TOOLS.ssh_hosts.input, null).value).toEqual({});
    expect(parseArguments(TOOLS.ssh_hosts.input, '').value).toEqual({});
  });
});

describe('an error', () => {
  it('names every field that is missing', () => {
    const error = refusal(connect, {});
    expect(error.message).toBe('name is missing; host is missing');
    expect(error.details).toEqual({
      fields: [
        { field: 'name', problem: 'is missing' },
        { field: 'host', problem: 'is missing' },
      ],
    });
  });

  it.each([
    {
      given: { sessionName: 'a b', command: 'x' },
      says: 'sessionName may hold only A-Z a-z 0-9 - _, at most 64 of them, not "a b"',
    },
    { given: { sessionName: 'x'.repeat(65), command: 'x' }, says: 'sessionName may hold only' },
    { given: { sessionName: 'a', command: '' }, says: 'command must be a text that is not empty, not ""' },
    { given: { sessionName: 'a', command: ['x'] }, says: 'command must be a text, not ["x"]' },
    {
      given: { sessionName: 'a', command: 'x', maxOutputChars: 10 },
      says: 'must be a whole number from 200 to 500000, not 10',
    },
    {
      given: { sessionName: 'a', command: 'x', maxOutputChars: 200.5 },
      says: 'must be a whole number from 200 to 500000, not 200.5',
    },
    { given: { sessionName: 'a', command: 'x', durable: 'maybe' }, says: 'durable must be true or false, not "maybe"' },
    { given: [1], says: 'arguments must be an object, not [1]' },
  ])('says $says', ({ given, says }) => {
    expect(refusal(exec, given).message).toContain(says);
  });

  it('names a choice that does not exist, and the place in a list', () => {
    const error = refusal(TOOLS.ssh_command_cancel.input, { sessionName: 'a', commandId: 'c', signal: 'HUP' });
    expect(error.message).toBe('signal must be one of INT, TERM, KILL, not "HUP"');
    expect(refusal(terminal, { sessionName: 'a', keys: ['enter', 'nokey'] }).message).toMatch(
      /^keys\.1 must be one of enter, /,
    );
    expect(refusal(terminal, { sessionName: 'a', keys: Array(51).fill('tab') }).message).toMatch(
      /^keys must have at most 50/,
    );
  });

  it('shortens a long value', () => {
    const error = refusal(connect, { name: 'a', host: 'h'.repeat(300) });
    expect(error.message).toMatch(/^host must be a text of at most 255 characters, not "h{79}… \(302 characters\)$/);
  });

  it.each([
    { credentials: { password: ['SECRETWORD'] } },
    { credentials: { passphrase: { a: 'SECRETWORD' }, keyFile: 'k' } },
    { credentials: '{"password":"SECRETWORD"' },
    { credentials: ['SECRETWORD'] },
  ])('never shows what may be a secret: %j', (wrong) => {
    const error = refusal(connect, { name: 'a', host: 'h', ...wrong });
    expect(error.message).toMatch(/^credentials/);
    expect(JSON.stringify([error.message, error.hint, error.details])).not.toContain('SECRETWORD');
  });
});
