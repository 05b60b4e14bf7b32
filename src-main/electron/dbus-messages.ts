// Writes and reads the few D-Bus messages that we need (D-Bus specification, "Message Protocol").

/** A method call with string arguments. */
export interface MethodCall {
  readonly serial: number;
  readonly destination: string;
  readonly path: string;
  readonly interface: string;
  readonly member: string;
  readonly args: readonly string[];
}

/** What came back for a call. */
export interface Reply {
  readonly serial: number;
  readonly ok: boolean;
  readonly body: Buffer;
}

const FIELD = { path: 1, interface: 2, member: 3, replySerial: 5, destination: 6, signature: 8 } as const;
const METHOD_CALL = 1;
const METHOD_RETURN = 2;
const FIXED_HEADER_BYTES = 16;

const aligned = (offset: number, to: number) => Math.ceil(offset / to) * to;

/** Packs a call, little endian. */
export function encodeCall(call: MethodCall): Buffer {
  const body = Buffer.concat(padEach(call.args.map(text), 4));
  const fields = Buffer.concat(
    padEach(
      [
        field(FIELD.path, 'o', text(call.path)),
        field(FIELD.interface, 's', text(call.interface)),
        field(FIELD.member, 's', text(call.member)),
        field(FIELD.destination, 's', text(call.destination)),
        ...(call.args.length === 0 ? [] : [field(FIELD.signature, 'g', signature('s'.repeat(call.args.length)))]),
      ],
      8,
    ),
  );
  const head = Buffer.alloc(FIXED_HEADER_BYTES);
  head.write('l', 0);
  head.writeUInt8(METHOD_CALL, 1);
  head.writeUInt8(1, 3);
  head.writeUInt32LE(body.length, 4);
  head.writeUInt32LE(call.serial, 8);
  head.writeUInt32LE(fields.length, 12);
  const padding = Buffer.alloc(aligned(FIXED_HEADER_BYTES + fields.length, 8) - FIXED_HEADER_BYTES - fields.length);
  return Buffer.concat([head, fields, padding, body]);
}

/** Takes the first whole message off `bytes`; undefined while it is not complete. `reply` is null for other messages. */
export function takeMessage(bytes: Buffer): { readonly reply: Reply | null; readonly rest: Buffer } | undefined {
  if (bytes.length < FIXED_HEADER_BYTES) return undefined;
  const little = bytes.toString('latin1', 0, 1) === 'l';
  const u32 = (at: number) => (little ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at));
  const fieldsEnd = FIXED_HEADER_BYTES + u32(12);
  const bodyStart = aligned(fieldsEnd, 8);
  const end = bodyStart + u32(4);
  if (bytes.length < end) return undefined;
  const serial = replySerial(bytes, fieldsEnd, u32);
  const ok = bytes.readUInt8(1) === METHOD_RETURN;
  const reply = serial === undefined ? null : { serial, ok, body: bytes.subarray(bodyStart, end) };
  return { reply, rest: bytes.subarray(end) };
}

/** The boolean in a reply that holds one variant. */
export function variantBoolean(body: Buffer): boolean {
  return body.length >= 8 && body.toString('latin1', 1, 2) === 'b' && (body[4] ?? 0) + (body[7] ?? 0) > 0;
}

function replySerial(bytes: Buffer, end: number, u32: (at: number) => number): number | undefined {
  let at = FIXED_HEADER_BYTES;
  while (at < end) {
    at = aligned(at, 8);
    const [code, type] = [bytes[at], bytes.toString('latin1', at + 2, at + 3)];
    const value = at + 4;
    if (code === FIELD.replySerial) return u32(value);
    if (type === 'g') at = value + 1 + (bytes[value] ?? 0) + 1;
    else if (type === 'u') at = value + 4;
    else at = value + 4 + u32(value) + 1;
  }
  return undefined;
}

function text(value: string): Buffer {
  const bytes = Buffer.from(`${value}\0`);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(bytes.length - 1);
  return Buffer.concat([length, bytes]);
}

function signature(value: string): Buffer {
  return Buffer.concat([Buffer.from([value.length]), Buffer.from(`${value}\0`)]);
}

function field(code: number, type: string, value: Buffer): Buffer {
  return Buffer.concat([Buffer.from([code]), signature(type), value]);
}

/** Pads every piece but the last to a multiple of `to` bytes. */
function padEach(pieces: readonly Buffer[], to: number): Buffer[] {
  return pieces.map((piece, index) =>
    index === pieces.length - 1
      ? piece
      : Buffer.concat([piece, Buffer.alloc(aligned(piece.length, to) - piece.length)]),
  );
}
