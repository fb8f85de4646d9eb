// What every page of `casebook serve` has: the keys of the navigation, their list, and what a link to the page holds. A
// page on disk has no such bar: nothing is done then.

const OFF = 'casebook-keys-off';

export const site = (() => {
  const bar = () => document.querySelector<HTMLElement>('.bar.site');
  const dialog = (id: string) => document.getElementById(id) as HTMLDialogElement;
  let gone = 0; // when g was pressed
  let off = false;

  function remember(to: boolean) {
    off = to;
    try {
      if (off) localStorage.setItem(OFF, '1');
      else localStorage.removeItem(OFF);
    } catch { /* no storage: it lasts as long as the page */ }
  }

  // held says in words what the address has of the page.
  function held() {
    const out = ['the page: ' + document.title];
    const words = (query: URLSearchParams) => [...query].map(([name, value]) => name + ' ' + value).join(', ');
    if (location.search) out.push('what was asked for: ' + words(new URLSearchParams(location.search)));
    if (location.hash.startsWith('#~')) out.push('what you chose on it: ' + words(new URLSearchParams(location.hash.slice(2))));
    else if (location.hash) out.push('the part: ' + location.hash.slice(1));
    return out;
  }

  function share() {
    document.getElementById('share-address')!.textContent = location.href;
    document.getElementById('share-holds')!.replaceChildren(...held().map((text) => {
      const li = document.createElement('li');
      li.textContent = text.length > 300 ? text.slice(0, 300) + '…' : text;
      return li;
    }));
    const id = /^\/cases\/([^/]+)/.exec(location.pathname)?.[1];
    const show = (name: string, shown: boolean) => { document.getElementById('share-' + name)!.hidden = !shown; };
    show('local', ['localhost', '127.0.0.1', '[::1]'].includes(location.hostname));
    show('kept', !!id);
    show('now', !id);
    show('file', !!id);
    if (id) document.querySelector('#share-file a')!.setAttribute('href', '/api/v1/cases/' + id + '/zip');
    dialog('share').showModal();
  }

  function open(id: string) {
    if (document.querySelector('dialog[open]')) return;
    if (id === 'share') share();
    else dialog(id).showModal();
  }

  // step moves the focus between the first links of rows.
  function step(by: number) {
    const rows = [...document.querySelectorAll<HTMLElement>('main [data-go-row], main tbody tr')].map((row) =>
      row.matches('a') ? row : row.querySelector<HTMLElement>('a')).filter((a) => !!a && a.checkVisibility());
    if (!rows.length) return false;
    const now = document.activeElement, at = rows.findIndex((a) => a === now || !!a!.closest('tr')?.contains(now));
    rows[at < 0 ? (by > 0 ? 0 : rows.length - 1) : Math.min(Math.max(at + by, 0), rows.length - 1)]!.focus();
    return true;
  }

  function press(e: KeyboardEvent) {
    const key = e.key, after = Date.now() - gone < 1500;
    gone = 0;
    if (after) {
      const to = bar()!.querySelector<HTMLElement>('[data-go="' + CSS.escape(key) + '"]');
      if (to) to.click();
      return !!to;
    }
    switch (key) {
      case 'g': gone = Date.now(); return true;
      case 's': open('share'); return true;
      case '?': open(document.querySelector('#keys') ? 'keys' : 'sitekeys'); return true;
      case 'j': return step(1);
      case 'k': return step(-1);
      case '/': {
        const field = document.querySelector<HTMLElement>('main input[type=search], header input[type=search]');
        field?.focus();
        return !!field;
      }
    }
    return false;
  }

  function start() {
    if (!bar()) return;
    try { off = localStorage.getItem(OFF) === '1'; } catch { /* no storage */ }
    for (const b of document.querySelectorAll<HTMLElement>('[data-open]')) b.addEventListener('click', () => open(b.dataset.open!));
    for (const b of document.querySelectorAll<HTMLElement>('[data-close]')) b.addEventListener('click', () => b.closest('dialog')!.close());
    const single = document.getElementById('single') as HTMLInputElement;
    single.checked = !off;
    single.addEventListener('change', () => remember(!single.checked));
    document.addEventListener('keydown', (e) => {
      if (off || e.defaultPrevented || e.ctrlKey || e.metaKey || e.altKey || document.querySelector('dialog[open]')) return;
      if ((e.target as Element).matches('input, select, textarea, [role=application]') && e.key !== '?') return;
      if ((e.target as Element).matches('input, textarea')) return;
      if (press(e)) e.preventDefault();
    });
  }
  return { start };
})();
