// Starts a real OpenSSH server on loopback with accounts, keys and files of the test's own.
// Needs: openssh-server, openssh-client
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { freePort } from './net.ts';
import { run } from './run.ts';
import { endProcesses, isSshd, processesInMountNamespace, sshdChildren, waitFor } from './processes.ts';

/** What an account of the test server should look like. */
export interface AccountRequest {
  readonly name: string;
  /** Default: `pw-<name>-<random>`. */
  readonly password?: string;
  /** Absolute path of the login shell; default /bin/bash. */
  readonly shell?: string;
  /** More public key lines that may log in, beside the account's own key. */
  readonly authorizedKeys?: readonly string[];
}

/** An account that exists on the test server. */
export interface TestAccount {
  readonly name: string;
  readonly uid: number;
  /** Empty when the server runs without root: then only the key works. */
  readonly password: string;
  /** Ed25519 private key without a passphrase that may log in; its public half is `<keyFile>.pub`. */
  readonly keyFile: string;
  /** The account's home; under the temp folder, except without root. */
  readonly home: string;
  readonly shell: string;
}

export type HostKeyType = 'ed25519' | 'ecdsa' | 'rsa';

/** One key of the server. */
export interface TestHostKey {
  readonly type: HostKeyType;
  /** Key type and base64, as a known_hosts line has them. */
  readonly publicKey: string;
  /** `SHA256:` and unpadded base64. */
  readonly fingerprint: string;
}

export interface SshdOptions {
  /** Default: one account `tester`. Needs root: without root there is only the account that runs the test. */
  readonly accounts?: readonly AccountRequest[];
  /** More sshd_config lines; they come first, so they win over ours. */
  readonly config?: readonly string[];
  /** Default: ed25519 only. */
  readonly hostKeyTypes?: readonly HostKeyType[];
  /** Private host key files to use in place of new ones. */
  readonly hostKeyFiles?: readonly string[];
  /** Default: any free port. */
  readonly port?: number;
  /** Default: 127.0.0.1 and ::1 where the machine has it. */
  readonly listen?: readonly string[];
}

/** A running server. Stop it in the test's own clean-up. */
export interface TestSshd {
  readonly host: '127.0.0.1';
  readonly port: number;
  /** Folder of this server: keys, homes, log. */
  readonly folder: string;
  readonly accounts: readonly TestAccount[];
  /** The first account. */
  readonly account: TestAccount;
  readonly hostKeys: readonly TestHostKey[];
  /** Pid of the listening sshd. */
  readonly pid: number;
  /** An account by name; a bug of the test if there is none. */
  accountOf(name: string): TestAccount;
  /** Adds a public key line to those that may log in. */
  authorize(account: TestAccount, publicKeyLine: string): void;
  /** known_hosts lines for 127.0.0.1 and this port, all host keys. */
  knownHosts(host?: string): string;
  /** Everything sshd logged so far (level VERBOSE unless `config` says otherwise). */
  log(): string;
  /** Cuts every open connection by killing its server processes; tells how many processes there were. */
  killConnections(): Promise<number>;
  /** Stops listening and cuts all connections; the folder stays. */
  goDown(): Promise<void>;
  /** Listens again on the same port with the same keys. */
  comeUp(): Promise<void>;
  /** goDown and comeUp. */
  restart(): Promise<void>;
  /** Ends the server with everything that still runs in it and removes the folder. */
  stop(): Promise<void>;
}

/** Whether the server can have accounts of its own with passwords; else only the running user's key works. */
export const hasOwnAccounts = process.getuid?.() === 0;

/**
 * Whether logins can have a PTY. sshd that runs without root needs a /dev/pts whose terminals belong to the group tty
 * by themselves, because it cannot give them to it.
 */
export const hasTerminals = hasOwnAccounts || /^devpts .*\bgid=5\b/m.test(fs.readFileSync('/proc/mounts', 'utf8'));

const SSHD = '/usr/sbin/sshd';
const FIRST_UID = 20_001;
const PORT_TRIES = 5;

/** Starts a server; resolves when it listens. */
export async function startSshd(options: SshdOptions = {}): Promise<TestSshd> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'patchbay-sshd-'));
  fs.chmodSync(folder, 0o755);
  fs.mkdirSync(path.join(folder, 'authorized'));
  const accounts = await makeAccounts(folder, options.accounts ?? [{ name: 'tester' }]);
  const hostKeyFiles = options.hostKeyFiles ?? (await makeHostKeys(folder, options.hostKeyTypes ?? ['ed25519']));
  const hostKeys = await Promise.all(hostKeyFiles.map(readHostKey));
  const start = async (port: number): Promise<ChildProcess> => {
    await writeConfig(folder, port, hostKeyFiles, options);
    return startProcess(folder);
  };
  const { child, port } = await startOnFreePort(start, options.port);
  return new Server({ folder, accounts, hostKeys, port, start: () => start(port), child });
}

async function startOnFreePort(
  start: (port: number) => Promise<ChildProcess>,
  wanted: number | undefined,
): Promise<{ child: ChildProcess; port: number }> {
  for (let left = PORT_TRIES; ; left -= 1) {
    const port = wanted ?? (await freePort());
    try {
      return { child: await start(port), port };
    } catch (error) {
      // Another process may have taken the port between the look and the start.
      if (left === 1 || wanted !== undefined || !String(error).includes('Address already in use')) throw error;
    }
  }
}

interface ServerParts {
  readonly folder: string;
  readonly accounts: readonly TestAccount[];
  readonly hostKeys: readonly TestHostKey[];
  readonly port: number;
  readonly start: () => Promise<ChildProcess>;
  readonly child: ChildProcess;
}

class Server implements TestSshd {
  readonly host = '127.0.0.1';
  readonly port: number;
  readonly folder: string;
  readonly accounts: readonly TestAccount[];
  readonly hostKeys: readonly TestHostKey[];
  readonly #start: () => Promise<ChildProcess>;
  #child: ChildProcess | null;

  constructor(parts: ServerParts) {
    this.port = parts.port;
    this.folder = parts.folder;
    this.accounts = parts.accounts;
    this.hostKeys = parts.hostKeys;
    this.#start = parts.start;
    this.#child = parts.child;
  }

  get account(): TestAccount {
    const [first] = this.accounts;
    if (first === undefined) throw new Error('this server has no account');
    return first;
  }

  get pid(): number {
    const pid = this.#child?.pid;
    if (pid === undefined) throw new Error('the server is down');
    return pid;
  }

  accountOf(name: string): TestAccount {
    const found = this.accounts.find((account) => account.name === name);
    if (found === undefined) throw new Error(`no account ${name}`);
    return found;
  }

  authorize(account: TestAccount, publicKeyLine: string): void {
    fs.appendFileSync(authorizedFile(this.folder, account.name), `${publicKeyLine.trim()}\n`);
  }

  knownHosts(host = '127.0.0.1'): string {
    return this.hostKeys.map(({ publicKey }) => `[${host}]:${this.port} ${publicKey}\n`).join('');
  }

  log(): string {
    return fs.readFileSync(path.join(this.folder, 'sshd.log'), 'utf8');
  }

  async killConnections(): Promise<number> {
    const pids = connectionProcesses(this.pid);
    await endProcesses(pids);
    return pids.length;
  }

  async goDown(): Promise<void> {
    const child = this.#child;
    if (child?.pid === undefined) return;
    // Everything in the server's own mount namespace is ours; without root only sshd's own children are.
    const others = hasOwnAccounts ? processesInMountNamespace(child.pid) : sshdChildren(child.pid);
    this.#child = null;
    await endProcesses([child.pid, ...others]);
  }

  async comeUp(): Promise<void> {
    this.#child ??= await this.#start();
  }

  async restart(): Promise<void> {
    await this.goDown();
    await this.comeUp();
  }

  async stop(): Promise<void> {
    await this.goDown();
    fs.rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** A look at children alone can miss one whose parent has just ended, and that one would go on serving. */
function connectionProcesses(pid: number): readonly number[] {
  return hasOwnAccounts ? processesInMountNamespace(pid).filter(isSshd) : sshdChildren(pid);
}

async function makeAccounts(folder: string, requests: readonly AccountRequest[]): Promise<readonly TestAccount[]> {
  const accounts: TestAccount[] = [];
  for (const [index, request] of requests.entries()) {
    const keyFile = path.join(folder, `key_${request.name}`);
    await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', `${request.name}@test`, '-f', keyFile]);
    accounts.push(hasOwnAccounts ? ownAccount(folder, request, keyFile, index) : runningUser(keyFile));
    const lines = [fs.readFileSync(`${keyFile}.pub`, 'utf8').trim(), ...(request.authorizedKeys ?? [])];
    const name = accounts.at(-1)?.name ?? request.name;
    fs.writeFileSync(authorizedFile(folder, name), `${lines.join('\n')}\n`);
    if (!hasOwnAccounts) break;
  }
  if (hasOwnAccounts) await writeAccountFiles(folder, accounts);
  return accounts;
}

function ownAccount(folder: string, request: AccountRequest, keyFile: string, index: number): TestAccount {
  const uid = request.name === 'root' ? 0 : FIRST_UID + index;
  const home = path.join(folder, 'home', request.name);
  fs.mkdirSync(home, { recursive: true });
  fs.chownSync(home, uid, uid);
  const password = request.password ?? `pw-${request.name}-${Math.random().toString(36).slice(2, 10)}`;
  return { name: request.name, uid, password, keyFile, home, shell: request.shell ?? '/bin/bash' };
}

function runningUser(keyFile: string): TestAccount {
  const { username, uid, homedir, shell } = os.userInfo();
  return { name: username, uid, password: '', keyFile, home: homedir, shell: shell ?? '/bin/sh' };
}

/** The machine's account files plus our lines; they are laid over the real ones in the server's mount namespace only. */
async function writeAccountFiles(folder: string, accounts: readonly TestAccount[]): Promise<void> {
  const names = new Set(accounts.map(({ name }) => name));
  const kept = (file: string): string[] =>
    fs
      .readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line !== '' && !names.has(line.split(':')[0] ?? ''));
  const write = (name: string, lines: readonly string[], mode: number): void =>
    fs.writeFileSync(path.join(folder, name), `${lines.join('\n')}\n`, { mode });
  const hashes = await Promise.all(accounts.map(({ password }) => hashPassword(password)));
  const ours = accounts.map(({ name, uid, home, shell }) => `${name}:x:${uid}:${uid}::${home}:${shell}`);
  const groups = accounts.map(({ name, uid }) => `${name}:x:${uid}:`);
  write('passwd', [...ours, ...kept('/etc/passwd')], 0o644);
  write('group', [...groups, ...kept('/etc/group')], 0o644);
  const shadows = accounts.map(({ name }, index) => `${name}:${hashes[index] ?? '!'}:19000:0:99999:7:::`);
  write('shadow', [...shadows, ...kept('/etc/shadow')], 0o640);
  write('pam', ['auth required pam_unix.so', 'account required pam_unix.so', 'session required pam_permit.so'], 0o644);
}

async function hashPassword(password: string): Promise<string> {
  const script = 'chomp(my $p = <STDIN>); print crypt($p, q($6$).join(q(), map { (q(a)..q(z))[rand 26] } 1..12))';
  return (await run('perl', ['-e', script], { input: `${password}\n` })).stdout;
}

async function makeHostKeys(folder: string, types: readonly HostKeyType[]): Promise<readonly string[]> {
  return Promise.all(
    types.map(async (type) => {
      const file = path.join(folder, `host_${type}`);
      const size = type === 'rsa' ? ['-b', '2048'] : [];
      await run('ssh-keygen', ['-q', '-t', type, ...size, '-N', '', '-C', 'host@test', '-f', file]);
      return file;
    }),
  );
}

async function readHostKey(file: string): Promise<TestHostKey> {
  const [name = '', base64 = ''] = (await run('ssh-keygen', ['-y', '-f', file])).stdout.split(' ');
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', Buffer.from(base64, 'base64')));
  const type = name === 'ssh-rsa' ? 'rsa' : name.startsWith('ecdsa') ? 'ecdsa' : 'ed25519';
  const fingerprint = `SHA256:${Buffer.from(digest).toString('base64').replace(/=+$/, '')}`;
  return { type, publicKey: `${name} ${base64.trim()}`, fingerprint };
}

async function writeConfig(
  folder: string,
  port: number,
  hostKeyFiles: readonly string[],
  options: SshdOptions,
): Promise<void> {
  const listen = options.listen ?? (fs.existsSync('/proc/net/if_inet6') ? ['127.0.0.1', '::1'] : ['127.0.0.1']);
  const lines = [
    ...(options.config ?? []).filter((line) => !line.startsWith('Match')),
    `Port ${port}`,
    ...listen.map((address) => `ListenAddress ${address}`),
    ...hostKeyFiles.map((file) => `HostKey ${file}`),
    `AuthorizedKeysFile ${folder}/authorized/%u`,
    'PidFile none',
    'StrictModes no',
    'UseDNS no',
    'PrintMotd no',
    'LogLevel VERBOSE',
    'MaxStartups 1000',
    'MaxAuthTries 20',
    'PermitRootLogin yes',
    'PasswordAuthentication yes',
    'KbdInteractiveAuthentication no',
    'Subsystem sftp internal-sftp',
    // Newer servers punish addresses whose logins fail, and every test comes from the same one.
    ...((await sshdVersion()) >= 9.8 ? ['PerSourcePenalties no'] : []),
    ...(options.config ?? []).filter((line) => line.startsWith('Match')),
  ];
  fs.writeFileSync(path.join(folder, 'sshd_config'), `${lines.join('\n')}\n`);
}

async function sshdVersion(): Promise<number> {
  const { stderr } = await run('ssh', ['-V']);
  return Number(/OpenSSH_(\d+\.\d+)/.exec(stderr)?.[1] ?? 0);
}

async function startProcess(folder: string): Promise<ChildProcess> {
  const logFile = path.join(folder, 'sshd.log');
  const before = fs.existsSync(logFile) ? fs.readFileSync(logFile, 'utf8').length : 0;
  const log = fs.openSync(logFile, 'a');
  const sshd = [SSHD, '-D', '-e', '-f', path.join(folder, 'sshd_config')];
  const words = hasOwnAccounts ? inOwnNamespace(folder, sshd) : sshd;
  const child = spawn(words[0] ?? SSHD, words.slice(1), { stdio: ['ignore', log, log], cwd: '/' });
  fs.closeSync(log);
  const newLog = (): string => fs.readFileSync(logFile, 'utf8').slice(before);
  await waitFor('sshd to listen', () => child.exitCode !== null || newLog().includes('Server listening on'));
  if (child.exitCode !== null || newLog().includes('Address already in use')) {
    child.kill('SIGKILL');
    throw new Error(`sshd did not start: ${newLog()}`);
  }
  return child;
}

/** Each word ends in an exec, so the child's pid is sshd's; the mounts go when the last process in the namespace ends. */
function inOwnNamespace(folder: string, sshd: readonly string[]): readonly string[] {
  const lay = (from: string, over: string): string => `mount --bind '${folder}/${from}' ${over}`;
  const steps = [
    lay('passwd', '/etc/passwd'),
    lay('shadow', '/etc/shadow'),
    lay('group', '/etc/group'),
    `if [ -e /etc/pam.d/sshd ]; then ${lay('pam', '/etc/pam.d/sshd')}; fi`,
    'mount -t tmpfs tmpfs /run',
    'mkdir -m 755 /run/sshd',
    'exec "$@"',
  ];
  return ['unshare', '-m', '--propagation', 'private', 'sh', '-ec', steps.join('\n'), 'sh', ...sshd];
}

function authorizedFile(folder: string, name: string): string {
  return path.join(folder, 'authorized', name);
}
