// The client's side of the bridge: its pipes and its life, whatever stands on the other side.
import { LineCutter } from './lines.ts';
import type { LineTarget } from './lines.ts';
import { say } from './say.ts';

/** How long answers are waited for once the client has closed its side. */
const LAST_WORDS_MS = 1_500;
/** How long a farewell to the other side may take. */
const FAREWELL_MS = 400;
/** How often it is looked whether the client still lives. */
const PARENT_MS = 1_000;

const NEWLINE = Buffer.from('\n');

/** What the other side may use of the program. */
export interface ProgramPorts {
  /** Writes one message to the client; false: the client is behind, {@link ClientSide.clientReads} tells when it is not. */
  toClient(line: Buffer | string): boolean;
  /** False: nothing is read from the client until true. */
  clientMayTalk(yes: boolean): void;
  say(text: string): void;
  /** Has to be called when no request waits any more. */
  onIdle(): void;
}

/** What stands on the other side. */
export interface ClientSide {
  readonly fromClient: LineTarget;
  /** Requests that are not answered yet. */
  readonly pending: number;
  /** The client has read what was written. */
  clientReads?(): void;
  close(): Promise<void>;
}

/** Serves the client on stdin and stdout until it closes its side, dies or stops reading. */
export function serveClient(make: (ports: ProgramPorts) => ClientSide | undefined): void {
  let ending = false;
  // A client that is gone closes our pipes: no reason for a stack trace.
  process.stdout.on('error', () => process.exit(0));
  process.stderr.on('error', () => undefined);
  const side = make({
    toClient: (line) => writeLine(line, () => side?.clientReads?.()),
    clientMayTalk: (yes) => void (yes ? process.stdin.resume() : process.stdin.pause()),
    say,
    onIdle: () => void (ending && side !== undefined && finish(side)),
  });
  if (side === undefined) return;
  const cutter = new LineCutter(side.fromClient);
  process.stdin.on('data', (bytes: Buffer) => cutter.push(bytes));
  process.stdin.on('error', () => void finish(side));
  process.stdin.on('end', () => {
    ending = true;
    if (side.pending === 0) void finish(side);
    else setTimeout(() => void finish(side), LAST_WORDS_MS);
  });
  const parent = process.ppid;
  // A client that was killed leaves us to another parent.
  setInterval(() => process.ppid !== parent && void finish(side), PARENT_MS);
}

function writeLine(line: Buffer | string, onDrain: () => void): boolean {
  process.stdout.cork();
  process.stdout.write(line);
  const more = process.stdout.write(NEWLINE);
  process.stdout.uncork();
  if (!more) process.stdout.once('drain', onDrain);
  return more;
}

/** Ends the program once what was written is out. */
async function finish(side: ClientSide): Promise<void> {
  setTimeout(() => process.exit(0), FAREWELL_MS);
  await side.close();
  process.stdout.write('', () => process.exit(0));
}
