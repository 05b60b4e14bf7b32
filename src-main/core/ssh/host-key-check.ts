// Decides about the key a server shows: known, trusted by a person just now, or refused.
import { AppError, appError } from '../../../src-shared/errors.ts';
import type { Attempt } from './attempt.ts';
import type { HostKeyBook, Verdict } from './host-key-book.ts';
import { fingerprintOf, knownHostsName } from './known-hosts-file.ts';
import { faultText } from './network-failure.ts';
import type { ConnectOptions } from './port.ts';
import type { Where } from './where.ts';
import { hostAndPort, whereDetails } from './where.ts';

/** The key of a server that was accepted. */
export interface ShownKey {
  readonly keyType: string;
  readonly fingerprint: string;
}

/** Checks each key a connection shows; a re-keying that shows the same key again is accepted without a look. */
export class HostKeyCheck {
  readonly #attempt: Attempt;
  readonly #book: HostKeyBook;
  readonly #options: ConnectOptions;
  #accepted: Buffer | null = null;
  #toStore: Buffer | null = null;
  #shown: ShownKey = { keyType: '', fingerprint: '' };

  constructor(attempt: Attempt, book: HostKeyBook, options: ConnectOptions) {
    this.#attempt = attempt;
    this.#book = book;
    this.#options = options;
  }

  get shown(): ShownKey {
    return this.#shown;
  }

  /** ssh2's verifier: calls back with true, or lets the attempt fail and does not call back. */
  readonly verify = (key: Buffer, done: (good: boolean) => void): void => {
    if (this.#accepted !== null) {
      // Another key in the middle of a connection: ssh2 ends it.
      done(this.#accepted.equals(key));
      return;
    }
    void this.#answer(Buffer.from(key), done);
  };

  /** Writes a key that a person has just trusted to our file: to be called when the server has proved that it holds it. */
  async store(): Promise<void> {
    const key = this.#toStore;
    this.#toStore = null;
    if (key === null) return;
    try {
      await this.#book.trust(this.#shown.keyType, key);
    } catch (error) {
      this.#attempt.fail(asAppError(error));
    }
  }

  async #answer(key: Buffer, done: (good: boolean) => void): Promise<void> {
    try {
      await this.#decide(key);
    } catch (error) {
      this.#attempt.fail(asAppError(error));
    }
    // A failed attempt destroys the socket, and ssh2 cannot bear an answer after that.
    if (this.#attempt.signal.aborted) return;
    this.#accepted = key;
    done(true);
  }

  async #decide(key: Buffer): Promise<void> {
    const keyType = keyTypeOf(key);
    const fingerprint = fingerprintOf(key);
    this.#shown = { keyType, fingerprint };
    const verdict = this.#book.judge(keyType, key);
    if (verdict.status === 'known') return;
    if (verdict.status !== 'unknown') throw refusal(this.#attempt.where, verdict, this.#shown);
    const { sessionName, actor } = this.#options;
    const question = { ...this.#attempt.where, keyType, key, fingerprint, sessionName, actor };
    const { askHostKey } = this.#options;
    await this.#attempt.outsideTime(() => this.#attempt.race(askHostKey(question, this.#attempt.signal)));
    this.#toStore = key;
  }
}

/** The name at the start of a key blob (RFC 4253 section 6.6). */
function keyTypeOf(key: Buffer): string {
  if (key.length < 4) return '';
  return key.toString('latin1', 4, Math.min(4 + key.readUInt32BE(0), key.length));
}

function refusal(where: Where, verdict: Extract<Verdict, { line: unknown }>, shown: ShownKey): AppError {
  const { file, line } = verdict.line;
  const name = knownHostsName(where.host, where.port);
  const facts = {
    reason: verdict.status,
    ...whereDetails(where),
    keyType: shown.keyType,
    fingerprint: shown.fingerprint,
    fingerprintOnFile: verdict.fingerprintOnFile,
    keyTypeOnFile: verdict.line.keyType,
    file,
    line,
  };
  if (verdict.status === 'revoked') {
    return appError('HOST_KEY_CHANGED', {
      message: `The host key of ${hostAndPort(where)} (${shown.fingerprint}) is marked as revoked in ${file} line ${line}`,
      hint: 'Tell the person. Nothing was sent to the server. Whoever runs the host has to give it a new key.',
      details: facts,
    });
  }
  return appError('HOST_KEY_CHANGED', {
    message: `The host key of ${hostAndPort(where)} has changed: it is now ${shown.fingerprint}, on file is ${verdict.fingerprintOnFile} (${file} line ${line})`,
    hint: `Tell the person: someone may be in between, or the host was set up anew. No credential was sent. If the new key is right, the person runs: ssh-keygen -R '${name}' -f '${file}'`,
    details: facts,
  });
}

function asAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  return appError('INTERNAL_ERROR', { details: { reason: 'host_key_check', fault: faultText(error) }, cause: error });
}
