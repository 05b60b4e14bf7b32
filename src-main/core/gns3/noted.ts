// A result together with what the assistant should know about how it came about.

/** A value and sentences about it. */
export interface Noted<Value> {
  readonly value: Value;
  readonly notices: readonly string[];
}

/** A value that needs no word. */
export const plainly = <Value>(value: Value): Noted<Value> => ({ value, notices: [] });
