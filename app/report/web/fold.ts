// Folds: which are open is part of what a reader chose, a link to a finding opens it, and on paper every finding is open.

import { hash, type Part } from './hash';

const IN_ADDRESS = 50; // folds of each kind: an address has an end

export const folds = (() => {
  const usual = new Map<HTMLDetailsElement, boolean>(); // as the page begins
  const byName = new Map<string, HTMLDetailsElement>();
  let printing = false;

  // nameOf is the ID of a fold, or that of the part of the page that it is in, with its place there.
  function nameOf(fold: HTMLDetailsElement) {
    if (fold.id) return fold.id;
    const part = fold.closest('[id]') ?? document.body;
    const there = [...part.querySelectorAll('details:not([id])')].filter((d) => (d.closest('[id]') ?? document.body) === part);
    return part.id + '.' + there.indexOf(fold);
  }

  // start finds the page's folds. A change is a step that the back button undoes.
  function start(changed: (step: boolean) => void = hash.changed) {
    for (const fold of document.querySelectorAll<HTMLDetailsElement>('details')) {
      usual.set(fold, fold.open);
      byName.set(nameOf(fold), fold);
    }
    // It does not bubble, and comes after the change: what the address says already is no change.
    document.addEventListener('toggle', () => { if (!printing) changed(true); }, true);
    let closed: HTMLDetailsElement[] = [];
    addEventListener('beforeprint', () => {
      printing = true;
      closed = [...document.querySelectorAll<HTMLDetailsElement>('details.finding:not([open])')];
      for (const d of closed) d.open = true;
    });
    addEventListener('afterprint', () => {
      for (const d of closed) d.open = false;
      printing = false;
    });
  }

  // part is what of the folds is in the address: those that the reader opened, and those that the reader closed.
  const part: Part = {
    write: (to) => {
      const other = [...byName].filter(([, fold]) => fold.open !== usual.get(fold));
      for (const [key, open] of [['unfold', true], ['fold', false]] as const) {
        const names = other.filter(([, fold]) => fold.open === open).map(([name]) => name).slice(0, IN_ADDRESS);
        if (names.length) to.set(key, names.join(','));
      }
    },
    read: (from) => {
      const named = (key: string) => new Set((from.get(key) ?? '').split(','));
      const opened = named('unfold'), closed = named('fold');
      for (const [name, fold] of byName) fold.open = opened.has(name) || usual.get(fold)! && !closed.has(name);
    },
  };

  // follow opens the fold that a link leads to, or into.
  function follow(id: string) {
    const at = document.getElementById(id), fold = at?.closest('details');
    if (!fold || fold.open) return;
    fold.open = true;
    at!.scrollIntoView();
  }
  return { start, part, follow };
})();
