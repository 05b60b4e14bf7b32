// Logs every MCP message: method, id, size and outcome always, the body with secrets marked out at level debug.
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import { TOOLS } from '../../src-shared/tools/index.ts';
import type { ToolDeclaration } from '../../src-shared/tools/index.ts';
import type { Log } from '../core/core.ts';
import type { ClientPresence } from './client-presence.ts';
import { sizeOf } from './message-size.ts';
import { maskArguments, maskUnchecked } from './secret-fields.ts';

/** Hooks into a transport before a server is connected to it; a client is named in the log from its first message on. */
export function logMessages(transport: Transport, presence: ClientPresence, log: Log): void {
  const client = (): string => presence.label;
  const pending = new Map<unknown, { readonly method: string; readonly at: number }>();
  const before = transport.onmessage?.bind(transport);
  // The SDK calls what it finds here before its own reader.
  transport.onmessage = (message, extra) => {
    before?.(message, extra);
    if ('method' in message && message.method === 'initialize') presence.introduce(message.params?.['clientInfo']);
    logIncoming(message);
  };
  const send = transport.send.bind(transport);
  transport.send = (message, options) => {
    // Sent first: the transport knows the size then.
    const sent = send(message, options);
    logOutgoing(message);
    return sent;
  };

  const logIncoming = (message: JSONRPCMessage): void => {
    const method = 'method' in message ? message.method : 'response';
    const id = 'id' in message ? message.id : undefined;
    if (id !== undefined && 'method' in message) pending.set(id, { method, at: performance.now() });
    log.info('MCP message in', { client: client(), method, id, bytes: sizeOf(message) });
    log.debug('MCP message in, body', { client: client(), method, id, body: maskMessage(message) });
  };
  const logOutgoing = (message: JSONRPCMessage): void => {
    if ('method' in message) {
      log.info('MCP message out', { client: client(), method: message.method, bytes: sizeOf(message) });
      return;
    }
    const asked = pending.get(message.id);
    pending.delete(message.id);
    const durationMs = asked === undefined ? undefined : Math.round((performance.now() - asked.at) * 10) / 10;
    const about = { client: client(), method: asked?.method, id: message.id, bytes: sizeOf(message) };
    log.info('MCP message out', { ...about, outcome: outcomeOf(message), durationMs });
    log.debug('MCP message out, body', { ...about, body: message });
  };
}

function outcomeOf(message: JSONRPCMessage): string {
  if ('error' in message) return `error ${message.error.code}`;
  return 'result' in message && message.result['isError'] === true ? 'tool error' : 'ok';
}

/** The message without secrets; the arguments of a tool call by the marks of its schema. */
function maskMessage(message: JSONRPCMessage): unknown {
  const params: unknown = 'params' in message ? message.params : undefined;
  if (!('method' in message) || message.method !== 'tools/call' || !isRecord(params))
    return maskUnchecked(undefined, message);
  const { arguments: given, ...rest } = params;
  const schema = typeof params['name'] === 'string' ? inputOf(params['name']) : undefined;
  return { ...message, params: { ...maskedRest(rest), arguments: maskArguments(schema, given) } };
}

function maskedRest(rest: Readonly<Record<string, unknown>>): object {
  const masked = maskUnchecked(undefined, rest);
  return isRecord(masked) ? masked : {};
}

const inputOf = (name: string): ToolDeclaration['input'] | undefined => {
  const tool: ToolDeclaration | undefined = new Map<string, ToolDeclaration>(Object.entries(TOOLS)).get(name);
  return tool?.input;
};

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
