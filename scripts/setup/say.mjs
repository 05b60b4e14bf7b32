// Progress for people: plain lines on stderr, so that stdout stays free for output that programs read.

const started = Date.now();

/** Prints one line of progress with the seconds since start. */
export function say(text) {
  const seconds = ((Date.now() - started) / 1000).toFixed(1).padStart(5);
  process.stderr.write(`[patchbay ${seconds} s] ${text}\n`);
}

/** A failure that a person can act on: it is shown as one line, without a stack. */
export class PlainFailure extends Error {
  /** @param {string} message what happened and what to do @param {number} [exitCode] */
  constructor(message, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}
