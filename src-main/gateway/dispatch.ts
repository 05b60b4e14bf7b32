// From a view's text message to its answer: parse, role, session, handler. The only way in for a call.
import { createHash } from 'node:crypto';
import { AppError, appError, toErrorData } from '../../src-shared/errors.ts';
import type { ErrorData } from '../../src-shared/errors.ts';
import { CALLS, requestSchema, roleAllows } from '../../src-shared/protocol/index.ts';
import type { CallInput, CallName, CallOutput, Request, ServerMessage } from '../../src-shared/protocol/index.ts';
import type { View } from './view.ts';

/** Answers one call. Runs synchronously up to its first await, so calls of one view take effect in their order. */
export type Handler<Name extends CallName> = (
  view: View,
  input: CallInput<Name>,
) => CallOutput<Name> | Promise<CallOutput<Name>>;

/** A handler for every call; a missing one does not compile. */
export type Handlers = { readonly [Name in CallName]: Handler<Name> };

/** A message that is no request at all; undefined when it is one. */
export function readRequest(message: unknown): Request | undefined {
  if (typeof message !== 'string') return undefined;
  try {
    return requestSchema.parse(JSON.parse(message));
  } catch {
    // Not JSON or not a request: the caller refuses both alike.
    return undefined;
  }
}

/** What a malformed message may leave in the log: never its content. */
export function describeMalformed(message: unknown): Readonly<Record<string, unknown>> {
  const bytes = message instanceof Uint8Array ? message : Buffer.from(typeof message === 'string' ? message : '');
  return { bytes: bytes.byteLength, sha256: createHash('sha256').update(bytes).digest('hex') };
}

/** Runs a call and gives its answer; never rejects. */
export async function answerRequest(view: View, handlers: Handlers, request: Request): Promise<ServerMessage> {
  try {
    return { id: request.id, ok: true, output: await run(view, handlers, request) };
  } catch (error) {
    if (!(error instanceof AppError)) view.log.error('a call of a view failed', { call: request.call, error });
    return { id: request.id, ok: false, error: redacted(view, toErrorData(error)) };
  }
}

function run(view: View, handlers: Handlers, request: Request): unknown {
  const name = callName(view, request.call);
  const parsed = CALLS[name].input.safeParse(request.input ?? {});
  if (!parsed.success) throw invalid(name, parsed.error.issues[0]);
  checkSession(view, name, parsed.data);
  // The schema of this very name has parsed the input, which the compiler cannot follow through the map.
  const handler = handlers[name] as Handler<CallName>;
  return handler(view, parsed.data as CallInput<CallName>);
}

function callName(view: View, name: string): CallName {
  if (!isCallName(name)) {
    throw appError('INVALID_PARAMS', { message: 'There is no such call', details: { reason: 'unknown_call' } });
  }
  const needed = CALLS[name].role;
  if (roleAllows(view.role, needed)) return name;
  view.log.warn('call of a view refused: role', { call: name, role: view.role, needed, view: view.id });
  throw appError('DENIED', {
    message: `This view may only watch: ${name} needs the ${needed} role`,
    hint: 'Log in with the operator token, or use the window.',
    details: { reason: 'role', role: view.role, needed },
  });
}

function checkSession(view: View, call: CallName, input: object): void {
  if (view.onlySession === null || !('session' in input) || input.session === view.onlySession) return;
  view.log.warn('call of a view refused: session', { call, view: view.id });
  throw appError('DENIED', {
    message: `This link shows the session ${view.onlySession} only`,
    hint: 'Log in with the viewer or operator token to see other sessions.',
    details: { reason: 'session', session: view.onlySession },
  });
}

function isCallName(name: string): name is CallName {
  return Object.hasOwn(CALLS, name);
}

function invalid(
  call: CallName,
  issue: { readonly path: PropertyKey[]; readonly message: string } | undefined,
): AppError {
  const field = issue?.path.map(String).join('.') ?? '';
  return appError('INVALID_PARAMS', {
    message: `${call}: ${field === '' ? 'input' : field}: ${issue?.message ?? 'not valid'}`,
    details: { reason: 'schema', field },
  });
}

/** Errors are texts of ours, so known secrets are searched for; output of sessions is never touched. */
function redacted(view: View, error: ErrorData): ErrorData {
  const redact = (text: string) => view.core.options.secrets.redact(text);
  const details = Object.fromEntries(
    Object.entries(error.details).map(([key, value]) => [key, typeof value === 'string' ? redact(value) : value]),
  );
  return { ...error, message: redact(error.message), hint: redact(error.hint), details };
}
