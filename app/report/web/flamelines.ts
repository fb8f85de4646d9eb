// The lines of one function in a table: what was counted at each line itself, and with what it calls.

import type { FlameData } from './data';
import { outermost } from './flamemerge';
import { amount, shareOf, sourceLink, sourceOf } from './flametext';
import type { Tree } from './types';

// A LineRow is what was counted at a line.
interface LineRow { line: number; self: number; total: number }

// lineRows are the lines of a function. Of functions outside of the page's table of lines, each frame counts at its
// heaviest line; exact is false then.
function lineRows(t: Tree, k: number, fn: number) {
  const lines = t.graph.lines!;
  const rows: LineRow[] = [];
  lines.fn?.forEach((f, i) => {
    if (f === fn) rows.push({ line: lines.line![i], self: lines.self[k][i], total: lines.total[k][i] });
  });
  if (rows.length) return { rows, exact: true };
  const by = new Map<number, LineRow>();
  const at = (line: number) => {
    if (!by.has(line)) by.set(line, { line, self: 0, total: 0 });
    return by.get(line)!;
  };
  for (const i of outermost(t, fn)) at(t.line[i]).total += t.total[i];
  for (let i = 1; i < t.n; i++) if (t.fn[i] === fn) at(t.line[i]).self += t.self[i];
  return { rows: [...by.values()].sort((a, b) => a.line - b.line), exact: false };
}

export function cell<K extends keyof HTMLElementTagNameMap>(tag: K, content: string | Node, cls?: string) {
  const el = document.createElement(tag);
  el.append(content);
  if (cls) el.className = cls;
  return el;
}

// shareBar is a bar as the tables of the page have it.
function shareBar(share: number) {
  const ns = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(ns, 'svg');
  svg.setAttribute('class', 'share');
  svg.setAttribute('viewBox', '0 0 100 6');
  svg.setAttribute('preserveAspectRatio', 'none');
  svg.setAttribute('aria-hidden', 'true');
  for (const [cls, width] of [['track', 100], ['fill', Math.min(100 * share, 100)]] as const) {
    const r = document.createElementNS(ns, 'rect');
    r.setAttribute('class', cls);
    r.setAttribute('width', String(width));
    r.setAttribute('height', '6');
    svg.append(r);
  }
  return svg;
}

// lineTable is the table of a function's lines, and what there is to say of it.
export function lineTable(view: { tree: Tree }, data: FlameData, k: number, fn: number) {
  const t = view.tree;
  const { rows, exact } = lineRows(t, k, fn);
  const table = document.createElement('table');
  const top = document.createElement('tr');
  for (const [text, cls] of [['Line', 'num'], ['Self', 'num'], ['Share', 'num'], ['With callees', 'num'], ['Share', 'num'], ['', '']]) {
    const th = cell(text ? 'th' : 'td', text, cls); // bars have no heading
    if (text) (th as HTMLTableCellElement).scope = 'col';
    top.append(th);
  }
  const body = document.createElement('tbody');
  const whole = t.whole ?? t.total[0];
  for (const r of rows) {
    const tr = document.createElement('tr');
    const address = sourceOf(data, fn, r.line);
    const line = cell('th', address ? sourceLink(address, String(r.line)) : r.line ? String(r.line) : '–', 'num');
    line.scope = 'row';
    tr.append(line, cell('td', amount(view, r.self), 'num'), cell('td', shareOf(view, r.self), 'num'),
      cell('td', amount(view, r.total), 'num'), cell('td', shareOf(view, r.total), 'num'), cell('td', shareBar(whole ? r.total / whole : 0), 'barcell'));
    body.append(tr);
  }
  table.append(cell('thead', top), body);
  if (exact) return [table];
  const note = cell('p', 'The page has every line only for the heaviest functions. In this function, each frame counts at its heaviest line.', 'note');
  return [table, note];
}
