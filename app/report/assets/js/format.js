// Numbers for people: three significant digits and a unit. The same as number.go; a test holds the two together.

const NBSP = '\u00a0';
const byteSteps = [[2 ** 40, 'TiB'], [2 ** 30, 'GiB'], [2 ** 20, 'MiB'], [2 ** 10, 'KiB'], [1, 'B']];
const timeSteps = [[1, 's'], [1e-3, 'ms'], [1e-6, 'µs'], [1e-9, 'ns']];
const countSteps = [[1e12, 'T'], [1e9, 'G'], [1e6, 'M'], [1e3, 'k']];

function round3(v) { return Number(v.toPrecision(3)); }

function grouped(s) {
  const [whole, frac] = s.split('.');
  const out = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return frac === undefined ? out : out + '.' + frac;
}

function digits(v) {
  if (v < 1000 && Number.isInteger(v)) return String(v);
  const r = round3(v);
  const places = 2 - Math.floor(Math.log10(r) + 1e-9);
  return grouped(r.toFixed(Math.min(Math.max(places, 0), 12)));
}

function stepped(v, steps) {
  for (const [size, suffix] of steps) {
    if (round3(v / size) >= 1 || (v === 0 && size === 1)) return digits(v / size) + NBSP + suffix;
  }
  const [size, suffix] = steps[steps.length - 1];
  return digits(v / size) + NBSP + suffix;
}

function count(v) {
  if (v < 1e4 && Number.isInteger(v)) return grouped(String(v));
  if (round3(v) < 1e4) return digits(v);
  return stepped(v, countSteps);
}

function percent(share) {
  const p = Math.round(share * 1e11) / 1e9;
  if (!Number.isFinite(p)) return '–';
  if (p > 0 && p < 0.01) return '<0.01' + NBSP + '%';
  return digits(p) + NBSP + '%';
}

function quantity(v, unit) {
  if (v === null || v === undefined || !Number.isFinite(v)) return '–';
  if (v < 0) return '−' + quantity(-v, unit);
  switch (unit) {
    case 'bytes': return stepped(v, byteSteps);
    case 'bytes/s': return stepped(v, byteSteps) + '/s';
    case 'seconds': return stepped(v, timeSteps);
    case 'share': return percent(v);
    case 'cores': return digits(v) + NBSP + 'cores';
    case '1/s': return count(v) + '/s';
    case 'count': case '': return count(v);
  }
  return count(v) + NBSP + unit;
}

// offset writes seconds after the trigger: −1:30.
function offset(seconds) {
  const sign = seconds < 0 ? '−' : '+';
  const s = Math.round(Math.abs(seconds));
  if (s === 0) return '0:00';
  const two = (n) => String(n).padStart(2, '0');
  const h = Math.floor(s / 3600);
  const m = Math.floor(s / 60) % 60;
  return sign + (h ? h + ':' + two(m) : m) + ':' + two(s % 60);
}
