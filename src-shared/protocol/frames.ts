// Binary stream frames: which stream, where in it, and the bytes. Gateway to view only.

/** Bytes before the payload: u8 version, u8 kind, u16 reserved, u32 stream id, f64 offset; big endian. */
export const FRAME_HEADER_BYTES = 16;
const VERSION = 1;

/**
 * `bytes`: the next piece of the stream. `snapshot`: a drawing of the terminal as it is at `offset`, whole in one frame;
 * the view resets its emulator and its decoder, draws it, and goes on with the `bytes` frames, the next of which starts at
 * `offset`. A snapshot comes first on a terminal stream and again whenever the stream skipped ahead. Both kinds are
 * acknowledged by `stream.ack`: bytes with the offset behind them, a snapshot with its own offset.
 */
export type FrameKind = 'bytes' | 'snapshot';

const KINDS: readonly FrameKind[] = ['bytes', 'snapshot'];

/** A piece of a stream at its absolute offset. */
export interface StreamFrame {
  readonly kind: FrameKind;
  readonly streamId: number;
  /** Absolute offset of the first byte of `bytes` in the stream; of a snapshot: the offset at which it was drawn. */
  readonly offset: number;
  readonly bytes: Uint8Array;
}

/** Packs a frame into one message; without `kind` it is a `bytes` frame. */
export function encodeFrame(frame: Omit<StreamFrame, 'kind'> & { readonly kind?: FrameKind }): Uint8Array<ArrayBuffer> {
  const packed = new Uint8Array(FRAME_HEADER_BYTES + frame.bytes.byteLength);
  const view = new DataView(packed.buffer);
  view.setUint8(0, VERSION);
  view.setUint8(1, KINDS.indexOf(frame.kind ?? 'bytes'));
  view.setUint32(4, frame.streamId);
  view.setFloat64(8, frame.offset);
  packed.set(frame.bytes, FRAME_HEADER_BYTES);
  return packed;
}

/** Unpacks a message; undefined when it is no frame of this version. */
export function decodeFrame(message: Uint8Array): StreamFrame | undefined {
  if (message.byteLength < FRAME_HEADER_BYTES) return undefined;
  const view = new DataView(message.buffer, message.byteOffset, message.byteLength);
  const kind = KINDS[view.getUint8(1)];
  if (view.getUint8(0) !== VERSION || kind === undefined) return undefined;
  return {
    kind,
    streamId: view.getUint32(4),
    offset: view.getFloat64(8),
    bytes: message.subarray(FRAME_HEADER_BYTES),
  };
}
