// The answers that the bridge gives itself: handshake, refusals, faults. Each is one JSON-RPC message.
import { ERRORS } from '../../src-shared/errors.ts';
import type { ErrorCode } from '../../src-shared/errors.ts';
import {
  HANDSHAKE_REVISIONS,
  SERVER_CAPABILITIES,
  SERVER_INFO,
  SERVER_INSTRUCTIONS,
  STATELESS_REVISIONS,
} from '../../src-shared/mcp-identity.ts';
import { visibleText } from '../../src-shared/visible-text.ts';
import { isFields } from './message.ts';
import type { Fields, RequestId } from './message.ts';

/** A message to the client, before it becomes text. */
export type Answer = Readonly<Record<string, unknown>>;

/** Why a call could not reach the app. */
export interface Refusal {
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint?: string;
}

/** JSON-RPC 2.0 and MCP error numbers. */
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
const METHOD_NOT_FOUND = -32_601;
const INTERNAL_ERROR = -32_603;
const UNSUPPORTED_REVISION = -32_022;

const REVISION_KEY = 'io.modelcontextprotocol/protocolVersion';
const SERVER_INFO_KEY = 'io.modelcontextprotocol/serverInfo';

/** Answers `initialize` as the app does: the revision asked for when it is known, else the newest. */
export function initializeAnswer(id: RequestId, params: Fields, version: string): Answer {
  const asked = params['protocolVersion'];
  const protocolVersion = HANDSHAKE_REVISIONS.find((one) => one === asked) ?? HANDSHAKE_REVISIONS[0];
  const result = {
    protocolVersion,
    capabilities: SERVER_CAPABILITIES,
    serverInfo: { ...SERVER_INFO, version },
    instructions: SERVER_INSTRUCTIONS,
  };
  return { jsonrpc: '2.0', id, result };
}

/** Answers `server/discover`, the opening of the revisions without a handshake. */
export function discoverAnswer(id: RequestId, params: Fields, version: string): Answer {
  const requested = revisionOf(params);
  if (requested === undefined) return errorAnswer(id, METHOD_NOT_FOUND, 'Method not found');
  if (!STATELESS_REVISIONS.some((one) => one === requested)) {
    const data = { supported: STATELESS_REVISIONS, requested };
    return errorAnswer(id, UNSUPPORTED_REVISION, `Unsupported protocol version: ${requested}`, data);
  }
  const result = {
    supportedVersions: STATELESS_REVISIONS,
    capabilities: SERVER_CAPABILITIES,
    instructions: SERVER_INSTRUCTIONS,
    resultType: 'complete',
    ttlMs: 0,
    cacheScope: 'private',
    _meta: { [SERVER_INFO_KEY]: { ...SERVER_INFO, version } },
  };
  return { jsonrpc: '2.0', id, result };
}

/** The revision that a message without handshake names; undefined for those of the handshake era. */
export function revisionOf(params: Fields): string | undefined {
  const meta = params['_meta'];
  const revision = isFields(meta) ? meta[REVISION_KEY] : undefined;
  return typeof revision === 'string' ? revision : undefined;
}

/** Answers `ping`. */
export function pingAnswer(id: RequestId): Answer {
  return { jsonrpc: '2.0', id, result: {} };
}

/** Answers what is no JSON, or no JSON-RPC. */
export function invalidAnswer(isJson: boolean, id: RequestId | null): Answer {
  return isJson
    ? errorAnswer(id, INVALID_REQUEST, 'Invalid Request: not a JSON-RPC 2.0 message')
    : errorAnswer(id, PARSE_ERROR, 'Parse error: the line is not JSON');
}

/** Answers a line beyond the limit. */
export function tooLongAnswer(id: RequestId | null, bytes: number, limit: number): Answer {
  return errorAnswer(id, INVALID_REQUEST, `The message has ${bytes} bytes; at most ${limit} are taken`);
}

/** Answers a request that the app could not answer: a tool's result that is an error, or an error of the protocol. */
export function refusalAnswer(request: { id: RequestId; method: string; params: Fields }, refusal: Refusal): Answer {
  const { code } = refusal;
  const message = visibleText(refusal.message);
  const hint = refusal.hint ?? ERRORS[code].hint;
  const data = { code, message, hint, retry: ERRORS[code].retry, details: {} };
  const text = `${code}: ${message}. ${hint}`;
  if (request.method !== 'tools/call') return errorAnswer(request.id, INTERNAL_ERROR, text, data);
  const result = {
    content: [{ type: 'text', text }],
    isError: true,
    ...(revisionOf(request.params) === undefined ? {} : { resultType: 'complete' }),
    _meta: { 'patchbay/error': data },
  };
  return { jsonrpc: '2.0', id: request.id, result };
}

function errorAnswer(id: RequestId | null, code: number, message: string, data?: unknown): Answer {
  return { jsonrpc: '2.0', id, error: data === undefined ? { code, message } : { code, message, data } };
}
