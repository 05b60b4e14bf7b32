// Checks the client of the lab against a real GNS3 server: what it hides of the server's ways, and what it must not.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Lab } from '../../../src-main/core/gns3/lab.ts';
import { appErrorOf } from '../../support/app-error.ts';
import { startGns3 } from '../../support/gns3-server.ts';
import type { TestGns3 } from '../../support/gns3-server.ts';
import { labAt } from '../../support/lab.ts';

/** The first start on a machine installs the server. */
const START_MS = 300_000;
const NOBODY = '00000000-0000-4000-8000-000000000000';
let server: TestGns3;
let lab: Lab;

beforeAll(async () => {
  server = await startGns3();
  lab = labAt(server.url, server.password);
}, START_MS);
afterAll(() => server.stop());

const newNode = (project: string, name?: string) =>
  lab.nodes.create({ project, template: 'VPCS', x: 0, y: 0, compute: undefined, name });

describe('a project', () => {
  it('is made so that no listener who leaves can close it', async () => {
    const { value } = await lab.projects.create('stays', undefined);
    expect(value).toMatchObject({ name: 'stays', status: 'opened', auto_close: false });
  });

  it('keeps its description, for which the server has no field, as its README', async () => {
    const { value, notices } = await lab.projects.create('described', 'Two hosts – für Ping');
    expect(notices).toEqual([expect.stringContaining('README.txt')]);
    const { body } = await server.request('GET', `/projects/${value.project_id}/files/README.txt`);
    expect(body).toBe('Two hosts – für Ping');
  });

  it('is opened and closed as often as asked', async () => {
    await lab.projects.create('twice', undefined);
    const states = [];
    for (const act of ['close', 'close', 'open', 'open'] as const)
      states.push((await lab.projects[act]('twice')).status);
    expect(states).toEqual(['closed', 'closed', 'opened', 'opened']);
  });

  it('is counted also when it is closed, where the server says zero', async () => {
    await lab.projects.create('counted', undefined);
    await newNode('counted', 'A');
    await newNode('counted', 'B');
    await lab.links.create({ project: 'counted', ends: [{ node: 'A' }, { node: 'B' }], filters: undefined, more: {} });
    const open = await lab.projects.stats('counted');
    await lab.projects.close('counted');
    const closed = await lab.projects.stats('counted');
    expect(open.stats).toEqual({ nodes: 2, links: 1, drawings: 0, snapshots: 0 });
    expect(closed.stats).toEqual(open.stats);
  });
});

describe('a node', () => {
  beforeAll(async () => {
    await lab.projects.create('nodes', undefined);
  });

  it('made from a built-in template gets the local compute and the name that was wanted', async () => {
    const { value, notices } = await newNode('nodes', 'R1');
    expect(value).toMatchObject({ name: 'R1', compute_id: 'local', node_type: 'vpcs', status: 'stopped' });
    expect(notices).toEqual([]);
  });

  it('gets another name when its own is in use, and this is told', async () => {
    const { value, notices } = await newNode('nodes', 'R1');
    expect(value.name).not.toBe('R1');
    expect(notices).toEqual([`name was asked to be "R1" and is "${value.name}".`]);
  });

  it('tells which wishes the server ignored', async () => {
    const { value, notices } = await lab.nodes.update('nodes', 'R1', { x: 40, status: 'started', nonsense: 1 });
    expect(value).toMatchObject({ x: 40, status: 'stopped' });
    expect(notices).toEqual([
      'status was asked to be "started" and is "stopped".',
      'GNS3 knows no nonsense here: it was ignored.',
    ]);
  });

  it('is shown with its saved record when its project is closed', async () => {
    const { value: open } = await lab.nodes.get('nodes', 'R1');
    await lab.projects.close('nodes');
    const byId = await lab.nodes.get('nodes', open.node_id);
    const byName = await lab.nodes.get('nodes', 'R1');
    await lab.projects.open('nodes');
    expect(byId).toEqual(byName);
    expect(byId.value).toMatchObject({ node_id: open.node_id, name: 'R1' });
    expect(byId.notices).toEqual([expect.stringContaining('The project is closed')]);
  });

  it('that cannot be started is told with the reason and the state', async () => {
    const error = await appErrorOf(lab.power('start', 'nodes', 'R1'));
    expect(error).toMatchObject({ code: 'GNS3_CONFLICT', details: { status: 'stopped', node: 'R1' } });
    expect(error.message).toBe('GNS3: No path to a VPCS executable has been set. R1 is stopped now');
  });

  it('that cannot be suspended is told, though the server says that it was', async () => {
    const { value, notices } = await lab.power('suspend', 'nodes', 'R1');
    expect(value.status).toBe('stopped');
    expect(notices).toEqual(['R1 (vpcs) is stopped after suspend: GNS3 accepted the call and did not do it.']);
  });
});

describe('a link', () => {
  beforeAll(async () => {
    await lab.projects.create('links', undefined);
    for (const name of ['A', 'B', 'C']) await newNode('links', name);
  });
  const link = (more: Readonly<Record<string, unknown>> = {}, filters?: Readonly<Record<string, unknown>>) =>
    lab.links.create({ project: 'links', ends: [{ node: 'A', port: 'eth0' }, { node: 'B' }], filters, more });

  it('is made by names of ports, with filters in any form, and found by its end', async () => {
    const { value } = await link({ suspend: true }, { delay: '20', packet_loss: 5 });
    expect(value.ends).toEqual([
      { node: 'A', port: 'e0' },
      { node: 'B', port: 'e0' },
    ]);
    const found = await lab.links.get('links', 'b:e0');
    expect(found.link).toMatchObject({
      link_id: value.link.link_id,
      suspend: true,
      filters: { delay: [20, 0], packet_loss: [5] },
    });
    const { value: after } = await lab.links.update('links', 'A:e0', { filters: {}, suspend: false });
    expect(after.link).toMatchObject({ link_id: value.link.link_id, suspend: false, filters: {} });
  });

  it('cannot use a port that is used', async () => {
    const again = lab.links.create({
      project: 'links',
      ends: [{ node: 'A', port: 'e0' }, { node: 'C' }],
      filters: undefined,
      more: {},
    });
    expect(await appErrorOf(again)).toMatchObject({ code: 'GNS3_CONFLICT', message: 'GNS3: Port is already used' });
    const free = lab.links.create({
      project: 'links',
      ends: [{ node: 'A' }, { node: 'C' }],
      filters: undefined,
      more: {},
    });
    expect(await appErrorOf(free)).toMatchObject({ details: { reason: 'no-free-port' } });
  });

  it('whose filters are wrong is not made, and wrong filters are not stored', async () => {
    const error = await appErrorOf(lab.links.update('links', 'A:e0', { filters: { delay: [1], jitter: [2] } }));
    expect(error).toMatchObject({ code: 'INVALID_PARAMS' });
    expect((await lab.links.get('links', 'A:e0')).link.filters).toEqual({});
    await lab.links.remove('links', 'A:e0');
    expect(await appErrorOf(link({}, { delay: 'slow' }))).toMatchObject({ code: 'INVALID_PARAMS' });
    expect(await lab.links.list('links')).toEqual([]);
  });
});

describe('the local compute', () => {
  it('is listed and shown, which the server does not do', async () => {
    expect((await server.request('GET', '/computes')).body).toEqual([]);
    expect((await server.request('GET', '/computes/local')).status).toBe(500);
    expect(await lab.computes.list()).toMatchObject([{ compute_id: 'local', capabilities: { version: '3.0.6' } }]);
    const local = await lab.computes.get('local');
    expect(local['statistics']).toMatchObject({ memory_total: expect.any(Number) as number });
  });

  it('is not mistaken for one that does not exist', async () => {
    expect(await appErrorOf(lab.computes.get('nowhere'))).toMatchObject({
      code: 'GNS3_NOT_FOUND',
      details: { names: ['local'] },
    });
  });
});

describe('errors of the server', () => {
  it('name what does not exist', async () => {
    expect(await appErrorOf(lab.projects.get(NOBODY))).toMatchObject({
      code: 'GNS3_NOT_FOUND',
      details: { status: 404 },
    });
    expect(await appErrorOf(lab.projects.get('nothing of this name'))).toMatchObject({
      code: 'GNS3_NOT_FOUND',
      details: { reason: 'unknown' },
    });
  });

  it('tell a user what this user may not do', async () => {
    const made = await server.request('POST', '/access/users', { username: 'guest', password: 'guest-of-the-test' });
    expect(made.status).toBe(201);
    const guest = labAt(server.url, 'guest-of-the-test', 'guest');
    const { project_id: id } = await lab.projects.get('stays');
    expect(await guest.projects.list()).toEqual([]);
    expect(await appErrorOf(guest.nodes.list(id))).toMatchObject({
      code: 'GNS3_FORBIDDEN',
      details: { reason: 'privilege', privilege: 'Node.Audit' },
    });
  });

  it('of a wrong password name the user and nothing else', async () => {
    const error = await appErrorOf(labAt(server.url, 'not-this-password').projects.list());
    expect(error).toMatchObject({
      code: 'GNS3_AUTH',
      message: 'The GNS3 server does not accept the password of the user admin',
    });
    expect(JSON.stringify(error)).not.toContain('not-this-password');
  });
});

describe('a server that was started again with another key', () => {
  it('is logged in to again by itself', async () => {
    await server.restart({ newKey: true });
    expect((await lab.projects.list()).map(({ name }) => name)).toContain('stays');
  }, 120_000);
});
