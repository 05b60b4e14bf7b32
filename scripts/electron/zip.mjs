// Unpacks chosen files of a zip archive.
import fs from 'node:fs';
import fsp from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import zlib from 'node:zlib';
import { PlainFailure } from '../setup/say.mjs';

const END_SIGNATURE = Buffer.from('PK\x05\x06', 'latin1');
const ENTRY_SIGNATURE = 0x02014b50;
/** The end record is 22 bytes long and may be followed by a comment of 64 KiB. */
const END_MAX_BYTES = 22 + 0xffff;
const CHUNK = 1 << 20;
const DEFLATED = 8;
const LINK_TYPE = 0xa;

/** Unpacks every file for which `nameOf(name in the archive)` gives a name below `folder`. */
export async function extractZip(archive, folder, nameOf) {
  const handle = await fsp.open(archive);
  try {
    for (const entry of await readDirectory(handle)) {
      const name = nameOf(entry.name);
      if (name === undefined || entry.name.endsWith('/') || entry.type === LINK_TYPE) continue;
      await extractEntry({ archive, handle, entry, target: path.join(folder, name) });
    }
  } finally {
    await handle.close();
  }
}

async function extractEntry({ archive, handle, entry, target }) {
  const local = await readAt(handle, entry.offset, 30);
  const start = entry.offset + 30 + local.readUInt16LE(26) + local.readUInt16LE(28);
  await fsp.mkdir(path.dirname(target), { recursive: true });
  if (entry.packed === 0) return fsp.writeFile(target, '');
  const source = fs.createReadStream(archive, { start, end: start + entry.packed - 1, highWaterMark: CHUNK });
  const stages = entry.method === DEFLATED ? [zlib.createInflateRaw({ chunkSize: CHUNK })] : [];
  await pipeline([source, ...stages, fs.createWriteStream(target)]);
  const { size } = await fsp.stat(target);
  if (size !== entry.size) throw new PlainFailure(`${entry.name}: ${size} bytes unpacked, ${entry.size} expected`);
  return undefined;
}

async function readDirectory(handle) {
  const { size } = await handle.stat();
  const tailBytes = Math.min(size, END_MAX_BYTES);
  const tail = await readAt(handle, size - tailBytes, tailBytes);
  const end = tail.lastIndexOf(END_SIGNATURE);
  if (end < 0) throw new PlainFailure('the archive has no directory: it is no zip file or is cut off');
  const directory = await readAt(handle, tail.readUInt32LE(end + 16), tail.readUInt32LE(end + 12));
  const entries = [];
  let at = 0;
  while (at + 46 <= directory.length && directory.readUInt32LE(at) === ENTRY_SIGNATURE) {
    const entry = readEntry(directory, at);
    entries.push(entry);
    at += entry.bytes;
  }
  return entries;
}

function readEntry(directory, at) {
  const nameBytes = directory.readUInt16LE(at + 28);
  return {
    name: directory.toString('utf8', at + 46, at + 46 + nameBytes),
    method: directory.readUInt16LE(at + 10),
    packed: directory.readUInt32LE(at + 20),
    size: directory.readUInt32LE(at + 24),
    offset: directory.readUInt32LE(at + 42),
    type: directory.readUInt32LE(at + 38) >>> 28,
    bytes: 46 + nameBytes + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32),
  };
}

async function readAt(handle, position, bytes) {
  const buffer = Buffer.alloc(bytes);
  const { bytesRead } = await handle.read(buffer, 0, bytes, position);
  if (bytesRead !== bytes) throw new PlainFailure('the archive ends too early');
  return buffer;
}
