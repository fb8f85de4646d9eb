// The flame graph: what is shown, and what pointer and keys do to it.

const flame = (() => {
  const view = { tree: null, zoom: 0, width: 0, height: 0, top: 0, match: null, hover: -1, selected: -1, marks: new Map() };
  const trees = [];
  let data, root, stage, canvas, ctx, tip, status;
  let current = 0;

  // redraw lays out and paints. Its time is a User Timing measure, "flame".
  function redraw() {
    performance.clearMeasures('flame');
    const begin = performance.now();
    const t = view.tree;
    view.width = stage.clientWidth;
    if (!view.width) return;
    const scale = t.total[view.zoom] > 0 ? view.width / t.total[view.zoom] : 0;
    const full = Math.max(rows(t, view.zoom, scale), 3) * ROW;
    const limit = parseFloat(getComputedStyle(stage).maxHeight) || full;
    view.height = Math.min(full, limit);
    root.querySelector('.spacer').style.height = full - view.height + 'px';
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
    paint(ctx, view, data);
    performance.measure('flame', { start: begin, end: performance.now() });
  }

  // nodeAt finds the frame under a point of the canvas, or −1.
  function nodeAt(px, py) {
    const t = view.tree;
    const level = Math.floor((py + view.top) / ROW);
    if (level < t.depth[view.zoom]) {
      let a = view.zoom;
      while (a >= 0 && t.depth[a] > level) a = t.parent[a];
      return a;
    }
    const at = t.x[view.zoom] + (px / view.width) * t.total[view.zoom];
    for (let i = view.zoom; i < t.end[view.zoom];) {
      if (at < t.x[i] || at >= t.x[i] + t.total[i]) { i = t.end[i]; continue; }
      if (t.depth[i] === level) return i;
      i++;
    }
    return -1;
  }

  function say() { status.replaceChildren(...statusLines(view, data)); }

  function zoomTo(i) {
    view.zoom = i;
    redraw();
    say();
  }

  function select(i) {
    view.selected = i;
    const y = view.tree.depth[i] * ROW;
    if (y < stage.scrollTop || y + ROW > stage.scrollTop + view.height) stage.scrollTop = y - view.height / 2;
    redraw();
    say();
  }

  function search(text) {
    const q = text.trim().toLowerCase();
    view.match = q ? new Set() : null;
    if (q) {
      data.funcs.forEach(([name, f], i) => {
        if (name.toLowerCase().includes(q) || (f >= 0 && data.files[f].toLowerCase().includes(q))) view.match.add(i);
      });
    }
    redraw();
    say();
  }

  function reset() {
    view.zoom = 0;
    view.selected = -1;
    root.querySelector('input').value = '';
    stage.scrollTop = 0;
    search('');
  }

  function setType(k) {
    measure(view.tree, k);
    while (view.zoom > 0 && view.tree.total[view.zoom] === 0) view.zoom = view.tree.parent[view.zoom];
    root.querySelector('.legend').replaceChildren(...legend(view, data));
    redraw();
    say();
  }

  function open(k) {
    current = k;
    const g = data.graphs[k];
    view.tree = trees[k] ??= makeTree(g);
    view.zoom = 0;
    view.selected = -1;
    view.hover = -1;
    stage.scrollTop = 0;
    root.querySelectorAll('.tabs button').forEach((b, i) => {
      b.setAttribute('aria-selected', String(i === k));
      b.tabIndex = i === k ? 0 : -1;
    });
    const types = root.querySelector('.types select');
    types.replaceChildren(...g.types.map((t, i) => new Option(t.name, String(i), false, i === g.default)));
    root.querySelector('.types').hidden = g.types.length < 2;
    root.querySelector('.marks').replaceChildren(...markButtons(view, data, jump));
    setType(g.default);
  }

  // jump selects a function's heaviest frame and zooms to where it is wide enough to be read.
  function jump(fn) {
    const t = view.tree;
    const i = heaviest(t, fn);
    if (i < 0) return;
    let z = i;
    while (z > 0 && t.total[i] / t.total[z] > 0.12) z = t.parent[z];
    view.zoom = z;
    redraw();
    select(i);
  }

  function keys(e) {
    const t = view.tree;
    const from = view.selected < 0 ? view.zoom : view.selected;
    const moves = {
      ArrowDown: () => select(view.selected < 0 ? view.zoom : child(t, from)),
      ArrowUp: () => { if (t.parent[from] >= 0) { if (from === view.zoom) view.zoom = t.parent[from]; select(t.parent[from]); } },
      ArrowLeft: () => { if (from !== view.zoom) select(sibling(t, from, -1)); },
      ArrowRight: () => { if (from !== view.zoom) select(sibling(t, from, 1)); },
      Enter: () => zoomTo(from),
      Escape: () => { if (view.zoom > 0) zoomTo(t.parent[view.zoom]); else reset(); },
      Home: reset,
    };
    if (!moves[e.key] || e.ctrlKey || e.metaKey || e.altKey) return;
    e.preventDefault();
    moves[e.key]();
  }

  function pointer() {
    const at = (e) => nodeAt(e.offsetX, e.offsetY);
    canvas.addEventListener('pointermove', (e) => {
      const i = at(e);
      if (i !== view.hover) { view.hover = i; redraw(); }
      if (e.pointerType === 'mouse') showTip(tip, i < 0 ? null : describe(view, data, i), e.clientX, e.clientY);
    });
    canvas.addEventListener('pointerleave', () => { view.hover = -1; showTip(tip, null); redraw(); });
    canvas.addEventListener('click', (e) => {
      const i = at(e);
      if (i < 0) return;
      view.selected = i;
      zoomTo(i);
    });
  }

  function tabs() {
    const list = root.querySelector('.tabs');
    list.replaceChildren(...data.graphs.map((g, k) => {
      const b = document.createElement('button');
      b.type = 'button';
      b.setAttribute('role', 'tab');
      b.textContent = g.title;
      b.addEventListener('click', () => open(k));
      return b;
    }));
    list.addEventListener('keydown', (e) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[e.key];
      if (!step) return;
      open((current + step + data.graphs.length) % data.graphs.length);
      list.children[current].focus();
    });
  }

  // start shows the profile that the first finding's first place is in.
  function start(flameData) {
    root = document.getElementById('flame');
    if (!root || !flameData.graphs?.length) return;
    data = flameData;
    stage = root.querySelector('.stage');
    canvas = stage.querySelector('canvas');
    ctx = canvas.getContext('2d');
    tip = root.querySelector('.tip');
    status = root.querySelector('.status');
    for (const m of data.marks ?? []) {
      const ids = view.marks.get(m.fn) ?? [];
      view.marks.set(m.fn, ids.includes(m.id) ? ids : [...ids, m.id]);
    }
    tabs();
    pointer();
    stage.addEventListener('keydown', keys);
    stage.addEventListener('scroll', redraw);
    root.querySelector('.types select').addEventListener('change', (e) => setType(Number(e.target.value)));
    root.querySelector('input').addEventListener('input', (e) => search(e.target.value));
    root.querySelector('.reset').addEventListener('click', reset);
    open(data.marks?.[0]?.graph ?? 0);
    new ResizeObserver(redraw).observe(root);
    theme.onChange(redraw);
  }

  // showMark brings a finding's place into view.
  function showMark(k) {
    const m = data.marks[k];
    if (current !== m.graph) open(m.graph);
    jump(m.fn);
    root.scrollIntoView({ block: 'start' });
    stage.focus({ preventScroll: true });
  }
  // showGraph brings a profile into view.
  function showGraph(k) {
    if (current !== k) open(k);
    stage.focus({ preventScroll: true });
  }
  return { start, showMark, showGraph };
})();
