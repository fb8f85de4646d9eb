// A sandwich: of all frames of one function, what calls it and what it calls, each folded into one tree. Both are trees
// as flametree.js makes them, so that they are painted and walked alike. Of a recursive function the outermost frame
// counts, or a stack would count twice.

import { measureChange } from './flamediff';
import { closeSubtrees } from './flametree';
import { inEither } from './functionrows';
import type { Counted, Nodes, Tree } from './types';

// outermost lists the frames of a function that no other frame of it is above.
export function outermost(t: Tree, fn: number) {
  const out: number[] = [];
  for (let i = 1; i < t.n;) {
    if (t.fn[i] !== fn) { i++; continue; }
    if (inEither(t, i)) out.push(i);
    i = t.end[i];
  }
  return out;
}

// folder collects nodes by parent and function. Node 0 is the function itself.
function folder(t: Tree, fn: number) {
  const columns = t.sides ?? [];
  const nodes: Nodes = { parent: [-1], fn: [fn], self: [0], total: [0], line: [0], most: [0],
    sides: columns.map(() => [0]), selves: columns.map(() => [0]) };
  const known = new Map<number, number>();
  const width = t.funcs;
  function step(parent: number, f: number) {
    const key = parent * width + f;
    let at = known.get(key);
    if (at === undefined) {
      at = nodes.fn.length;
      known.set(key, at);
      nodes.parent.push(parent);
      nodes.fn.push(f);
      nodes.self.push(0);
      nodes.total.push(0);
      nodes.line.push(0);
      nodes.most.push(0);
      for (const s of [...nodes.sides, ...nodes.selves]) s.push(0);
    }
    return at;
  }
  function add(at: number, i: number, node = i) {
    nodes.total[at] += t.total[i];
    if (t.total[node] > nodes.most[at]) { // its line is that of the heaviest frame
      nodes.most[at] = t.total[node];
      nodes.line[at] = t.line[node];
    }
    nodes.sides.forEach((s, k) => { s[at] += columns[k][i]; });
  }
  return { nodes, step, add };
}

// callees folds what a function calls.
export function callees(t: Tree, fn: number) {
  const { nodes, step, add } = folder(t, fn);
  const path = [0]; // folded nodes by depth below the function
  for (const i of outermost(t, fn)) {
    for (let j = i; j < t.end[i]; j++) {
      const d = t.depth[j] - t.depth[i];
      if (d > 0) path[d] = step(path[d - 1], t.fn[j]);
      add(path[d], j);
      nodes.self[path[d]] += t.self[j];
      nodes.selves.forEach((s, k) => { s[path[d]] += t.graph.self[k][j]; });
    }
  }
  return settled(t, nodes);
}

// callers folds what calls a function: of each frame the path to the root, with what the frame holds.
export function callers(t: Tree, fn: number) {
  const { nodes, step, add } = folder(t, fn);
  for (const i of outermost(t, fn)) {
    let at = 0;
    add(0, i);
    for (let a = t.parent[i]; a > 0; a = t.parent[a]) {
      at = step(at, t.fn[a]);
      add(at, i, a);
    }
  }
  return settled(t, nodes);
}

// settled puts folded nodes into preorder, the heaviest sibling first.
function settled(base: Tree, nodes: Nodes) {
  const n = nodes.fn.length;
  const children = Array.from({ length: n }, (): number[] => []);
  for (let i = 1; i < n; i++) children[nodes.parent[i]].push(i);
  const t: Tree = {
    n, graph: base.graph, type: base.type, whole: base.whole ?? base.total[0], funcs: base.funcs,
    fn: new Int32Array(n), line: new Int32Array(n), depth: new Int32Array(n), parent: new Int32Array(n), end: new Int32Array(n),
    self: new Float64Array(n), total: new Float64Array(n), x: new Float64Array(n),
  };
  if (base.sides) {
    t.sides = base.sides.map(() => new Float64Array(n));
    t.selves = base.sides.map(() => new Float64Array(n)); // what a frame holds itself, of each side
    t.wholes = base.wholes;
  }
  const stack = [[0, -1, 0, 0]]; // folded node, parent and depth in t, where it begins
  let next = 0;
  while (stack.length) {
    const [from, parent, depth, x] = stack.pop()!;
    const at = next++;
    t.fn[at] = nodes.fn[from];
    t.parent[at] = parent;
    t.depth[at] = depth;
    t.x[at] = x;
    t.self[at] = nodes.self[from];
    t.total[at] = nodes.total[from];
    t.line[at] = nodes.line[from];
    t.sides?.forEach((s, k) => { s[at] = nodes.sides[k][from]; });
    t.selves?.forEach((s, k) => { s[at] = nodes.selves[k][from]; });
    const kids = children[from].sort((a, b) => nodes.total[b] - nodes.total[a] || nodes.fn[a] - nodes.fn[b]);
    let end = x;
    for (const k of kids) end += nodes.total[k];
    for (const k of kids.reverse()) { // the heaviest is pushed last and comes first
      end -= nodes.total[k];
      stack.push([k, at, depth + 1, end]);
    }
  }
  closeSubtrees(t);
  if (t.sides) measureChange(t);
  return t;
}

// functionTotals is what each function holds itself and with what it calls, a stack once.
export function functionTotals(t: Counted) {
  const self = new Float64Array(t.funcs);
  const total = new Float64Array(t.funcs);
  const above = new Int32Array(t.funcs); // how often a function is on the path
  const path: number[] = [];
  for (let i = 1; i < t.n; i++) {
    while (path.length >= t.depth[i]) above[path.pop()!]--;
    const fn = t.fn[i];
    self[fn] += t.self[i];
    if (above[fn] === 0) total[fn] += t.total[i];
    above[fn]++;
    path.push(fn);
  }
  return { self, total };
}

// heaviestOf is the function with the largest value above 0, of a set or of all; −1 without one.
export function heaviestOf(values: Float64Array, of: Iterable<number> = values.keys()) {
  let best = -1;
  for (const fn of of) if (values[fn] > (best < 0 ? 0 : values[best])) best = fn;
  return best;
}
