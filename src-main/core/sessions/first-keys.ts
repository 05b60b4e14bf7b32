// Remembers which host keys were accepted without a question, until the assistant that connected has been told.
import type { HostKeyQuestion } from '../ssh/port.ts';

/** Where a connection leads and which key it showed. */
export interface ShownHost {
  readonly host: string;
  readonly port: number;
  readonly fingerprint: string;
}

/** Keys that nobody has been told of. */
export interface FirstKeys {
  add(question: HostKeyQuestion): void;
  /** The sentence for the first session that opens to that host, also when an earlier login there failed; once. */
  take(shown: ShownHost): readonly string[];
}

/** More hosts than that are not waited for: the oldest are in the journal and the log only. */
const MOST = 200;

/** `file` is where accepted keys are stored. */
export function createFirstKeys(file: string): FirstKeys {
  const untold = new Map<string, string>();
  return {
    add(question) {
      untold.set(keyOf(question), sentence(question, file));
      const [oldest] = untold.keys();
      if (untold.size > MOST && oldest !== undefined) untold.delete(oldest);
    },
    take(shown) {
      const text = untold.get(keyOf(shown));
      untold.delete(keyOf(shown));
      return text === undefined ? [] : [text];
    },
  };
}

function keyOf({ host, port, fingerprint }: ShownHost): string {
  return `${host} ${port} ${fingerprint}`;
}

function sentence({ host, port, keyType, fingerprint }: HostKeyQuestion, file: string): string {
  return (
    `The host key of ${host} port ${port} (${keyType} ${fingerprint}) was not known: ` +
    `it was accepted for the first time without asking anybody, and is stored in ${file}. ` +
    'Show the fingerprint to the person, who can compare it with the host.'
  );
}
