// Starts, stops, reloads and suspends nodes, and looks afterwards whether it really happened.
import { AppError, appError } from '../../../src-shared/errors.ts';
import { wait } from '../clock.ts';
import type { Clock } from '../clock.ts';
import type { Gns3Api } from './api.ts';
import type { KeyedQueue } from './keyed-queue.ts';
import { nodePath } from './nodes.ts';
import type { Nodes, PlacedNode } from './nodes.ts';
import type { Noted } from './noted.ts';
import { nodeSchema } from './records.ts';
import type { NodeRecord } from './records.ts';

/** A node that cannot live is gone within a second, after the server has said that it was started. Milliseconds. */
const SETTLE_MS = 1_200;
/** Characters at the end of a node's own log that an error hands on. */
const LOG_TAIL_CHARS = 500;

/** What can be done to a node. */
export type PowerAction = 'start' | 'stop' | 'reload' | 'suspend';

/** What power needs. */
export interface PowerParts {
  readonly api: Gns3Api;
  readonly nodes: Nodes;
  readonly queue: KeyedQueue;
  readonly clock: Clock;
}

/** Does it and answers the node as it is afterwards. */
export async function power(
  parts: PowerParts,
  action: PowerAction,
  project: string,
  wanted: string,
): Promise<Noted<NodeRecord>> {
  const placed = await parts.nodes.find(project, wanted);
  return parts.queue.run(placed.node.node_id, async () => {
    await send(parts, action, placed);
    const after = await settled(parts, action, placed);
    if (action === 'start' || action === 'reload') await expectAlive(parts, action, placed, after);
    return { value: after, notices: surprises(action, after) };
  });
}

const read = ({ api }: PowerParts, { projectId, node }: PlacedNode): Promise<NodeRecord> =>
  api.read(nodePath(projectId, node.node_id), nodeSchema);

/** The body has to be there, though it is empty: 3.0 refuses a start without one. */
async function send(parts: PowerParts, action: PowerAction, placed: PlacedNode): Promise<void> {
  const { projectId, node } = placed;
  try {
    await parts.api.send({ method: 'POST', path: `${nodePath(projectId, node.node_id)}/${action}`, body: {} });
  } catch (error) {
    if (error instanceof AppError && error.code === 'GNS3_CONFLICT') throw await withState(parts, placed, error);
    throw error;
  }
}

/** A refused start can leave the node running, without console and links: both facts are told. */
async function withState(parts: PowerParts, placed: PlacedNode, error: AppError): Promise<Error> {
  if (error.details['reason'] === 'project-closed') return error;
  const { name, status = 'unknown' } = await read(parts, placed);
  const runs = status === 'started' && placed.node.status !== 'started';
  const message = `${error.message}. ${name} is ${status} now${runs ? ', though this was refused: it runs without working links or console' : ''}`;
  return appError('GNS3_CONFLICT', { message, details: { ...error.details, node: name, status } });
}

async function settled(parts: PowerParts, action: PowerAction, placed: PlacedNode): Promise<NodeRecord> {
  const alive = action === 'start' || action === 'reload';
  if (alive) await wait(parts.clock, SETTLE_MS, new AbortController().signal);
  return read(parts, placed);
}

async function expectAlive(parts: PowerParts, action: string, placed: PlacedNode, after: NodeRecord): Promise<void> {
  if (after.status !== 'stopped') return;
  // A reload of a node that was not running starts nothing on some kinds of node.
  if (action === 'reload' && placed.node.status !== 'started') return;
  const log = await ownLog(parts, placed);
  const why = log === '' ? 'GNS3 says no reason' : `its log ends with: ${log}`;
  throw appError('GNS3_CONFLICT', {
    message: `${after.name} was started and ended at once; ${why}`,
    hint: 'Correct the settings of the node with update_node, then start it again.',
    details: { reason: 'node-died', node: after.name, status: 'stopped' },
  });
}

/** The node's program writes its complaint into its own folder; the server tells it to listeners of the project only. */
async function ownLog({ api }: PowerParts, { projectId, node }: PlacedNode): Promise<string> {
  try {
    const text = await api.readText(
      `${nodePath(projectId, node.node_id)}/files/${encodeURIComponent(node.node_type)}.log`,
    );
    return text.trim().slice(-LOG_TAIL_CHARS);
  } catch (error) {
    // Not every kind of node has one.
    if (error instanceof AppError) return '';
    throw error;
  }
}

const WANTED: Readonly<Record<PowerAction, string>> = {
  start: 'started',
  stop: 'stopped',
  reload: 'started',
  suspend: 'suspended',
};

/** The server answers success for what a kind of node cannot do, and for a stop that its compute failed at. */
function surprises(action: PowerAction, { name, node_type: type, status = 'unknown' }: NodeRecord): readonly string[] {
  if (status === WANTED[action]) return [];
  return [`${name} (${type}) is ${status} after ${action}: GNS3 accepted the call and did not do it.`];
}
