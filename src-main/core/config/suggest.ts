// Finds the known name that somebody meant when they misspelt it.

/** The nearest of `names`, or undefined when none is near: at most a third of the letters may differ. */
export function suggest(given: string, names: readonly string[]): string | undefined {
  const wanted = normal(given);
  const rated = names.map((name) => ({ name, distance: editDistance(wanted, normal(name)) }));
  const best = rated.toSorted((a, b) => a.distance - b.distance)[0];
  return best !== undefined && best.distance <= Math.ceil(best.name.length / 3) ? best.name : undefined;
}

/** Case, hyphens and underscores are what people confuse most; they count for nothing. */
function normal(name: string): string {
  return name.toUpperCase().replaceAll(/[-_. ]/g, '');
}

/** Letters to insert, delete or replace (Levenshtein). */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
