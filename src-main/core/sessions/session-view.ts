// What everybody sees of a session, put together from its parts.
import type { LeaseState, SessionKind, SessionStatus, SessionView } from '../../../src-shared/model/index.ts';
import type { AgentLane } from '../lanes/port.ts';
import type { Link } from './link.ts';

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
    ...laneView(parts.lane),
  };
}

function laneView(
  lane: AgentLane | null,
): Pick<SessionView, 'workingDir' | 'shell' | 'busy' | 'running' | 'queued' | 'lastExitCode'> {
  const views = lane?.commands().map((command) => command.view()) ?? [];
  const running = lane?.running?.view() ?? null;
  const queued = views.filter((view) => view.status === 'queued').length;
  return {
    workingDir: lane?.workingDir ?? null,
    shell: lane?.shellName ?? null,
    busy: running !== null || queued > 0,
    running,
    queued,
    lastExitCode: views.findLast((view) => view.endedAt !== null && view.startedAt !== null)?.exitCode ?? null,
  };
}
