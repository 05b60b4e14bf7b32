// Finds the running app or starts one: exactly one, also when many bridges look at the same moment.
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { BRIDGE_AGREEMENT, INSTANCE_LOCK, LAUNCH_LOCK, PATCHBAY_VERSION } from '../../src-shared/mcp-identity.ts';
import { dataDirOf } from '../core/config/data-dir.ts';
import { lockHolder, tryLock } from '../core/config/folder-lock.ts';
import type { FolderLock } from '../core/config/folder-lock.ts';
import { quitAt } from '../core/config/quit-marker.ts';
import { readRunFile } from '../core/config/run-file.ts';
import type { RunFile } from '../core/config/run-file.ts';
import type { Refusal } from './answers.ts';
import { launch } from './launch.ts';
import type { Launch } from './launch.ts';
import { programsToTry } from './programs.ts';
import type { BridgeFacts } from './programs.ts';

/** How long a start may take before the calls that wait for it are answered. */
const START_MS = 30_000;
const LOOK_MS = 40;
/** How long a program that refuses is given to end before its line is passed on. */
const LAST_LINE_MS = 1_000;

/** Either the app, or why there is none. */
export type Found = { readonly app: RunFile } | { readonly refusal: Refusal };

/** Looks for the app of one data folder. */
export class AppFinder {
  readonly #facts: BridgeFacts;
  readonly #dataDir: string;
  /** Epoch milliseconds; a Quit before it does not count for this bridge. */
  readonly #bornAt: number;
  #launch: Launch | undefined;
  #launchLock: FolderLock | undefined;
  #tried = 0;

  constructor(facts: BridgeFacts, bornAt: number) {
    this.#facts = facts;
    this.#dataDir = dataDirOf(facts.environment);
    this.#bornAt = bornAt;
  }

  /** The running app, without starting one. */
  async look(): Promise<RunFile | undefined> {
    const app = await readRunFile(this.#dataDir);
    // A run file alone may be left over from a crash, and its port may belong to a stranger by now.
    return app !== undefined && (await this.#holder()) === app.pid ? app : undefined;
  }

  /** The running app; one is started when none runs, unless a person chose Quit. */
  async reach(): Promise<Found> {
    const deadline = performance.now() + START_MS;
    this.#tried = 0;
    this.#forgetEnded();
    try {
      while (performance.now() < deadline) {
        const app = await this.look();
        if (app !== undefined) return agreed(app);
        const refusal = await this.#step();
        if (refusal !== undefined) return { refusal };
        await wait(LOOK_MS);
      }
      return unavailable(`Patchbay did not come up within ${START_MS / 1000} seconds`);
    } finally {
      await this.#letGo();
    }
  }

  /** Whether a person chose Quit since this bridge came up. */
  async wasQuit(): Promise<boolean> {
    return ((await quitAt(this.#dataDir)) ?? 0) > this.#bornAt;
  }

  /** One step towards a running app; a refusal ends the way. */
  async #step(): Promise<Refusal | undefined> {
    // Somebody else's Patchbay is starting or ending: wait for it.
    if ((await this.#holder()) !== undefined) return undefined;
    if (this.#launch !== undefined) return this.#judge(this.#launch);
    if (await this.wasQuit()) return { code: 'APP_QUIT', message: 'The person has quit Patchbay' };
    // The program itself says what is wrong with a relative folder; nothing may be made in it.
    if (path.isAbsolute(this.#dataDir)) {
      this.#launchLock ??= await tryLock(this.#dataDir, LAUNCH_LOCK);
      if (this.#launchLock === undefined || (await this.#holder()) !== undefined) return undefined;
    }
    return this.#start();
  }

  async #start(): Promise<Refusal | undefined> {
    const program = (await programsToTry(this.#facts))[this.#tried];
    if (program === undefined) return { code: 'APP_UNAVAILABLE', message: 'Patchbay could not be started' };
    this.#tried += 1;
    this.#launch = launch(program, path.isAbsolute(this.#dataDir) ? this.#dataDir : path.dirname(program.command));
    return undefined;
  }

  async #judge(launched: Launch): Promise<Refusal | undefined> {
    const { state } = launched;
    switch (state.kind) {
      case 'starting':
        return undefined;
      case 'gave-way':
        this.#launch = undefined;
        return undefined;
      case 'refused':
        await untilEnded(launched);
        // It is kept until it has ended: while it shows its line to the person, a second one would only show it again.
        return { code: 'APP_UNAVAILABLE', message: `Patchbay does not start: ${state.line}`, hint: MEND_HINT };
      case 'broken':
        this.#launch = undefined;
        if ((await programsToTry(this.#facts))[this.#tried] !== undefined) return undefined;
        return { code: 'APP_UNAVAILABLE', message: `Patchbay could not be started: ${state.reason}` };
    }
  }

  /** A program that refused and has ended says nothing about the next start: the fault may be mended by now. */
  #forgetEnded(): void {
    const { state } = this.#launch ?? {};
    if (state?.kind === 'refused' && state.ended) this.#launch = undefined;
  }

  #holder(): Promise<number | undefined> {
    return lockHolder(this.#dataDir, INSTANCE_LOCK);
  }

  async #letGo(): Promise<void> {
    const { state } = this.#launch ?? {};
    if (state?.kind !== 'refused') {
      this.#launch?.release();
      this.#launch = undefined;
    }
    await this.#launchLock?.release();
    this.#launchLock = undefined;
  }
}

const MEND_HINT = 'Ask the person to correct this setting, then call again.';

/** Most programs end right after their line; one that shows it to the person does not. */
async function untilEnded(launched: Launch): Promise<void> {
  const deadline = performance.now() + LAST_LINE_MS;
  while (performance.now() < deadline) {
    const { state } = launched;
    if (state.kind !== 'refused' || state.ended) return;
    await wait(LOOK_MS);
  }
}

/** Bridge and app of different versions work together as long as they agree on how to talk. */
function agreed(app: RunFile): Found {
  if (app.agreement === BRIDGE_AGREEMENT) return { app };
  const older = app.agreement < BRIDGE_AGREEMENT ? 'the running Patchbay' : 'the Patchbay that this client starts';
  const versions = `the client starts version ${PATCHBAY_VERSION}, version ${app.version} is running`;
  return unavailable(`Two versions of Patchbay do not fit together (${versions}); update ${older}`);
}

function unavailable(message: string): Found {
  return { refusal: { code: 'APP_UNAVAILABLE', message } };
}
