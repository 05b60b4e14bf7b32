// Links of a project: with the names of their ends, made by port names, changed also where 3.0 servers do not do it.
import * as z from 'zod';
import { appError } from '../../../src-shared/errors.ts';
import type { Gns3Api } from './api.ts';
import { differences } from './differences.ts';
import { readFilters } from './filters.ts';
import { linkPath, linksPath, offeredFilters, updateLink } from './link-update.ts';
import { findOne, isId } from './lookup.ts';
import type { Nodes } from './nodes.ts';
import type { Noted } from './noted.ts';
import { choosePort, portLabel } from './ports.ts';
import type { PortWish } from './ports.ts';
import type { Projects } from './projects.ts';
import { linkSchema } from './records.ts';
import type { LinkRecord, NodeRecord } from './records.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A link, with the names of what it joins. */
export interface NamedLink {
  readonly link: LinkRecord;
  readonly ends: readonly { readonly node: string; readonly port: string }[];
}

/** What a new link is made from. */
export interface NewLink {
  readonly project: string;
  readonly ends: readonly (PortWish & { readonly node: string })[];
  readonly filters: Fields | undefined;
  /** Further fields of the link: suspend, link_style. */
  readonly more: Fields;
}

/** Links. A link is given by its id, or by one of its ends as `NODE:PORT`. */
export interface Links {
  list(project: string): Promise<readonly NamedLink[]>;
  get(project: string, link: string): Promise<NamedLink>;
  create(wanted: NewLink): Promise<Noted<NamedLink>>;
  remove(project: string, link: string): Promise<NamedLink>;
  update(project: string, link: string, changes: Fields): Promise<Noted<NamedLink>>;
}

/** What links stand on. */
export interface LinkParts {
  readonly api: Gns3Api;
  readonly projects: Projects;
  readonly nodes: Nodes;
}

/** A project's links and nodes, as they are now. */
interface Wiring {
  readonly projectId: string;
  readonly links: readonly LinkRecord[];
  readonly nodes: readonly NodeRecord[];
}

/** Links of a server. */
export function createLinks(parts: LinkParts): Links {
  const { api } = parts;
  const wiring = (project: string): Promise<Wiring> => wiringOf(parts, project);
  return {
    async list(project) {
      const all = await wiring(project);
      return all.links.map((link) => withNames(link, all.nodes));
    },
    async get(project, wanted) {
      const all = await wiring(project);
      return withNames(findLink(wanted, all), all.nodes);
    },
    create: async (wanted) => create(api, wanted, await wiring(wanted.project)),
    async remove(project, wanted) {
      const all = await wiring(project);
      const link = findLink(wanted, all);
      await api.send({ method: 'DELETE', path: linkPath(all.projectId, link.link_id) });
      return withNames(link, all.nodes);
    },
    async update(project, wanted, changes) {
      const all = await wiring(project);
      const { value, notices } = await updateLink(api, { ...all, link: findLink(wanted, all) }, changes);
      return { value: withNames(value, all.nodes), notices };
    },
  };
}

async function wiringOf({ api, projects, nodes }: LinkParts, project: string): Promise<Wiring> {
  const projectId = await projects.idOf(project);
  const [links, list] = await Promise.all([api.read(linksPath(projectId), z.array(linkSchema)), nodes.list(projectId)]);
  return { projectId, links, nodes: list.value };
}

function withNames(link: LinkRecord, nodes: readonly NodeRecord[]): NamedLink {
  const ends = link.nodes.map((end) => {
    const node = nodes.find(({ node_id: id }) => id === end.node_id);
    return { node: node?.name ?? end.node_id, port: portLabel(node, end) };
  });
  return { link, ends };
}

function findLink(wanted: string, { links, nodes }: Wiring): LinkRecord {
  const found = links.find(({ link_id: id }) => id === wanted);
  if (found !== undefined) return found;
  const named = links.map((link) => withNames(link, nodes));
  const word = wanted.toLowerCase();
  const byEnd = isId(wanted)
    ? undefined
    : named.find(({ ends }) => ends.some(({ node, port }) => `${node}:${port}`.toLowerCase() === word));
  if (byEnd !== undefined) return byEnd.link;
  const list = named
    .slice(0, 20)
    .map(({ link, ends }) => `${link.link_id} (${ends.map(({ node, port }) => `${node}:${port}`).join(' - ')})`);
  throw appError('GNS3_NOT_FOUND', {
    message: `No link has the id or the end ${JSON.stringify(wanted)}`,
    hint:
      list.length === 0 ? 'There is no link yet.' : `There are: ${list.join(', ')}${named.length > 20 ? ', ...' : ''}.`,
    details: { reason: 'unknown', kind: 'link' },
  });
}

async function create(api: Gns3Api, wanted: NewLink, all: Wiring): Promise<Noted<NamedLink>> {
  if (wanted.ends.length !== 2) {
    const problem = `must name exactly two ends, not ${wanted.ends.length}`;
    throw appError('INVALID_PARAMS', {
      message: `nodes ${problem}`,
      details: { fields: [{ field: 'nodes', problem }] },
    });
  }
  const ends = wanted.ends.map((end) => {
    const node = findOne(end.node, all.nodes, 'node', ({ node_id: id, name }) => ({ id, name }));
    const { adapter_number, port_number } = choosePort(node, end, all.links);
    return { node_id: node.node_id, adapter_number, port_number };
  });
  const body = { nodes: ends, ...wanted.more };
  const made = await api.change({ method: 'POST', path: linksPath(all.projectId), body }, linkSchema);
  const link = wanted.filters === undefined ? made : await filteredOrGone(api, all.projectId, made, wanted.filters);
  return { value: withNames(link, all.nodes), notices: differences(wanted.more, link) };
}

/** What filters a link takes is known only when it exists: a link whose filters are refused is taken away again. */
async function filteredOrGone(api: Gns3Api, projectId: string, link: LinkRecord, wanted: Fields): Promise<LinkRecord> {
  const at = linkPath(projectId, link.link_id);
  try {
    const filters = readFilters(wanted, await offeredFilters(api, at));
    return await api.change({ method: 'PUT', path: at, body: { filters } }, linkSchema);
  } catch (error) {
    await api.send({ method: 'DELETE', path: at });
    throw error;
  }
}
