// Scripted sessions that look like a working day, for screens and tests of the views.
import type {
  Actor,
  ClientActor,
  CommandView,
  FaultCard,
  HostKeyCard,
  SessionView,
} from '../../src-shared/model/index.ts';
import type { AppState } from '../../src-shared/protocol/index.ts';
import { SETTINGS, SETTING_NAMES } from '../../src-shared/settings/index.ts';
import { FakeGateway, block } from './fake-gateway.ts';

const CODE: ClientActor = { kind: 'client', id: '1', name: 'Claude Code', version: '2.1.4' };
const DESKTOP: ClientActor = { kind: 'client', id: '2', name: 'Claude Desktop', version: '1.9.0' };
const YOU: Actor = { kind: 'person', id: 'p', view: 'window' };

/** A session with everything in order. */
export function sessionView(part: Partial<SessionView> & { readonly name: string }): SessionView {
  const now = Date.now();
  return {
    host: '203.0.113.10',
    port: 22,
    username: 'deploy',
    kind: 'posix',
    status: 'connected',
    statusReason: null,
    retryAt: null,
    connectionTime: now - 600_000,
    lastActivity: now - 240_000,
    serverVersion: 'OpenSSH_9.2p1',
    fingerprint: 'SHA256:nThbg6kXUpJWGl7E1IGOCspRomTxdCARLviKw6E5SY8',
    hostKeyType: 'ssh-ed25519',
    banner: '',
    workingDir: '/srv/app',
    shell: 'bash',
    lease: { holder: 'idle', client: null, since: now - 240_000 },
    busy: false,
    running: null,
    queued: 0,
    lastExitCode: 0,
    rttMs: 14,
    reconnects: 0,
    bytesIn: 0,
    bytesOut: 0,
    terminalOpen: false,
    ...part,
  };
}

let made = 0;
const DIGITS = 'abcdefghijklmnopqrstuvwxyz234567';

/** A command that ended well a minute ago. */
export function commandView(part: Partial<CommandView> & { readonly command: string }): CommandView {
  made += 1;
  const startedAt = Date.now() - 60_000;
  return {
    commandId: `c-aaaaaaaaa${DIGITS[(made >> 5) & 31] ?? 'a'}${DIGITS[made & 31] ?? 'a'}a`,
    sessionName: 'web-1',
    actor: CODE,
    status: 'exited',
    exitCode: 0,
    signal: null,
    workingDir: '/srv/app',
    queuedAt: startedAt + made,
    startedAt,
    endedAt: startedAt + 12,
    stdoutBytes: 120,
    stderrBytes: 0,
    shellRestarted: false,
    queuePosition: null,
    ...part,
  };
}

/** The state of an app in which nothing happens. */
export function quietState(): AppState {
  return {
    version: '0.1.0',
    mode: 'app',
    role: 'owner',
    onlySession: null,
    sessions: [],
    cards: [],
    pause: 'off',
    clients: [],
    endpoints: { monitorUrl: 'http://127.0.0.1:8080', mcpHttpUrl: 'http://127.0.0.1:8080/mcp', mcpTcpPort: 43_117 },
  };
}

export function hostKeyCard(part: Partial<HostKeyCard> = {}): HostKeyCard {
  const now = Date.now();
  return {
    kind: 'host-key',
    id: 'k1',
    sessionName: 'edge-us',
    host: 'edge-us.example.com',
    port: 22,
    username: 'deploy',
    keyType: 'ssh-ed25519',
    fingerprint: 'SHA256:pBm0a1V5QmGyQ4Yk7f3u1V0m8rWQbq7mS6kHn3YJt2c',
    actor: CODE,
    createdAt: now - 7000,
    callEndsAt: now + 38_000,
    ...part,
  };
}

export function faultCard(part: Partial<FaultCard> = {}): FaultCard {
  return {
    kind: 'fault',
    id: 'f1',
    title: 'The journal cannot be written',
    text: 'No space is left on the disk that holds the data folder. Free some space; what happens meanwhile is not recorded.',
    createdAt: Date.now() - 130_000,
    ...part,
  };
}

function workingDay(): { readonly commands: CommandView[]; readonly transcript: string } {
  const day = [
    {
      view: commandView({ command: 'git log --oneline -3' }),
      output:
        '\u001b[33m8c1f0aa\u001b[m Raise upload limit to 64 MB\n\u001b[33m5d92b71\u001b[m Cache fingerprints for assets\n\u001b[33m0b7e4cd\u001b[m Health check answers before warm-up\n',
    },
    {
      view: commandView({ command: 'export APP_ENV=staging && ./bin/preflight', actor: YOU }),
      output:
        'checking database ......... \u001b[32mok\u001b[m\nchecking disk ............. \u001b[32mok\u001b[m (61 % free)\nchecking certificates ..... \u001b[33mrenew in 9 days\u001b[m\n',
    },
    {
      view: commandView({ command: 'nginx -t', exitCode: 1, stdoutBytes: 0, stderrBytes: 180 }),
      output:
        '\u001b[31mnginx: [emerg] unknown directive "clinet_max_body_size" in /etc/nginx/conf.d/upload.conf:3\nnginx: configuration file /etc/nginx/nginx.conf test failed\n',
    },
    {
      view: commandView({ command: 'tar -cf - uploads | zstd -T2 -q | wc -c', stdoutBytes: 418_000_000 }),
      output: '417629184\n',
    },
    {
      view: commandView({
        command:
          "sed -i 's/clinet_max/client_max/' /etc/nginx/conf.d/upload.conf && nginx -t && systemctl reload nginx && curl -fsS -o /dev/null -w '%{http_code}' https://uploads.example.com/healthz",
      }),
      output: '200',
    },
    {
      view: commandView({
        command: 'journalctl -fu nginx --since -1min',
        status: 'running',
        exitCode: null,
        startedAt: Date.now() - 42_000,
        endedAt: null,
        stdoutBytes: 48_120,
      }),
      output:
        '\u001b[2m21:14:07\u001b[m GET /healthz 200 1 ms\n\u001b[2m21:14:09\u001b[m POST /upload \u001b[31m413\u001b[m 3 ms  "client intended to send too large body: 22940112 bytes"\n\u001b[2m21:14:09\u001b[m GET /assets/app-5d92b71.js 200 2 ms\n\u001b[2m21:14:12\u001b[m POST /upload \u001b[31m413\u001b[m 2 ms  "client intended to send too large body: 31457280 bytes"\n',
    },
  ];
  const transcript = day
    .map(({ view, output }) => block(view, output.endsWith('\n') ? output : `${output}\n`))
    .join('');
  return { commands: day.map(({ view }) => view), transcript };
}

const TERMINAL = [
  '\u001b[H\u001b[2J\u001b[7m  PID USER      PRI  NI  VIRT   RES S  CPU%  MEM%   TIME+  Command                          \u001b[m',
  '\u001b[32m 1412\u001b[m postgres   20   0  412M   88M S  \u001b[33m12.4\u001b[m   4.3  0:42.10 postgres: app app 10.0.0.4',
  '\u001b[32m 1408\u001b[m postgres   20   0  410M   61M S   3.1   3.0  0:08.77 postgres: checkpointer',
  '\u001b[32m    1\u001b[m root       20   0  168M   13M S   0.0   0.6  0:03.21 /sbin/init',
  '',
  '┌─ żółć ─ 漢字 ─────┐',
  '│ box drawing  ✓   │',
  '└──────────────────┘',
  'deploy@db-1:~$ ',
].join('\r\n');

/** Five sessions in five states, cards, clients: the busy screen. */
export function busyDay(): FakeGateway {
  const now = Date.now();
  const day = workingDay();
  const running = day.commands.at(-1) ?? null;
  const gateway = new FakeGateway({
    ...quietState(),
    sessions: [
      sessionView({
        name: 'web-1',
        lease: { holder: 'agent', client: CODE, since: now - 60_000 },
        busy: true,
        running,
        rttMs: 12,
      }),
      sessionView({
        name: 'db-1',
        host: '203.0.113.22',
        lease: { holder: 'person', client: null, since: now },
        terminalOpen: true,
      }),
      sessionView({
        name: 'build-box',
        host: 'build.internal.example.com',
        username: 'ci',
        rttMs: 310,
        lastExitCode: 2,
      }),
      sessionView({
        name: 'edge-eu',
        host: '2001:db8:40::17',
        status: 'reconnecting',
        statusReason: 'The host does not answer',
        retryAt: now + 9000,
      }),
      sessionView({
        name: 'R1',
        kind: 'device',
        host: 'r1.lab.example.com',
        username: 'admin',
        lease: { holder: 'agent', client: DESKTOP, since: now },
        terminalOpen: true,
      }),
    ],
    cards: [hostKeyCard(), faultCard()],
    clients: [
      { ...CODE, transport: 'stdio', since: now - 500_000, lastSeen: now - 2000 },
      { ...DESKTOP, transport: 'stdio', since: now - 900_000, lastSeen: now - 65_000 },
    ],
  });
  Object.assign(gateway.script('web-1'), day);
  gateway.script('db-1').terminal = TERMINAL;
  giveSettings(gateway);
  return gateway;
}

/** Settings, entries and tokens for an owner. */
export function giveSettings(gateway: FakeGateway): void {
  const entry = JSON.stringify(
    { mcpServers: { patchbay: { command: '/opt/Patchbay/patchbay', args: ['bridge'] } } },
    null,
    2,
  );
  gateway.answers.set('settings.get', () => ({
    file: '/home/ada/.local/share/patchbay/settings.json',
    settings: SETTING_NAMES.map((name) => ({
      name,
      value: SETTINGS[name].default,
      source: name === 'LOG_LEVEL' ? 'environment' : name === 'MAX_SESSIONS' ? 'file' : 'default',
    })),
  }));
  gateway.answers.set('settings.set', () => ({ restart: true }));
  gateway.answers.set('clientEntry.get', () => ({ claudeDesktop: entry, claudeCode: entry }));
  gateway.answers.set('tokens.get', () => ({ viewer: 'v-0000', operator: 'o-0000', mcp: 'm-0000' }));
}
