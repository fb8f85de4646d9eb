// A profile's tree as typed arrays in preorder. The subtree of node i is i … end[i]−1, so a search or a drawing that is
// done with a node goes on at end[i]; nothing here recurses or makes objects per node.

import { measureDiff } from './flamediff';
import type { Graph, Tree } from './types';

export function makeTree(graph: Graph, funcs: number): Tree {
  const n = (graph.fn ?? []).length + 1;
  const t = {
    n, graph, funcs,
    fn: new Int32Array(n), line: new Int32Array(n), depth: new Int32Array(n),
    parent: new Int32Array(n), end: new Int32Array(n),
    self: new Float64Array(n), total: new Float64Array(n), x: new Float64Array(n),
  } as Tree;
  t.fn[0] = -1;
  t.parent[0] = -1;
  for (let i = 1; i < n; i++) {
    t.fn[i] = graph.fn![i - 1];
    t.line[i] = graph.line![i - 1];
    let p = i - 1;
    for (let up = graph.up![i - 1]; up > 0; up--) p = t.parent[p];
    t.parent[i] = p;
    t.depth[i] = t.depth[p] + 1;
  }
  closeSubtrees(t);
  return t;
}

// closeSubtrees fills in where each subtree ends.
export function closeSubtrees(t: Tree) {
  for (let i = t.n - 1; i >= 0; i--) {
    t.end[i] = Math.max(t.end[i], i + 1);
    if (i > 0) t.end[t.parent[i]] = Math.max(t.end[t.parent[i]], t.end[i]);
  }
}

// measure fills in the values of one sample type: what a node holds itself, with everything below it, and where it
// begins. All are in the integers of the column.
export function measure(t: Tree, k: number) {
  const { self, total, x, parent, n } = t;
  self.set(t.graph.self[k]);
  total.set(t.graph.self[k]);
  for (const [i, v] of t.graph.cut[k]) total[i] += v;
  for (let i = n - 1; i > 0; i--) total[parent[i]] += total[i];
  const next = new Float64Array(n); // where the next child of a node begins
  for (let i = 1; i < n; i++) {
    const p = parent[i];
    x[i] = x[p] + next[p];
    next[p] += total[i];
  }
  t.type = t.graph.types[k];
  t.whole = t.graph.wholes?.[k]; // of a part of a profile: what shares are of
  if (t.graph.diff && !t.change) measureDiff(t);
}

// matched sums what the frames that satisfy test hold, a stack once.
export function matched(t: Tree, test: (fn: number) => boolean) {
  let frames = 0;
  let sum = 0;
  let covered = 0; // up to here a frame above has been counted
  for (let i = 1; i < t.n; i++) {
    if (!test(t.fn[i])) continue;
    if (t.total[i] > 0) frames++;
    if (i >= covered) { sum += t.total[i]; covered = t.end[i]; }
  }
  return { frames, sum };
}

// heaviest is the node with the most among those of the last function of a path that the others call one another to,
// or −1.
export function heaviest(t: Tree, path: number[]) {
  const last = path.length - 1;
  let best = -1;
  for (let i = 1; i < t.n; i++) {
    if (t.fn[i] !== path[last] || best >= 0 && t.total[i] <= t.total[best]) continue;
    let k = last;
    for (let a = t.parent[i]; k > 0 && a > 0 && t.fn[a] === path[k - 1]; a = t.parent[a]) k--;
    if (k === 0) best = i;
  }
  return best;
}

// sibling is the next drawn node before or behind i under the same parent, or i.
export function sibling(t: Tree, i: number, step: number) {
  const p = t.parent[i];
  if (p < 0) return i;
  let last = i;
  let found = false;
  for (let c = p + 1; c < t.end[p]; c = t.end[c]) {
    if (t.total[c] === 0) continue;
    if (step > 0 && found) return c;
    if (c === i) { if (step < 0) return last; found = true; }
    last = c;
  }
  return i;
}

// child is the heaviest node called by i, or i.
export function child(t: Tree, i: number) {
  let best = i;
  for (let c = i + 1; c < t.end[i]; c = t.end[c]) {
    if (t.total[c] > 0 && (best === i || t.total[c] > t.total[best])) best = c;
  }
  return best;
}
