// Temporary stand-in.
import type { ByteStream } from '../core/sessions/port.ts';
export function cleanForModel(bytes: Buffer): { text: string; lossy: boolean } {
  const text = bytes.toString('utf8');
  return { text, lossy: text.includes('\uFFFD') };
}
export async function inlineOutput(o: { stdout: ByteStream; stderr: ByteStream; maxChars: number }) {
  const out = cleanForModel(await o.stdout.read(0, o.maxChars / 2));
  const err = cleanForModel(await o.stderr.read(0, o.maxChars / 2));
  const [stdoutBytes, stderrBytes] = [o.stdout.length, o.stderr.length];
  return {
    stdout: out.text,
    stderr: err.text,
    stdoutBytes,
    stderrBytes,
    truncated: stdoutBytes + stderrBytes > o.maxChars,
    lossy: out.lossy || err.lossy,
  };
}
