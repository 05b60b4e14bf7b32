// Changes a link, and makes it anew where the server would answer success and change nothing on the wire.
import * as z from 'zod';
import { AppError, appError } from '../../../src-shared/errors.ts';
import { path } from './api.ts';
import type { Gns3Api } from './api.ts';
import { differences, isRecord } from './differences.ts';
import { readFilters } from './filters.ts';
import type { Noted } from './noted.ts';
import { availableFilterSchema, linkSchema } from './records.ts';
import type { AvailableFilter, LinkRecord, NodeRecord } from './records.ts';
import { isBefore31 } from './version.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A link and what is around it. */
export interface PlacedLink {
  readonly projectId: string;
  readonly link: LinkRecord;
  readonly nodes: readonly NodeRecord[];
}

/** Address of a project's links. */
export const linksPath = (projectId: string): string => path`/projects/${projectId}/links`;

/** Address of a link. */
export const linkPath = (projectId: string, linkId: string): string => path`/projects/${projectId}/links/${linkId}`;

/** The filters that the link at this address offers; none when neither end can filter. */
export const offeredFilters = (api: Gns3Api, at: string): Promise<AvailableFilter[]> =>
  api.read(`${at}/available_filters`, z.array(availableFilterSchema));

/** Changes fields of a link; `filters` replaces the whole set. */
export async function updateLink(api: Gns3Api, placed: PlacedLink, changes: Fields): Promise<Noted<LinkRecord>> {
  const at = linkPath(placed.projectId, placed.link.link_id);
  const body = isRecord(changes['filters'])
    ? { ...changes, filters: readFilters(changes['filters'], await offeredFilters(api, at)) }
    : changes;
  if (loosens(placed.link, body) && (await isDeafTo(api, placed))) return remake(api, placed, body);
  const after = await api.change({ method: 'PUT', path: at, body }, linkSchema);
  return { value: after, notices: differences(body, after) };
}

/** Whether the change takes the last filter away or resumes the link. */
function loosens({ filters, suspend }: LinkRecord, body: Fields): boolean {
  const cleared = isRecord(body['filters']) && Object.keys(body['filters']).length === 0;
  return (cleared && Object.keys(filters ?? {}).length > 0) || (suspend === true && body['suspend'] === false);
}

/** Servers of version 3.0 answer 200 to such a change on a running node, and go on dropping packets (measured on 3.0.6). */
async function isDeafTo(api: Gns3Api, { link, nodes }: PlacedLink): Promise<boolean> {
  const runs = link.nodes.some((end) =>
    nodes.some(({ node_id: id, status }) => id === end.node_id && status === 'started'),
  );
  return runs && isBefore31(await api.version());
}

/**
 * Takes the link away and makes it again. The server's own reset restores traffic too, but takes the link out of its
 * nodes' lists, so that isolating a node no longer finds it.
 */
async function remake(api: Gns3Api, { projectId, link }: PlacedLink, body: Fields): Promise<Noted<LinkRecord>> {
  const { nodes, filters, suspend, link_style } = { ...link, ...body };
  const wanted = { nodes, filters: filters ?? {}, suspend: suspend ?? false, link_style: link_style ?? {} };
  await api.send({ method: 'DELETE', path: linkPath(projectId, link.link_id) });
  try {
    const made = await api.change({ method: 'POST', path: linksPath(projectId), body: wanted }, linkSchema);
    return { value: made, notices: [remadeNotice(link, made), ...differences(body, made)] };
  } catch (error) {
    throw lost(error, link, wanted);
  }
}

function remadeNotice(before: LinkRecord, after: LinkRecord): string {
  const capture = before.capturing === true ? ' Its capture has ended.' : '';
  return `GNS3 3.0 does not clear filters or resume a link of a running node, so the link was deleted and made again: its id is now ${after.link_id}.${capture}`;
}

function lost(error: unknown, link: LinkRecord, wanted: Fields): Error {
  const why = error instanceof AppError ? error.message : 'the request failed';
  return appError('GNS3_CONFLICT', {
    message: `The link ${link.link_id} was deleted to be made again, and that failed: ${why}`,
    hint: 'Make it with create_link and the ends named in the details.',
    details: { reason: 'link-lost', link: wanted },
    cause: error,
  });
}
