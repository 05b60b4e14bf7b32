// Keeps ssh2 from sending its version line, when ours has been sent before.
import type net from 'node:net';

/** Swallows the next write when it is exactly `line`; from then on the socket writes as ever. */
export function sayNothingOnce(socket: net.Socket, line: string): void {
  const write = socket.write.bind(socket);
  const first = (bytes: Uint8Array | string): boolean => {
    socket.write = write;
    return Buffer.from(bytes).toString('latin1') === line || write(bytes);
  };
  socket.write = first;
}
