// What everybody sees of a session, put together from its parts.
import type { LeaseState, SessionKind, SessionStatus, SessionView } from '../../../src-shared/model/index.ts';
import type { AgentLane } from '../lanes/port.ts';
import type { RecordOfSession } from '../durable/durable-runs.ts';
import type { ConnectTarget } from '../ssh/port.ts';
import type { Link } from './link.ts';
import type { Command } from './port.ts';

/** Where a session is in its life, and why. */
export interface SessionState {
  readonly status: SessionStatus;
  readonly reason: string | null;
  readonly retryAt: number | null;
}

/** The parts of a view. */
export interface ViewParts {
  readonly name: string;
  readonly kind: SessionKind;
  readonly state: SessionState;
  readonly connectionTime: number;
  readonly lastActivity: number;
  readonly reconnects: number;
  readonly link: Link;
  readonly lane: AgentLane | null;
  /** Commands that run or ran beside the lane. */
  readonly durable: readonly Command[];
  readonly lease: LeaseState;
  readonly terminalOpen: boolean;
}

/** Makes the view of this moment. */
export function sessionView(parts: ViewParts): SessionView {
  const { name, kind, state, link, lease, terminalOpen, connectionTime, lastActivity, reconnects } = parts;
  const { host, port, username } = link.target;
  const { rttMs, bytesIn, bytesOut } = link;
  return {
    ...{ name, host, port, kind, connectionTime, lastActivity, lease, terminalOpen, reconnects },
    ...{ rttMs, bytesIn, bytesOut },
    username: link.facts?.username ?? username,
    status: state.status,
    statusReason: state.reason,
    retryAt: state.retryAt,
    serverVersion: link.facts?.serverVersion ?? '',
    fingerprint: link.facts?.fingerprint ?? '',
    hostKeyType: link.facts?.hostKeyType ?? '',
    banner: link.facts?.banner ?? '',
    ...laneView(parts),
  };
}

function laneView({
  lane,
  durable,
}: ViewParts): Pick<SessionView, 'workingDir' | 'shell' | 'busy' | 'running' | 'queued' | 'lastExitCode'> {
  const views = lane?.commands().map((command) => command.view()) ?? [];
  const inLane = lane?.running?.view() ?? null;
  const beside = durable.map((command) => command.view()).find((view) => view.endedAt === null) ?? null;
  const queued = views.filter((view) => view.status === 'queued').length;
  return {
    workingDir: lane?.workingDir ?? null,
    shell: lane?.shellName ?? null,
    // A durable command keeps nobody waiting.
    busy: inLane !== null || queued > 0,
    running: inLane ?? beside,
    queued,
    lastExitCode: views.findLast((view) => view.endedAt !== null && view.startedAt !== null)?.exitCode ?? null,
  };
}

/** What the record of a durable command says about its session; how to log in only as far as no secret is needed. */
export function aboutOf(view: SessionView, { credentials, identityFiles }: ConnectTarget): RecordOfSession {
  const { name: sessionName, host, port, username, fingerprint, hostKeyType } = view;
  const { keyFile = null, agent = false, password, passphrase } = credentials;
  return {
    ...{ sessionName, host, port, username, fingerprint, hostKeyType },
    login: {
      unattended: password === undefined && passphrase === undefined,
      ...{ keyFile, agent, identityFiles: [...identityFiles] },
    },
  };
}
