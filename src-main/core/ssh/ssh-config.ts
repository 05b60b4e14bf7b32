// The hosts of the person's ~/.ssh/config, and what a connect request means with them in mind.
import os from 'node:os';
import path from 'node:path';
import { appError } from '../../../src-shared/errors.ts';
import type { ConnectRequest, KnownHost } from '../sessions/port.ts';
import { parseHost, requireHost } from './host-form.ts';
import type { ConnectTarget, Credentials } from './port.ts';
import type { Block } from './ssh-config-parse.ts';
import { blockFits, readSshConfig } from './ssh-config-parse.ts';

const DEFAULT_PORT = 22;

/** Every literal Host alias, in the order of the file; pattern blocks only give values. Never rejects. */
export async function loadSshHosts(): Promise<readonly KnownHost[]> {
  const blocks = await loadBlocks();
  return literalAliases(blocks).map((alias) => lookUp(blocks, alias));
}

/**
 * What to connect to: the host argument taken apart, an alias looked up, defaults filled in. What the request says
 * itself wins over the alias. Rejects with INVALID_PARAMS.
 */
export async function resolveTarget(request: ConnectRequest): Promise<ConnectTarget> {
  const form = parseHost(request.host);
  const blocks = await loadBlocks();
  const configured = lookUp(blocks, form.host);
  requireHost(configured.host);
  const credentials = request.credentials ?? {};
  const port = oneOf('port', request.port, form.port) ?? configured.port;
  const username = oneOf('credentials.username', credentials.username, form.username) ?? configured.username;
  requireShowable(username ?? '');
  const identityFiles = literalAliases(blocks).includes(form.host) ? configured.keyFiles : [];
  requireCredentials(credentials, identityFiles);
  return { host: configured.host, port, username: username ?? localUser(), credentials, identityFiles };
}

function loadBlocks(): Promise<readonly Block[]> {
  const folder = path.join(os.homedir(), '.ssh');
  return readSshConfig(path.join(folder, 'config'), folder);
}

/** Names without patterns on Host lines that count for themselves. */
function literalAliases(blocks: readonly Block[]): readonly string[] {
  const names = blocks.flatMap(({ conditions }) => conditions.at(-1) ?? []);
  const literal = [...new Set(names)].filter((name) => !/[*?!]/.test(name));
  return literal.filter((name) =>
    blocks.some((block) => blockFits(block, name) && block.conditions.at(-1)?.includes(name)),
  );
}

/** The first value of each option wins; identity files add up. */
function lookUp(blocks: readonly Block[], alias: string): KnownHost {
  const options = blocks.filter((block) => blockFits(block, alias)).flatMap((block) => block.options);
  const first = (name: string): string | undefined => options.find((option) => option.name === name)?.words[0];
  const host = (first('hostname') ?? alias).replaceAll('%h', alias).replaceAll('%%', '%');
  const port = Number(first('port') ?? DEFAULT_PORT);
  const username = first('user') ?? null;
  const files = options.filter(({ name }) => name === 'identityfile').map(({ words }) => words[0] ?? '');
  const keyFiles = [...new Set(files)]
    .filter((file) => file !== '' && file.toLowerCase() !== 'none')
    .map((file) => expandTokens(file, { alias, host, username: username ?? localUser() }));
  const validPort = Number.isInteger(port) && port > 0 && port <= 65_535 ? port : DEFAULT_PORT;
  return { alias, host, port: validPort, username, keyFiles, source: 'ssh_config' };
}

function expandTokens(file: string, names: { alias: string; host: string; username: string }): string {
  const values: Readonly<Record<string, string>> = {
    '%d': os.homedir(),
    '%h': names.host,
    '%n': names.alias,
    '%r': names.username,
    '%u': localUser(),
    '%%': '%',
  };
  return file.replaceAll(/%./g, (token) => values[token] ?? token);
}

/** A value that is given twice has to be the same both times. */
function oneOf<T extends string | number>(argument: string, own: T | undefined, inHost: T | undefined): T | undefined {
  if (own !== undefined && inHost !== undefined && own !== inHost) {
    throw appError('INVALID_PARAMS', {
      message: `${argument} is ${String(own)}, but host says ${String(inHost)}`,
      hint: `Give it once, as ${argument}.`,
      details: { reason: 'contradiction', argument },
    });
  }
  return own ?? inHost;
}

/** The name stands in views and questions to the person: nothing in it may hide or reorder what they read. */
function requireShowable(username: string): void {
  if (!/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(username)) return;
  throw appError('INVALID_PARAMS', {
    message: `credentials.username holds characters that cannot be seen: ${JSON.stringify(username.slice(0, 100))}`,
    hint: 'Give the plain name of the account.',
    details: { reason: 'bad_username', argument: 'credentials.username' },
  });
}

function requireCredentials({ keyFile, password, agent }: Credentials, identityFiles: readonly string[]): void {
  if (keyFile !== undefined || password !== undefined || agent === true || identityFiles.length > 0) return;
  throw appError('INVALID_PARAMS', {
    message: 'credentials needs one of keyFile, password or agent',
    hint: 'Only a host alias of ssh_hosts that names its key works without.',
    details: { reason: 'no_credentials', argument: 'credentials', expected: ['keyFile', 'password', 'agent'] },
  });
}

function localUser(): string {
  try {
    return os.userInfo().username;
  } catch {
    // An account without an entry in the user database, as in some containers.
    return process.env['USER'] ?? process.env['USERNAME'] ?? 'root';
  }
}
