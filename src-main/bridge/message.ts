// Reads as much of a JSON-RPC line as the bridge has to know: whose answer, whose question.

/** Identifier of a request. */
export type RequestId = string | number;

/** Fields of a message, unchecked. */
export type Fields = Readonly<Record<string, unknown>>;

/** One line. */
export type Message =
  | { readonly kind: 'request'; readonly id: RequestId; readonly method: string; readonly params: Fields }
  | { readonly kind: 'notification'; readonly method: string; readonly params: Fields }
  | { readonly kind: 'answer'; readonly id: RequestId; readonly failed: boolean }
  /** Not JSON-RPC; `id` where one was found, so that the sender can be told. */
  | { readonly kind: 'invalid'; readonly isJson: boolean; readonly id: RequestId | null };

/** Reads one line. */
export function readMessage(line: Buffer): Message {
  let value: unknown;
  try {
    value = JSON.parse(line.toString('utf8'));
  } catch {
    return { kind: 'invalid', isJson: false, id: null };
  }
  return isFields(value) ? classify(value) : { kind: 'invalid', isJson: true, id: null };
}

function classify(value: Fields): Message {
  const { id, method } = value;
  const params = isFields(value['params']) ? value['params'] : {};
  if (value['jsonrpc'] === '2.0') {
    if (typeof method === 'string' && isId(id)) return { kind: 'request', id, method, params };
    if (typeof method === 'string' && id === undefined) return { kind: 'notification', method, params };
    if (isId(id) && ('result' in value || 'error' in value)) return { kind: 'answer', id, failed: 'error' in value };
  }
  return { kind: 'invalid', isJson: true, id: isId(id) ? id : null };
}

/** The id of a line that is too long to be read: near its begin or its end, where libraries write it. */
export function idOfLongLine(head: Buffer, tail: Buffer): RequestId | null {
  const first = /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(-?\d+|"[^"\\]{0,200}")\s*,/.exec(
    head.toString(),
  );
  const last = /,\s*"id"\s*:\s*(-?\d+|"[^"\\]{0,200}")\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/.exec(
    tail.toString(),
  );
  const text = first?.[1] ?? last?.[1];
  if (text === undefined) return null;
  return text.startsWith('"') ? text.slice(1, -1) : Number(text);
}

/** True for an object that is no list. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isId(value: unknown): value is RequestId {
  return typeof value === 'string' || typeof value === 'number';
}
