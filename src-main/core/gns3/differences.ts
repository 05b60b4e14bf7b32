// Compares what was asked with what the GNS3 server made of it.
import { isDeepStrictEqual } from 'node:util';

/** The server answers 200 also when it ignored a field: only the answer tells what was taken. */
export function differences(
  asked: Readonly<Record<string, unknown>>,
  got: Readonly<Record<string, unknown>>,
): readonly string[] {
  return Object.entries(asked).flatMap(([name, value]) => {
    const is = got[name];
    if (isRecord(value) && isRecord(is)) return differences(value, is);
    if (isDeepStrictEqual(value, is)) return [];
    if (is === undefined) return [`GNS3 knows no ${name} here: it was ignored.`];
    return [`${name} was asked to be ${JSON.stringify(value)} and is ${JSON.stringify(is)}.`];
  });
}

/** A plain object. */
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
