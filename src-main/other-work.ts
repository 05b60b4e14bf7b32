// Asks the Patchbay that runs already what would be closed with it: through its MCP port, as any client would.
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import * as z from 'zod';
import { PATCHBAY_VERSION, STATELESS_REVISIONS } from '../src-shared/mcp-identity.ts';
import { TOOLS } from '../src-shared/tools/index.ts';
import type { RunFile } from './core/config/run-file.ts';

/** An open session of the other Patchbay. */
export interface OtherSession {
  readonly name: string;
  readonly host: string;
  /** A command runs or waits in it. */
  readonly busy: boolean;
}

/** The other one may be stopped or busy; whoever asks is waiting at a dialog or a terminal. */
const ANSWER_MS = 5_000;

const answerSchema = z.object({ result: z.object({ structuredContent: TOOLS.ssh_list_sessions.output }) });

/** Its open sessions; undefined when it does not say. */
export async function lookAtWork(
  other: Pick<RunFile, 'mcpPort' | 'tokens'>,
  deadlineMs = ANSWER_MS,
): Promise<readonly OtherSession[] | undefined> {
  const socket = connect({ host: '127.0.0.1', port: other.mcpPort, noDelay: true });
  try {
    const line = await firstLine(socket, `AUTH ${other.tokens.mcp}\n${JSON.stringify(question())}\n`, deadlineMs);
    const parsed = answerSchema.safeParse(JSON.parse(line ?? 'null'));
    return parsed.data?.result.structuredContent.sessions.map(({ name, host, busy }) => ({ name, host, busy }));
  } catch {
    // Whatever it says is no answer to the question.
    return undefined;
  } finally {
    socket.destroy();
  }
}

/** One line for each session. */
export function sessionLines(sessions: readonly OtherSession[]): readonly string[] {
  return sessions.map(({ name, host, busy }) => `${name} on ${host}${busy ? ', where a command is running' : ''}`);
}

function question(): object {
  const about = {
    'io.modelcontextprotocol/protocolVersion': STATELESS_REVISIONS[0],
    'io.modelcontextprotocol/clientInfo': { name: 'Patchbay, second start', version: PATCHBAY_VERSION },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const params = { name: 'ssh_list_sessions', arguments: {}, _meta: about };
  return { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
}

function firstLine(socket: Socket, text: string, deadlineMs: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(undefined), deadlineMs);
    const settle = (line?: string): void => {
      clearTimeout(timer);
      resolve(line);
    };
    socket.once('error', () => settle());
    socket.once('close', () => settle());
    createInterface({ input: socket }).once('line', settle);
    socket.write(text);
  });
}
