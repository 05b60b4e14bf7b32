// Nodes of a project: found by id or name also when the project is closed, made and named, changed and compared.
import * as z from 'zod';
import { AppError } from '../../../src-shared/errors.ts';
import { path } from './api.ts';
import type { Gns3Api } from './api.ts';
import { differences, isRecord } from './differences.ts';
import type { KeyedQueue } from './keyed-queue.ts';
import { findOne, isId } from './lookup.ts';
import { plainly } from './noted.ts';
import type { Noted } from './noted.ts';
import type { Projects } from './projects.ts';
import { nodeSchema } from './records.ts';
import type { NodeRecord } from './records.ts';
import type { Templates } from './templates.ts';

/** A node in its project. */
export interface PlacedNode {
  readonly projectId: string;
  readonly node: NodeRecord;
}

/** What a new node is made from. */
export interface NewNode {
  readonly project: string;
  readonly template: string;
  readonly x: number;
  readonly y: number;
  readonly compute: string | undefined;
  readonly name: string | undefined;
}

/** Nodes. Projects, nodes and templates are given by id or name. */
export interface Nodes {
  list(project: string): Promise<Noted<readonly NodeRecord[]>>;
  find(project: string, node: string): Promise<PlacedNode>;
  get(project: string, node: string): Promise<Noted<NodeRecord>>;
  create(wanted: NewNode): Promise<Noted<NodeRecord>>;
  remove(project: string, node: string): Promise<NodeRecord>;
  /** Fields of the node or of its `properties`, in either place. */
  update(project: string, node: string, changes: Readonly<Record<string, unknown>>): Promise<Noted<NodeRecord>>;
}

/** What nodes stand on. */
export interface NodeParts {
  readonly api: Gns3Api;
  readonly projects: Projects;
  readonly templates: Templates;
  /** Calls to one node are made one after another. */
  readonly queue: KeyedQueue;
}

const CLOSED = 'The project is closed: these are its saved records, without state and ports. open_project opens it.';

/** Nodes of a server. */
export function createNodes(parts: NodeParts): Nodes {
  const { api, projects, queue } = parts;
  const listIn = (id: string): Promise<NodeRecord[]> => api.read(path`/projects/${id}/nodes`, z.array(nodeSchema));
  const find: Nodes['find'] = async (project, wanted) => {
    const projectId = await projects.idOf(project);
    return { projectId, node: await findNode(api, projectId, wanted, listIn) };
  };
  return {
    async list(project) {
      const nodes = await listIn(await projects.idOf(project));
      return { value: nodes, notices: nodes.some(isSaved) ? [CLOSED] : [] };
    },
    find,
    async get(project, wanted) {
      const { node } = await find(project, wanted);
      return { value: node, notices: isSaved(node) ? [CLOSED] : [] };
    },
    create: (wanted) => create(parts, wanted),
    async remove(project, wanted) {
      const { projectId, node } = await find(project, wanted);
      await queue.run(node.node_id, () => api.send({ method: 'DELETE', path: nodePath(projectId, node.node_id) }));
      return node;
    },
    async update(project, wanted, changes) {
      const { projectId, node } = await find(project, wanted);
      return queue.run(node.node_id, () => update(api, projectId, node, changes));
    },
  };
}

/** Address of a node. */
export const nodePath = (projectId: string, nodeId: string): string => path`/projects/${projectId}/nodes/${nodeId}`;

/** The record of a closed project's node, as its file has it. */
const isSaved = ({ status }: NodeRecord): boolean => status === undefined;

async function findNode(
  api: Gns3Api,
  projectId: string,
  wanted: string,
  listIn: (id: string) => Promise<NodeRecord[]>,
): Promise<NodeRecord> {
  if (isId(wanted)) {
    try {
      return await api.read(nodePath(projectId, wanted), nodeSchema);
    } catch (error) {
      // A closed project refuses this; its list has the node all the same.
      if (!isClosed(error)) throw error;
    }
  }
  return findOne(wanted, await listIn(projectId), 'node', ({ node_id: id, name }) => ({ id, name }));
}

const isClosed = (error: unknown): boolean => error instanceof AppError && error.details['reason'] === 'project-closed';

async function create({ api, projects, templates }: NodeParts, wanted: NewNode): Promise<Noted<NodeRecord>> {
  const [projectId, template] = await Promise.all([projects.idOf(wanted.project), templates.get(wanted.template)]);
  // Built-in templates belong to no compute, and the server then wants to be told one.
  const compute = wanted.compute ?? (template.compute_id == null ? 'local' : undefined);
  const body = { x: wanted.x, y: wanted.y, ...(compute === undefined ? {} : { compute_id: compute }) };
  const made = await api.change(
    { method: 'POST', path: path`/projects/${projectId}/templates/${template.template_id}`, body },
    nodeSchema,
  );
  // A name given at creation is ignored by the server.
  return wanted.name === undefined ? plainly(made) : update(api, projectId, made, { name: wanted.name });
}

async function update(
  api: Gns3Api,
  projectId: string,
  node: NodeRecord,
  changes: Readonly<Record<string, unknown>>,
): Promise<Noted<NodeRecord>> {
  const body = sorted(node, changes);
  const after = await api.change({ method: 'PUT', path: nodePath(projectId, node.node_id), body }, nodeSchema);
  return { value: after, notices: [...differences(body, after), ...later(node, body)] };
}

/** Puts what belongs into `properties` there: the server ignores it elsewhere. */
function sorted(node: NodeRecord, changes: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const known = node.properties ?? {};
  const { properties, ...rest } = changes;
  const inner = Object.fromEntries(Object.entries(rest).filter(([name]) => !(name in node) && name in known));
  const outer = Object.fromEntries(Object.entries(rest).filter(([name]) => !(name in inner)));
  const wanted = { ...(isRecord(properties) ? properties : {}), ...inner };
  return Object.keys(wanted).length === 0 ? outer : { ...outer, properties: wanted };
}

function later(node: NodeRecord, body: Readonly<Record<string, unknown>>): readonly string[] {
  return node.status === 'started' && 'properties' in body
    ? [`${node.name} is running: its new properties count from its next start or reload.`]
    : [];
}
