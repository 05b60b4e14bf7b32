// Calls about sessions, their commands and who drives them.
import { appError } from '../../../src-shared/errors.ts';
import type { CallInput } from '../../../src-shared/protocol/index.ts';
import type { ConnectRequest, Session } from '../../core/sessions/port.ts';
import type { Credentials } from '../../core/ssh/port.ts';
import type { Handlers } from '../dispatch.ts';

/** A command of a person has no time limit of its own: the person sees it and can stop it. In milliseconds. */
const PERSON_COMMAND_LIMIT_MS = 86_400_000;

/** Handlers by call. */
export const sessionHandlers = {
  'session.connect': async (view, input) => {
    // Never aborted: a page that reloads while a host key is being looked at must not end the attempt.
    const { signal } = new AbortController();
    const session = await view.core.sessions.connect(connectRequest(input), view.actor, signal);
    return { name: session.name };
  },
  'session.disconnect': async (view, { session }) => {
    await view.core.sessions.disconnect(session, view.actor, 'closed by the person');
    return {};
  },
  'lease.take': (view, { session }) => {
    view.core.sessions.get(session).lease.take(view.actor);
    return {};
  },
  'lease.handBack': (view, { session, note }) => {
    view.core.sessions.get(session).lease.handBack(view.actor, note ?? '');
    return {};
  },
  'command.list': (view, { session }) => ({
    commands: view.core.sessions
      .get(session)
      .commands()
      .map((command) => command.view()),
  }),
  'command.output': async (view, { session, commandId, stream, offset, limit }) => {
    const source = view.core.sessions.get(session).command(commandId).stream(stream);
    const bytes = await source.read(offset, limit);
    return {
      base64: bytes.toString('base64'),
      nextOffset: offset + bytes.byteLength,
      totalBytes: source.length,
    };
  },
  'command.run': (view, { session, command }) => {
    const target = view.core.sessions.get(session);
    requireDriver(target);
    return { commandId: target.run({ command, timeoutMs: PERSON_COMMAND_LIMIT_MS }, view.actor).id };
  },
  'command.cancel': async (view, { session, commandId }) => {
    await view.core.sessions.get(session).command(commandId).cancel('cancelled');
    return {};
  },
} satisfies Partial<Handlers>;

/** Throws unless a person drives the session: then nothing that is typed can mix with what an assistant types. */
export function requireDriver(session: Session): void {
  if (session.lease.heldByPerson) return;
  throw appError('DENIED', {
    message: `You do not drive the session ${session.name}`,
    hint: 'Take over first (F8).',
    details: { reason: 'not_driving', session: session.name },
  });
}

function connectRequest({ name, host, port, credentials }: CallInput<'session.connect'>): ConnectRequest {
  return {
    name,
    host,
    ...(port === undefined ? {} : { port }),
    ...(credentials === undefined ? {} : { credentials: givenOnly(credentials) }),
  };
}

function givenOnly(credentials: NonNullable<CallInput<'session.connect'>['credentials']>): Credentials {
  const { username, keyFile, passphrase, password, agent } = credentials;
  return {
    ...(username === undefined ? {} : { username }),
    ...(keyFile === undefined ? {} : { keyFile }),
    ...(passphrase === undefined ? {} : { passphrase }),
    ...(password === undefined ? {} : { password }),
    ...(agent === undefined ? {} : { agent }),
  };
}
