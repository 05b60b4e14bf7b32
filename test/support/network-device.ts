// A made-up switch behind SSH: no exec, one session per connection, a pager; and a Windows host that says what it is.
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import type net from 'node:net';
import ssh2 from 'ssh2';

/** The running simulator. */
export interface NetworkDevice {
  readonly host: '127.0.0.1';
  readonly port: number;
  readonly username: 'operator';
  readonly password: string;
  /** Everything that was typed into shells. */
  readonly typed: () => string;
  /** Exec requests that came, all of them refused. */
  readonly execRequests: string[];
  /** Connections made so far. */
  readonly connections: () => number;
  close(): Promise<void>;
}

const PAGE_LINES = 20;

/** What the switch has in its configuration. */
export const DEVICE_CONFIG: readonly string[] = [
  'Current configuration:',
  ...Array.from({ length: 24 }, (_, port) => [`interface port-${port + 1}`, ` name line ${port + 1}`]).flat(),
  'end',
];

/** How the device is. */
export interface DeviceOptions {
  /** Software name in its first line. */
  readonly ident?: string;
  /** A refused exec request uses up the one session of its connection for good. */
  readonly keepsRefused?: boolean;
}

/** Starts one on a free port of loopback. */
export async function startNetworkDevice(options: DeviceOptions = {}): Promise<NetworkDevice> {
  const { ident = 'SwitchOS_1', keepsRefused = false } = options;
  const password = 'device-password-1';
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'pkcs1', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  });
  const execRequests: string[] = [];
  const open = new Set<ssh2.Connection>();
  let typed = '';
  let connections = 0;
  const server = new ssh2.Server({ hostKeys: [privateKey], ident }, (connection) => {
    connections += 1;
    open.add(connection);
    connection.on('error', () => undefined).on('close', () => open.delete(connection));
    connection.on('authentication', (login) => {
      if (login.method === 'password' && login.username === 'operator' && login.password === password) login.accept();
      else login.reject(['password']);
    });
    serveSessions(connection, { execRequests, keepsRefused, onTyped: (text) => void (typed += text) });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as net.AddressInfo;
  return {
    ...{ host: '127.0.0.1', port, username: 'operator', password, execRequests },
    typed: () => typed,
    connections: () => connections,
    async close() {
      for (const connection of open) connection.end();
      server.close();
      await once(server, 'close');
    },
  };
}

interface Record {
  readonly execRequests: string[];
  readonly keepsRefused: boolean;
  readonly onTyped: (text: string) => void;
}

/** One session at a time; a refused exec request leaves its session open, as such devices do. */
function serveSessions(connection: ssh2.Connection, record: Record): void {
  let taken = false;
  connection.on('session', (accept, reject) => {
    if (taken) {
      reject();
      return;
    }
    taken = true;
    const session = accept();
    let refused = false;
    session.on('close', () => (taken = refused && record.keepsRefused));
    session.on('pty', (acceptPty) => acceptPty());
    session.on('window-change', (acceptChange) => acceptChange?.());
    session.on('exec', (_accept, rejectExec, { command }) => {
      record.execRequests.push(command);
      refused = true;
      rejectExec();
    });
    session.on('shell', (acceptShell) => serveShell(acceptShell(), record.onTyped, connection));
  });
}

function serveShell(channel: ssh2.ServerChannel, onTyped: (text: string) => void, connection: ssh2.Connection): void {
  let line = '';
  let mode = '>';
  let left: string[] = [];
  const prompt = (): void => void channel.write(`switch${mode} `);
  const page = (): void => {
    channel.write(`${left.splice(0, PAGE_LINES).join('\r\n')}\r\n`);
    if (left.length > 0) channel.write('--More--');
    else prompt();
  };
  const answers: { readonly [command: string]: () => void } = {
    '': prompt,
    enable: () => {
      mode = '#';
      prompt();
    },
    'show version': () => {
      channel.write('SwitchOS version 1.0\r\n');
      prompt();
    },
    'show configuration': () => {
      left = [...DEVICE_CONFIG];
      page();
    },
    exit: () => {
      channel.exit(0);
      channel.end();
      connection.end();
    },
  };
  const unknown = (): void => {
    channel.write('% unknown command\r\n');
    prompt();
  };
  const key = (character: string): void => {
    if (left.length > 0) {
      channel.write('\r        \r');
      page();
    } else if (character === '\r') {
      channel.write('\r\n');
      const command = line.trim();
      line = '';
      (answers[command] ?? unknown)();
    } else {
      line += character;
      channel.write(character);
    }
  };
  channel.write('\r\nAuthorised use only\r\n\r\n');
  prompt();
  channel.on('data', (bytes: Buffer) => {
    onTyped(bytes.toString());
    for (const character of bytes.toString()) key(character);
  });
}
