// The flame graph: what is shown, and what pointer and keys do to it. It has three modes: the graph; the sandwich of
// one function, its callers above it and its callees below; and the lines of one function. A page that keeps the
// reader's choices in its address is told of each: see state, restore and changed.

import type { FlameData } from './data';
import { callees, callers, functionTotals, heaviestOf } from './flamemerge';
import { filterTree, matching, nodeOf, pathHashes } from './flamefilter';
import { lineTable } from './flamelines';
import { layout, nameOf, nodeAt, paint, ROW } from './flamepaint';
import { describe, funcName, legend, markButtons, shareOf, showTip, statusLines, tabButton } from './flametext';
import { child, heaviest, makeTree, measure, sibling } from './flametree';
import { theme } from './theme';
import type { Filter, Functions, Pane, Shown, State, Tree, View } from './types';

export const flame = (() => {
  const view: View = { width: 0, height: 0, top: 0, match: null, marks: new Map() };
  const trees: Tree[] = []; // as filtered
  const whole: Tree[] = []; // as the page has them
  const past: number[] = []; // functions that the sandwich and the lines showed before
  let data: FlameData, root: HTMLElement, stage: HTMLElement, canvas: HTMLCanvasElement;
  let ctx: CanvasRenderingContext2D, tip: HTMLElement, status: HTMLElement;
  let current = 0; // the profile
  let column = 0; // its sample type
  let mode = 'graph';
  let up = false; // the graph has its root at the bottom
  let rooted = true; // the next drawing begins at the root
  let focus = -1; // the function of the sandwich and the lines
  let panes: Pane[] = []; // what is drawn: of the graph one, of the sandwich callees and callers
  let on = 0; // the pane that has the selection
  let filter: Filter | null = null; // what of the profile is shown: see filterTree
  let changed: (step: boolean) => void = () => {}; // is called after a choice: true for one that the back button undoes

  // get is a part of the graph's box.
  function get<E extends HTMLElement = HTMLElement>(selector: string) { return root.querySelector<E>(selector)!; }

  function newPane(tree: Tree, more: Partial<Pane> = {}): Pane { return { tree, zoom: 0, base: 0, dir: 1, from: 0, hover: -1, selected: -1, ...more }; }
  function graphPane(): Pane[] { return [newPane(trees[current], { dir: up ? -1 : 1 })]; }
  function shown(k = on): Shown { return { ...view, ...panes[k] }; }

  // redraw lays out and paints. Its time is a User Timing measure, "flame".
  function redraw() {
    performance.clearMeasures('flame');
    const begin = performance.now();
    view.width = stage.clientWidth;
    if (!view.width) return;
    const full = layout(panes, view.width) * ROW;
    const limit = parseFloat(getComputedStyle(stage).maxHeight) || full;
    view.height = Math.min(full, limit);
    get('.spacer').style.height = full - view.height + 'px';
    if (rooted) stage.scrollTop = up && mode === 'graph' ? full : 0;
    rooted = false;
    view.top = Math.min(stage.scrollTop, full - view.height);
    const dpr = devicePixelRatio || 1;
    const [w, h] = [Math.round(view.width * dpr), Math.round(view.height * dpr)];
    if (canvas.width !== w || canvas.height !== h) {
      canvas.width = w;
      canvas.height = h;
      canvas.style.width = view.width + 'px';
      canvas.style.height = view.height + 'px';
    }
    ctx.setTransform(dpr, 0, 0, dpr, 0, 0);
    ctx.clearRect(0, 0, view.width, view.height);
    panes.forEach((_, k) => paint(ctx, shown(k), data));
    performance.measure('flame', { start: begin, end: performance.now() });
  }

  function say() {
    status.replaceChildren(...statusLines(shown(), data));
    if (mode === 'lines' && focus >= 0) get('.lines').replaceChildren(...lineTable(shownTree(), data, column, focus));
  }

  function zoomTo(i: number) {
    panes[0].zoom = i;
    rooted ||= up;
    redraw();
    say();
    changed(true);
  }

  function select(k: number, i: number) {
    for (const p of panes) p.selected = -1;
    on = k;
    const p = panes[k];
    p.selected = i;
    const y = p.base + p.dir * p.tree.depth[i] * ROW;
    if (y < stage.scrollTop || y + ROW > stage.scrollTop + view.height) stage.scrollTop = y - view.height / 2;
    redraw();
    say();
    changed(false);
  }

  function search(text: string) {
    view.match = matching(data, text);
    if (mode !== 'graph') offer();
    redraw();
    say();
    changed(false);
  }

  function reset() {
    for (const p of panes) p.selected = -1;
    panes[0].zoom = 0;
    on = 0;
    get<HTMLInputElement>('input').value = '';
    rooted = true;
    changed(true);
    search('');
  }

  // setType shows another sample type, in the mode that there is.
  function setType(k: number) {
    column = k;
    const t = trees[current];
    measure(t, k);
    if (mode === 'graph') {
      const p = panes[0];
      while (p.zoom > 0 && t.total[p.zoom] === 0) p.zoom = t.parent[p.zoom];
    } else show(focus);
    get<HTMLSelectElement>('.types select').value = String(k);
    get('.legend').replaceChildren(...legend({ ...view, tree: t }, data));
    redraw();
    say();
    changed(true);
  }

  function open(k: number) {
    current = k;
    const g = data.graphs![k];
    whole[k] ??= makeTree(g, data.funcs!.length);
    trees[k] ??= filter ? filterTree(whole[k], filter) : whole[k];
    past.length = 0;
    panes = graphPane();
    on = 0;
    rooted = true;
    root.querySelectorAll<HTMLButtonElement>('.tabs button').forEach((b, i) => {
      b.setAttribute('aria-selected', String(i === k));
      b.tabIndex = i === k ? 0 : -1;
    });
    const types = get<HTMLSelectElement>('.types select');
    types.replaceChildren(...g.types.map((t, i) => new Option(t.name, String(i), false, i === g.default)));
    get('.types').hidden = g.types.length < 2;
    get('.marks').replaceChildren(...markButtons(shown(), data, jump));
    measure(trees[k], g.default);
    if (mode !== 'graph') focus = chosen();
    setType(g.default);
  }

  // chosen is the function that a mode begins with: the one shown before if this profile has it, else the heaviest
  // itself.
  function chosen() {
    const { self, total } = functionTotals(trees[current]);
    return focus >= 0 && total[focus] > 0 ? focus : Math.max(heaviestOf(self), 0);
  }

  // setMode changes between graph, sandwich and lines. The selected frame's function is taken along.
  function setMode(to: string) {
    const p = panes[on];
    if (p.selected >= 0 && p.tree.fn[p.selected] >= 0) focus = p.tree.fn[p.selected];
    mode = to;
    past.length = 0;
    for (const b of root.querySelectorAll<HTMLButtonElement>('.modes button')) b.setAttribute('aria-pressed', String(b.dataset.mode === mode));
    root.dataset.mode = mode;
    get('.function').hidden = mode === 'graph';
    get('.lines').hidden = mode !== 'lines';
    stage.hidden = mode === 'lines';
    get('.legend').hidden = mode === 'lines';
    get<HTMLButtonElement>('[data-up]').disabled = mode !== 'graph';
    rooted = true;
    if (mode === 'graph') {
      panes = graphPane();
      on = 0;
    } else show(chosen());
    redraw();
    say();
    changed(true);
  }

  // turn puts the root to the bottom, as flame graphs were first drawn, or back to the top. Zoom and selection stay.
  function turn() {
    if (mode !== 'graph') return;
    setUp(!up);
    const p = panes[0];
    rooted = true;
    redraw();
    changed(true); // before the selection, which is no step
    if (p.selected >= 0) select(0, p.selected);
    say();
  }

  function setUp(to: boolean) {
    up = to;
    get('[data-up]').setAttribute('aria-pressed', String(up));
    if (mode === 'graph') panes[0].dir = up ? -1 : 1;
  }

  // show makes a function that of the sandwich and the lines.
  function show(fn: number) {
    focus = fn;
    const t = trees[current];
    on = 0;
    panes = mode === 'sandwich'
      ? [newPane(callees(t, fn), { selected: 0 }), newPane(callers(t, fn), { dir: -1, from: 1 })]
      : [newPane(callees(t, fn), { selected: 0 })];
    offer();
    if (mode !== 'sandwich') return;
    view.width = stage.clientWidth;
    redraw();
    stage.scrollTop = Math.max(0, panes[0].base - view.height / 2); // the function is in the middle
  }

  // visit shows a function and remembers the one before it.
  function visit(fn: number) {
    if (fn < 0 || fn === focus) return;
    past.push(focus);
    show(fn);
    redraw();
    say();
    changed(true);
  }

  // offer lists the heaviest functions, of those that the search finds.
  function offer() {
    const { self, total } = functionTotals(trees[current]);
    const order = [...total.keys()].filter((fn) => total[fn] > 0 && (!view.match || view.match.has(fn)))
      .sort((a, b) => total[b] - total[a] || self[b] - self[a]).slice(0, 300);
    if (!order.includes(focus)) order.unshift(focus);
    const text = (fn: number) => shareOf(shownTree(), total[fn]) + '  ' + nameOf(data, fn);
    get('.function select').replaceChildren(...order.map((fn) => new Option(text(fn), String(fn), false, fn === focus)));
  }

  function shownTree() { return { ...view, tree: trees[current] }; }

  // jump selects the heaviest frame of a function, or of the last of a path of functions, and zooms to where it is wide
  // enough to be read.
  function jump(...path: number[]) {
    if (mode !== 'graph') { visit(path.at(-1)!); return; }
    const t = trees[current];
    const i = heaviest(t, path);
    if (i < 0) return;
    let z = i;
    while (z > 0 && t.total[i] / t.total[z] > 0.12) z = t.parent[z];
    panes[0].zoom = z;
    rooted ||= up;
    redraw();
    changed(true);
    select(0, i);
  }

  // graphKeys walk the graph, sandwichKeys away from the function in the middle and back to it.
  function graphKeys(): Record<string, () => void> {
    const { tree: t, zoom, selected } = panes[0];
    const from = selected < 0 ? zoom : selected;
    const away = () => select(0, selected < 0 ? zoom : child(t, from));
    const back = () => {
      if (t.parent[from] < 0) return;
      if (from === zoom) zoomTo(t.parent[from]);
      select(0, t.parent[from]);
    };
    return {
      ArrowDown: up ? back : away,
      ArrowUp: up ? away : back,
      u: turn,
      ArrowLeft: () => { if (from !== zoom) select(0, sibling(t, from, -1)); },
      ArrowRight: () => { if (from !== zoom) select(0, sibling(t, from, 1)); },
      Enter: () => zoomTo(from),
      Escape: () => { if (zoom > 0) zoomTo(t.parent[zoom]); else reset(); },
      Home: reset,
    };
  }

  function sandwichKeys(): Record<string, () => void> {
    const { tree: t, selected } = panes[on];
    const from = Math.max(selected, 0);
    const away = () => select(on, child(t, from));
    const back = () => select(t.parent[from] > 0 ? on : 0, Math.max(t.parent[from], 0));
    return {
      ArrowDown: on === 0 ? away : back,
      ArrowUp: () => {
        if (on === 1) away();
        else if (from > 0) back();
        else if (panes[1].tree.n > 1) select(1, child(panes[1].tree, 0));
      },
      ArrowLeft: () => select(on, sibling(t, from, -1)),
      ArrowRight: () => select(on, sibling(t, from, 1)),
      Enter: () => visit(t.fn[from]),
      Escape: () => leave(),
      Home: () => select(0, 0),
    };
  }

  // leave goes back to the function before, and from the first one to the graph.
  function leave() {
    if (past.length) {
      show(past.pop()!);
      redraw();
      say();
      changed(true);
    } else setMode('graph');
  }

  function keys(e: KeyboardEvent) {
    const moves = mode === 'graph' ? graphKeys() : sandwichKeys();
    if (!moves[e.key] || e.ctrlKey || e.metaKey || e.altKey) return;
    e.preventDefault();
    moves[e.key]();
  }

  function pointer() {
    canvas.addEventListener('pointermove', (e) => {
      const [k, i] = nodeAt(panes, view, e.offsetX, e.offsetY);
      if (panes.some((p, n) => p.hover !== (n === k ? i : -1))) {
        panes.forEach((p, n) => { p.hover = n === k ? i : -1; });
        redraw();
      }
      if (e.pointerType === 'mouse') showTip(tip, i < 0 ? null : describe(shown(k), data, i), e.clientX, e.clientY);
    });
    canvas.addEventListener('pointerleave', () => {
      for (const p of panes) p.hover = -1;
      showTip(tip, null);
      redraw();
    });
    canvas.addEventListener('click', (e) => {
      const [k, i] = nodeAt(panes, view, e.offsetX, e.offsetY);
      if (i < 0) return;
      if (mode === 'sandwich') { visit(panes[k].tree.fn[i]); return; }
      panes[0].selected = i;
      zoomTo(i);
    });
  }

  function tabs() {
    const list = get('.tabs');
    list.replaceChildren(...data.graphs!.map((g, k) => tabButton(g.title, () => open(k))));
    list.addEventListener('keydown', (e) => {
      const step = ({ ArrowRight: 1, ArrowLeft: -1 } as Record<string, number>)[e.key];
      if (!step) return;
      open((current + step + data.graphs!.length) % data.graphs!.length);
      (list.children[current] as HTMLElement).focus();
    });
  }

  // start shows the profile that the first finding's first place is in. onChange is called after each choice.
  function start(flameData: FlameData, onChange?: (step: boolean) => void) {
    root = document.getElementById('flame')!;
    if (!root || !flameData.graphs?.length) return;
    data = flameData;
    stage = get('.stage');
    canvas = stage.querySelector('canvas')!;
    ctx = canvas.getContext('2d')!;
    tip = get('.tip');
    status = get('.status');
    for (const m of data.marks ?? []) {
      const ids = view.marks.get(m.fn) ?? [];
      view.marks.set(m.fn, ids.includes(m.id) ? ids : [...ids, m.id]);
    }
    tabs();
    pointer();
    stage.addEventListener('keydown', keys);
    stage.addEventListener('scroll', redraw);
    for (const b of root.querySelectorAll<HTMLButtonElement>('.modes button')) b.addEventListener('click', () => setMode(b.dataset.mode!));
    get('.types select').addEventListener('change', (e) => setType(Number((e.target as HTMLSelectElement).value)));
    get('.function select').addEventListener('change', (e) => visit(Number((e.target as HTMLSelectElement).value)));
    get('input').addEventListener('input', (e) => search((e.target as HTMLInputElement).value));
    get('input').addEventListener('keydown', found);
    get('.reset').addEventListener('click', reset);
    get('[data-up]').addEventListener('click', turn);
    open(data.marks?.[0]?.graph ?? 0);
    if (onChange) changed = onChange;
    new ResizeObserver(redraw).observe(root);
    theme.onChange(redraw);
  }

  // found goes, on Enter, to the heaviest function that the search found.
  function found(e: KeyboardEvent) {
    if (e.key !== 'Enter' || !view.match?.size) return;
    const { total } = functionTotals(trees[current]);
    const best = heaviestOf(total, view.match);
    if (best >= 0) jump(best);
  }

  // showMark brings a finding's place into view.
  function showMark(k: number) {
    const m = data.marks![k];
    if (mode !== 'graph') setMode('graph');
    if (current !== m.graph) open(m.graph);
    jump(m.fn);
    root.scrollIntoView({ block: 'start' });
    stage.focus({ preventScroll: true });
  }

  // showGraph brings a profile into view.
  function showGraph(k: number) {
    if (current !== k) open(k);
    stage.focus({ preventScroll: true });
  }

  // state is what a reader chose. Functions and sample types have their names in it and frames a hash of their path, so
  // that it is good for the same profile on another page.
  function state(): State {
    const { zoom, selected } = panes[0];
    const hash = (i: number) => (mode === 'graph' && i > 0 ? pathHashes(trees[current], data)[i] : 0);
    return {
      graph: current, type: data.graphs![current].types[column].name, view: mode, zoom: hash(zoom), at: hash(selected), up: up ? '1' : '',
      fn: mode === 'graph' ? '' : data.funcs![focus]?.[0] ?? '', find: get<HTMLInputElement>('input').value,
    };
  }

  // restore shows what state returned, of the part of the profile that s.filter leaves (see filterTree; null: all). What
  // this profile does not have is left out.
  function restore(s: State & { filter: Filter | null }) {
    const tell = changed;
    changed = () => {};
    filter = s.filter;
    trees.length = 0;
    setUp(s.up === '1');
    open(Math.min(s.graph, data.graphs!.length - 1));
    if (mode !== 'graph') setMode('graph');
    const type = data.graphs![current].types.findIndex((t) => t.name === s.type);
    if (type >= 0 && type !== column) setType(type);
    get<HTMLInputElement>('input').value = s.find;
    search(s.find);
    if (s.view === 'sandwich' || s.view === 'lines') {
      focus = data.funcs!.findIndex(([name]) => name === s.fn);
      setMode(s.view);
    } else {
      panes[0].zoom = nodeOf(trees[current], data, s.zoom);
      redraw();
      const at = nodeOf(trees[current], data, s.at);
      if (at > 0) select(0, at);
      else say();
    }
    changed = tell;
  }

  // shownFunctions is what the table of functions is made of.
  function shownFunctions(): Functions { return { tree: trees[current], column, match: view.match }; }

  // selectedName is the selected function; empty without one.
  function selectedName() {
    const p = panes[on];
    return p.selected > 0 || mode !== 'graph' && p.selected === 0 ? funcName(shown(), data, p.selected) : '';
  }
  return { start, showMark, showGraph, reset, turn, state, restore, shownFunctions, selectedName, jump, keys };
})();
