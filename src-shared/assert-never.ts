// Makes a switch over a tagged union exhaustive at compile time.

/** Ends an exhaustive switch. Reaching it at run time is a bug, so it throws a plain `Error`. */
export function assertNever(value: never): never {
  throw new Error(`unexpected value: ${JSON.stringify(value)}`);
}
