// The commands that wait for the shell: everybody who waits gets a turn before anybody gets two.
import type { CommandRun } from './command-run.ts';

/**
 * Fair queueing by turns: a command gets the turn after its actor's last one, but none that is over already; lower
 * turns go first, and of the same turn what came first. One actor's commands keep their order.
 */
export class FairQueue {
  #runs: { readonly run: CommandRun; readonly turn: number }[] = [];
  /** Turn of the command that was taken last, and of each actor's last one. */
  #turn = 0;
  readonly #lastOf = new Map<string, number>();

  /** In the order in which they will be taken, as it is now. */
  get runs(): readonly CommandRun[] {
    return this.#runs.map(({ run }) => run);
  }

  add(run: CommandRun): void {
    const actor = actorKey(run);
    const waiting = this.#runs.findLast((one) => actorKey(one.run) === actor)?.turn;
    const last = waiting ?? this.#lastOf.get(actor);
    const turn = Math.max(this.#turn, last === undefined ? 0 : last + 1);
    const later = this.#runs.findIndex((one) => one.turn > turn);
    this.#runs.splice(later === -1 ? this.#runs.length : later, 0, { run, turn });
  }

  /** Takes what comes next; with `held`, what assistants have asked for waits. */
  take(held: boolean): CommandRun | undefined {
    const index = held ? this.#runs.findIndex(({ run }) => run.actor.kind !== 'client') : 0;
    const [taken] = index === -1 ? [] : this.#runs.splice(index, 1);
    if (taken === undefined) return undefined;
    this.#turn = Math.max(this.#turn, taken.turn);
    this.#lastOf.set(actorKey(taken.run), taken.turn);
    return taken.run;
  }

  /** Takes one out of the row; false when it is not in it. */
  remove(run: CommandRun): boolean {
    const before = this.#runs.length;
    this.#runs = this.#runs.filter((one) => one.run !== run);
    return this.#runs.length < before;
  }

  /** 1 = next; null when it does not wait. */
  position(run: CommandRun): number | null {
    const index = this.#runs.findIndex((one) => one.run === run);
    return index === -1 ? null : index + 1;
  }
}

const actorKey = ({ actor }: CommandRun): string => (actor.kind === 'system' ? 'system' : `${actor.kind} ${actor.id}`);
