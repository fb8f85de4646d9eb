// What the flame graph says of its frames: the tip, the status line, the legend and the list of marks. Everything that
// comes from a profile becomes text, never markup.

import type { FlameData } from './data';
import { describeDiff, diffLegend } from './flamediff';
import { INLINED, isLabel, nameOf, OWNERS, shortName } from './flamepaint';
import { matched } from './flametree';
import { count, percent, quantity } from './format';
import type { Shown, Tree, View } from './types';

export interface OfTree { tree: Tree }

// A Description is what is said of a frame.
interface Description { lines: string[]; findings: string[] }

export function funcName({ tree: t }: OfTree, data: FlameData, i: number) { return t.fn[i] < 0 ? 'all' : data.funcs![t.fn[i]][0]; }

function place({ tree: t }: OfTree, data: FlameData, i: number) {
  const file = t.fn[i] < 0 ? -1 : data.funcs![t.fn[i]][1];
  return file < 0 ? '' : data.files![file] + (t.line[i] ? ':' + Math.abs(t.line[i]) : '');
}

export function amount({ tree: t }: OfTree, v: number) { return quantity(v * t.type.scale, t.type.unit); }

export function shareOf({ tree: t }: OfTree, v: number) {
  const whole = t.whole ?? t.total[0];
  return percent(whole ? v / whole : 0);
}

// sourceOf is the address of a line of a function's file; '' where the page knows none. See encode.go.
export function sourceOf(data: FlameData, fn: number, line: number) {
  const [folder, rest] = data.links?.[data.funcs![fn]?.[1]] ?? [-1, ''];
  return folder < 0 ? '' : data.folders![folder] + rest.replace('{}', String(Math.max(line, 1)));
}

export function sourceLink(address: string, text: string) {
  const a = document.createElement('a');
  a.href = address;
  a.rel = 'noopener noreferrer';
  a.textContent = text;
  return a;
}

export const WHOSE: Record<string, string> = { user: 'your code', dependency: 'a dependency', std: 'the standard library', runtime: 'the runtime', label: 'the value of a label' };

// origin is whose code a frame is, which its colour says too, and its place.
function origin(view: OfTree, data: FlameData, i: number) {
  const fn = view.tree.fn[i];
  const how = view.tree.line[i] < 0 ? 'inlined' : '';
  return fn < 0 ? '' : [WHOSE[OWNERS[data.funcs![fn][2]]], place(view, data, i), how].filter(Boolean).join(' · ');
}

// describe is a frame in lines of text, and the findings that mark it.
export function describe(view: OfTree, data: FlameData, i: number): Description {
  const t = view.tree;
  const lines = t.change ? [funcName(view, data, i), origin(view, data, i), ...describeDiff(t, i)] : [
    funcName(view, data, i), origin(view, data, i),
    amount(view, t.total[i]) + ' total, ' + shareOf(view, t.total[i]) + ' · ' +
      amount(view, t.self[i]) + ' self, ' + shareOf(view, t.self[i]),
  ];
  const parent = t.parent[i];
  if (parent > 0 && t.total[parent] > 0) lines.push(percent(t.total[i] / t.total[parent]) + ' of ' + nameOf(data, t.fn[parent]));
  const marks = (data.marks ?? []).filter((m) => m.fn === t.fn[i]);
  return { lines, findings: [...new Set(marks.map((m) => m.id + ': ' + data.findings![m.finding]))] };
}

// showTip puts a description beside the pointer, inside of the window; null hides it.
export function showTip(tip: HTMLElement, description: Description | null, x = 0, y = 0) {
  tip.hidden = !description;
  if (!description) return;
  const { lines, findings } = description;
  tip.replaceChildren(...[...lines, ...findings].map((text, k) => {
    const el = document.createElement('div');
    el.textContent = text;
    if (k >= lines.length) el.className = 'finding-line';
    return el;
  }));
  const box = tip.getBoundingClientRect();
  tip.style.left = Math.max(8, Math.min(x + 14, innerWidth - box.width - 8)) + 'px';
  tip.style.top = (y + 18 + box.height > innerHeight ? Math.max(8, y - box.height - 12) : y + 18) + 'px';
}

// statusLines are what is found and what is selected, for everybody who does not see the picture.
export function statusLines(view: Shown, data: FlameData) {
  const t = view.tree;
  const parts: string[][] = []; // before, emphasised, after
  const { match } = view;
  if (match) {
    const m = matched(t, (fn) => match.has(fn));
    parts.push(m.frames
      ? ['Found ', shareOf(view, m.sum), ' (' + amount(view, m.sum) + ') in ' + count(m.frames) + ' frames']
      : ['Found ', 'nothing', '']);
  }
  if (view.selected >= 0) {
    const d = describe(view, data, view.selected);
    parts.push(['', d.lines[0], ' ' + [...d.lines.slice(1, t.change ? 4 : 3), ...d.findings].filter(Boolean).join(' · '),
      sourceOf(data, t.fn[view.selected], Math.abs(t.line[view.selected]))]);
  } else if (!view.match) {
    const where = view.zoom ? ' in ' + funcName(view, data, view.zoom) : '';
    if (t.change) parts.push(['', funcName(view, data, view.zoom), ': ' + describeDiff(t, view.zoom).join(' · ')]);
    else parts.push(['', amount(view, t.total[view.zoom]), (t.whole ? ' (' + shareOf(view, t.total[view.zoom]) + ')' : '') + ' of ' + t.type.name + where + ', ' + count(t.n - 1) + ' frames']);
  }
  return parts.map(([before, strong, after, address]) => {
    const line = document.createElement('span');
    const b = document.createElement('b');
    b.textContent = strong;
    line.append(before, b, after);
    if (address) line.append(' · ', sourceLink(address, 'source'));
    return line;
  });
}

export function tabButton(title: string, open: () => void) {
  const b = document.createElement('button');
  b.type = 'button';
  b.setAttribute('role', 'tab');
  b.textContent = title;
  b.addEventListener('click', open);
  return b;
}

export function legendEntry(cls: string, text: string) {
  const el = document.createElement('span');
  const key = document.createElement('span');
  key.className = 'key ' + cls;
  el.append(key, text);
  return el;
}

// legend names the colours with what each owner's own code holds.
export function legend(view: OfTree & View, data: FlameData) {
  const t = view.tree;
  if (t.change) return diffLegend();
  const names: Record<string, string> = { user: 'your code', dependency: 'dependencies', std: 'standard library', runtime: 'runtime' };
  const held = new Float64Array(OWNERS.length);
  for (let i = 1; i < t.n; i++) {
    let code = i; // a value at a leaf stands for the code above it
    while (isLabel(data, t.fn[code]) && t.parent[code] > 0) code = t.parent[code];
    if (!isLabel(data, t.fn[code])) held[data.funcs![t.fn[code]][2]] += t.self[i];
  }
  const items = OWNERS.flatMap((o, i) => (held[i] > 0 ? [legendEntry(o, names[o] + ' ' + shareOf(view, held[i]))] : []));
  if (t.fn.some((fn) => isLabel(data, fn))) items.push(legendEntry('label', 'value of a label'));
  if (t.line.some((line) => line < 0)) items.push(legendEntry('inlined', INLINED + 'inlined by the compiler'));
  if (t.fn.some((fn) => view.marks.has(fn))) items.push(legendEntry('mark', 'frame of a finding'));
  return items;
}

// markButtons offers the findings' frames that this profile shows, grouped by finding.
export function markButtons(view: OfTree, data: FlameData, jump: (fn: number) => void) {
  const shown = new Set(view.tree.fn);
  const groups = new Map<number, { id: string; fns: Set<number> }>(); // by the finding's position: its functions
  for (const m of data.marks ?? []) {
    if (!shown.has(m.fn)) continue;
    const group = groups.get(m.finding) ?? { id: m.id, fns: new Set<number>() };
    group.fns.add(m.fn);
    groups.set(m.finding, group);
  }
  return [...groups].sort(([a], [b]) => a - b).map(([at, { id, fns }]) => {
    const group = document.createElement('div');
    const badge = document.createElement('a');
    group.setAttribute('role', 'group');
    group.setAttribute('aria-label', id + ': ' + data.findings![at]);
    badge.href = (data.page ?? '') + '#finding-' + at;
    badge.title = data.findings![at];
    badge.textContent = id;
    group.append(badge, ...[...fns].map((fn) => {
      const button = document.createElement('button');
      button.type = 'button';
      button.title = data.funcs![fn][0];
      button.textContent = shortName(data.funcs![fn][0]);
      button.addEventListener('click', () => jump(fn));
      return button;
    }));
    return group;
  });
}
