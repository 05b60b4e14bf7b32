// Binary stream frames: which stream, where in it, and the bytes. Gateway to view only.

/** Bytes before the payload: u8 version, u8 reserved, u16 reserved, u32 stream id, f64 offset; big endian. */
export const FRAME_HEADER_BYTES = 16;
const VERSION = 1;

/** A piece of a stream at its absolute offset. */
export interface StreamFrame {
  readonly streamId: number;
  /** Absolute offset of the first byte of `bytes` in the stream. */
  readonly offset: number;
  readonly bytes: Uint8Array;
}

/** Packs a frame into one message. */
export function encodeFrame(frame: StreamFrame): Uint8Array<ArrayBuffer> {
  const packed = new Uint8Array(FRAME_HEADER_BYTES + frame.bytes.byteLength);
  const view = new DataView(packed.buffer);
  view.setUint8(0, VERSION);
  view.setUint32(4, frame.streamId);
  view.setFloat64(8, frame.offset);
  packed.set(frame.bytes, FRAME_HEADER_BYTES);
  return packed;
}

/** Unpacks a message; undefined when it is no frame of this version. */
export function decodeFrame(message: Uint8Array): StreamFrame | undefined {
  if (message.byteLength < FRAME_HEADER_BYTES) return undefined;
  const view = new DataView(message.buffer, message.byteOffset, message.byteLength);
  if (view.getUint8(0) !== VERSION) return undefined;
  return { streamId: view.getUint32(4), offset: view.getFloat64(8), bytes: message.subarray(FRAME_HEADER_BYTES) };
}
