// Finds one of many by id or name; says which exist when there is none, and which ids share a name.
import { appError } from '../../../src-shared/errors.ts';

/** Names listed in an error; a lab has rarely more. */
const MAX_NAMES = 40;

/** Something that has both. */
export interface Named {
  readonly id: string;
  readonly name: string;
  /** Tells those apart that share a name. */
  readonly more?: string;
}

/** Whether a text has the form of the server's ids. */
export const isId = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);

/** The one with this id or name. Throws GNS3_NOT_FOUND that lists what exists, or the ids that share the name. */
export function findOne<Record>(
  wanted: string,
  records: readonly Record[],
  kind: string,
  nameOf: (record: Record) => Named,
): Record {
  const named = records.map((record) => ({ record, ...nameOf(record) }));
  const byId = named.find(({ id }) => id === wanted);
  if (byId !== undefined) return byId.record;
  const exact = named.filter(({ name }) => name === wanted);
  const loose = exact.length > 0 ? exact : named.filter(({ name }) => name.toLowerCase() === wanted.toLowerCase());
  const [only, second] = loose;
  if (only !== undefined && second === undefined) return only.record;
  if (only !== undefined) throw ambiguous(wanted, loose, kind);
  const names = named.slice(0, MAX_NAMES).map(({ name }) => name);
  throw appError('GNS3_NOT_FOUND', {
    message: `No ${kind} has the id or name ${JSON.stringify(wanted)}`,
    hint:
      names.length === 0
        ? `There is no ${kind} yet.`
        : `Use one of these: ${names.join(', ')}${named.length > MAX_NAMES ? ', ...' : ''}.`,
    details: { reason: 'unknown', kind, names },
  });
}

function ambiguous(wanted: string, found: readonly Named[], kind: string): Error {
  const choices = found.map(({ id, more }) => ({ id, ...(more === undefined ? {} : { more }) }));
  const words = choices.map(({ id, more }) => (more === undefined ? id : `${id} (${more})`));
  return appError('GNS3_NOT_FOUND', {
    message: `${found.length} ${kind}s are named ${JSON.stringify(wanted)}`,
    hint: `Use one of these ids: ${words.join(', ')}.`,
    details: { reason: 'ambiguous', kind, choices },
  });
}
