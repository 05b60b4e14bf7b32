// Puts texts on the clipboard, output of commands included.
import type { CommandView, StreamName } from '../../src-shared/model/index.ts';
import { appError } from '../../src-shared/errors.ts';
import { byteCount } from '../format/bytes.ts';
import type { Patchbay } from '../state/patchbay.ts';
import { sayDone, sayFault } from '../state/toasts-store.ts';

/** Most bytes of output that go to the clipboard. */
const MOST_BYTES = 8_000_000;
const PIECE_BYTES = 1_000_000;

/** Copies a text, also one that is still being fetched, and says so; `what` is its name. */
export function copyText(patchbay: Patchbay, what: string, text: string | Promise<string>): void {
  Promise.resolve(text)
    .then((ready) => navigator.clipboard.writeText(ready))
    .then(
      () => sayDone(patchbay.stores.toasts, `${what} copied`),
      (error: unknown) => sayFault(patchbay.stores.toasts, error),
    );
}

function bytesOf(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

async function streamText(patchbay: Patchbay, command: CommandView, stream: StreamName): Promise<string> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const where = { session: command.sessionName, commandId: command.commandId, stream };
  let text = '';
  let offset = 0;
  for (;;) {
    const piece = await patchbay.link.call('command.output', { ...where, offset, limit: PIECE_BYTES });
    text += decoder.decode(bytesOf(piece.base64), { stream: true });
    if (piece.nextOffset >= piece.totalBytes || piece.nextOffset === offset) return text + decoder.decode();
    offset = piece.nextOffset;
  }
}

/** The whole output of a command, stdout first. Rejects when it is too much for a clipboard. */
export async function outputText(patchbay: Patchbay, command: CommandView): Promise<string> {
  const bytes = command.stdoutBytes + command.stderrBytes;
  if (bytes > MOST_BYTES) {
    throw appError('UNSUPPORTED', {
      message: `This output has ${byteCount(bytes)}, too much for the clipboard`,
      hint: 'Select the part you need in the pane.',
    });
  }
  const stdout = await streamText(patchbay, command, 'stdout');
  const stderr = command.stderrBytes > 0 ? await streamText(patchbay, command, 'stderr') : '';
  return stdout + stderr;
}
