// Decides what a login tries next, following the methods the server names and successes in part.
import type { LoginOffer, OfferedKey } from './login-keys.ts';

/** The next thing to send. */
export type Step =
  | { readonly method: 'publickey'; readonly key: OfferedKey }
  | { readonly method: 'password' }
  | { readonly method: 'keyboard-interactive' };

/** What the server answered to the last step. */
export interface Refusal {
  /** Methods that can go on; null before the first answer. */
  readonly methods: readonly string[] | null;
  /** The last step was right, but is not enough. */
  readonly partial: boolean;
}

/** The course of one login. Null as next step means that nothing is left. */
export class LoginPlan {
  readonly #password: boolean;
  #keys: readonly OfferedKey[];
  #passwordUsed = false;
  #questionUsed = false;
  #last: Step | null = null;
  #methods: readonly string[] | null = null;
  readonly #refused: Step[] = [];
  readonly #accepted: Step[] = [];

  constructor(offer: LoginOffer) {
    this.#keys = offer.keys;
    this.#password = offer.password !== undefined;
  }

  /** Methods that the server named last; empty before its first answer. */
  get methods(): readonly string[] {
    return this.#methods ?? [];
  }

  /** Steps the server looked at and refused. */
  get refused(): readonly Step[] {
    return this.#refused;
  }

  /** Steps the server accepted as a part. */
  get accepted(): readonly Step[] {
    return this.#accepted;
  }

  /** How many steps were sent and answered. */
  get answered(): number {
    return this.#refused.length + this.#accepted.length;
  }

  next(refusal: Refusal): Step | null {
    if (refusal.methods !== null) this.#learn(refusal.methods, refusal.partial);
    const step = this.#choose();
    this.#last = step;
    if (step?.method === 'publickey') this.#keys = this.#keys.filter((key) => key !== step.key);
    if (step?.method === 'password') this.#passwordUsed = true;
    if (step?.method === 'keyboard-interactive') this.#questionUsed = true;
    return step;
  }

  #learn(methods: readonly string[], partial: boolean): void {
    const last = this.#last;
    const wasOpen = this.#methods === null ? methods : this.#methods;
    this.#methods = methods;
    if (last === null) return;
    if (partial) {
      this.#accepted.push(last);
      // A password that came too early is looked at only now.
      this.#passwordUsed = false;
      this.#questionUsed = false;
    } else if (wasOpen.includes(last.method)) this.#refused.push(last);
    else this.#giveBack(last);
  }

  /** The server did not look at it, because the method was not open: it may be later. */
  #giveBack(step: Step): void {
    if (step.method === 'publickey') this.#keys = [step.key, ...this.#keys];
    if (step.method === 'password') this.#passwordUsed = false;
  }

  #choose(): Step | null {
    const open = (method: string): boolean => this.#methods === null || this.#methods.includes(method);
    const [key] = this.#keys;
    if (key !== undefined && open('publickey')) return { method: 'publickey', key };
    if (!this.#password) return null;
    if (!this.#passwordUsed && open('password')) return { method: 'password' };
    // A server that has refused the password itself would refuse the same answer to its question too.
    if (this.#passwordUsed || this.#questionUsed || this.#methods === null) return null;
    return open('keyboard-interactive') ? { method: 'keyboard-interactive' } : null;
  }
}
