// Numbers and bytes that can be had again by their seed, so that a failed random test can be repeated.

/** A seed of this run: PATCHBAY_SEED, or a new one. Put it into messages. */
export const runSeed = Number(process.env['PATCHBAY_SEED'] ?? Date.now() % 1_000_000_007);

/** Whole numbers from 0 to below; the same row for the same seed (mulberry32). */
export function numbers(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}
