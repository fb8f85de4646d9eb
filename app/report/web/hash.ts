// What a reader chose on a page with charts and a flame graph is behind the # of its address, so that it can be sent to
// somebody else, and the back button undoes each step. A page that was saved as a file has it, too; what is in the
// address before the # is the server's. An anchor of the page (#findings) is left alone.

import { charts } from './charts';
import { flame } from './flame';
import type { State } from './types';

const MARK = '#~'; // no element of the page has such an ID
const FIELDS: [name: string, field: keyof State][] = [['graph', 'graph'], ['type', 'type'], ['view', 'view'], ['fn', 'fn'],
  ['zoom', 'zoom'], ['at', 'at'], ['q', 'find']];

export const hash = (() => {
  let usual: State | null = null; // as the page begins; null without a flame graph
  let shown = ''; // the hash of what is shown
  let due = false, step = false; // the address is to be written after this event; as a step

  function hashOf() {
    const query = new URLSearchParams();
    const now = usual && flame.state();
    for (const [name, field] of FIELDS) if (now && now[field] !== usual![field]) query.set(name, String(now[field]));
    const range = charts.range();
    if (range) ['from', 'to'].forEach((name, i) => query.set(name, String(Math.round(range[i] * 1000) / 1000)));
    return query.size ? MARK + query : '';
  }

  // changed is called after each choice. One click may make several; together they are one step.
  function changed(isStep: boolean) {
    step ||= isStep;
    if (due) return;
    due = true;
    queueMicrotask(() => {
      const to = hashOf();
      if (to !== shown) {
        const url = new URL(location.href);
        url.hash = to;
        if (step) history.pushState(null, '', url);
        else history.replaceState(null, '', url);
        shown = to;
      }
      due = step = false;
    });
  }

  function restore() {
    if (location.hash && !location.hash.startsWith(MARK)) return;
    const query = new URLSearchParams(location.hash.slice(MARK.length));
    const number = (name: string, none: number) => Number(query.get(name) ?? none) || 0;
    if (usual) {
      flame.restore({
        graph: Math.max(0, Math.trunc(number('graph', usual.graph))), type: query.get('type') ?? usual.type, view: query.get('view') ?? usual.view,
        fn: query.get('fn') ?? '', zoom: number('zoom', 0), at: number('at', 0), find: query.get('q') ?? '', filter: null,
      });
    }
    const [from, to] = [number('from', 0), number('to', 0)];
    charts.show(query.has('from') && from < to ? [from, to] : null);
    shown = hashOf();
  }

  // start is called when charts and flame graph, if there is one, have begun.
  function start(hasFlame: boolean) {
    if (hasFlame) usual = flame.state();
    charts.onChange(() => changed(true));
    addEventListener('popstate', restore);
    if (!location.hash.startsWith(MARK)) return;
    restore();
    const flamed = FIELDS.some(([name]) => new URLSearchParams(shown.slice(MARK.length)).has(name));
    document.getElementById(flamed ? 'profiles' : 'vitals')?.scrollIntoView();
  }
  return { start, changed };
})();
