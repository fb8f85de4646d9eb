// Painting: only what is on the screen and wider than half a pixel; runs of narrower frames become one grey sliver.

import type { FlameData } from './data';
import { changeStep, changeText } from './flamediff';
import { theme } from './theme';
import type { Pane, Shown, Tree, View } from './types';

export const OWNERS = ['user', 'dependency', 'std', 'runtime', 'label']; // the order of stacks.Owner
export const LABEL = OWNERS.indexOf('label'); // no code: the value of a label
export const INLINED = '↳ '; // before the name of a frame whose code the compiler put into its caller
export const ROW = 19;
const NARROW = 0.5; // pixels
const PAD = 4;

type Palette = ReturnType<typeof palette>;

// A Brush is what all frames are painted with.
interface Brush {
  ctx: CanvasRenderingContext2D;
  c: Palette;
  glyph: number; // the width of a letter
  view: Shown;
  data: FlameData;
  t: Tree;
}

// palette reads the theme's colours once per drawing.
function palette() {
  return {
    owner: OWNERS.map((o) => theme.color('f-' + o)),
    text: theme.color('f-text'), rest: theme.color('f-rest'), match: theme.color('f-match'),
    mark: theme.color('f-mark'), markText: theme.color('f-mark-text'),
    more: [1, 2, 3].map((n) => theme.color('f-more' + n)), less: [1, 2, 3].map((n) => theme.color('f-less' + n)), none: theme.color('f-none'),
    ground: theme.color('raised'), focus: theme.color('text'), muted: theme.color('muted'),
  };
}

// shortName is a function's name without the path of its package.
export function shortName(name: string) {
  const head = name.search(/[[(]/);
  return name.slice(name.lastIndexOf('/', head < 0 ? name.length : head) + 1);
}

export function isLabel(data: FlameData, fn: number) { return fn >= 0 && data.funcs![fn][2] === LABEL; }

// nameOf is a frame's name where there is little room. The value of a label has no package.
export function nameOf(data: FlameData, fn: number) { return isLabel(data, fn) ? data.funcs![fn][0] : shortName(data.funcs![fn][0]); }

// rows is how many levels the zoomed part has that are wide enough to be drawn.
function rows(t: Tree, zoom: number, scale: number) {
  let deepest = t.depth[zoom];
  for (let i = zoom; i < t.end[zoom];) {
    if (t.total[i] * scale < NARROW) { i = t.end[i]; continue; }
    if (t.depth[i] > deepest) deepest = t.depth[i];
    i++;
  }
  return deepest + 1;
}

// layout sets where the panes begin and returns how many rows there are.
export function layout(panes: Pane[], width: number) {
  const levels = panes.map(({ tree, zoom }) => rows(tree, zoom, tree.total[zoom] > 0 ? width / tree.total[zoom] : 0));
  if (panes.length === 1) {
    const all = Math.max(levels[0], 3);
    panes[0].base = panes[0].dir > 0 ? 0 : (all - 1) * ROW;
    return all;
  }
  const above = levels[1] - 1; // the callers' first level is the function itself, which the callees have too
  for (const p of panes) p.base = above * ROW;
  return Math.max(above + levels[0], 3);
}

// nodeAt finds the frame under a point of the canvas: pane and node, −1 where there is none.
export function nodeAt(panes: Pane[], view: View, px: number, py: number): [pane: number, node: number] {
  const row = Math.floor((py + view.top - panes[0].base) / ROW);
  const k = row < 0 && panes.length > 1 ? 1 : 0;
  const { tree: t, zoom, dir } = panes[k];
  if (row * dir < 0) return [k, -1];
  const level = Math.abs(row);
  if (level < t.depth[zoom]) {
    let a = zoom;
    while (a >= 0 && t.depth[a] > level) a = t.parent[a];
    return [k, a];
  }
  const at = t.x[zoom] + (px / view.width) * t.total[zoom];
  for (let i = zoom; i < t.end[zoom];) {
    if (at < t.x[i] || at >= t.x[i] + t.total[i]) { i = t.end[i]; continue; }
    if (t.depth[i] === level) return [k, i];
    i++;
  }
  return [k, -1];
}

// paint draws a pane: the part of a tree that is zoomed to, from its base in CSS pixels downwards (dir 1) or upwards (dir −1),
// without the levels before from. The view has the size and the scroll position in CSS pixels, and the set of matching
// functions or null; the pane has the node under the pointer and the selected one.
export function paint(ctx: CanvasRenderingContext2D, view: Shown, data: FlameData) {
  const { tree: t, zoom, width, height, top, base, dir, from } = view;
  const c = palette();
  const scale = t.total[zoom] > 0 ? width / t.total[zoom] : 0;
  const painted = new Float64Array(4096).fill(-1); // by level: the last grey pixel
  ctx.font = '11.5px ' + theme.font('mono');
  ctx.textBaseline = 'middle';
  const glyph = ctx.measureText('m').width;
  const brush: Brush = { ctx, c, glyph, view, data, t };
  for (let a = t.parent[zoom]; a >= 0; a = t.parent[a]) {
    frame(brush, a, 0, base + dir * t.depth[a] * ROW - top, width, true);
  }
  for (let i = zoom; i < t.end[zoom];) {
    const y = base + dir * t.depth[i] * ROW - top;
    const w = t.total[i] * scale;
    if ((dir > 0 ? y > height : y < -ROW) || w === 0) { i = t.end[i]; continue; }
    if (t.depth[i] < from) { i++; continue; }
    const x = (t.x[i] - t.x[zoom]) * scale;
    if (w < NARROW) {
      const px = Math.floor(x);
      if (y > -ROW && y < height && painted[t.depth[i]] < px) {
        ctx.fillStyle = c.rest;
        ctx.fillRect(px, y, 1, ROW - 1);
        painted[t.depth[i]] = px;
      }
      i = t.end[i];
      continue;
    }
    if (y > -ROW && y < height) frame(brush, i, x, y, w, false);
    i++;
  }
}

// fill is the colour of a node: of its owner; in a difference, of its change.
function fill(c: Palette, t: Tree, i: number, owner: number) {
  if (!t.change) return owner < 0 ? c.rest : c.owner[owner];
  const step = changeStep(t.change[i]);
  return step > 0 ? c.more[step - 1] : step < 0 ? c.less[-step - 1] : c.none;
}

// frame draws one node: its colour, in three shades so that neighbours differ; a search replaces it and underlines.
function frame({ ctx, c, glyph, view, data, t }: Brush, i: number, x: number, y: number, w: number, above: boolean) {
  const fn = t.fn[i];
  const owner = fn < 0 ? -1 : data.funcs![fn][2];
  const hit = view.match && fn >= 0 && view.match.has(fn);
  const faded = above || (view.match && !hit);
  ctx.globalAlpha = faded ? 0.4 : t.change ? 1 : [1, 0.86, 0.93][fn < 0 ? 0 : fn % 3];
  ctx.fillStyle = hit ? c.match : fill(c, t, i, owner);
  const gap = w > 3 ? 1 : 0;
  ctx.fillRect(x, y, w - gap, ROW - 1);
  if (hit) { // a line below it, for whoever does not see its colour
    ctx.fillStyle = c.text;
    ctx.fillRect(x, y + ROW - 3, w - gap, 2);
  }
  ctx.globalAlpha = above ? 0.75 : 1;
  let left = x + PAD;
  const marks = fn < 0 ? undefined : view.marks.get(fn);
  if (marks) left = marked(ctx, c, marks, x, y, w - gap, glyph);
  const change = t.change ? changeText(t.change[i]) : '';
  const inlined = t.line[i] < 0 ? INLINED : '';
  label(ctx, change + inlined + (fn < 0 ? 'all' : nameOf(data, fn)), c.text, left, y, x + w - PAD, glyph);
  ctx.globalAlpha = 1;
  if (i === view.selected || i === view.hover) {
    ctx.strokeStyle = c.focus;
    ctx.lineWidth = i === view.selected ? 2 : 1;
    ctx.strokeRect(x + 1, y + 1, Math.max(w - gap - 2, 1), ROW - 3);
  }
}

// marked outlines a finding's frame and puts the finding's ID before the name, where it fits.
function marked(ctx: CanvasRenderingContext2D, c: Palette, ids: string[], x: number, y: number, w: number, glyph: number) {
  ctx.fillStyle = c.mark;
  if (w < 5) { // too narrow to have an inside
    ctx.fillRect(x, y, w, ROW - 1);
    return x + PAD;
  }
  ctx.strokeStyle = c.mark;
  ctx.lineWidth = 2;
  ctx.strokeRect(x + 1, y + 1, w - 2, ROW - 3);
  const text = ids.join(' ');
  const tag = text.length * glyph + 8;
  if (tag > w) return x + PAD;
  ctx.fillRect(x, y, tag, ROW - 1);
  ctx.fillStyle = c.markText;
  ctx.fillText(text, x + 4, y + ROW / 2);
  return x + tag + PAD;
}

function label(ctx: CanvasRenderingContext2D, text: string, color: string, left: number, y: number, right: number, glyph: number) {
  const room = Math.floor((right - Math.max(left, 0)) / glyph);
  if (room < 2) return;
  ctx.fillStyle = color;
  ctx.fillText(text.length <= room ? text : text.slice(0, room - 1) + '…', Math.max(left, 0), y + ROW / 2);
}
