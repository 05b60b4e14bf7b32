// The few plain HTTP calls of a page: may I come in, with a ticket, with a token, and out again.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type * as z from 'zod';
import { PATHS, loginBodySchema, ticketBodySchema } from '../../src-shared/protocol/index.ts';
import type { Log } from '../core/core.ts';
import type { Access, Cookie } from './access.ts';
import type { Attempts } from './attempts.ts';

/** Bodies here are a token and a name. */
const BODY_LIMIT_BYTES = 4096;

/** What the calls need. */
export interface Api {
  readonly access: Access;
  readonly attempts: Attempts;
  readonly log: Log;
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: URL;
}

type Route = (api: Api, exchange: Exchange) => Promise<void> | void;

const ROUTES: Readonly<Record<string, Route>> = {
  [`GET ${PATHS.ACCESS}`]: showAccess,
  [`POST ${PATHS.TICKET}`]: (api, exchange) =>
    enter(api, exchange, ticketBodySchema, ({ session, ticket }) => api.access.exchangeTicket(session, ticket)),
  [`POST ${PATHS.LOGIN}`]: (api, exchange) =>
    enter(api, exchange, loginBodySchema, ({ token }) => api.access.login(token)),
  [`POST ${PATHS.LOGOUT}`]: leave,
};

/** Answers a call; false when there is none with this method and path. */
export async function answerApi(api: Api, exchange: Exchange): Promise<boolean> {
  const route = ROUTES[`${exchange.request.method ?? ''} ${exchange.url.pathname}`];
  if (route === undefined) return false;
  await route(api, exchange);
  return true;
}

/** Sends JSON that no cache keeps. */
export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' });
  response.end(JSON.stringify(body));
}

function showAccess(api: Api, { request, response, url }: Exchange): void {
  const grant = api.access.grantOf(request.headers.cookie, url.searchParams.get('session'));
  if (grant === undefined) sendJson(response, 401, { error: 'No access yet' });
  else sendJson(response, 200, grant);
}

async function enter<Schema extends z.ZodType>(
  api: Api,
  { request, response }: Exchange,
  schema: Schema,
  exchange: (body: z.infer<Schema>) => Cookie | undefined,
): Promise<void> {
  const address = request.socket.remoteAddress ?? 'unknown';
  const body = await readBody(request, schema);
  if (typeof body === 'number') return sendJson(response, body, { error: BODY_FAULTS[body] });
  // A right token always counts, whatever others try from the same address: it cannot be guessed anyway.
  const cookie = exchange(body.value);
  if (cookie === undefined) return turnAway(api, response, address);
  const ended = api.access.cookieNames(request.headers.cookie, 'ended tickets');
  response.writeHead(204, { 'Set-Cookie': [setCookie(cookie), ...ended.map(dropCookie)], 'Cache-Control': 'no-store' });
  response.end();
}

function turnAway(api: Api, response: ServerResponse, address: string): void {
  const wait = api.attempts.waitSeconds(address);
  if (wait > 0) {
    response.setHeader('Retry-After', String(wait));
    return sendJson(response, 429, { error: `Too many wrong tokens; try again in ${wait} s` });
  }
  api.attempts.wrong(address);
  api.log.warn('wrong token for the monitor page', { address });
  sendJson(response, 401, { error: 'This token or link is not valid, or its session is closed' });
}

function leave(api: Api, { request, response }: Exchange): void {
  const names = api.access.cookieNames(request.headers.cookie, 'all');
  response.writeHead(204, { 'Set-Cookie': names.map(dropCookie), 'Cache-Control': 'no-store' });
  response.end();
}

const BODY_FAULTS = {
  400: 'The body is not the JSON that this call takes',
  413: 'The body is too long',
  415: 'Send application/json',
} as const;

/** A plain form of a foreign page cannot send this content type, which is one more lock on the door. */
async function readBody<Schema extends z.ZodType>(
  request: IncomingMessage,
  schema: Schema,
): Promise<{ readonly value: z.infer<Schema> } | keyof typeof BODY_FAULTS> {
  if (!/^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? '')) return 415;
  if (!(Number(request.headers['content-length']) <= BODY_LIMIT_BYTES)) return 413;
  const parsed = schema.safeParse(parseJson(await text(request)));
  return parsed.success ? { value: parsed.data } : 400;
}

function parseJson(source: string): unknown {
  try {
    return JSON.parse(source);
  } catch {
    // Not JSON: the schema refuses undefined with the same answer.
    return undefined;
  }
}

const setCookie = ({ name, value }: Cookie) => `${name}=${value}; Path=/; HttpOnly; SameSite=Strict`;

const dropCookie = (name: string) => `${name}=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0`;
