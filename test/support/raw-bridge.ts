// The bridge as a client sees it, line by line, without any library in between.
import { startProgram } from './programs.ts';
import type { Started, Variables } from './programs.ts';
import { waitFor } from './processes.ts';

/** A JSON-RPC message. */
export type Json = Record<string, unknown>;

/** A bridge with its lines. */
export interface RawBridge extends Started {
  /** Writes one message, or a line as it is. */
  send(message: Json | string): void;
  /** Everything on stdout so far; throws when a line is no JSON object. */
  messages(): readonly Json[];
  /** The answer to a request; waits for it. */
  answerTo(id: string | number, deadlineMs?: number): Promise<Json>;
  /** Waits until so many answers came that belong to no request. */
  answersToNobody(count: number): Promise<readonly Json[]>;
  /** Sends a request and waits for its answer. */
  request(method: string, params?: Json, deadlineMs?: number): Promise<Json>;
  /** `initialize` and `notifications/initialized`; returns the answer. */
  handshake(): Promise<Json>;
  /** Calls a tool; returns the result. */
  callTool(name: string, args: Json, deadlineMs?: number): Promise<Json>;
}

/** `clientInfo` of these bridges. */
export const RAW_CLIENT = { name: 'raw-client', version: '1' };

const ANSWER_MS = 30_000;

/** Starts `out/bridge.js`. */
export function startBridge(environment: Variables, args: readonly string[] = []): RawBridge {
  const started = startProgram('bridge.js', args, environment);
  let nextId = 1;
  const send = (message: Json | string): void => {
    started.child.stdin?.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`);
  };
  const messages = (): Json[] => {
    const lines = started.stdout().split('\n');
    return lines.slice(0, -1).map((line) => parseObject(line));
  };
  const answerTo = async (id: string | number, deadlineMs = ANSWER_MS): Promise<Json> => {
    const find = (): Json | undefined =>
      messages().find((one) => one['id'] === id && ('result' in one || 'error' in one));
    await waitFor(`the answer to ${id} (stderr: ${started.stderr()})`, () => find() !== undefined, deadlineMs);
    return find() ?? {};
  };
  const request = (method: string, params: Json = {}, deadlineMs?: number): Promise<Json> => {
    const id = nextId++;
    send({ jsonrpc: '2.0', id, method, params });
    return answerTo(id, deadlineMs);
  };
  return {
    ...started,
    send,
    messages,
    answerTo,
    async answersToNobody(count) {
      const find = (): Json[] => messages().filter((one) => one['id'] === null);
      await waitFor(`${count} answers without id`, () => find().length >= count);
      return find();
    },
    request,
    async handshake() {
      const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: RAW_CLIENT };
      const answer = await request('initialize', params);
      send({ jsonrpc: '2.0', method: 'notifications/initialized' });
      return answer;
    },
    async callTool(name, args, deadlineMs) {
      const answer = await request('tools/call', { name, arguments: args }, deadlineMs);
      return parseObject(JSON.stringify(answer['result'] ?? answer));
    },
  };
}

/** Text of a tool's result. */
export function textOf(result: Json): string {
  const content = result['content'];
  const first: unknown = Array.isArray(content) ? content[0] : undefined;
  return typeof first === 'object' && first !== null && 'text' in first ? String(first.text) : '';
}

function parseObject(line: string): Json {
  const value: unknown = JSON.parse(line);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error(`no object: ${line}`);
  return Object.fromEntries(Object.entries(value));
}
