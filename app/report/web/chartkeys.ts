// The charts without a mouse: arrow keys move a cursor that all charts share, with Shift they choose a part of the time,
// and a sentence says where the cursor is. One chart takes the keys; a Tab for each would be a long way through a page.

import { offset } from './format';

// A Timeline is what the keys move on, in seconds after the trigger.
interface Timeline {
  times: number[];
  range: () => [from: number, to: number]; // what is shown
  point: (at: number, from: number) => void; // shows the cursor, and what is chosen from there; from === at: nothing
  zoom: (range: [from: number, to: number] | null) => void;
  values: (i: number) => string; // of a moment, in words
}

const PAGE = 20; // moments of PageUp and PageDown

// chartKeys makes a chart take keys.
export function chartKeys(stage: HTMLElement, said: HTMLElement, line: Timeline) {
  let at = -1; // the moment of the cursor; −1: none
  let anchor = -1; // where the chosen part begins
  stage.tabIndex = 0;
  stage.setAttribute('role', 'application');
  stage.setAttribute('aria-roledescription', 'time line');
  stage.setAttribute('aria-label', 'Time line of all charts. Left and Right move, with Shift they choose a part, Enter zooms to it, Escape resets.');

  // within are the first and the last moment that are shown.
  function within() {
    const [from, to] = line.range();
    const first = line.times.findIndex((t) => t >= from), last = line.times.findLastIndex((t) => t <= to);
    return [Math.max(first, 0), last < 0 ? line.times.length - 1 : last];
  }

  function go(to: number, choosing: boolean) {
    const [first, last] = within();
    const was = at < 0 ? to : at;
    at = Math.min(Math.max(to, first), last);
    if (!choosing) anchor = at;
    else if (anchor < 0) anchor = was;
    line.point(line.times[at], line.times[anchor]);
    const [from, end] = [Math.min(anchor, at), Math.max(anchor, at)].map((i) => offset(line.times[i]));
    said.textContent = (from === end ? '' : 'From ' + from + ' to ' + end + ' is chosen; Enter zooms. ') + 'At ' + offset(line.times[at]) + ': ' + line.values(at) + '.';
  }

  function zoom(range: [number, number] | null) {
    line.zoom(range);
    anchor = at;
    line.point(at < 0 ? NaN : line.times[at], at < 0 ? NaN : line.times[at]);
    said.textContent = range ? 'From ' + offset(range[0]) + ' to ' + offset(range[1]) + ' is shown. Escape shows all.' : 'All of it is shown.';
  }

  stage.addEventListener('keydown', (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    const [first, last] = within();
    const here = at < 0 ? Math.min(Math.max(line.times.findLastIndex((t) => t <= 0), first), last) : at;
    const step = (n: number) => () => go(at < 0 ? here : here + n, e.shiftKey);
    const act = ({
      ArrowLeft: step(-1), ArrowRight: step(1), PageUp: step(-PAGE), PageDown: step(PAGE),
      Home: () => go(first, e.shiftKey), End: () => go(last, e.shiftKey),
      Enter: () => { if (anchor >= 0 && anchor !== at) zoom([line.times[Math.min(anchor, at)], line.times[Math.max(anchor, at)]]); },
      Escape: () => { at = -1; zoom(null); },
    } as Record<string, () => void>)[e.key];
    if (!act) return;
    e.preventDefault();
    act();
  });
}
