// Checks how the words of callers become filters, ports and records of the lab.
import { describe, expect, it } from 'vitest';
import { differences } from '../../../src-main/core/gns3/differences.ts';
import { readFilters } from '../../../src-main/core/gns3/filters.ts';
import { KeyedQueue } from '../../../src-main/core/gns3/keyed-queue.ts';
import { findOne } from '../../../src-main/core/gns3/lookup.ts';
import { choosePort, portLabel } from '../../../src-main/core/gns3/ports.ts';
import type { PortWish } from '../../../src-main/core/gns3/ports.ts';
import { appErrorOf } from '../../support/app-error.ts';

const number = (name: string, maximum: number, minimum = 0) => ({ name, type: 'int', minimum, maximum, unit: 'ms' });
const OFFERED = [
  { type: 'delay', parameters: [number('Latency', 32767), number('Jitter', 32767)] },
  { type: 'packet_loss', parameters: [number('Chance', 100)] },
  { type: 'frequency_drop', parameters: [number('Frequency', 32767, -1)] },
  { type: 'bpf', parameters: [{ name: 'Filters', type: 'text' }] },
];

describe('filters', () => {
  it.each([
    ['a list', { delay: [100, 10] }, { delay: [100, 10] }],
    ['a single value', { packet_loss: 50 }, { packet_loss: [50] }],
    ['digits as text', { packet_loss: '50' }, { packet_loss: [50] }],
    ['a list that is short', { delay: [100] }, { delay: [100, 0] }],
    ['a value below zero that means all', { frequency_drop: -1 }, { frequency_drop: [-1] }],
    ['several expressions', { bpf: ['icmp', 'arp'] }, { bpf: ['icmp\narp'] }],
    ['zero, nothing and the empty text', { delay: 0, packet_loss: null, bpf: '' }, {}],
    ['no filter', {}, {}],
  ])('are taken from %s', (_name, given, wanted) => {
    expect(readFilters(given, OFFERED)).toEqual(wanted);
  });

  it.each([
    [
      'an unknown name',
      { latency: 5 },
      'filters.latency is not among the filters of this link: delay, packet_loss, frequency_drop, bpf',
    ],
    [
      'a word',
      { delay: 'slow' },
      'filters.delay has a Latency that must be a whole number from 0 to 32767 ms, not "slow"',
    ],
    [
      'too much',
      { packet_loss: 101 },
      'filters.packet_loss has a Chance that must be a whole number from 0 to 100 ms, not 101',
    ],
    ['too many values', { packet_loss: [1, 2] }, 'filters.packet_loss takes at most 1 values'],
  ])('are refused with %s, before the server stores it', async (_name, given, message) => {
    expect(await appErrorOf(Promise.resolve().then(() => readFilters(given, OFFERED)))).toMatchObject({
      code: 'INVALID_PARAMS',
      message,
    });
  });

  it('are refused on a link that cannot filter', async () => {
    const error = await appErrorOf(Promise.resolve().then(() => readFilters({ delay: 1 }, [])));
    expect(error.message).toContain('neither end of this link can filter packets');
    expect(readFilters({}, [])).toEqual({});
  });
});

const port = (name: string, short: string, adapter: number, number_ = 0) => ({
  name,
  short_name: short,
  adapter_number: adapter,
  port_number: number_,
});
const ROUTER = {
  ...{ node_id: 'r', name: 'R1', node_type: 'dynamips' },
  ports: [
    port('FastEthernet0/0', 'f0/0', 0),
    port('GigabitEthernet1/0', 'g1/0', 1),
    port('GigabitEthernet1/1', 'g1/1', 1, 1),
  ],
};
const used = (adapter: number, number_ = 0) => ({
  link_id: 'l',
  nodes: [{ node_id: 'r', adapter_number: adapter, port_number: number_ }],
});

describe('a port', () => {
  it.each<readonly [string, PortWish, number, number]>([
    ['its name', { port: 'GigabitEthernet1/0' }, 1, 0],
    ['its short name', { port: 'G1/1' }, 1, 1],
    ['a name cut as in commands', { port: 'gi1/1' }, 1, 1],
    ['its numbers', { adapterNumber: 1, portNumber: 1 }, 1, 1],
    ['its adapter', { adapterNumber: 1 }, 1, 0],
    ['nothing, as the first free one', {}, 1, 0],
  ])('is found by %s', (_name, wish, adapter_number, port_number) => {
    expect(choosePort(ROUTER, wish, [used(0)])).toMatchObject({ adapter_number, port_number });
  });

  it('that does not exist is refused with those that do', async () => {
    const error = await appErrorOf(Promise.resolve().then(() => choosePort(ROUTER, { port: 'eth0' }, [])));
    expect(error).toMatchObject({ code: 'INVALID_PARAMS' });
    expect(error.message).toBe(
      'port "eth0" is no port of R1, which has f0/0 (FastEthernet0/0), g1/0 (GigabitEthernet1/0), g1/1 (GigabitEthernet1/1)',
    );
  });

  it('is not to be had on a node whose ports are all used', async () => {
    const full = [used(0), used(1), used(1, 1)];
    expect(await appErrorOf(Promise.resolve().then(() => choosePort(ROUTER, {}, full)))).toMatchObject({
      code: 'GNS3_CONFLICT',
      details: { reason: 'no-free-port' },
    });
  });

  it('is shown by its short name, and by numbers where that is not known', () => {
    expect(portLabel(ROUTER, { adapter_number: 1, port_number: 1 })).toBe('g1/1');
    expect(portLabel(undefined, { adapter_number: 1, port_number: 1 })).toBe('1/1');
  });
});

describe('a record', () => {
  const records = [
    { id: '1', name: 'R1' },
    { id: '2', name: 'core' },
    { id: '3', name: 'Core' },
    { id: '4', name: 'IOS', more: '15.2' },
    { id: '5', name: 'IOS', more: '15.7' },
  ];
  const find = (wanted: string) => findOne(wanted, records, 'template', (record) => record);

  it.each([
    ['2', '2'],
    ['r1', '1'],
    ['core', '2'],
    ['Core', '3'],
  ])('asked for as %s is the one with the id %s', (wanted, id) => {
    expect(find(wanted).id).toBe(id);
  });

  it('that shares its name is asked back with all ids and what tells them apart', async () => {
    const error = await appErrorOf(Promise.resolve().then(() => find('IOS')));
    expect(error).toMatchObject({ code: 'GNS3_NOT_FOUND', details: { reason: 'ambiguous' } });
    expect(error.hint).toBe('Use one of these ids: 4 (15.2), 5 (15.7).');
  });

  it('that does not exist is answered with the names that do', async () => {
    const error = await appErrorOf(Promise.resolve().then(() => find('R9')));
    expect(error.message).toBe('No template has the id or name "R9"');
    expect(error.hint).toBe('Use one of these: R1, core, Core, IOS, IOS.');
  });
});

describe('what the server made of a change', () => {
  it('is told where it is not what was asked', () => {
    const asked = { name: 'R1', x: 5, status: 'started', properties: { ram: 96, cpu: 1 } };
    const got = { name: 'R2', x: 5, status: 'stopped', properties: { ram: 96 } };
    expect(differences(asked, got)).toEqual([
      'name was asked to be "R1" and is "R2".',
      'status was asked to be "started" and is "stopped".',
      'GNS3 knows no cpu here: it was ignored.',
    ]);
  });
});

describe('the queue of a node', () => {
  it('runs calls for one node in order, goes on after a failure, and lets other nodes pass', async () => {
    const queue = new KeyedQueue();
    const order: string[] = [];
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const first = queue.run('a', async () => {
      await held;
      order.push('a1');
      throw new Error('failed');
    });
    const second = queue.run('a', async () => void order.push('a2'));
    await queue.run('b', async () => void order.push('b1'));
    release();
    await expect(first).rejects.toThrow('failed');
    await second;
    expect(order).toEqual(['b1', 'a1', 'a2']);
  });
});
