// An assistant at work: the headless app started by the bridge, a real client through it, a real SSH server.
import { afterAll, beforeAll } from 'vitest';
import { bridgeClientOne, createDesk } from './app.ts';
import type { Desk, TestClient, ToolAnswer } from './app.ts';
import type { Variables } from './programs.ts';
import { startSshd } from './sshd.ts';
import type { SshdOptions, TestSshd } from './sshd.ts';

/** Arguments or structure of a tool. */
export type Values = Readonly<Record<string, unknown>>;

/** What the tests of a file share. */
export interface Assistant {
  readonly desk: Desk;
  readonly client: TestClient;
  readonly sshd: TestSshd;
  /** Calls a tool; throws when it answers an error. */
  readonly ask: (tool: string, args?: Values) => Promise<Values>;
  /** Calls a tool that has to answer an error; throws when it does not. */
  readonly fail: (tool: string, args?: Values) => Promise<ToolFailure>;
  /** Arguments of ssh_connect for the test server. */
  readonly target: (name: string, credentials?: Values) => Values;
}

/** An error as a client gets it. */
export interface ToolFailure {
  readonly code: string;
  readonly text: string;
  readonly hint: string;
  readonly details: Values;
}

/** Registers the hooks; call it once at the top of a file. */
export function useAssistant(environment: Variables = {}, server: SshdOptions = {}): Assistant {
  let parts: { desk: Desk; client: TestClient; sshd: TestSshd } | undefined;
  const now = () => {
    if (parts === undefined) throw new Error('the assistant is not up');
    return parts;
  };
  beforeAll(async () => {
    const [desk, sshd] = await Promise.all([createDesk(environment), startSshd(server)]);
    parts = { desk, sshd, client: await bridgeClientOne(desk) };
    // A 1.x client that has listed the tools checks every result against its schema.
    await parts.client.listTools();
  });
  afterAll(async () => {
    await parts?.client.close();
    await parts?.desk.close();
    await parts?.sshd.stop();
  });
  return {
    get desk() {
      return now().desk;
    },
    get client() {
      return now().client;
    },
    get sshd() {
      return now().sshd;
    },
    ask: async (tool, args = {}) => structureOf(tool, await now().client.callTool(tool, args)),
    fail: async (tool, args = {}) => failureOf(tool, await now().client.callTool(tool, args)),
    target: (name, credentials) => {
      const { host, port, account } = now().sshd;
      return { name, host, port, credentials: credentials ?? { username: account.name, password: account.password } };
    },
  };
}

/** The structure of a success. */
export function structureOf(tool: string, answer: ToolAnswer): Values {
  if (answer.isError === true || answer.structuredContent === undefined) {
    throw new Error(`${tool} failed: ${answer.content[0]?.text ?? 'no text'}`);
  }
  return answer.structuredContent;
}

/** The error in an answer. */
export function failureOf(tool: string, answer: ToolAnswer): ToolFailure {
  const text = answer.content[0]?.text ?? '';
  if (answer.isError !== true) throw new Error(`${tool} succeeded: ${text}`);
  const data = answer._meta?.['patchbay/error'] as { code: string; hint: string; details: Values };
  return { code: data.code, hint: data.hint, details: data.details, text };
}
