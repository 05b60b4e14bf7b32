// Writes the life of each command into the transcript and the journal, once per step.
import { isFinal } from '../../../src-shared/model/index.ts';
import type { CommandView } from '../../../src-shared/model/index.ts';
import type { Clock } from '../clock.ts';
import type { Journal } from '../core.ts';
import type { Command } from './port.ts';
import type { Transcript } from './transcript.ts';

/** Follows the commands of one session. */
export class CommandRecord {
  readonly #transcript: Transcript;
  readonly #journal: Journal;
  readonly #clock: Clock;
  /** Commands that have started and not ended. */
  readonly #begun = new Set<string>();
  #storing: Promise<void> = Promise.resolve();

  constructor(transcript: Transcript, journal: Journal, clock: Clock) {
    this.#transcript = transcript;
    this.#journal = journal;
    this.#clock = clock;
  }

  /** Takes every change of a command; all but the first `running` and the final one are passed over. */
  changed(view: CommandView, command: Command): void {
    if (view.status === 'running' && !this.#begun.has(view.commandId)) this.#started(view, command);
    if (isFinal(view.status)) this.#ended(view, command);
  }

  /** A command that the journal has from an earlier run of the app goes on. */
  resumed(command: Command): void {
    this.#begun.add(command.id);
    this.#transcript.begin(command);
  }

  /** Resolves when the last start is with the operating system: a command that is sent is in the journal, whatever happens. */
  stored(): Promise<void> {
    return this.#storing;
  }

  #started(view: CommandView, command: Command): void {
    this.#begun.add(view.commandId);
    this.#transcript.begin(command);
    const { actor, sessionName, commandId, command: text, workingDir } = view;
    this.#storing = this.#journal.append({
      ...{ type: 'command.started', at: view.startedAt ?? this.#clock.now(), actor, session: sessionName },
      ...{ commandId, command: text, workingDir },
    });
  }

  #ended(view: CommandView, command: Command): void {
    if (this.#begun.delete(view.commandId)) this.#transcript.end(command);
    const { actor, sessionName, commandId, status, exitCode, signal, stdoutBytes, stderrBytes } = view;
    const at = view.endedAt ?? this.#clock.now();
    void this.#journal.append({
      ...{ type: 'command.ended', at, actor, session: sessionName, commandId, status, exitCode, signal },
      ...{ stdoutBytes, stderrBytes, durationMs: at - (view.startedAt ?? at) },
    });
  }
}
