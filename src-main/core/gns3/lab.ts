// The GNS3 server as the rest of Patchbay uses it: projects, nodes, links, templates, computes of one user.
import { systemClock } from '../clock.ts';
import type { Clock } from '../clock.ts';
import { createApi } from './api.ts';
import type { Gns3Api } from './api.ts';
import { createComputes } from './computes.ts';
import type { Computes } from './computes.ts';
import { consoleInfo } from './console.ts';
import type { ConsoleInfo } from './console.ts';
import type { Gns3Address } from './http.ts';
import { KeyedQueue } from './keyed-queue.ts';
import { createLinks } from './links.ts';
import type { Links } from './links.ts';
import { createNodes } from './nodes.ts';
import type { Nodes } from './nodes.ts';
import type { Noted } from './noted.ts';
import { power } from './power.ts';
import type { PowerAction } from './power.ts';
import { createProjects } from './projects.ts';
import type { Projects } from './projects.ts';
import type { NodeRecord } from './records.ts';
import { createTemplates } from './templates.ts';
import type { Templates } from './templates.ts';
import type { TokenSource } from './tokens.ts';

/** A GNS3 server, as one user sees it. Every method throws the GNS3 codes of the error table. */
export interface Lab {
  readonly api: Gns3Api;
  readonly projects: Projects;
  readonly nodes: Nodes;
  readonly links: Links;
  readonly templates: Templates;
  readonly computes: Computes;
  power(action: PowerAction, project: string, node: string): Promise<Noted<NodeRecord>>;
  consoleInfo(project: string, node: string): Promise<ConsoleInfo>;
}

/** What a lab is made with. */
export interface LabOptions {
  readonly address: Gns3Address;
  readonly tokens: TokenSource;
  /** Shared by all users of one server, so that their calls to one node do not meet. */
  readonly queue?: KeyedQueue;
  readonly clock?: Clock;
}

/** Makes it; nothing is sent before the first call. */
export function createLab({ address, tokens, queue = new KeyedQueue(), clock = systemClock }: LabOptions): Lab {
  const api = createApi(address, tokens);
  const projects = createProjects(api, clock);
  const templates = createTemplates(api);
  const nodes = createNodes({ api, projects, templates, queue });
  return {
    api,
    projects,
    nodes,
    templates,
    links: createLinks({ api, projects, nodes }),
    computes: createComputes(api),
    power: (action, project, node) => power({ api, nodes, queue, clock }, action, project, node),
    consoleInfo: (project, node) => consoleInfo({ api, nodes, clock }, project, node),
  };
}
