// The search field of a page of tables hides the rows without its words; the address keeps them.

import { copyButtons } from './copy';
import { count } from './format';
import { theme } from './theme';

document.documentElement.classList.add('js');
theme.start();

const searchField = document.querySelector<HTMLInputElement>('[data-search]');

function showMatching(searchField: HTMLInputElement) {
  const words = searchField.value.toLowerCase().split(/\s+/).filter(Boolean);
  let shown = 0;
  const rows = document.querySelectorAll<HTMLElement>('[data-row]');
  for (const row of rows) {
    const text = row.textContent!.toLowerCase();
    row.hidden = !words.every((w) => text.includes(w));
    if (!row.hidden) shown++;
  }
  const text = count(shown) + ' of ' + count(rows.length) + ' rows';
  document.getElementById('found')!.textContent = words.length ? text : '';
}

if (searchField) {
  searchField.value = new URLSearchParams(location.search).get('q') ?? '';
  if (searchField.value) showMatching(searchField);
  searchField.addEventListener('input', () => {
    const query = new URLSearchParams(location.search);
    if (searchField.value) query.set('q', searchField.value);
    else query.delete('q');
    history.replaceState(null, '', location.pathname + (query.size ? '?' + query : '') + location.hash);
    showMatching(searchField);
  });
  document.addEventListener('keydown', (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey || (e.target as Element).matches('input, select, textarea') && e.key !== 'Escape') return;
    if (e.key === '/') { e.preventDefault(); searchField.focus(); }
    if (e.key === 'Escape' && searchField.value) {
      searchField.value = '';
      searchField.dispatchEvent(new Event('input'));
    }
  });
}
copyButtons();
