// Packs a few small files into an asar archive, Electron's own format.

/**
 * An archive is a header as a pickle (three lengths and JSON, padded to four bytes) and the files one after another.
 * @param {Record<string, string>} files text by name
 */
export function packAsar(files) {
  const bodies = Object.values(files).map((text) => Buffer.from(text));
  const json = Buffer.from(JSON.stringify({ files: describe(Object.keys(files), bodies) }));
  const padded = (json.length + 3) & ~3;
  const head = Buffer.alloc(16 + padded);
  for (const [index, value] of [4, padded + 8, padded + 4, json.length].entries()) head.writeUInt32LE(value, index * 4);
  json.copy(head, 16);
  return Buffer.concat([head, ...bodies]);
}

function describe(names, bodies) {
  let offset = 0;
  return Object.fromEntries(
    names.map((name, index) => {
      const size = bodies[index].length;
      const entry = { size, offset: String(offset) };
      offset += size;
      return [name, entry];
    }),
  );
}
