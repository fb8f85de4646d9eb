// The difference of two profiles: one tree with a column for each side, after (0) and before (1). Width is the column
// that is selected; colour and sign are the change.

import { legendEntry } from './flametext';
import { percent, quantity } from './format';
import type { Tree } from './types';

const CHANGE_STEPS = [0, 0.01, 0.05]; // shares of the whole before, from which a change has a stronger colour

// measureDiff sums both columns, whichever is shown. All values are in the page's unit.
export function measureDiff(t: Tree) {
  const sum = (k: number) => {
    const total = Float64Array.from(t.graph.self[k]);
    for (const [i, v] of t.graph.cut[k]) total[i] += v;
    for (let i = t.n - 1; i > 0; i--) total[t.parent[i]] += total[i];
    return total;
  };
  t.sides = [sum(0), sum(1)];
  t.wholes = t.graph.wholes ?? [t.sides[0][0], t.sides[1][0]];
  measureChange(t);
}

// measureChange fills in the change of each node, 0 where it is within sampling error or noise.
export function measureChange(t: Tree) {
  t.change = new Float64Array(t.n);
  const [sides, wholes] = [t.sides!, t.wholes!];
  const { diff, types } = t.graph;
  const whole = wholes[1] * types[1].scale;
  for (let i = 0; i < t.n; i++) {
    const d = sides[0][i] * types[0].scale - sides[1][i] * types[1].scale;
    let variance = 0;
    for (const k of [0, 1]) {
      variance += diff!.sample[k] * sides[k][i] * (1 - sides[k][i] / wholes[k]) * types[k].scale ** 2; // as in diff.go
    }
    if (Math.abs(d) > Math.max(2 * Math.sqrt(Math.max(variance, 0)), diff!.noise * whole)) t.change[i] = d / whole;
  }
}

// changeStep is 0 for no change, else 1–3 with the sign of the change.
export function changeStep(change: number) {
  let step = 0;
  for (const from of CHANGE_STEPS) if (Math.abs(change) > from) step++;
  return Math.sign(change) * step;
}

function signedPercent(share: number) { return (share > 0 ? '+' : '−') + percent(Math.abs(share)); }

// changeText stands before a frame's name, so that no colour is needed to see the direction.
export function changeText(change: number) { return change === 0 ? '' : (change > 0 ? '▲' : '▼') + percent(Math.abs(change)).replace('\u00a0', '') + ' '; }

// describeDiff is a frame's two sides in lines of text.
export function describeDiff(t: Tree, i: number) {
  const { types } = t.graph;
  const before = t.sides![1][i] * types[1].scale;
  const after = t.sides![0][i] * types[0].scale;
  const unit = types[0].unit;
  const d = after - before;
  const whole = t.wholes![1] * types[1].scale;
  return [
    quantity(before, unit) + ' ' + types[1].name + ', ' + quantity(after, unit) + ' ' + types[0].name,
    t.change![i] === 0
      ? 'no change beyond sampling error and noise'
      : (d > 0 ? '+' : '') + quantity(d, unit) + ', ' + signedPercent(d / whole) + ' of total ' + types[1].name,
  ];
}

// diffLegend names the colours.
export function diffLegend() {
  const names = ['below 1 %', '1 to 5 %', 'above 5 %'];
  return [
    ...names.map((n, k) => legendEntry('more' + (k + 1), '▲ more, ' + n)),
    ...names.map((n, k) => legendEntry('less' + (k + 1), '▼ less, ' + n)),
    legendEntry('none', 'no change beyond sampling error and noise'),
  ];
}
