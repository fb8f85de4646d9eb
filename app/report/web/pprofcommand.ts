// The command that opens in go tool pprof what the page shows.

import type { FilterTexts } from './types';

// An Asked is what a command or an address asks pprof for.
interface Asked { type: string; filters: FilterTexts; tagroot?: string; tagleaf?: string; file: string; base: string }

function shellWord(text: string) { return /^[\w./:=@%,+-]+$/.test(text) ? text : "'" + text.replaceAll("'", "'\\''") + "'"; }

// wordsPattern is the words between bars as a regular expression of Go, as matching reads them.
function wordsPattern(text: string) {
  const words = text.split('|').map((w) => w.trim()).filter(Boolean);
  return '(?i)' + words.map((w) => w.replace(/[\\.+*?()|[\]{}^$]/g, '\\$&')).join('|');
}

// pprofCommand has the sample type, the filters, the labels and the base. file and base are addresses.
export function pprofCommand({ type, filters, tagroot, tagleaf, file, base }: Asked) {
  const words = ['go', 'tool', 'pprof', '-http=:'];
  if (type) words.push(shellWord('-sample_index=' + type));
  for (const [option, text] of [['focus', filters.focus], ['ignore', filters.ignore], ['show_from', filters.from]]) {
    if (text.trim()) words.push(shellWord('-' + option + '=' + wordsPattern(text)));
  }
  for (const [option, key] of [['tagroot', tagroot], ['tagleaf', tagleaf]]) {
    if (key && !key.includes(',')) words.push(shellWord('-' + option + '=' + key)); // pprof takes it for two keys
  }
  if (base) words.push(shellWord('-diff_base=' + base));
  words.push(shellWord(file));
  return words.join(' ');
}

// pprofQuery is the same for the addresses of pprof's own pages, which know no base and no labels.
export function pprofQuery({ type, filters }: Pick<Asked, 'type' | 'filters'>) {
  const query = new URLSearchParams();
  for (const [name, text] of [['f', filters.focus], ['i', filters.ignore], ['sf', filters.from]]) {
    if (text.trim()) query.set(name, wordsPattern(text));
  }
  if (type) query.set('si', type);
  return query.size ? '?' + query : '';
}
