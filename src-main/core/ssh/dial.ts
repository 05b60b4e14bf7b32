// Opens the TCP connection that an SSH client will use, with no-delay on.
import net from 'node:net';
import type { Attempt } from './attempt.ts';
import { networkFailure } from './network-failure.ts';

// Node's own quarter of a second per address cuts hosts behind a slow link off.
const ADDRESS_MS = 2000;

/** Resolves with a connected socket, which the caller destroys; rejects with NETWORK_ERROR. */
export function dial(attempt: Attempt): Promise<net.Socket> {
  const { host, port } = attempt.where;
  return new Promise((resolve, reject) => {
    if (attempt.signal.aborted) {
      reject(attempt.reason());
      return;
    }
    const socket = net.connect({ host, port, noDelay: true, autoSelectFamilyAttemptTimeout: ADDRESS_MS });
    const settle = (): void => {
      attempt.signal.removeEventListener('abort', onAbort);
      socket.off('connect', onConnect);
    };
    const onAbort = (): void => {
      settle();
      socket.destroy();
      reject(attempt.reason());
    };
    const onConnect = (): void => {
      settle();
      resolve(socket);
    };
    attempt.signal.addEventListener('abort', onAbort, { once: true });
    socket.once('connect', onConnect);
    // Stays for the socket's whole life: a late error without a listener would end the process.
    socket.on('error', (error) => {
      settle();
      reject(networkFailure(attempt.where, error));
    });
  });
}
