// Typed calls over one transport: numbers requests, matches answers, and fails what can no longer be answered.
import { CALLS, requestSchema } from '../../src-shared/protocol/index.ts';
import type { CallInput, CallName, CallOutput, ServerMessage } from '../../src-shared/protocol/index.ts';
import { ERRORS, appError } from '../../src-shared/errors.ts';
import type { ErrorCode } from '../../src-shared/errors.ts';

/** Longer than the gateway may think: a connect waits for a person to trust a host key. */
const DEADLINE_MS = 150_000;

/** Makes calls; rejects with an AppError. */
export type Call = <Name extends CallName>(name: Name, input: CallInput<Name>) => Promise<CallOutput<Name>>;

type Answer = Extract<ServerMessage, { id: number }>;

interface Waiting {
  resolve(output: unknown): void;
  reject(error: Error): void;
  readonly timer: ReturnType<typeof setTimeout>;
}

function isCode(code: string): code is ErrorCode {
  return code in ERRORS;
}

function failure(answer: Extract<Answer, { ok: false }>): Error {
  const { code, message, hint, retry, details } = answer.error;
  return appError(isCode(code) ? code : 'INTERNAL_ERROR', { message, hint, retry, details });
}

const unreachable = (): Error =>
  appError('APP_UNAVAILABLE', { message: 'Patchbay is not connected', hint: 'Try again when the line is back.' });

/** The calls of one connection. */
export class Calls {
  #next = 1;
  readonly #waiting = new Map<number, Waiting>();
  readonly #send: (text: string) => boolean;

  /** `send` returns false when there is no line. */
  constructor(send: (text: string) => boolean) {
    this.#send = send;
  }

  readonly call: Call = async (name, input) => {
    const output = await this.#request(name, input);
    // Checked by the schema of this very call; the compiler cannot follow the name through the map.
    return CALLS[name].output.parse(output) as CallOutput<typeof name>;
  };

  #request(name: CallName, input: unknown): Promise<unknown> {
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#settle(id)?.reject(unreachable()), DEADLINE_MS);
      this.#waiting.set(id, { resolve, reject, timer });
      const text = JSON.stringify(requestSchema.parse({ id, call: name, input }));
      if (!this.#send(text)) this.#settle(id)?.reject(unreachable());
    });
  }

  /** Takes an answer from the gateway. */
  answer(answer: Answer): void {
    const waiting = this.#settle(answer.id);
    if (answer.ok) waiting?.resolve(answer.output);
    else waiting?.reject(failure(answer));
  }

  /** The line is gone: nothing that waits will be answered. */
  failAll(): void {
    for (const id of [...this.#waiting.keys()]) this.#settle(id)?.reject(unreachable());
  }

  #settle(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (waiting !== undefined) clearTimeout(waiting.timer);
    return waiting;
  }
}
