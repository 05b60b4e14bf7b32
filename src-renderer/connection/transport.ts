// What carries messages between this view and the gateway: one shape for the window's port and the page's socket.

/** Why a transport ended, as far as this view has to behave differently. */
export type TransportEnd = 'lost' | 'access-ended' | 'session-closed' | 'too-many-views';

/** What a transport tells; each is called in order, `onEnd` once and last. */
export interface TransportEvents {
  onOpen(): void;
  onText(text: string): void;
  onBytes(bytes: Uint8Array): void;
  onEnd(end: TransportEnd): void;
}

/** An open or opening way to the gateway. */
export interface Transport {
  send(text: string): void;
  /** Ends it; `onEnd` is not called after this. */
  close(): void;
}

/** Whether a lost line is worth another try, or the person has to show a token first. */
export type Access = 'granted' | 'needed' | 'unreachable';

/** A way to reach the gateway. */
export interface Door {
  open(events: TransportEvents): Transport;
  /** Asked at the start, and after a transport ended before it was open. */
  access(): Promise<Access>;
}
