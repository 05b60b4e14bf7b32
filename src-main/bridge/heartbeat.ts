// Notices that the app has a call but gives no sign of life: it hangs or was stopped, while its connection stays open.

/** Seconds of silence, while a call waits, after which the app is asked whether it lives. */
const ASK_AFTER = 3;
/** Seconds of silence after which it counts as hanging; it answers within one otherwise, and clients wait for 60. */
export const HANGS_AFTER = 15;

/** What the heartbeat does. */
export interface HeartbeatPorts {
  /** Sends something that the app answers at once, whatever it is doing. */
  ask(): void;
  /** The app hangs; once, until it is heard again. */
  hangs(): void;
}

/** Counts the silence of one connection. */
export class Heartbeat {
  readonly #ports: HeartbeatPorts;
  #silent = 0;
  #hangs = false;

  constructor(ports: HeartbeatPorts) {
    this.#ports = ports;
  }

  /** No sign of life since it was asked. */
  get hanging(): boolean {
    return this.#hangs;
  }

  /** Something came from the app, or the connection is a new one. */
  heard(): void {
    this.#silent = 0;
    this.#hangs = false;
  }

  /** To be called every second; counting calls instead of reading a clock leaves out what this program itself has slept. */
  tick(callsWait: boolean): void {
    if (this.#hangs) return;
    this.#silent = callsWait ? this.#silent + 1 : 0;
    if (this.#silent === ASK_AFTER) this.#ports.ask();
    if (this.#silent < HANGS_AFTER) return;
    this.#hangs = true;
    this.#ports.hangs();
  }
}
