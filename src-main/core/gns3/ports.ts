// Finds a port of a node by the names that people use for it, or the first free one.
import { appError } from '../../../src-shared/errors.ts';
import type { LinkRecord, NodeRecord, PortRecord } from './records.ts';

/** How a caller says which port; nothing: the first free one. */
export interface PortWish {
  readonly port?: string | undefined;
  readonly adapterNumber?: number | undefined;
  readonly portNumber?: number | undefined;
}

/** The numbers of a port. */
export interface PortNumbers {
  readonly adapter_number: number;
  readonly port_number: number;
}

/** The port that is meant. Throws INVALID_PARAMS that lists the ports, or GNS3_CONFLICT when none is free. */
export function choosePort(node: NodeRecord, wish: PortWish, links: readonly LinkRecord[]): PortNumbers {
  const { port, adapterNumber, portNumber } = wish;
  if (port !== undefined) return portNamed(node, port);
  if (adapterNumber !== undefined || portNumber !== undefined) {
    return { adapter_number: adapterNumber ?? 0, port_number: portNumber ?? 0 };
  }
  const free = (node.ports ?? []).find((one) => !links.some((link) => link.nodes.some((end) => isAt(end, node, one))));
  if (free !== undefined) return free;
  throw appError('GNS3_CONFLICT', {
    message: `No port of ${node.name} is free`,
    hint: 'Delete a link of it with delete_link, or give the node more adapters with update_node.',
    details: { reason: 'no-free-port', node: node.name },
  });
}

/** The short name of a port, or its numbers where the name is not known. */
export function portLabel(node: NodeRecord | undefined, end: PortNumbers): string {
  const port = node?.ports?.find((one) => sameNumbers(one, end));
  return port?.short_name ?? `${end.adapter_number}/${end.port_number}`;
}

function portNamed(node: NodeRecord, wanted: string): PortNumbers {
  const ports = node.ports ?? [];
  const word = wanted.trim().toLowerCase();
  const exact = ports.find((port) => [port.name, port.short_name].some((name) => name.toLowerCase() === word));
  const [only, second] = exact === undefined ? ports.filter((port) => isShortFor(word, port)) : [exact];
  if (only !== undefined && second === undefined) return only;
  const names = ports.map(({ short_name: short, name }) => (short === name ? name : `${short} (${name})`)).join(', ');
  const problem = `is no port of ${node.name}, which has ${names === '' ? 'none' : names}`;
  throw appError('INVALID_PARAMS', {
    message: `port ${JSON.stringify(wanted)} ${problem}`,
    details: { fields: [{ field: 'port', problem }] },
  });
}

/** `eth0` and `gi0/1` are short for Ethernet0 and GigabitEthernet0/1: the start of the word, and the same numbers. */
function isShortFor(word: string, port: PortRecord): boolean {
  const given = split(word);
  const full = split(port.name.toLowerCase());
  return given.letters !== '' && full.letters.startsWith(given.letters) && given.numbers === full.numbers;
}

function split(name: string): { readonly letters: string; readonly numbers: string } {
  const [, letters = '', numbers = ''] = /^([^\d]*)(.*)$/.exec(name) ?? [];
  return { letters, numbers };
}

const isAt = (end: LinkRecord['nodes'][number], node: NodeRecord, port: PortRecord): boolean =>
  end.node_id === node.node_id && sameNumbers(end, port);

const sameNumbers = (one: PortNumbers, other: PortNumbers): boolean =>
  one.adapter_number === other.adapter_number && one.port_number === other.port_number;
