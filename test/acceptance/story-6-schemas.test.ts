// Story 6, what tools say about themselves: read over the wire, as a client sees it.
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import { ListToolsResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { useAssistant } from '../support/assistant.ts';
import type { Values } from '../support/assistant.ts';
import { startBridge } from '../support/raw-bridge.ts';

const here = useAssistant();

interface Schema {
  readonly type?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
}

interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: Schema;
  readonly outputSchema: Schema;
  readonly annotations: Values;
}

const NAMES = [
  'ssh_connect',
  'ssh_exec',
  'ssh_list_sessions',
  'ssh_get_session_url',
  'ssh_disconnect',
  'ssh_session_status',
  'ssh_command_output',
  'ssh_command_cancel',
  'ssh_terminal',
  'ssh_hosts',
];

let listed: unknown;
let tools: readonly Tool[];

beforeAll(async () => {
  const bridge = startBridge(here.desk.environment);
  await bridge.handshake();
  listed = (await bridge.request('tools/list'))['result'];
  tools = (listed as { tools: Tool[] }).tools;
  await bridge.stop();
});

/** Every argument, those inside objects too, with its path. */
function fields(schema: Schema, path = ''): readonly (readonly [string, Schema])[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => [
    [`${path}${name}`, field] as const,
    ...fields(field, `${path}${name}.`),
  ]);
}

it('[S6.1] lists the ten tools, each with a title, a description, arguments and annotations', () => {
  expect(tools.map(({ name }) => name).toSorted()).toEqual(NAMES.toSorted());
  for (const tool of tools) {
    expect(tool.title.length).toBeGreaterThan(5);
    expect(tool.inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
    expect(Object.keys(tool.annotations)).toEqual(
      expect.arrayContaining(['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint']),
    );
  }
});

it('[S6.2] gives each argument a type and a description, and says which are required', () => {
  for (const { name, inputSchema } of tools) {
    for (const [path, field] of fields(inputSchema)) {
      const about = { tool: name, path };
      expect({ ...about, described: (field.description ?? '').length > 3 }).toEqual({ ...about, described: true });
      const typed = field.type !== undefined || field.enum !== undefined || field.anyOf !== undefined;
      expect({ ...about, typed }).toEqual({ ...about, typed: true });
    }
  }
  const required = Object.fromEntries(tools.map(({ name, inputSchema }) => [name, inputSchema.required ?? []]));
  expect(required).toMatchObject({
    ssh_connect: ['name', 'host'],
    ssh_exec: ['sessionName', 'command'],
    ssh_list_sessions: [],
    ssh_get_session_url: ['sessionName'],
    ssh_disconnect: ['sessionName'],
    ssh_session_status: ['sessionName'],
    ssh_command_output: ['sessionName', 'commandId'],
    ssh_command_cancel: ['sessionName', 'commandId'],
    ssh_terminal: ['sessionName'],
    ssh_hosts: [],
  });
});

it('[S6.3] says in each description what the tool does and when to use it', () => {
  for (const { name, description } of tools) {
    expect({ name, when: /\b(Use|Call|Give) (it|this|with)\b|\bUse \w+ (when|to|for)\b/.test(description) }).toEqual({
      name,
      when: true,
    });
    expect(description.length).toBeLessThan(1_500);
  }
});

describe('[S6.4] examples of use', () => {
  it('[S6.4] stand in each description and are valid arguments of that tool', () => {
    const validator = new AjvJsonSchemaValidator();
    for (const { name, description, inputSchema } of tools) {
      const text = /Example: (\{.*?\})\. Errors:/.exec(description)?.[1];
      expect({ name, hasExample: text !== undefined }).toEqual({ name, hasExample: true });
      const example: unknown = JSON.parse(text ?? '');
      const check = validator.getValidator(inputSchema as Parameters<typeof validator.getValidator>[0])(example);
      expect({ name, valid: check.valid, why: check.errorMessage }).toEqual({ name, valid: true, why: undefined });
    }
  });
});

it('[S6.5] gives each tool a schema of its result, which the real results fit', async () => {
  const validator = new AjvJsonSchemaValidator();
  await here.ask('ssh_connect', here.target('schemas'));
  const run = await here.ask('ssh_exec', { sessionName: 'schemas', command: 'echo hello' });
  const session = { sessionName: 'schemas' };
  const command = { ...session, commandId: run['commandId'] };
  const calls: readonly (readonly [string, Values])[] = [
    ['ssh_exec', { ...session, command: 'ls /; ls /none' }],
    ['ssh_list_sessions', {}],
    ['ssh_get_session_url', session],
    ['ssh_session_status', session],
    ['ssh_command_output', command],
    ['ssh_command_cancel', command],
    ['ssh_terminal', { ...session, input: 'echo hi\n', waitSeconds: 1 }],
    ['ssh_hosts', {}],
    ['ssh_disconnect', session],
    ['ssh_connect', here.target('schemas-again')],
  ];
  expect(calls.map(([name]) => name).toSorted()).toEqual(NAMES.toSorted());
  for (const [name, args] of calls) {
    const schema = tools.find((tool) => tool.name === name)?.outputSchema;
    const check = validator.getValidator(schema as Parameters<typeof validator.getValidator>[0])(
      await here.ask(name, args),
    );
    expect({ name, valid: check.valid, why: check.errorMessage }).toEqual({ name, valid: true, why: undefined });
  }
});

it('[S6.6] ends each description with the codes that the tool can answer', () => {
  for (const { name, description } of tools) {
    const codes = /Errors: ([A-Z_, ]+)\.$/.exec(description)?.[1]?.split(', ') ?? [];
    expect({ name, codes }).toEqual({
      name,
      codes: expect.arrayContaining(['INVALID_PARAMS', 'INTERNAL_ERROR']) as unknown,
    });
  }
});

it('[S6.7] is valid by the schemas of the protocol', () => {
  expect(ListToolsResultSchema.parse(listed).tools).toHaveLength(NAMES.length);
  const validator = new AjvJsonSchemaValidator();
  for (const { inputSchema, outputSchema } of tools) {
    for (const schema of [inputSchema, outputSchema]) {
      expect(() => validator.getValidator(schema as Parameters<typeof validator.getValidator>[0])).not.toThrow();
    }
  }
});
