// What a reader chose on a page is behind the # of its address, so that it can be sent to somebody else, and the back
// button undoes each step. A page that was saved as a file has it, too; what is in the address before the # is the
// server's. A link to a part of the page (#findings) replaces it there: what was shown then is kept with the browser's
// entry of its history, so that going back to it shows the same.

const MARK = '#~'; // no element of the page has such an ID

// A Part is a part of the page that has choices. write adds those that are not as the page begins, read shows what an
// address has.
export interface Part {
  write: (to: URLSearchParams) => void;
  read: (from: URLSearchParams) => void;
}

export const hash = (() => {
  let parts: Part[] = [];
  let shown = ''; // the hash of what is shown
  let due = false, step = false; // the address is to be written after this event; as a step
  let followed: (id: string) => void = () => {}; // is called with the element that a link leads to

  function hashOf() {
    const query = new URLSearchParams();
    for (const p of parts) p.write(query);
    return query.size ? MARK + query.toString().replaceAll('%2C', ',') : '';
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
        if (step) history.pushState({ view: to }, '', url);
        else history.replaceState({ view: to }, '', url);
        shown = to;
      }
      due = step = false;
    });
  }

  // arrived is called at another entry of the history, and at the first.
  function arrived() {
    const anchor = location.hash && !location.hash.startsWith(MARK) ? location.hash.slice(1) : '';
    const kept: unknown = history.state?.view;
    if (anchor && typeof kept !== 'string') { // a link was followed: what is shown stays
      followed(anchor);
      shown = hashOf();
      history.replaceState({ view: shown }, '');
      return;
    }
    const view = anchor ? String(kept) : location.hash;
    if (view === shown) return;
    const query = new URLSearchParams(view.slice(MARK.length));
    for (const p of parts) p.read(query);
    shown = hashOf();
  }

  // start is called when the page's parts have begun. It returns what the address asked for.
  function start(all: Part[], follow?: (id: string) => void) {
    parts = all;
    if (follow) followed = follow;
    addEventListener('popstate', arrived);
    addEventListener('hashchange', arrived);
    arrived();
    return new URLSearchParams(shown.slice(MARK.length));
  }
  return { start, changed };
})();
