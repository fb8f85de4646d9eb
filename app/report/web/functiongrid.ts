// The table of functions is the twin of the flame graph, for everybody who does not see it: a tree in a table (ARIA's
// treegrid). A function opens into what it calls, all its frames together, and each of these into what it calls then.
// One row at a time is in the order of the Tab key, and arrow keys walk from row to row. A sentence says of the row that
// has the focus what stands in no cell.

import type { FlameData } from './data';
import { flame } from './flame';
import { nameHashes, stepHash } from './flamefilter';
import { cell } from './flamelines';
import { isLabel, LABEL, nameOf, OWNERS } from './flamepaint';
import { WHOSE } from './flametext';
import { count } from './format';
import { calleeRows, functionRows, rowColumns, sortedRows } from './functionrows';
import type { Part } from './hash';
import type { Column, Functions, Row, SortKey, Tree } from './types';

const OPEN_IN_ADDRESS = 50; // rows: an address has an end

// Hooks are how a table and its graph know of one another.
interface Hooks {
  shown: () => Functions;
  show: (path: number[]) => void;
  changed: (step: boolean) => void;
}

// functionGrid makes the table in a box. shown is what the graph shows, show brings a path of functions into the graph's
// view, changed is called after a choice, with true for one that the back button undoes.
export function functionGrid(box: HTMLElement, said: HTMLElement, data: FlameData, { shown, show, changed }: Hooks) {
  const opened = new Set<number>(); // by pathKey
  const rowOf = new WeakMap<Element, Row>(); // by element
  let by: SortKey = 'flat';
  let most = 30; // functions
  let drawn: unknown[] = []; // what the table was made of
  let tree: Tree, columns: Column[];

  function refresh() {
    const now = shown();
    const of = [now.tree, now.column, now.match, by, most];
    if (of.every((v, i) => v === drawn[i])) return;
    drawn = of;
    tree = now.tree;
    columns = rowColumns(tree);
    const focused = rowOf.get(rowAt(document.activeElement)!)?.key;
    const rows = sortedRows(functionRows(tree).filter((r) => !now.match || now.match.has(r.fn)), by);
    box.replaceChildren(...rows.length ? table(rows) : [cell('p', 'No function matches.', 'empty')]);
    const els = elements();
    if (els.length) els[0].tabIndex = 0;
    if (focused !== undefined) go(els.find((el) => rowOf.get(el)!.key === focused) ?? els[0]);
  }

  function table(rows: Row[]) {
    const grid = element('table', 'treegrid', 'cards functions');
    grid.setAttribute('aria-label', 'Functions');
    grid.setAttribute('aria-describedby', 'functions-how');
    const head = element('thead', 'rowgroup');
    head.append(header());
    const body = element('tbody', 'rowgroup');
    body.append(...rows.slice(0, most).flatMap((r, i) => branch(r, i, rows.length)));
    grid.append(head, body);
    if (rows.length <= most) return [grid];
    const button = cell('button', 'Show more: ' + count(rows.length - most) + ' functions are left', 'quiet more');
    button.type = 'button';
    button.addEventListener('click', () => {
      const first = most;
      most += 200;
      changed(false);
      go(elements().filter((el) => el.ariaLevel === '1')[first]);
    });
    return [grid, button];
  }

  function header() {
    const row = element('tr', 'row');
    const name = element('th', 'columnheader');
    name.scope = 'col';
    name.append('Function');
    row.append(name, ...columns.map(([key, text]) => {
      const th = element('th', 'columnheader', 'num');
      th.scope = 'col';
      if (!key) { th.append(text); return th; }
      const button = cell('button', text + (key === by ? ' ▾' : ''), 'link');
      button.type = 'button';
      button.dataset.sort = key;
      button.addEventListener('click', () => {
        by = key;
        changed(true);
        box.querySelector<HTMLElement>('[data-sort=' + key + ']')?.focus();
      });
      if (key === by) th.setAttribute('aria-sort', 'descending');
      th.append(button);
      return th;
    }));
    return row;
  }

  // branch is a row, and the rows below it as far as they are open.
  function branch(row: Row, i: number, of: number): HTMLElement[] {
    row.key = pathKey(data, row.path);
    const el = element('tr', 'row');
    rowOf.set(el, row);
    el.tabIndex = -1;
    el.setAttribute('aria-level', String(row.path.length));
    el.setAttribute('aria-posinset', String(i + 1));
    el.setAttribute('aria-setsize', String(of));
    if (row.calls) el.setAttribute('aria-expanded', String(opened.has(row.key!)));
    el.append(nameCell(el, row), ...columns.map(([key, text, value], k) => {
      const td = element('td', 'gridcell', 'num');
      td.append(value(row));
      td.dataset.label = key ? text.toLowerCase() : columns[k - 1][1].toLowerCase() + ' ' + text;
      return td;
    }));
    return row.calls && opened.has(row.key!) ? [el, ...below(row)] : [el];
  }

  function below(row: Row) {
    const rows = sortedRows(calleeRows(tree, row), by);
    return rows.flatMap((r, i) => branch(r, i, rows.length));
  }

  function nameCell(el: HTMLElement, row: Row) {
    const head = element('th', 'rowheader');
    head.scope = 'row';
    const twist = cell('span', row.calls ? (opened.has(row.key!) ? '▾' : '▸') : '', 'twist');
    twist.setAttribute('aria-hidden', 'true'); // the row says whether it is open
    twist.addEventListener('click', () => { if (row.calls) toggle(el); });
    const button = cell('button', data.funcs![row.fn][0], 'link symbol');
    button.type = 'button';
    button.tabIndex = -1; // Enter on the row does the same
    button.addEventListener('click', () => show(row.path));
    const name = cell('div', button);
    name.append(cell('span', [...where(row.fn), ...marks(row.fn)].join(' · '), 'sub'));
    const indented = cell('div', twist, 'tree');
    indented.style.setProperty('--above', String(row.path.length - 1));
    indented.append(name);
    head.append(indented);
    return head;
  }

  // where is whose code a function is, and its file.
  function where(fn: number) {
    const [, file, owner] = data.funcs![fn];
    if (owner === LABEL) return [OWNERS[owner], data.files![file]];
    return [OWNERS[owner], ...file < 0 ? [] : [data.files![file].split('/').slice(-2).join('/')]];
  }

  // marks are the findings that a function is a place of.
  function marks(fn: number) { return [...new Set((data.marks ?? []).filter((m) => m.fn === fn).map((m) => m.id))]; }

  // sentence says of a row which frame it is, what it holds and what is below it.
  function sentence(el: Element, row: Row) {
    const values = columns.map(([, , value]) => value(row));
    const above = row.path.slice(0, -1).map((fn) => nameOf(data, fn)).reverse();
    const ids = marks(row.fn);
    const calls = !row.calls ? 'It calls nothing that was counted'
      : el.ariaExpanded === 'true' ? 'What it calls is open' : 'Right shows what it calls';
    return [
      data.funcs![row.fn][0] + (above.length ? ', called by ' + above.join(', by ') : ''),
      ([['itself', 0], ['with what it calls', 2]] as const).map(([text, k]) => values[k] + ' ' + text + ', ' + values[k + 1] +
        (tree.sides ? ' against the base' : ' of all')).join('; '),
      (isLabel(data, row.fn) ? 'It is ' : 'In ') + [WHOSE[OWNERS[data.funcs![row.fn][2]]], ...where(row.fn).slice(1)].join(', '), ...ids.length ? ['A place of ' + ids.join(', ')] : [], calls,
    ].join('. ') + '.';
  }

  function elements() { return [...box.querySelectorAll<HTMLElement>('tbody tr')]; }
  function rowAt(el: Element | null) { return el && box.contains(el) ? el.closest<HTMLElement>('tbody tr') : null; }

  function go(el: Element | null | undefined) { (el as HTMLElement | null | undefined)?.focus(); }

  // toggle opens or closes a row. The other rows stay what they are, and so does the focus.
  function toggle(el: HTMLElement) {
    const row = rowOf.get(el)!;
    const open = !opened.delete(row.key!);
    if (open) {
      opened.add(row.key!);
      el.after(...below(row));
    } else while (Number(el.nextElementSibling?.ariaLevel) > row.path.length) el.nextElementSibling!.remove();
    el.setAttribute('aria-expanded', String(open));
    el.querySelector('.twist')!.textContent = open ? '▾' : '▸';
    if (rowAt(document.activeElement) === el) said.textContent = sentence(el, row);
    else if (!box.querySelector('tbody tr[tabindex="0"]')) el.tabIndex = 0; // it was in what is closed
    changed(false);
  }

  // caller is the row that a row is below.
  function caller(el: Element) {
    let at = el.previousElementSibling;
    while (at && Number(at.ariaLevel) >= Number(el.ariaLevel)) at = at.previousElementSibling;
    return at;
  }

  function keys(e: KeyboardEvent) {
    const el = rowAt(e.target as Element);
    if (!el || e.ctrlKey || e.metaKey || e.altKey) return;
    const open = el.ariaExpanded;
    const act = ({
      ArrowDown: () => go(el.nextElementSibling),
      ArrowUp: () => go(el.previousElementSibling),
      ArrowRight: () => { if (open === 'true') go(el.nextElementSibling); else if (open) toggle(el); },
      ArrowLeft: () => { if (open === 'true') toggle(el); else go(caller(el)); },
      Home: () => go(elements()[0]),
      End: () => go(elements().at(-1)),
      Enter: () => show(rowOf.get(el)!.path),
    } as Record<string, () => void>)[e.key];
    if (!act) return;
    e.preventDefault();
    e.stopPropagation();
    act();
  }

  // entered keeps the row that has the focus the one that Tab leads to, and says its sentence.
  function entered(e: FocusEvent) {
    const el = rowAt(e.target as Element);
    if (!el) return;
    for (const other of box.querySelectorAll<HTMLElement>('tbody tr[tabindex="0"]')) other.tabIndex = -1;
    el.tabIndex = 0;
    const text = sentence(el, rowOf.get(el)!);
    if (said.textContent !== text) said.textContent = text;
  }

  box.addEventListener('keydown', keys);
  box.addEventListener('focusin', entered);

  // state is what a reader chose.
  function state() {
    return { sort: by, open: [...opened].slice(-OPEN_IN_ADDRESS).map((key) => key.toString(16)).join('.') };
  }

  function restore({ sort, open }: { sort: string | null; open: string }) {
    by = sort === 'cum' ? 'cum' : 'flat';
    opened.clear();
    for (const key of open.split('.')) if (key) opened.add(Number.parseInt(key, 16));
    drawn = [];
  }

  // focusedName is the function of the row that has the focus; empty without one.
  function focusedName() {
    const row = rowOf.get(rowAt(document.activeElement)!);
    return row ? data.funcs![row.fn][0] : '';
  }
  return { refresh, state, restore, focusedName };
}

function element<K extends keyof HTMLElementTagNameMap>(tag: K, role: string, cls?: string) {
  const el = document.createElement(tag);
  el.setAttribute('role', role);
  if (cls) el.className = cls;
  return el;
}

// pathKey names a path of functions in 32 bits.
function pathKey(data: FlameData, path: number[]) {
  const names = nameHashes(data);
  return path.reduce((above, fn, i) => stepHash(above, names[fn], i + 1), 0) >>> 0;
}

// showPath brings a path of functions into view in the graph.
export function showPath(path: number[]) {
  const stage = document.querySelector<HTMLElement>('.stage')!;
  flame.jump(...path);
  stage.scrollIntoView({ block: 'center' });
  stage.focus({ preventScroll: true });
}

// foldedFunctions starts the flame graph with the table below it, which is made when a reader opens its fold. told is
// called after each choice. It returns the table's part of the address.
export function foldedFunctions(data: FlameData, told: (step: boolean) => void): Part[] {
  const fold = document.getElementById('functions') as HTMLDetailsElement | null;
  if (!fold) { flame.start(data, told); return []; }
  let grid: ReturnType<typeof functionGrid>;
  const refresh = () => { if (fold.open) grid.refresh(); };
  const changed = (step: boolean) => { refresh(); told(step); };
  grid = functionGrid(document.getElementById('function-table')!, document.getElementById('row-said')!, data,
    { shown: flame.shownFunctions, show: showPath, changed });
  flame.start(data, changed);
  fold.addEventListener('toggle', refresh);
  return [{
    write: (to) => {
      const { sort, open } = grid.state();
      if (sort !== 'flat') to.set('sort', sort);
      if (open) to.set('rows', open);
    },
    read: (from) => {
      grid.restore({ sort: from.get('sort'), open: from.get('rows') ?? '' });
      refresh();
    },
  }];
}
