// The flame graph's part of an address.

import { flame } from './flame';
import type { Part } from './hash';
import type { State } from './types';

const FIELDS: [name: string, field: keyof State][] = [['graph', 'graph'], ['type', 'type'], ['view', 'view'], ['fn', 'fn'],
  ['up', 'up'], ['zoom', 'zoom'], ['at', 'at'], ['q', 'find']];

// flamePart begins with what the graph shows now.
export function flamePart(): Part {
  const usual = flame.state();
  return {
    write: (to) => {
      const now = flame.state();
      for (const [name, field] of FIELDS) if (now[field] !== usual[field]) to.set(name, String(now[field]));
    },
    read: (from) => {
      const number = (name: string, none: number) => Number(from.get(name) ?? none) || 0;
      flame.restore({
        graph: Math.max(0, Math.trunc(number('graph', usual.graph))), type: from.get('type') ?? usual.type,
        view: from.get('view') ?? usual.view, fn: from.get('fn') ?? '', up: from.get('up') ?? '', zoom: number('zoom', 0), at: number('at', 0),
        find: from.get('q') ?? '', filter: null,
      });
    },
  };
}

export const hasFlame = (query: URLSearchParams) => FIELDS.some(([name]) => query.has(name));
