// What the assembly gives to a program: a running Patchbay, or why there is none.
import type { Settings } from '../src-shared/settings/index.ts';
import type { ProgramFacts } from './core/config/client-entry.ts';
import type { RunFile } from './core/config/run-file.ts';
import type { TokenValues } from './core/config/tokens.ts';
import type { Core, Log } from './core/core.ts';
import type { Gateway, OwnerServices } from './gateway/port.ts';

/** What startPatchbay gets. */
export interface StartOptions {
  readonly mode: 'app' | 'headless';
  /** A login counts as the bridge does: nobody waits for a window. */
  readonly startedBy: 'person' | 'bridge';
  /** Which program runs, from which folder, in which environment. */
  readonly facts: ProgramFacts;
  /** Gets each log line, too; stderr of a headless program that a person started. */
  readonly echo?: (line: string) => void;
}

/** The whole of it, up and listening. */
export interface Running {
  readonly core: Core;
  readonly gateway: Gateway;
  readonly owner: OwnerServices;
  readonly settings: Settings;
  /** Absolute path of the data folder. */
  readonly dataDir: string;
  readonly log: Log;
  readonly tokens: () => TokenValues;
  /**
   * Closes everything and gives the data folder free; calling it again waits for the first. `person`: somebody chose
   * Quit, so bridges answer APP_QUIT instead of starting Patchbay again. `system`: anything else.
   */
  close(by: 'person' | 'system', reason: string): Promise<void>;
}

/** How a start ended. */
export type StartResult =
  | { readonly kind: 'running'; readonly running: Running }
  /** Another Patchbay has this data folder. */
  | { readonly kind: 'elsewhere'; readonly other: RunFile }
  /** It must not start; one line for a person each. Exit code EXIT_REFUSED. */
  | { readonly kind: 'refused'; readonly faults: readonly string[] };
