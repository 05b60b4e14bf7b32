// Sets the fuses of an Electron binary back to Electron's defaults.
import fsp from 'node:fs/promises';
import { PlainFailure } from '../setup/say.mjs';

/** Stands before the fuse wire in every Electron binary; then come its version, its length and one byte a fuse. */
const SENTINEL = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';
const WIRE_VERSION = 1;
const ON = 0x31;
const OFF = 0x30;

/** In the order of the wire. */
const DEFAULTS = [
  { name: 'runAsNode', on: true },
  { name: 'cookieEncryption', on: false },
  { name: 'nodeOptions', on: true },
  { name: 'nodeCliInspect', on: true },
  { name: 'embeddedAsarIntegrityValidation', on: false },
  { name: 'onlyLoadAppFromAsar', on: false },
  { name: 'loadBrowserProcessSpecificV8Snapshot', on: false },
  { name: 'grantFileProtocolExtraPrivileges', on: true },
];

/** The fuses of a binary by name; one that the binary does not have is left out. */
export async function readFuses(executable) {
  const { wire } = await findWire(executable);
  return Object.fromEntries(
    DEFAULTS.flatMap(({ name }, index) => (isFuse(wire[index]) ? [[name, wire[index] === ON]] : [])),
  );
}

/** Writes Electron's defaults into a binary; a fuse that was removed from it stays so. */
export async function resetFuses(executable) {
  const { wire, offset } = await findWire(executable);
  const bytes = Buffer.from(wire);
  for (const [index, { on }] of DEFAULTS.entries()) {
    if (isFuse(bytes[index])) bytes[index] = on ? ON : OFF;
  }
  const handle = await fsp.open(executable, 'r+');
  try {
    await handle.write(bytes, 0, bytes.length, offset);
  } finally {
    await handle.close();
  }
}

async function findWire(executable) {
  const binary = await fsp.readFile(executable);
  const at = binary.indexOf(SENTINEL);
  if (at < 0 || binary.indexOf(SENTINEL, at + 1) >= 0)
    throw new PlainFailure(`${executable} does not have one fuse wire`);
  const start = at + SENTINEL.length;
  if (binary[start] !== WIRE_VERSION) throw new PlainFailure(`${executable}: unknown version of the fuse wire`);
  const offset = start + 2;
  return { wire: binary.subarray(offset, offset + binary[start + 1]), offset };
}

const isFuse = (byte) => byte === ON || byte === OFF;
