// The one path of every tool call: parse, enabled, pause, rule, lease, approval, lease and pause again, journal, handler, journal, result.
import { randomUUID } from 'node:crypto';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { appError, toErrorData } from '../../src-shared/errors.ts';
import type { ErrorData } from '../../src-shared/errors.ts';
import type { ClientActor } from '../../src-shared/model/index.ts';
import { TOOLS } from '../../src-shared/tools/index.ts';
import type { ToolDeclaration, ToolName } from '../../src-shared/tools/index.ts';
import type { Core } from '../core/core.ts';
import type { Session } from '../core/sessions/port.ts';
import { HANDLERS } from './handlers.ts';
import { parseArguments } from './parse-arguments.ts';
import { ALLOW_ALL } from './policy.ts';
import type { Policy, PolicyQuestion } from './policy.ts';
import { secretsIn, withoutSecrets } from './secret-fields.ts';
import { toErrorResult, toResult } from './tool-result.ts';
import type { Answer } from './tool-result.ts';
import type { Links, ToolContext, ToolInput, ToolOutput } from './tool-types.ts';
import type { Progress } from './waiting.ts';

/** What every call works with. */
export interface ToolServices {
  readonly core: Core;
  readonly links: Links;
  /** Default: all allowed. */
  readonly policy?: Policy;
}

/** One call as it came in. */
export interface ToolCall<Name extends ToolName = ToolName> {
  readonly name: Name;
  /** As the client sent them. */
  readonly arguments: unknown;
  readonly actor: ClientActor;
  readonly signal: AbortSignal;
  readonly progress: Progress;
}

/** Runs a call; never rejects: what goes wrong is an error result. */
export async function runTool<Name extends ToolName>(
  services: ToolServices,
  call: ToolCall<Name>,
): Promise<CallToolResult> {
  const { secrets } = services.core.options;
  try {
    const tool = TOOLS[call.name];
    const { value, ignored } = parseArguments(tool.input, call.arguments);
    for (const secret of secretsIn(tool.input, value)) secrets.learn(secret);
    // The schema that parsed it is the one that the type is made from.
    const args = value as ToolInput<Name>;
    await admit(services, call, args);
    const answer = await journaled(services, call, args);
    return toResult(
      answer,
      ignored.map((name) => ignoredNotice(tool, name)),
    );
  } catch (error) {
    return toErrorResult(reported(services, call, error), (text) => secrets.redact(text));
  }
}

/** Its lane waits until the command's start is stored, and the journal keeps the order: waiting twice would be paid by every command. */
const RECORDED_LATER: ToolName = 'ssh_exec';

/** Everything that can refuse a well-formed call. */
async function admit(services: ToolServices, call: ToolCall, args: object): Promise<void> {
  const { core } = services;
  const policy = services.policy ?? ALLOW_ALL;
  const tool: ToolDeclaration = TOOLS[call.name];
  if (!policy.enabled(call.name)) throw appError('DENIED', { message: `The person has switched ${call.name} off` });
  if (!tool.types) return decide(policy, { tool: call.name, arguments: { ...args }, actor: call.actor }, call.signal);
  core.pause.check();
  const session = sessionOf(core, args);
  const question = { tool: call.name, arguments: { ...args }, actor: call.actor };
  session?.lease.check();
  await decide(policy, session === undefined ? question : { ...question, session }, call.signal);
  // A person may have paused or taken over while the approval was open.
  core.pause.check();
  session?.lease.useAsClient(call.actor);
}

async function decide(policy: Policy, question: PolicyQuestion, signal: AbortSignal): Promise<void> {
  const verdict = policy.rule(question);
  if (verdict.kind === 'deny') throw appError('DENIED', { message: verdict.reason });
  if (verdict.kind === 'ask') await policy.approve(question, signal);
}

/** The session that a typing call works on; an unknown name is refused before anything else happens. */
function sessionOf(core: Core, args: object): Session | undefined {
  return 'sessionName' in args && typeof args.sessionName === 'string'
    ? core.sessions.get(args.sessionName)
    : undefined;
}

async function journaled<Name extends ToolName>(
  services: ToolServices,
  call: ToolCall<Name>,
  args: ToolInput<Name>,
): Promise<Answer<ToolOutput<Name>>> {
  const { journal } = services.core;
  const startedAt = Date.now();
  const about = { actor: call.actor, callId: randomUUID(), tool: call.name, session: sessionNameOf(args) };
  const kept = withoutSecrets(TOOLS[call.name].input, args);
  const stored = journal.append({ ...about, at: startedAt, type: 'tool.started', arguments: kept });
  if (call.name !== RECORDED_LATER) await stored;
  let outcome = 'ok';
  try {
    return await HANDLERS[call.name](args, contextOf(services, call));
  } catch (error) {
    outcome = toErrorData(error).code;
    throw error;
  } finally {
    const at = Date.now();
    // Not waited for: what has happened is in the journal before anything else is said about it.
    void journal.append({ ...about, at, type: 'tool.ended', outcome, durationMs: at - startedAt });
  }
}

const contextOf = ({ core, links }: ToolServices, { actor, signal, progress }: ToolCall): ToolContext => ({
  sessions: core.sessions,
  links,
  actor,
  signal,
  progress,
});

function sessionNameOf(args: object): string | null {
  const { sessionName, name } = { sessionName: undefined, name: undefined, ...args };
  const either: unknown = sessionName ?? name;
  return typeof either === 'string' ? either : null;
}

function ignoredNotice(tool: ToolDeclaration, name: string): string {
  return `${tool.name} has no argument ${JSON.stringify(name.slice(0, 80))}: it was ignored.`;
}

/** The error as data, after it is in the log. */
function reported({ core }: ToolServices, call: ToolCall, error: unknown): ErrorData {
  const { log } = core.options;
  const data = toErrorData(error);
  const tool: ToolDeclaration = TOOLS[call.name];
  log.warn('tool call failed', { tool: call.name, client: call.actor.name, code: data.code, cause: data.message });
  if (data.code === 'INTERNAL_ERROR') log.error('fault in a tool call', { tool: call.name, stack: stackOf(error) });
  if (!tool.errors.includes(data.code))
    log.error('a tool answered a code that it does not declare', { ...data, tool: call.name });
  return data;
}

const stackOf = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error));
