// Puts the core together from its parts.
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Actor } from '../../../src-shared/model/index.ts';
import { createCards } from '../cards/cards.ts';
import type { HostKeyAnswer } from '../cards/cards.ts';
import { systemClock } from '../clock.ts';
import type { Clock } from '../clock.ts';
import type { Core, CoreOptions, Journal } from '../core.ts';
import { DurableRecords } from '../durable/records.ts';
import { Emitter } from '../emitter.ts';
import { openJournal } from '../journal/journal.ts';
import { createPause } from '../policy/pause.ts';
import { connect } from '../ssh/connect.ts';
import { openHostKeyBook } from '../ssh/host-key-book.ts';
import type { AskHostKey, ConnectTarget, HostKeyQuestion } from '../ssh/port.ts';
import { loadSshHosts, resolveTarget } from '../ssh/ssh-config.ts';
import { createClients } from './clients.ts';
import { createFirstKeys } from './first-keys.ts';
import type { FirstKeys } from './first-keys.ts';
import type { CoreEvents, Pause } from './port.ts';
import { SessionRegistry } from './registry.ts';
import { SshSession } from './session.ts';
import { makeSpoolFolder, removeSpool } from './spool-folder.ts';

const SYSTEM: Actor = { kind: 'system' };

/** Parts that sessions are made with. */
interface Workshop {
  readonly durable: DurableRecords;
  readonly options: CoreOptions;
  readonly clock: Clock;
  readonly events: Emitter<CoreEvents>;
  readonly journal: Journal;
  readonly askHostKey: AskHostKey;
  readonly firstKeys: FirstKeys;
  readonly knownHostsFiles: readonly string[];
  readonly spoolRoot: string;
  readonly paused: () => boolean;
}

/** Makes the core; nothing is connected yet. Rejects when the data folder cannot be used. */
export async function createCore(options: CoreOptions, clock: Clock = systemClock): Promise<Core> {
  const { log, settings, dataDir, mode, version } = options;
  const events = new Emitter<CoreEvents>((error) => log.error('a listener failed', { error: textOf(error) }));
  const ourKnownHosts = path.join(dataDir, 'known_hosts');
  const knownHostsFiles = [path.join(os.homedir(), '.ssh', 'known_hosts'), ourKnownHosts];
  const firstKeys = createFirstKeys(ourKnownHosts);
  const { cards, askHostKey } = createCards({
    clock,
    policy: hostKeyPolicy(options),
    trust: ({ host, port, keyType, key }) =>
      openHostKeyBook(knownHostsFiles, host, port).then((book) => book.trust(keyType, key)),
    onAnswer(question, answer, actor) {
      void journal.append(answered(question, answer, actor, clock.now()));
      if (answer !== 'accepted-new') return;
      const { host, port, keyType, fingerprint } = question;
      log.warn('an unknown host key was accepted', { host, port, keyType, fingerprint, file: ourKnownHosts });
      firstKeys.add(question);
    },
    onChange: () => events.emit('cards.changed', undefined),
  });
  const journal = await openJournal({
    folder: path.join(dataDir, 'journal'),
    onFault(text) {
      cards.addFault('Journal', text);
      // Without a window nobody sees the card.
      log.error('the journal is at fault', { fault: text });
    },
    onBack: (text) => log.warn('the journal is back', { state: text }),
  });
  const spoolRoot = await makeSpoolFolder(dataDir);
  const durable = new DurableRecords(dataDir, log);
  const workshop: Workshop = {
    ...{ durable, options, clock, events, journal, askHostKey, firstKeys, knownHostsFiles, spoolRoot },
    paused: () => pause.state !== 'off',
  };
  const sessions = createRegistry(workshop);
  const pause = createSwitch(workshop, sessions);
  await restoreSessions(durable, sessions);
  await journal.append({ type: 'app.started', at: clock.now(), actor: SYSTEM, version, mode });
  log.info('core is ready', { mode, version, maxSessions: settings.MAX_SESSIONS });
  return {
    ...{ options, events, sessions, pause, journal, cards },
    clients: createClients(clock, () => events.emit('clients.changed', undefined)),
    async close(reason) {
      await sessions.close(reason);
      await journal.append({ type: 'app.stopped', at: clock.now(), actor: SYSTEM, reason });
      await journal.close();
      await removeSpool(spoolRoot);
      events.clear();
    },
  };
}

function createRegistry(workshop: Workshop): SessionRegistry {
  const { options, events } = workshop;
  return new SessionRegistry({
    clock: workshop.clock,
    maxSessions: options.settings.MAX_SESSIONS,
    hosts: loadSshHosts,
    async resolveTarget(request) {
      const { password, passphrase } = request.credentials ?? {};
      for (const secret of [password, passphrase]) if (secret !== undefined) options.secrets.learn(secret);
      return resolveTarget(request);
    },
    make: (name, target, actor) => makeSession(workshop, { name, target, actor }),
    onOpened(session) {
      tellFirstKey(workshop, session);
      events.emit('session.changed', session.view());
    },
    onClosed: (name) => events.emit('session.removed', { name }),
  });
}

/** Sessions whose durable commands an earlier run of the app has left on their hosts. */
async function restoreSessions(durable: DurableRecords, sessions: SessionRegistry): Promise<void> {
  const records = await durable.load();
  for (const name of new Set(records.map(({ sessionName }) => sessionName))) {
    await sessions.restore(records.filter(({ sessionName }) => sessionName === name));
  }
}

interface NewSession {
  readonly name: string;
  readonly target: ConnectTarget;
  readonly actor: Actor;
}

async function makeSession(workshop: Workshop, { name, target, actor }: NewSession): Promise<SshSession> {
  const { clock, journal, events, askHostKey, knownHostsFiles, spoolRoot, paused } = workshop;
  const { settings, log } = workshop.options;
  const spoolDir = await fs.mkdtemp(path.join(spoolRoot, `${name}-`));
  const common = {
    ...{ askHostKey, knownHostsFiles, sessionName: name },
    timeoutMs: settings.SSH_TIMEOUT * 1000,
    keepAliveMs: settings.KEEPALIVE_SECONDS * 1000,
    log: (message: string, details?: Readonly<Record<string, unknown>>) =>
      log.info(message, { session: name, ...details }),
  };
  const session = new SshSession({
    ...{ name, clock, journal, log, spoolDir, paused },
    link: { connect, target, actor, common },
    durable: workshop.durable,
    limits: { spoolBytes: settings.SPOOL_LIMIT },
    onChange: (view) => {
      // Before it is open and after it is closed a session is nobody's business.
      if (view.status === 'connecting' || view.status === 'closed') return;
      tellFirstKey(workshop, session);
      events.emit('session.changed', view);
    },
    onCommandChange: (view) => events.emit('command.changed', view),
    onTerminalResize: (cols, rows) => events.emit('terminal.resized', { session: name, cols, rows }),
  });
  return session;
}

/** With the next result; a reconnect may have met a new key, too. */
function tellFirstKey({ firstKeys }: Workshop, session: SshSession): void {
  const { host, port, fingerprint } = session.view();
  for (const notice of firstKeys.take({ host, port, fingerprint: fingerprint ?? '' })) session.tell(notice);
}

function createSwitch({ events, journal, clock }: Workshop, sessions: SessionRegistry): Pause {
  return createPause({
    onChange: (state, actor) => {
      for (const session of sessions.all()) session.applyHold();
      void journal.append({ type: 'pause.changed', at: clock.now(), actor, state });
      events.emit('pause.changed', state);
    },
    cancelForAssistants: async () => {
      await Promise.all(sessions.all().map((session) => session.cancelForAssistants()));
    },
  });
}

function hostKeyPolicy({ settings, mode }: CoreOptions): 'ask' | 'accept-new' {
  if (settings.HOST_KEY_POLICY !== 'default') return settings.HOST_KEY_POLICY;
  return mode === 'app' ? 'ask' : 'accept-new';
}

function answered(question: HostKeyQuestion, answer: HostKeyAnswer, actor: Actor, at: number) {
  const { host, port, fingerprint } = question;
  return { type: 'hostkey.answered', at, actor, host, port, fingerprint, answer } as const;
}

function textOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
