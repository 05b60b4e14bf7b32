// Checks how a link of a running node is changed on servers that would say yes and do nothing, and on those that do it.
import { afterEach, describe, expect, it } from 'vitest';
import { appErrorOf } from '../../support/app-error.ts';
import { labAt } from '../../support/lab.ts';
import { startLabController } from '../../support/lab-controller.ts';
import type { LabController, MadeUpAnswer, SeenRequest } from '../../support/lab-controller.ts';

const PROJECT = '22222222-2222-4222-8222-222222222222';
const END = { node_id: 'n1', adapter_number: 0, port_number: 0, label: { text: 'e0' } };
const OTHER = { ...END, node_id: 'n2' };
const LINK = {
  ...{ link_id: 'old', nodes: [END, OTHER], filters: { packet_loss: [100] }, suspend: true, link_style: { width: 3 } },
  ...{ link_type: 'ethernet', capturing: true },
};
const OFFERED = [{ type: 'packet_loss', parameters: [{ name: 'Chance', type: 'int', minimum: 0, maximum: 100 }] }];
let controller: LabController;
afterEach(() => controller.close());

interface Scene {
  readonly version: string;
  readonly status: string;
  readonly refuseNew?: boolean;
}

async function labWith({ version, status, refuseNew = false }: Scene) {
  const answer = ({ method, path, body }: SeenRequest): MadeUpAnswer | undefined => {
    if (path.endsWith('/available_filters')) return { status: 200, body: OFFERED };
    if (path.endsWith('/nodes')) {
      const node = { node_id: 'n1', name: 'R1', node_type: 'qemu', status };
      return { status: 200, body: [node, { ...node, node_id: 'n2', name: 'R2', status: 'stopped' }] };
    }
    if (method === 'GET') return { status: 200, body: [LINK] };
    if (method === 'DELETE') return { status: 204 };
    if (method === 'POST' && refuseNew) return { status: 409, body: { message: 'Port is already used' } };
    return { status: 200, body: { ...LINK, ...(body as object), ...(method === 'POST' ? { link_id: 'new' } : {}) } };
  };
  controller = await startLabController({ version, answer });
  return labAt(controller.base, controller.password);
}

const changes = (): unknown[] =>
  controller.seen.filter(({ method }) => method !== 'GET').map(({ method, body }) => [method, body]);

describe('a change that loosens a link', () => {
  it.each([
    ['clears its filters', { filters: { packet_loss: 0 } }, { filters: {}, suspend: true }],
    ['resumes it', { suspend: false }, { filters: LINK.filters, suspend: false }],
    ['does both', { filters: {}, suspend: false }, { filters: {}, suspend: false }],
  ])('and %s makes it anew on a 3.0 server with a running end', async (_name, change, state) => {
    const lab = await labWith({ version: '3.0.6', status: 'started' });
    const { value, notices } = await lab.links.update(PROJECT, 'R1:0/0', change);
    expect(changes()).toEqual([
      ['DELETE', ''],
      ['POST', { nodes: [END, OTHER], link_style: { width: 3 }, ...state }],
    ]);
    expect(value.link.link_id).toBe('new');
    expect(notices).toEqual([
      'GNS3 3.0 does not clear filters or resume a link of a running node, so the link was deleted and made again: its id is now new. Its capture has ended.',
    ]);
  });

  it.each([
    ['no end runs', { version: '3.0.6', status: 'stopped' }],
    ['the server is 3.1', { version: '3.1.0a2', status: 'started' }],
  ])('is a plain change where %s', async (_name, scene) => {
    const lab = await labWith(scene);
    const { value, notices } = await lab.links.update(PROJECT, 'old', { suspend: false });
    expect(changes()).toEqual([['PUT', { suspend: false }]]);
    expect(value.link.link_id).toBe('old');
    expect(notices).toEqual([]);
  });

  it('that tightens it is a plain change everywhere', async () => {
    const lab = await labWith({ version: '3.0.6', status: 'started' });
    await lab.links.update(PROJECT, 'old', { filters: { packet_loss: 50 } });
    expect(changes()).toEqual([['PUT', { filters: { packet_loss: [50] } }]]);
  });

  it('says what is lost when the link cannot be made again', async () => {
    const lab = await labWith({ version: '3.0.6', status: 'started', refuseNew: true });
    const error = await appErrorOf(lab.links.update(PROJECT, 'old', { suspend: false }));
    expect(error).toMatchObject({
      code: 'GNS3_CONFLICT',
      details: { reason: 'link-lost', link: { nodes: [END, OTHER] } },
    });
    expect(error.message).toBe(
      'The link old was deleted to be made again, and that failed: GNS3: Port is already used',
    );
  });
});
