// Amounts of bytes in words.

const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const;

/** `1 byte`, `512 bytes`, `4.2 kB`, `418 MB`: decimal units, two figures below ten. */
export function byteCount(bytes: number): string {
  if (bytes === 1) return '1 byte';
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1000;
    unit += 1;
  }
  const digits = unit > 0 && value < 9.95 ? 1 : 0;
  return `${value.toFixed(digits)} ${UNITS[unit] ?? 'bytes'}`;
}
