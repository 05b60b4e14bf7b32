// The tool that shows one session in detail.
import { actorLabel } from '../../src-shared/model/index.ts';
import type { Command, Session } from '../core/sessions/port.ts';
import type { Handler, ToolOutput } from './tool-types.ts';
import { commandState, durationOf, iso, isoOrNull } from './words.ts';

/** Ended commands that are shown, the newest. */
const RECENT = 20;
/** Waiting commands that are shown, the next ones; a result has to stay short whatever the queue. */
const NEXT = 20;
/** Characters of a command's text in the list. */
const COMMAND_CHARS = 200;

type Status = ToolOutput<'ssh_session_status'>;

export const sshSessionStatus: Handler<'ssh_session_status'> = (args, { sessions }) => {
  const structure = statusOf(sessions.get(args.sessionName));
  return Promise.resolve({ structure, text: statusText(structure, sessions.get(args.sessionName)) });
};

function statusOf(session: Session): Status {
  const view = session.view();
  return {
    name: view.name,
    host: view.host,
    port: view.port,
    username: view.username,
    kind: view.kind,
    status: view.status,
    statusReason: view.statusReason,
    serverVersion: view.serverVersion,
    fingerprint: view.fingerprint,
    shell: view.shell,
    workingDir: view.workingDir,
    connectionTime: iso(view.connectionTime),
    lastActivity: iso(view.lastActivity),
    lease: view.lease.holder,
    lanes: lanesOf(session),
    commands: shownCommands(session).map(commandRow),
    bytesIn: view.bytesIn,
    bytesOut: view.bytesOut,
    roundTripMs: view.rttMs,
    reconnects: view.reconnects,
    notices: [...queueNotice(session), ...session.takeNotices()],
  };
}

function lanesOf(session: Session): Status['lanes'] {
  const view = session.view();
  const agent = { lane: 'agent' as const, state: view.busy ? 'busy' : 'idle' };
  const terminal = { lane: 'terminal' as const, state: view.terminalOpen ? 'open' : 'closed' };
  return view.kind === 'posix' ? [agent, terminal] : [terminal];
}

/** The last ended ones, what runs, and what waits next, oldest first. */
function shownCommands(session: Session): readonly Command[] {
  const commands = session.commands();
  const ended = commands.filter((command) => command.view().endedAt !== null);
  const hidden = new Set([...ended.slice(0, -RECENT), ...queuedOf(session).slice(NEXT)]);
  return commands.filter((command) => !hidden.has(command));
}

const queuedOf = (session: Session): readonly Command[] =>
  session.commands().filter((command) => command.view().status === 'queued');

function queueNotice(session: Session): readonly string[] {
  const more = queuedOf(session).length - NEXT;
  return more > 0 ? [`${more} more commands are queued than are listed here.`] : [];
}

function commandRow(command: Command): Status['commands'][number] {
  const view = command.view();
  return {
    commandId: view.commandId,
    command: view.command.slice(0, COMMAND_CHARS),
    status: view.status,
    exitCode: view.exitCode,
    client: actorLabel(view.actor),
    startedAt: isoOrNull(view.startedAt),
    durationMs: durationOf(view),
    stdoutBytes: view.stdoutBytes,
    stderrBytes: view.stderrBytes,
  };
}

function statusText(status: Status, session: Session): string {
  const reason = status.statusReason === null ? '' : ` (${status.statusReason})`;
  const trip = status.roundTripMs === null ? 'not measured yet' : `${status.roundTripMs} ms`;
  const rows = shownCommands(session).map((command) => {
    const view = command.view();
    const sizes = `${view.stdoutBytes} + ${view.stderrBytes} bytes`;
    return `- ${view.commandId} ${commandState(view)}, ${sizes}, by ${actorLabel(view.actor)}: ${view.command.slice(0, COMMAND_CHARS)}`;
  });
  return [
    `Session ${status.name} is ${status.status}${reason}: ${status.username}@${status.host} port ${status.port}, kind ${status.kind}`,
    `Shell: ${status.shell ?? 'none'}, directory ${status.workingDir ?? 'unknown'}, driven by ${status.lease}`,
    `Connected ${status.connectionTime}, last activity ${status.lastActivity}, reconnects ${status.reconnects}`,
    `Server ${status.serverVersion}, host key ${status.fingerprint}`,
    `Bytes in ${status.bytesIn}, out ${status.bytesOut}, round trip ${trip}`,
    `Lanes: ${status.lanes.map(({ lane, state }) => `${lane} ${state}`).join(', ')}`,
    rows.length === 0 ? 'No commands yet.' : `Commands, oldest first (stdout + stderr):\n${rows.join('\n')}`,
  ].join('\n');
}
