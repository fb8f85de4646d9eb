// A page of tables: its search field hides the rows without its words, and the address keeps them and the folds.

import { copyButtons } from './copy';
import { folds } from './fold';
import { count } from './format';
import { hash } from './hash';
import { site } from './site';
import { theme } from './theme';

document.documentElement.classList.add('js');
theme.start();
site.start();

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

// readWords shows what the address searches for. Words are a part of the address that the server has.
function readWords() {
  if (!searchField) return;
  searchField.value = new URLSearchParams(location.search).get('q') ?? '';
  showMatching(searchField);
}

folds.start();
readWords();
hash.start([folds.part], folds.follow);
addEventListener('popstate', readWords);
if (searchField) {
  searchField.addEventListener('input', () => {
    const query = new URLSearchParams(location.search);
    if (searchField.value) query.set('q', searchField.value);
    else query.delete('q');
    history.replaceState(history.state, '', location.pathname + (query.size ? '?' + query : '') + location.hash);
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
