// Finds the port: the one that was set, or the default or the next free one.
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { appError } from '../../src-shared/errors.ts';

/** How many ports after the default one are tried before any free one is taken. */
const NEXT_PORTS = 20;

/** Where to listen. */
export interface ListenAt {
  readonly host: string;
  readonly port: number;
  /** The person chose it: another one would be a surprise. */
  readonly isExplicit: boolean;
}

/** Listens; returns the port. Rejects with INVALID_PARAMS that says which setting is at fault (`details.setting`). */
export async function listen(server: Server, at: ListenAt): Promise<number> {
  const ports = at.isExplicit ? [at.port] : [...Array.from({ length: NEXT_PORTS + 1 }, (_, i) => at.port + i), 0];
  for (const port of ports.filter((one) => one <= 65_535)) {
    const fault = await tryPort(server, at.host, port);
    if (fault === undefined) return (server.address() as AddressInfo).port;
    if (fault.code !== 'EADDRINUSE' || at.isExplicit) throw listenFault(at, fault);
  }
  throw listenFault(at, { code: 'EADDRINUSE' });
}

async function tryPort(server: Server, host: string, port: number): Promise<{ readonly code: string } | undefined> {
  server.listen(port, host);
  try {
    await once(server, 'listening');
    return undefined;
  } catch (error) {
    return { code: error instanceof Error && 'code' in error ? String(error.code) : 'unknown' };
  }
}

function listenFault({ host, port }: ListenAt, { code }: { readonly code: string }): Error {
  if (code === 'EADDRINUSE' || code === 'EACCES') {
    const why = code === 'EACCES' ? 'this account may not use it' : 'another program is using it';
    return appError('INVALID_PARAMS', {
      message: `WEB_PORT ${port} on ${host}: ${why}`,
      hint: 'Choose another WEB_PORT, or end the other program.',
      details: { reason: code === 'EACCES' ? 'port_not_allowed' : 'port_in_use', setting: 'WEB_PORT', port },
    });
  }
  return appError('INVALID_PARAMS', {
    message: `WEB_HOST ${host}: this computer cannot listen on it (${code})`,
    hint: 'Give an address of this computer; 127.0.0.1 is the safe one.',
    details: { reason: 'address_not_available', setting: 'WEB_HOST', host },
  });
}
