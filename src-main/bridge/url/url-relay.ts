// Passes a client that speaks only stdio through to a remote MCP server over HTTP, in whichever way that server speaks.
import { EXIT_REFUSED, MAX_LINE_BYTES } from '../../../src-shared/mcp-identity.ts';
import { invalidAnswer, tooLongAnswer } from '../answers.ts';
import type { ClientSide, ProgramPorts } from '../client-side.ts';
import type { LineTarget } from '../lines.ts';
import { idOfLongLine, readMessage } from '../message.ts';
import { parseUrlArguments } from './arguments.ts';
import { LegacyRemote } from './legacy-sse.ts';
import type { ClientLine, Remote, RemotePorts } from './remote.ts';
import { NotStreamable, StreamableRemote } from './streamable.ts';

/** Makes the relay, or says what is wrong with the arguments and sets the exit code. */
export function createUrlRelay(args: readonly string[], ports: ProgramPorts): ClientSide | undefined {
  const wish = parseUrlArguments(args);
  if (!wish.ok) {
    ports.say(wish.fault);
    process.exitCode = EXIT_REFUSED;
    return undefined;
  }
  return new UrlRelay({ ...ports, url: wish.url, headers: wish.headers });
}

class UrlRelay implements ClientSide {
  readonly #ports: RemotePorts;
  /** Known after the first message: it shows which transport the server speaks. */
  #remote: Promise<Remote> | undefined;
  #known: Remote | undefined;
  /** Messages that wait for the one before them: those up to the end of the opening. */
  #order: Promise<void> = Promise.resolve();
  #waiting = 0;

  constructor(ports: RemotePorts) {
    this.#ports = ports;
  }

  get pending(): number {
    return this.#waiting + (this.#known?.pending ?? 0);
  }

  readonly fromClient: LineTarget = {
    line: (line) => {
      const message = readMessage(line);
      if (message.kind === 'invalid') {
        return this.#ports.toClient(JSON.stringify(invalidAnswer(message.isJson, message.id)));
      }
      this.#pass({ line, message });
    },
    tooLong: (bytes, head, tail) => {
      this.#ports.toClient(JSON.stringify(tooLongAnswer(idOfLongLine(head, tail), bytes, MAX_LINE_BYTES)));
    },
  };

  async close(): Promise<void> {
    await this.#known?.close();
  }

  #pass(line: ClientLine): void {
    this.#waiting += 1;
    this.#order = this.#order.then(async () => {
      const isFirst = this.#remote === undefined;
      const remote = await (this.#remote ??= this.#open(line));
      this.#waiting -= 1;
      // After the opening, a call that takes long must not hold up the next one.
      if (!isFirst) void remote.send(line);
      else if (this.pending === 0) this.#ports.onIdle();
    });
  }

  async #open(line: ClientLine): Promise<Remote> {
    const streamable = new StreamableRemote(this.#ports);
    this.#known = streamable;
    try {
      await streamable.opening(line);
      return streamable;
    } catch (error) {
      if (!(error instanceof NotStreamable)) throw error;
      const legacy = new LegacyRemote(this.#ports);
      this.#known = legacy;
      await legacy.send(line);
      return legacy;
    }
  }
}
