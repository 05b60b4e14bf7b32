// Medians and the table of ratios.

/** One measured row: a ratio, its bar, and what stands behind it. */
export interface Row {
  readonly name: string;
  /** Ours divided by theirs, or another plain number where `unit` says so. */
  readonly value: number;
  readonly bar: number;
  /** `max`: the value may not be larger than the bar; `min`: not smaller. */
  readonly kind: 'max' | 'min';
  readonly unit: string;
  /** The measured times or sizes, in words. */
  readonly detail: string;
}

/** The middle value; the mean of the middle two for an even count. */
export function median(values: readonly number[]): number {
  if (values.length === 0) throw new Error('no values');
  const sorted = [...values].sort((left, right) => left - right);
  const upper = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? upper;
  return (upper + lower) / 2;
}

/** Milliseconds that `work` takes. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = process.hrtime.bigint();
  await work();
  return Number(process.hrtime.bigint() - start) / 1e6;
}

/** Blocks of each that do not count: an app that has run for a minute is what people use, not one that compiles itself. */
const WARM_UP_BLOCKS = 10;

/** Two things to compare. */
export interface Pair {
  readonly ours: () => Promise<unknown>;
  readonly theirs: () => Promise<unknown>;
}

/**
 * Milliseconds of each, measured in blocks that take turns, after some of each to warm up. Single runs in turns
 * would measure each other: the host is still clearing away one's process while the other runs.
 */
export async function inTurns(pair: Pair, blocks: number, size: number): Promise<{ ours: number[]; theirs: number[] }> {
  const ours: number[] = [];
  const theirs: number[] = [];
  for (let block = -WARM_UP_BLOCKS; block < blocks; block += 1) {
    const [ourTimes, theirTimes] = [await timesOf(pair.ours, size), await timesOf(pair.theirs, size)];
    if (block < 0) continue;
    ours.push(...ourTimes);
    theirs.push(...theirTimes);
  }
  return { ours, theirs };
}

async function timesOf(work: () => Promise<unknown>, size: number): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < size; round += 1) times.push(await timed(work));
  return times;
}

/** True when the row meets its bar. */
export function meets(row: Row): boolean {
  return row.kind === 'max' ? row.value <= row.bar : row.value >= row.bar;
}

/** The row as one line. */
export function rowLine(row: Row): string {
  const sign = row.kind === 'max' ? '<=' : '>=';
  const verdict = meets(row) ? 'met   ' : 'MISSED';
  return `${verdict}  ${row.name}: ${row.value.toFixed(2)}${row.unit} (bar ${sign} ${row.bar}${row.unit})  ${row.detail}`;
}
