// Projects of the GNS3 server: found by id or name, made so that no view can close them, counted also when closed.
import * as z from 'zod';
import { AppError } from '../../../src-shared/errors.ts';
import { wait } from '../clock.ts';
import type { Clock } from '../clock.ts';
import { path } from './api.ts';
import type { Gns3Api } from './api.ts';
import { findOne, isId } from './lookup.ts';
import type { Noted } from './noted.ts';
import { countedSchema, projectSchema, statsSchema } from './records.ts';
import type { ProjectRecord } from './records.ts';

/** Opening is refused while the server still closes the project: tried again so often, so far apart. */
const OPEN_TRIES = 20;
const OPEN_AGAIN_MS = 1_000;

/** How much a project holds. */
export type ProjectStats = z.output<typeof statsSchema>;

/** Projects. Every `wanted` is an id or a name. */
export interface Projects {
  list(): Promise<readonly ProjectRecord[]>;
  get(wanted: string): Promise<ProjectRecord>;
  /** Its id, asked for only when a name was given. */
  idOf(wanted: string): Promise<string>;
  create(name: string, description: string | undefined): Promise<Noted<ProjectRecord>>;
  remove(wanted: string): Promise<ProjectRecord>;
  open(wanted: string): Promise<ProjectRecord>;
  close(wanted: string): Promise<ProjectRecord>;
  stats(wanted: string): Promise<{ readonly project: ProjectRecord; readonly stats: ProjectStats }>;
}

/** Projects of a server. */
export function createProjects(api: Gns3Api, clock: Clock): Projects {
  const list = (): Promise<ProjectRecord[]> => api.read('/projects', z.array(projectSchema));
  const get = async (wanted: string): Promise<ProjectRecord> =>
    isId(wanted) ? api.read(path`/projects/${wanted}`, projectSchema) : findOne(wanted, await list(), 'project', named);
  return {
    list,
    get,
    idOf: async (wanted) => (isId(wanted) ? wanted : (await get(wanted)).project_id),
    create: (name, description) => create(api, name, description),
    async remove(wanted) {
      const project = await get(wanted);
      await api.send({ method: 'DELETE', path: path`/projects/${project.project_id}` });
      return project;
    },
    async open(wanted) {
      const { project_id: id } = await get(wanted);
      return openProject(api, clock, id);
    },
    async close(wanted) {
      const { project_id: id } = await get(wanted);
      await api.send({ method: 'POST', path: path`/projects/${id}/close` });
      return get(id);
    },
    async stats(wanted) {
      const project = await get(wanted);
      return { project, stats: await statsOf(api, project) };
    },
  };
}

const named = ({ project_id: id, name, status }: ProjectRecord) => ({ id, name, more: status });

/**
 * Without `auto_close: false` the server closes a project, and stops its nodes, seconds after the last one who listens
 * to its notifications has gone.
 */
async function create(api: Gns3Api, name: string, description: string | undefined): Promise<Noted<ProjectRecord>> {
  const project = await api.change(
    { method: 'POST', path: '/projects', body: { name, auto_close: false } },
    projectSchema,
  );
  if (description === undefined) return { value: project, notices: [] };
  // The server has no field for it and would drop it without a word.
  const file = path`/projects/${project.project_id}/files/README.txt`;
  await api.send({ method: 'POST', path: file, body: Buffer.from(description, 'utf8') });
  return {
    value: project,
    notices: ['GNS3 projects have no description: it was stored as README.txt of the project.'],
  };
}

async function openProject(api: Gns3Api, clock: Clock, id: string): Promise<ProjectRecord> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await api.change({ method: 'POST', path: path`/projects/${id}/open` }, projectSchema);
    } catch (error) {
      if (!isClosing(error) || tries >= OPEN_TRIES) throw error;
      await wait(clock, OPEN_AGAIN_MS, new AbortController().signal);
    }
  }
}

const isClosing = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'GNS3_CONFLICT' && /clos/i.test(error.message);

/** A closed project answers zero for everything: its lists tell. */
async function statsOf(api: Gns3Api, { project_id: id, status }: ProjectRecord): Promise<ProjectStats> {
  if (status === 'opened') return api.read(path`/projects/${id}/stats`, statsSchema);
  const count = async (kind: string): Promise<number> =>
    (await api.read(path`/projects/${id}/${kind}`, countedSchema)).length;
  const [nodes, links, drawings, snapshots] = await Promise.all(['nodes', 'links', 'drawings', 'snapshots'].map(count));
  return { nodes: nodes ?? 0, links: links ?? 0, drawings: drawings ?? 0, snapshots: snapshots ?? 0 };
}
