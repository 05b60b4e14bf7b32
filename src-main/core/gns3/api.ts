// Typed requests to the GNS3 server: version first, token with each, renewed once when refused, answers checked.
import type * as z from 'zod';
import { appError } from '../../../src-shared/errors.ts';
import { faultOf } from './faults.ts';
import { exchange } from './http.ts';
import type { Gns3Address, HttpAnswer, HttpRequest } from './http.ts';
import { createVersionCheck } from './version.ts';
import type { Gns3Version } from './version.ts';
import type { TokenSource } from './tokens.ts';

/** A read that takes longer than this is given up. Milliseconds of silence. */
const READ_MS = 60_000;
/** Opening, closing, starting, deleting are slow; the server itself waits up to 240 s for a node. Milliseconds of silence. */
const CHANGE_MS = 900_000;

/** A request that changes something. */
export interface Change {
  readonly method: 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
}

/** The server's API, as one user sees it. */
export interface Gns3Api {
  readonly address: Gns3Address;
  /** The server's version; asked once. Rejects with GNS3_UNAVAILABLE where there is no GNS3 3. */
  version(): Promise<Gns3Version>;
  /** A token that counts now, for the addresses that take it in their query. */
  token(): Promise<string>;
  read<Schema extends z.ZodType>(path: string, schema: Schema): Promise<z.output<Schema>>;
  /** The answer as text, whatever it holds. */
  readText(path: string): Promise<string>;
  change<Schema extends z.ZodType>(change: Change, schema: Schema): Promise<z.output<Schema>>;
  /** For changes whose answer says nothing. */
  send(change: Change): Promise<void>;
}

/** A path with its variable parts encoded, as in ``path`/nodes/${id}` ``. */
export function path(fixed: TemplateStringsArray, ...parts: readonly string[]): string {
  return fixed.map((piece, index) => `${piece}${encodeURIComponent(parts[index] ?? '')}`).join('');
}

/** Nothing is sent before the first request. */
export function createApi(address: Gns3Address, tokens: TokenSource): Gns3Api {
  const version = createVersionCheck(address);
  const ask = async (request: HttpRequest): Promise<HttpAnswer> => {
    await version();
    const token = await tokens.token();
    const first = await follow(address, { ...request, token });
    if (first.status !== 401) return checked(request, first);
    // A refused request has done nothing, so that it can be sent again.
    const renewed = await tokens.renew(token);
    return checked(request, await follow(address, { ...request, token: renewed }));
  };
  const change = (wanted: Change): Promise<HttpAnswer> =>
    ask({ ...wanted, path: `/v3${wanted.path}`, silenceMs: CHANGE_MS });
  const readText = async (at: string): Promise<string> =>
    (await ask({ method: 'GET', path: `/v3${at}`, silenceMs: READ_MS })).text;
  return {
    address,
    version,
    token: () => tokens.token(),
    readText,
    read: async (at, schema) => parsed(at, await readText(at), schema),
    change: async (wanted, schema) => parsed(wanted.path, (await change(wanted)).text, schema),
    send: async (wanted) => void (await change(wanted)),
  };
}

function checked(request: HttpRequest, answer: HttpAnswer): HttpAnswer {
  if (answer.status >= 200 && answer.status < 300) return answer;
  throw faultOf(request, answer);
}

/** The server redirects to the same path with a slash; the token goes to no other address. */
async function follow(address: Gns3Address, request: HttpRequest): Promise<HttpAnswer> {
  const answer = await exchange(address, request);
  if (answer.status !== 307 || answer.location === undefined) return answer;
  const { pathname, search } = new URL(answer.location, address.base);
  const prefix = new URL(address.base).pathname.replace(/\/$/, '');
  const target = pathname.startsWith(`${prefix}/`) ? pathname.slice(prefix.length) : pathname;
  return exchange(address, { ...request, path: `${target}${search}` });
}

function parsed<Schema extends z.ZodType>(at: string, text: string, schema: Schema): z.output<Schema> {
  const result = schema.safeParse(jsonOf(at, text));
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw unexpected(at, `${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`);
}

function jsonOf(at: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The text itself is not handed on: it can be anything.
    throw unexpected(at, 'it is no JSON');
  }
}

function unexpected(at: string, why: string): Error {
  const message = `The GNS3 server answered ${at} in a form that Patchbay does not know (${why})`;
  return appError('GNS3_FAULT', { message, details: { reason: 'unexpected-answer', request: at } });
}
