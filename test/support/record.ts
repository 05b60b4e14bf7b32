// Unknown values as records, for tests that look into messages.

/** A copy of an object's own fields; empty for what is no object. */
export function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}
