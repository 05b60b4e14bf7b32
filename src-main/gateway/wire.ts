// The line to a view, the same for a WebSocket and for a port of the window.
import type { PortLike } from './port.ts';

/** Why the gateway ends a line; codes of SOCKET_CLOSE or of the WebSocket standard. */
export interface Ending {
  readonly code: number;
  readonly reason: string;
}

/** Carries text and binary messages both ways. */
export interface Wire {
  sendText(text: string): void;
  sendFrame(frame: Uint8Array): void;
  /** Bytes that wait to be taken by the other side; a port always takes them. */
  readonly waitingBytes: number;
  close(ending: Ending): void;
  /** Cuts the line without a word, for a side that does not listen any more. */
  cut(): void;
  /** Called with each message; set before the next turn of the event loop. Anything but a text is no request. */
  onMessage: (message: unknown) => void;
  /** Called once when the line has ended for any reason. */
  onClose: () => void;
}

const ignore = () => {};

/** A line over a message port. */
export function portWire(port: PortLike): Wire {
  const wire: Wire = {
    sendText: (text) => port.postMessage(text),
    sendFrame: (frame) => port.postMessage(frame),
    waitingBytes: 0,
    close: () => end(),
    cut: () => end(),
    onMessage: ignore,
    onClose: ignore,
  };
  let open = true;
  const ended = () => {
    if (!open) return;
    open = false;
    wire.onClose();
  };
  const end = () => {
    port.close();
    ended();
  };
  port.on('message', ({ data }) => wire.onMessage(data));
  port.on('close', ended);
  port.start();
  return wire;
}
