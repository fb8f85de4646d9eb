// Numbers for people: three significant digits at most and a unit. The same as internal/number, where the rule is; a
// test holds the two together.

type Step = [size: number, suffix: string, least: number];

const NBSP = '\u00a0';
const byteSteps: Step[] = [[2 ** 40, ' TiB', 1],
  [2 ** 30, ' GiB', 1], [2 ** 20, ' MiB', 1], [2 ** 10, ' KiB', 1], [1, ' B', 0]];
const timeSteps: Step[] = [[86400, ' days', 2], [3600, ' h', 2], [60, ' min', 10], [1, ' s', 1], [1e-3, ' ms', 1],
  [1e-6, ' µs', 1], [1e-9, ' ns', 0]];
const countSteps: Step[] = [[1e12, ' T', 1], [1e9, ' G', 1], [1e6, ' M', 1], [1e3, ' k', 0]];

function round3(v: number) { return Number(v.toPrecision(3)); }

function trimmed(s: string) { return s.replace(/\.?0+(e|$)/, '$1'); }

function digits(v: number): string {
  if (v < 0) return '−' + digits(-v);
  if (v === 0) return '0';
  if (v < 5e-7) return '<0.000001';
  if (v >= 1e15) return trimmed(v.toExponential(2));
  if (v >= 99.95) return v.toFixed(0).replace(/\B(?=(\d{3})+$)/g, ',');
  const places = 2 - Math.floor(Math.log10(round3(v)) + 1e-9);
  const text = v.toFixed(Math.min(places, 6));
  return text.includes('.') ? trimmed(text) : text;
}

function tenths(v: number) { return Math.abs(v) < 1 ? Number(v.toPrecision(2)) : Math.round(10 * v) / 10; }

function stepped(v: number, steps: Step[]): string {
  if (v < 0) return '−' + stepped(-v, steps);
  for (const [size, suffix, least] of steps) {
    if (v > 0 ? round3(v / size) >= least : size === 1) return digits(v / size) + suffix;
  }
  return digits(v);
}

function plainCount(v: number): string {
  if (v < 0) return '−' + plainCount(-v);
  return Math.round(v) < 1e4 ? digits(v) : stepped(v, countSteps);
}

function plainQuantity(v: number, unit: string) {
  switch (unit) {
    case 'bytes': return stepped(v, byteSteps);
    case 'bytes/s': return stepped(v, byteSteps) + '/s';
    case 'seconds': return stepped(v, timeSteps);
    case 'share': return digits(tenths(100 * v)) + ' %';
    case 'cores': return digits(v) === '1' ? '1 core' : digits(v) + ' cores';
    case '1/s': return plainCount(v) + '/s';
    case 'count': case '': return plainCount(v);
  }
  return plainCount(v) + ' ' + unit;
}

export function quantity(v: number | null | undefined, unit: string) {
  if (v === null || v === undefined || !Number.isFinite(v)) return '–';
  return plainQuantity(v, unit).replaceAll(' ', NBSP);
}

export function count(v: number) { return quantity(v, 'count'); }

export function percent(share: number) { return quantity(share, 'share'); }

// offset writes seconds after the trigger: −1:30.
export function offset(seconds: number) {
  const sign = seconds < 0 ? '−' : '+';
  const s = Math.round(Math.abs(seconds));
  if (s === 0) return '0:00';
  const two = (n: number) => String(n).padStart(2, '0');
  const h = Math.floor(s / 3600);
  const m = Math.floor(s / 60) % 60;
  return sign + (h ? h + ':' + two(m) : m) + ':' + two(s % 60);
}
