// The charts' part of an address.

import { charts } from './charts';
import type { Part } from './hash';

// chartsPart is the part of the time that a reader brushed.
export const chartsPart: Part = {
  write: (to) => {
    const range = charts.range();
    if (range) ['from', 'to'].forEach((name, i) => to.set(name, String(Math.round(range[i] * 1000) / 1000)));
  },
  read: (from) => {
    const [begin, end] = ['from', 'to'].map((name) => Number(from.get(name)) || 0);
    charts.show(from.has('from') && begin < end ? [begin, end] : null);
  },
};
