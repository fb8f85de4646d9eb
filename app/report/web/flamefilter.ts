// What a reader asks for by words: the functions that match, and the part of a profile that has them.

import type { FlameData } from './data';
import { makeTree } from './flametree';
import type { Filter, Graph, Tree } from './types';

// matching is the set of functions whose name or file has one of the words, which are between bars; null without any.
export function matching(data: FlameData, text: string) {
  const words = text.toLowerCase().split('|').map((w) => w.trim()).filter(Boolean);
  if (!words.length) return null;
  const has = (s: string) => words.some((w) => s.includes(w));
  const files = (data.files ?? []).map((f) => has(f.toLowerCase()));
  const out = new Set<number>();
  data.funcs!.forEach(([name, f], i) => { if (has(name.toLowerCase()) || files[f]) out.add(i); });
  return out;
}

// atOrBelow marks the frames that match or have a frame that does above them.
function atOrBelow(t: Tree, match: Set<number>) {
  const out = new Uint8Array(t.n);
  for (let i = 1; i < t.n; i++) out[i] = out[t.parent[i]] || match.has(t.fn[i]) ? 1 : 0;
  return out;
}

// filterTree is the part of a profile that a reader asks for, as go tool pprof's options of these names: focus keeps
// the stacks with a frame that matches, ignore drops those; from begins each stack at its outermost frame that matches,
// and drops stacks without one. Each is a set of functions or null. What the page left out below a frame goes with it.
export function filterTree(t: Tree, { focus, ignore, from }: Filter) {
  const [within, without, begun] = [focus, ignore, from].map((match) => match && atOrBelow(t, match));
  const stays = (i: number) => (!within || within[i]) && !(without && without[i]) && (!begun || begun[i]);
  const sum = (column: number[], k: number) => column.reduce((a, b) => a + b, 0) + t.graph.cut[k].reduce((a, [, v]) => a + v, 0);
  const graph: Graph = {
    ...t.graph, wholes: t.graph.self.map(sum),
    lines: { fn: [], line: [], self: [], total: [] }, // those of the page are of all stacks
    self: t.graph.self.map((column) => column.map((v, i) => (stays(i) ? v : 0))),
    cut: t.graph.cut.map((pairs) => pairs.filter(([i]) => stays(i))),
  };
  return makeTree(begun ? cropped(t, graph, begun) : graph, t.funcs);
}

// A Cropped is a node of what is left; the root has no function.
interface Cropped { fn?: number; line?: number; depth: number; children: Map<number, number> }

type Cut = [node: number, value: number];

// cropped folds what is left below the frames that stacks begin at, by function.
function cropped(t: Tree, graph: Graph, begun: Uint8Array) {
  const nodes: Cropped[] = [{ depth: 0, children: new Map() }];
  const at = new Int32Array(t.n); // where each frame went
  for (let i = 1; i < t.n; i++) {
    if (!begun[i]) continue;
    const above: Cropped = nodes[at[t.parent[i]]];
    if (!above.children.has(t.fn[i])) {
      above.children.set(t.fn[i], nodes.length);
      nodes.push({ fn: t.fn[i], line: t.line[i], depth: above.depth + 1, children: new Map() });
    }
    at[i] = above.children.get(t.fn[i])!;
  }
  const moved = (column: number[]) => {
    const out = new Array<number>(nodes.length).fill(0);
    column.forEach((v, i) => { out[at[i]] += v; });
    return out;
  };
  const cut = graph.cut.map((pairs) => pairs.map(([i, v]): Cut => [at[i], v]));
  return inPreorder({ ...graph, self: graph.self.map(moved), cut }, nodes);
}

// inPreorder numbers nodes anew, as a graph has them: each above what it calls, the heaviest first.
function inPreorder(graph: Graph, nodes: Cropped[]): Graph {
  const total = [...graph.self[graph.default]];
  for (const [i, v] of graph.cut[graph.default]) total[i] += v;
  for (let i = nodes.length - 1; i >= 0; i--) for (const c of nodes[i].children.values()) total[i] += total[c];
  const order: number[] = [];
  const stack = [0];
  while (stack.length) {
    const i = stack.pop()!;
    order.push(i);
    for (const c of [...nodes[i].children.values()].sort((a, b) => total[a] - total[b])) stack.push(c);
  }
  const place = new Int32Array(nodes.length);
  order.forEach((i, to) => { place[i] = to; });
  const rest = order.slice(1);
  return {
    ...graph, fn: rest.map((i) => nodes[i].fn!), line: rest.map((i) => nodes[i].line!),
    up: rest.map((i, k) => nodes[order[k]].depth + 1 - nodes[i].depth),
    self: graph.self.map((column) => order.map((i) => column[i])),
    cut: graph.cut.map((pairs) => pairs.map(([i, v]): Cut => [place[i], v])),
  };
}

// pathHashes names each frame by the functions from the root to it, in 32 bits: short enough for an address, and the
// same for the same profile whatever else the page has.
export function pathHashes(t: Tree, data: FlameData) {
  if (t.hashes) return t.hashes;
  const names = nameHashes(data);
  t.hashes = new Uint32Array(t.n);
  for (let i = 1; i < t.n; i++) t.hashes[i] = stepHash(t.hashes[t.parent[i]], names[t.fn[i]], t.depth[i]);
  return t.hashes;
}

export function nameHashes(data: FlameData & { hashes?: number[] }) {
  data.hashes ??= data.funcs!.map(([name]) => {
    let h = 0x811c9dc5; // FNV-1a
    for (let i = 0; i < name.length; i++) h = Math.imul(h ^ name.charCodeAt(i), 0x01000193);
    return h;
  });
  return data.hashes;
}

// stepHash is the hash of a path that is longer by one function than that of above.
export function stepHash(above: number, name: number, depth: number) { return Math.imul(above ^ (above >>> 15) ^ name, 0x2c1b3c6d) + depth; }

// nodeOf is the frame with a hash; the root if there is none.
export function nodeOf(t: Tree, data: FlameData, hash: number) {
  return hash ? Math.max(pathHashes(t, data).indexOf(hash), 0) : 0;
}
