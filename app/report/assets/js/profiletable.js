// The functions of a profile in a table: what the flame graph shows, for everybody who does not see it, and sorted.

// functionRows is what each function holds itself (flat) and with what it calls (cum), in the page's unit. Of a
// difference each has its change.
function functionRows(t) {
  const { types } = t.graph;
  const side = (k) => {
    const { self, total } = functionTotals(t.sides ? { ...t, self: t.graph.self[k], total: t.sides[k] } : t);
    const scale = t.sides ? types[k].scale : t.type.scale;
    return { flat: self.map((v) => v * scale), cum: total.map((v) => v * scale) };
  };
  const now = side(0);
  const base = t.sides ? side(1) : null;
  const rows = [];
  now.cum.forEach((cum, fn) => {
    const row = { fn, flat: now.flat[fn], cum };
    if (base) Object.assign(row, { flatChange: row.flat - base.flat[fn], cumChange: cum - base.cum[fn] });
    if (cum > 0 || base?.cum[fn] > 0) rows.push(row);
  });
  return rows;
}

// sortedRows puts the largest first; of a difference the largest change, in either direction.
function sortedRows(rows, by) {
  const other = by === 'flat' ? 'cum' : 'flat';
  const weight = (r, name) => Math.abs(r[name + 'Change'] ?? r[name]);
  return rows.sort((a, b) => weight(b, by) - weight(a, by) || weight(b, other) - weight(a, other) || a.fn - b.fn);
}

function signedQuantity(v, unit) { return v === 0 ? '0' : (v > 0 ? '+' : '') + quantity(v, unit); }

// functionTable makes the table of at most so many functions; sortBy, show and more are called when a reader chooses.
function functionTable({ tree: t, match }, data, by, most, { sortBy, show, more }) {
  const { unit } = t.sides ? t.graph.types[0] : t.type;
  const whole = (t.whole ?? t.total[0]) * t.type.scale;
  const rows = sortedRows(functionRows(t).filter((r) => !match || match.has(r.fn)), by);
  const columns = t.sides
    ? [['flat', 'Flat', (r) => quantity(r.flat, unit)], ['', 'change', (r) => signedQuantity(r.flatChange, unit)],
      ['cum', 'Cum', (r) => quantity(r.cum, unit)], ['', 'change', (r) => signedQuantity(r.cumChange, unit)]]
    : [['flat', 'Flat', (r) => quantity(r.flat, unit)], ['', 'share', (r) => percent(whole ? r.flat / whole : 0)],
      ['cum', 'Cum', (r) => quantity(r.cum, unit)], ['', 'share', (r) => percent(whole ? r.cum / whole : 0)]];
  const table = document.createElement('table');
  table.className = 'cards functions';
  const body = document.createElement('tbody');
  body.append(...rows.slice(0, most).map((r) => functionRow(r, columns, data, show)));
  table.append(cell('thead', functionHead(columns, by, sortBy)), body);
  if (!rows.length) return [cell('p', 'No function matches.', 'empty')];
  if (rows.length <= most) return [table];
  const button = cell('button', 'Show more: ' + count(rows.length - most) + ' functions are left', 'quiet more');
  button.type = 'button';
  button.addEventListener('click', more);
  return [table, button];
}

function functionHead(columns, by, sortBy) {
  const row = document.createElement('tr');
  const name = cell('th', 'Function');
  name.scope = 'col';
  row.append(name, ...columns.map(([key, text]) => {
    const th = cell('th', '', 'num');
    th.scope = 'col';
    if (!key) { th.append(text); return th; }
    const button = cell('button', text + (key === by ? ' ▾' : ''), 'link');
    button.type = 'button';
    button.dataset.sort = key;
    button.addEventListener('click', () => sortBy(key));
    if (key === by) th.setAttribute('aria-sort', 'descending');
    th.append(button);
    return th;
  }));
  return row;
}

function functionRow(r, columns, data, show) {
  const [name, file, owner] = data.funcs[r.fn];
  const row = document.createElement('tr');
  const button = cell('button', name, 'link symbol');
  button.type = 'button';
  button.addEventListener('click', () => show(r.fn));
  const head = cell('th', button);
  head.scope = 'row';
  const where = file < 0 ? '' : ' · ' + data.files[file].split('/').slice(-2).join('/');
  head.append(cell('span', OWNERS[owner] + where, 'sub'));
  row.append(head, ...columns.map(([key, text, value], i) => {
    const td = cell('td', value(r), 'num');
    td.dataset.label = key ? text.toLowerCase() : columns[i - 1][1].toLowerCase() + ' ' + text;
    return td;
  }));
  return row;
}
