// Answers ssh2's questions during a login: which method next, and what to say to a prompt.
import type { AnyAuthMethod, AuthHandlerMiddleware, KeyboardInteractiveAuthMethod, NextAuthHandler } from 'ssh2';
import type { AppError } from '../../../src-shared/errors.ts';
import type { LoginOffer } from './login-keys.ts';
import type { Step } from './login-plan.ts';
import { LoginPlan } from './login-plan.ts';
import { loginEnded, loginFailure, questionUnanswered } from './login-failure.ts';
import type { Where } from './where.ts';

// One-time codes and PINs are hidden too; the password is no answer to them.
const OTHER_SECRET = /code|token|otp|one.?time|verification|passcode|\bpin\b|duo|authenticator/i;
const PASSWORD = /passwor[dt]|passphrase/i;
const FAILURE_LINE = /^Inbound: Received USERAUTH_FAILURE \((.*)\)$/;

/** One login over one connection. */
export class Login {
  readonly #where: Where;
  readonly #offer: LoginOffer;
  readonly #plan: LoginPlan;
  readonly #fail: (error: AppError) => void;
  #seenMethods: readonly string[] | null = null;

  constructor(where: Where, offer: LoginOffer, fail: (error: AppError) => void) {
    this.#where = where;
    this.#offer = offer;
    this.#plan = new LoginPlan(offer);
    this.#fail = fail;
  }

  /** A line of ssh2's debug text. Only there it tells the methods left after a key of the agent was refused. */
  watch(line: string): void {
    const methods = FAILURE_LINE.exec(line)?.[1];
    if (methods !== undefined) this.#seenMethods = methods.split(',').filter((method) => method !== '');
  }

  /** ssh2's authHandler: called before the first try and after each refusal. */
  readonly handler: AuthHandlerMiddleware = (_methods, partial, next) => {
    const methods = this.#seenMethods;
    const step = this.#plan.next({ methods, partial: methods !== null && this.#wasPartial(partial) });
    if (step === null) this.#fail(loginFailure(this.#where, this.#plan, this.#offer));
    else this.#send(step, next);
  };

  /** The error when the server ends the connection during the login. */
  ended(text: string): AppError {
    return loginEnded(this.#where, this.#plan, text);
  }

  /** For an agent's key ssh2 does not say that it was accepted in part: then keys have just left the list. */
  #wasPartial(partial: boolean | null): boolean {
    const before = this.#plan.methods;
    return partial === true || (before.includes('publickey') && this.#seenMethods?.includes('publickey') === false);
  }

  #send(step: Step, next: NextAuthHandler): void {
    next(this.#request(step));
  }

  #request(step: Step): AnyAuthMethod {
    const { username } = this.#where;
    const password = this.#offer.password ?? '';
    switch (step.method) {
      case 'publickey':
        return step.key.from === 'file'
          ? { type: 'publickey', username, key: step.key.key.key }
          : { type: 'agent', username, agent: step.key.key.agent };
      case 'password':
        return { type: 'password', username, password };
      case 'keyboard-interactive':
        return { type: 'keyboard-interactive', username, prompt: this.#prompter(password) };
    }
  }

  /** Answers one hidden password prompt with the password, once; everything else ends the login with the question. */
  #prompter(password: string) {
    let answered = false;
    return (...asked: Parameters<KeyboardInteractiveAuthMethod['prompt']>): void => {
      const [, , , prompts, finish] = asked;
      const [prompt] = prompts;
      const text = prompts.map((one) => one.prompt).join(' ');
      const fits = prompts.length === 1 && prompt?.echo !== true && (PASSWORD.test(text) || !OTHER_SECRET.test(text));
      if (!fits) this.#fail(questionUnanswered(this.#where, text));
      else if (answered) this.#fail(this.#sameQuestionAgain());
      else {
        answered = true;
        finish([password]);
      }
    };
  }

  #sameQuestionAgain(): AppError {
    this.#plan.next({ methods: ['keyboard-interactive'], partial: false });
    return loginFailure(this.#where, this.#plan, this.#offer);
  }
}
