// What the flame graph says of its frames: the tip, the status line, the legend and the list of marks. Everything that
// comes from a profile becomes text, never markup.

function funcName({ tree: t }, data, i) { return t.fn[i] < 0 ? 'all' : data.funcs[t.fn[i]][0]; }

function place({ tree: t }, data, i) {
  const file = t.fn[i] < 0 ? -1 : data.funcs[t.fn[i]][1];
  return file < 0 ? '' : data.files[file] + (t.line[i] ? ':' + t.line[i] : '');
}

function amount({ tree: t }, v) { return quantity(v * t.type.scale, t.type.unit); }

function shareOf({ tree: t }, v) { return percent(t.total[0] ? v / t.total[0] : 0); }

// describe is a frame in lines of text, and the findings that mark it.
function describe(view, data, i) {
  const t = view.tree;
  const lines = t.change ? [funcName(view, data, i), place(view, data, i), ...describeDiff(t, i)] : [
    funcName(view, data, i), place(view, data, i),
    amount(view, t.total[i]) + ' in all, ' + shareOf(view, t.total[i]) + ' · ' +
      amount(view, t.self[i]) + ' itself, ' + shareOf(view, t.self[i]),
  ];
  const parent = t.parent[i];
  if (parent > 0 && t.total[parent] > 0) lines.push(percent(t.total[i] / t.total[parent]) + ' of ' + shortName(funcName(view, data, parent)));
  const marks = (data.marks ?? []).filter((m) => m.fn === t.fn[i]);
  return { lines, findings: [...new Set(marks.map((m) => m.id + ': ' + data.findings[m.finding]))] };
}

// showTip puts a description beside the pointer, inside of the window; null hides it.
function showTip(tip, description, x, y) {
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
function statusLines(view, data) {
  const t = view.tree;
  const parts = []; // before, emphasised, after
  if (view.match) {
    const m = matched(t, (fn) => view.match.has(fn));
    parts.push(m.frames
      ? ['Found ', shareOf(view, m.sum), ' (' + amount(view, m.sum) + ') in ' + count(m.frames) + ' frames']
      : ['Found ', 'nothing', '']);
  }
  if (view.selected >= 0) {
    const d = describe(view, data, view.selected);
    parts.push(['', d.lines[0], ' ' + [...d.lines.slice(1, t.change ? 4 : 3), ...d.findings].filter(Boolean).join(' · ')]);
  } else if (!view.match) {
    const where = view.zoom ? ' in ' + funcName(view, data, view.zoom) : '';
    if (t.change) parts.push(['', funcName(view, data, view.zoom), ': ' + describeDiff(t, view.zoom).join(' · ')]);
    else parts.push(['', amount(view, t.total[view.zoom]), ' of ' + t.type.name + where + ', ' + count(t.n - 1) + ' frames']);
  }
  return parts.map(([before, strong, after]) => {
    const line = document.createElement('span');
    const b = document.createElement('b');
    b.textContent = strong;
    line.append(before, b, after);
    return line;
  });
}

function legendEntry(cls, text) {
  const el = document.createElement('span');
  const key = document.createElement('span');
  key.className = 'key ' + cls;
  el.append(key, text);
  return el;
}

// legend names the colours with what each owner's own code holds.
function legend(view, data) {
  const t = view.tree;
  if (t.change) return diffLegend();
  const names = { user: 'your code', dependency: 'dependencies', std: 'standard library', runtime: 'runtime' };
  const held = new Float64Array(OWNERS.length);
  for (let i = 1; i < t.n; i++) held[data.funcs[t.fn[i]][2]] += t.self[i];
  const items = OWNERS.flatMap((o, i) => (held[i] > 0 ? [legendEntry(o, names[o] + ' ' + shareOf(view, held[i]))] : []));
  if (t.fn.some((fn) => view.marks.has(fn))) items.push(legendEntry('mark', 'frame of a finding'));
  return items;
}

// markButtons offers the findings' frames that this profile shows, a function once for each finding.
function markButtons(view, data, jump) {
  const seen = new Set();
  const shown = new Set(view.tree.fn);
  const buttons = [];
  for (const m of data.marks ?? []) {
    const key = m.id + ' ' + m.fn;
    if (!shown.has(m.fn) || seen.has(key)) continue;
    seen.add(key);
    const button = document.createElement('button');
    const id = document.createElement('b');
    const name = document.createElement('span');
    button.type = 'button';
    button.title = data.findings[m.finding];
    id.textContent = m.id;
    name.textContent = shortName(data.funcs[m.fn][0]);
    button.append(id, name);
    button.addEventListener('click', () => jump(m.fn));
    buttons.push(button);
  }
  return buttons;
}
