// A loopback relay that adds the token to each request, because the conformance suite cannot send headers.
import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** A relay that runs. */
export interface Relay {
  /** The target's address as the suite has to call it. */
  readonly url: string;
  close(): Promise<void>;
}

/** Passes everything on as it is, Host and Origin too: only the relay's own port in them becomes the target's. */
export async function startRelay(target: URL, token: string): Promise<Relay> {
  const server = http.createServer((request, response) => {
    const headers = {
      ...asSeenByTarget(request.headers, portOf(server), target.port),
      authorization: `Bearer ${token}`,
    };
    const { method, url: path } = request;
    const options = { host: target.hostname, port: target.port, method, path, headers };
    const passed = http.request(options, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    // The suite hangs up in the middle of streams; the target has to see that.
    response.on('close', () => passed.destroy());
    passed.on('error', () => response.destroy());
    request.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${portOf(server)}${target.pathname}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

function asSeenByTarget(headers: http.IncomingHttpHeaders, own: number, theirs: string): http.IncomingHttpHeaders {
  const moved = (value: string): string => value.replace(new RegExp(`:${own}$`), `:${theirs}`);
  const { host, origin } = headers;
  return {
    ...headers,
    ...(host === undefined ? {} : { host: moved(host) }),
    ...(origin === undefined ? {} : { origin: moved(origin) }),
  };
}

// A server that listens on TCP has an address with a port.
const portOf = (server: http.Server): number => (server.address() as AddressInfo).port;
