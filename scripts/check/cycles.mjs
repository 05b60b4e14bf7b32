// Finds cycles in a directed graph.

/**
 * One cycle for every group of nodes that reach each other.
 * @param {Map<string, string[]>} edges
 * @returns {string[][]} each cycle's nodes in order
 */
export function findCycles(edges) {
  const done = new Set();
  const cycles = [];
  for (const start of edges.keys()) visit(start, { edges, done, cycles, path: [], onPath: new Set() });
  return cycles;
}

function visit(node, walk) {
  if (walk.onPath.has(node)) {
    walk.cycles.push(walk.path.slice(walk.path.indexOf(node)));
    return;
  }
  if (walk.done.has(node) || !walk.edges.has(node)) return;
  walk.path.push(node);
  walk.onPath.add(node);
  for (const next of walk.edges.get(node)) visit(next, walk);
  walk.onPath.delete(node);
  walk.path.pop();
  walk.done.add(node);
}
