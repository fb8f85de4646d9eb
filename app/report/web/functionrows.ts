// The numbers of the table of functions: what each function holds itself (flat) and with what it calls (cum), in the
// page's unit. Of a difference each has its change. A row's path are the functions from the one at the top of the table.

import { callees, functionTotals } from './flamemerge';
import { percent, quantity } from './format';
import type { Column, Row, SortKey, Tree } from './types';

// inEither says whether a frame holds anything, of a difference on either side.
export function inEither(t: Tree, i: number) { return t.sides ? t.sides.some((s) => s[i] > 0) : t.total[i] > 0; }

// calling is the set of functions that call others.
function calling(t: Tree) {
  const out = new Set<number>();
  for (let i = 1; i < t.n; i++) if (t.parent[i] > 0 && inEither(t, i)) out.add(t.fn[t.parent[i]]);
  return out;
}

// functionRows are all functions.
export function functionRows(t: Tree) {
  const { types } = t.graph;
  const side = (k: number) => {
    const { self, total } = functionTotals(t.sides ? { ...t, self: t.graph.self[k], total: t.sides[k] } : t);
    const scale = t.sides ? types[k].scale : t.type.scale;
    return { flat: self.map((v) => v * scale), cum: total.map((v) => v * scale) };
  };
  const calls = calling(t);
  const now = side(0);
  const base = t.sides ? side(1) : null;
  const rows: Row[] = [];
  now.cum.forEach((cum, fn) => {
    const row: Row = { fn, path: [fn], calls: calls.has(fn), flat: now.flat[fn], cum };
    if (base) Object.assign(row, { flatChange: row.flat - base.flat[fn], cumChange: cum - base.cum[fn] });
    if (cum > 0 || base && base.cum[fn] > 0) rows.push(row);
  });
  return rows;
}

// calleesIn are the nodes below a node of a folded tree that hold anything.
function calleesIn(t: Tree, node: number) {
  const out: number[] = [];
  for (let i = node + 1; i < t.end[node]; i = t.end[i]) if (inEither(t, i)) out.push(i);
  return out;
}

// calleeRows are what a row's function calls on its path. The row of a function has no folded tree yet.
export function calleeRows(t: Tree, row: Row) {
  const tree = row.tree ?? callees(t, row.fn);
  const { types } = tree.graph;
  return calleesIn(tree, row.node ?? 0).map((node): Row => {
    const side = (k: number) => ({ flat: tree.selves![k][node] * types[k].scale, cum: tree.sides![k][node] * types[k].scale });
    const at = tree.sides ? side(0) : { flat: tree.self[node] * tree.type.scale, cum: tree.total[node] * tree.type.scale };
    if (tree.sides) {
      const was = side(1);
      Object.assign(at, { flatChange: at.flat - was.flat, cumChange: at.cum - was.cum });
    }
    const fn = tree.fn[node];
    return { ...at, fn, path: [...row.path, fn], tree, node, calls: calleesIn(tree, node).length > 0 };
  });
}

// sortedRows puts the largest first; of a difference the largest change, in either direction.
export function sortedRows(rows: Row[], by: SortKey) {
  const other = by === 'flat' ? 'cum' : 'flat';
  const weight = (r: Row, name: SortKey) => Math.abs(r[`${name}Change`] ?? r[name]);
  return rows.sort((a, b) => weight(b, by) - weight(a, by) || weight(b, other) - weight(a, other) || a.fn - b.fn);
}

function signedQuantity(v: number, unit: string) { return v === 0 ? '0' : (v > 0 ? '+' : '') + quantity(v, unit); }

// rowColumns are the columns behind the name: what sorts by it, its heading, and the text of a row.
export function rowColumns(t: Tree): Column[] {
  const { unit } = t.sides ? t.graph.types[0] : t.type;
  const whole = (t.whole ?? t.total[0]) * t.type.scale;
  return (['flat', 'cum'] as const).flatMap((key): Column[] => [
    [key, key === 'flat' ? 'Flat' : 'Cum', (r) => quantity(r[key], unit)],
    t.sides ? ['', 'change', (r) => signedQuantity(r[`${key}Change`]!, unit)]
      : ['', 'share', (r) => percent(whole ? r[key] / whole : 0)],
  ]);
}
