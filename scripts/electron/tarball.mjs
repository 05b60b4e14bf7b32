// Takes one file out of a .tgz while checking the hash of the whole.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { pipeline } from 'node:stream/promises';
import zlib from 'node:zlib';
import { PlainFailure } from '../setup/say.mjs';

const BLOCK = 512;
const CHUNK = 1 << 20;

/**
 * Writes `member` of `tarball` to `target`; fails when the tarball's sha512 (base64) is another.
 * @param {{tarball: string, member: string, target: string, sha512: string}} options
 */
export async function extractMember({ tarball, member, target, sha512 }) {
  const hash = createHash('sha512');
  const source = fs.createReadStream(tarball, { highWaterMark: CHUNK });
  source.on('data', (chunk) => hash.update(chunk));
  const found = { any: false };
  await pipeline(
    source,
    zlib.createGunzip({ chunkSize: CHUNK }),
    (chunks) => memberBytes(chunks, member, found),
    fs.createWriteStream(target),
  );
  const actual = hash.digest('base64');
  if (actual !== sha512) throw new PlainFailure(`${tarball}: its sha512 is ${actual}, expected ${sha512}`);
  if (!found.any) throw new PlainFailure(`${tarball} does not hold ${member}`);
}

/** Yields the bytes of one member of a tar stream, reading the rest to its end. */
async function* memberBytes(chunks, member, found) {
  let state = { header: Buffer.alloc(0), left: 0, padding: 0, wanted: false };
  for await (const chunk of chunks) {
    let rest = chunk;
    while (rest.length > 0) {
      const step = advance(state, rest, member);
      if (step.bytes !== undefined) yield step.bytes;
      found.any ||= step.state.wanted;
      state = step.state;
      rest = rest.subarray(step.used);
    }
  }
}

/** One step through a tar stream: a piece of content, of padding, or of a header. */
function advance(state, rest, member) {
  if (state.left > 0) {
    const used = Math.min(state.left, rest.length);
    const bytes = state.wanted ? rest.subarray(0, used) : undefined;
    return { used, bytes, state: { ...state, left: state.left - used } };
  }
  if (state.padding > 0) {
    const used = Math.min(state.padding, rest.length);
    return { used, state: { ...state, padding: state.padding - used, wanted: false } };
  }
  const used = Math.min(BLOCK - state.header.length, rest.length);
  const header = Buffer.concat([state.header, rest.subarray(0, used)]);
  if (header.length < BLOCK) return { used, state: { ...state, header, wanted: false } };
  return { used, state: { header: Buffer.alloc(0), ...readHeader(header, member) } };
}

function readHeader(header, member) {
  const name = header.toString('utf8', 0, 100).replace(/\0.*$/s, '');
  const size = Number.parseInt(header.toString('latin1', 124, 136), 8) || 0;
  return { left: size, padding: (BLOCK - (size % BLOCK)) % BLOCK, wanted: name === member };
}
