// The tools that open, list and close sessions, tell their addresses, and list known hosts.
import { actorLabel } from '../../src-shared/model/index.ts';
import type { Credentials } from '../core/ssh/port.ts';
import { stopSignal } from './giving-up.ts';
import type { Handler, ToolInput } from './tool-types.ts';
import { iso } from './words.ts';

export const sshConnect: Handler<'ssh_connect'> = async (args, context) => {
  const { name, host, port, credentials } = args;
  const request = {
    name,
    host,
    ...(port === undefined ? {} : { port }),
    ...(credentials === undefined ? {} : { credentials: given(credentials) }),
  };
  const session = await context.sessions.connect(request, context.actor, stopSignal(context.signal));
  const view = session.view();
  const structure = {
    name: view.name,
    host: view.host,
    username: view.username,
    port: view.port,
    serverVersion: view.serverVersion,
    fingerprint: view.fingerprint,
    banner: view.banner,
    kind: view.kind,
    shell: view.shell,
    status: view.status,
    connectionTime: iso(view.connectionTime),
    workingDir: view.workingDir,
    monitorUrl: context.links.sessionUrl(view.name),
    notices: [...session.takeNotices()],
  };
  const shell = view.kind === 'posix' ? `Shell: ${view.shell ?? 'unknown'}` : 'No POSIX shell: use ssh_terminal.';
  const lines = [
    `Session ${view.name} is ${view.status}: ${view.username}@${view.host} port ${view.port}, since ${structure.connectionTime}`,
    `${shell}${view.workingDir === null ? '' : `, directory ${view.workingDir}`}`,
    `Server: ${view.serverVersion}, host key ${view.fingerprint}`,
    `Monitor: ${structure.monitorUrl}`,
    ...(view.banner === '' ? [] : [`Banner: ${view.banner}`]),
  ];
  return { structure, text: lines.join('\n') };
};

function given(credentials: NonNullable<ToolInput<'ssh_connect'>['credentials']>): Credentials {
  const { username, keyFile, passphrase, password, agent } = credentials;
  return {
    ...(username === undefined ? {} : { username }),
    ...(keyFile === undefined ? {} : { keyFile }),
    ...(passphrase === undefined ? {} : { passphrase }),
    ...(password === undefined ? {} : { password }),
    ...(agent === undefined ? {} : { agent }),
  };
}

export const sshListSessions: Handler<'ssh_list_sessions'> = (_args, { sessions }) => {
  const rows = sessions.list().map((session) => {
    const view = session.view();
    return {
      name: view.name,
      host: view.host,
      status: view.status,
      lastActivity: iso(view.lastActivity),
      connectionTime: iso(view.connectionTime),
      kind: view.kind,
      busy: view.busy,
      lease: view.lease.holder,
    };
  });
  const lines = rows.map(
    (row) =>
      `${row.name}: ${row.host}, ${row.status}, ${row.busy ? 'busy' : 'free'}, driven by ${row.lease}, kind ${row.kind}, connected ${row.connectionTime}, last activity ${row.lastActivity}`,
  );
  const head =
    rows.length === 0
      ? 'No sessions. Open one with ssh_connect.'
      : `${rows.length} session${rows.length === 1 ? '' : 's'}:`;
  return Promise.resolve({ structure: { sessions: rows, notices: [] }, text: [head, ...lines].join('\n') });
};

export const sshGetSessionUrl: Handler<'ssh_get_session_url'> = (args, { sessions, links }) => {
  const session = sessions.get(args.sessionName);
  const url = links.sessionUrl(session.name);
  const structure = { sessionName: session.name, url, notices: [...session.takeNotices()] };
  return Promise.resolve({ structure, text: `Watch session ${session.name} at ${url}` });
};

export const sshDisconnect: Handler<'ssh_disconnect'> = async (args, { sessions, actor }) => {
  const session = sessions.get(args.sessionName);
  const { username, host } = session.view();
  const commands = session.commands();
  const before = session.takeNotices();
  const ended = await sessions.disconnect(session.name, actor, `closed by ${actorLabel(actor)}`);
  // Durable ones that could not be reached: their last word says where they may still run.
  const left = ended.filter(({ status }) => status === 'lost').map(({ commandId }) => commandId);
  const lastWords = left.map((id) => {
    const said = commands.find((command) => command.id === id)?.notices.at(-1) ?? 'It may still run.';
    return `Durable command ${id} on ${username}@${host}: ${said}`;
  });
  const stillRunning = ended.map(({ commandId, command }) => ({ commandId, command: command.slice(0, COMMAND_CHARS) }));
  const structure = { sessionName: session.name, closed: true, stillRunning, notices: [...before, ...lastWords] };
  const rows = stillRunning.filter(({ commandId }) => !left.includes(commandId));
  const lists = [
    listed('Ended by this:', rows),
    listed(
      'Given up, may still run on the host:',
      stillRunning.filter((row) => !rows.includes(row)),
    ),
  ].filter((text) => text !== '');
  const rest = lists.length === 0 ? 'Nothing was running.' : lists.join('\n');
  return { structure, text: `Session ${session.name} is closed. ${rest}` };
};

function listed(lead: string, rows: readonly { readonly commandId: string; readonly command: string }[]): string {
  return rows.length === 0
    ? ''
    : [lead, ...rows.map(({ commandId, command }) => `${commandId}: ${command}`)].join('\n');
}

/** Characters of a command's text in lists. */
const COMMAND_CHARS = 200;

export const sshHosts: Handler<'ssh_hosts'> = async (_args, { sessions }) => {
  const hosts = (await sessions.hosts()).map((known) => ({ ...known, keyFiles: [...known.keyFiles] }));
  const rows = hosts.map(({ alias, host, port, username, keyFiles, source }) => {
    const keys = keyFiles.length === 0 ? 'no key named' : `keys ${keyFiles.join(', ')}`;
    return `${alias}: ${username === null ? '' : `${username}@`}${host} port ${port}, ${keys} (${source})`;
  });
  const head =
    hosts.length === 0 ? 'No aliases are known: give ssh_connect a host name or address.' : `${hosts.length} known:`;
  return { structure: { hosts, notices: [] }, text: [head, ...rows].join('\n') };
};
