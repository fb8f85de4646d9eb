// The page of one profile. What a reader chooses is in its address, so that it can be sent to somebody else, and the
// back button undoes each step.

import { copyButtons } from './copy';
import type { ProfileData } from './data';
import { flame } from './flame';
import { matching } from './flamefilter';
import { folds } from './fold';
import { functionGrid, showPath } from './functiongrid';
import { pprofCommand, pprofQuery } from './pprofcommand';
import { site } from './site';
import { theme } from './theme';
import type { Filter, FilterTexts, State } from './types';

document.documentElement.classList.add('js');
theme.start();
site.start();
const pageData: ProfileData = JSON.parse(document.getElementById('data')!.textContent!);
const FILTERS = ['focus', 'ignore', 'from'];
const filterInput = (name: string) => document.querySelector<HTMLInputElement>('[data-filter=' + name + ']')!;
const flameStage = document.querySelector<HTMLElement>('.stage')!;
const keysDialog = document.getElementById('keys') as HTMLDialogElement;
let address = ''; // as it stands for what is shown
let functions: ReturnType<typeof functionGrid>; // the table

// usualGraph is the difference where there is one.
const usualGraph = (pageData.flame.graphs?.length ?? 1) - 1;

function filterTexts() { return Object.fromEntries(FILTERS.map((name) => [name, filterInput(name).value])) as unknown as FilterTexts; }

function filters() {
  const all = FILTERS.map((name) => [name, matching(pageData.flame, filterInput(name).value)] as const);
  return all.some(([, match]) => match) ? Object.fromEntries(all) as unknown as Filter : null;
}

// addressOf writes the choices behind what the server reads. What is as usual is left out.
function addressOf() {
  const s = flame.state();
  const { types, default: usual } = pageData.flame.graphs![s.graph];
  const query = new URLSearchParams();
  for (const [name, value, none] of [
    ['file', pageData.file, ''], ['base', pageData.base, ''], ['tagroot', pageData.tagroot, ''], ['tagleaf', pageData.tagleaf, ''],
    ['diff', s.graph === usualGraph ? '' : 'off', ''],
    ['type', s.type, types[usual].name], ['view', s.view, 'graph'], ['up', s.up, ''], ['fn', s.fn, ''],
    ['zoom', s.zoom.toString(16), '0'], ['at', s.at.toString(16), '0'], ['q', s.find, ''],
    ...Object.entries(filterTexts()).map(([k, v]) => [k, v.trim(), '']), ['sort', functions.state().sort, 'flat'],
    ['open', functions.state().open, ''],
  ]) if (value !== none) query.set(name, value);
  folds.part.write(query);
  return location.pathname + '?' + query.toString().replaceAll('%2F', '/').replaceAll('%2C', ',');
}

// readAddress shows what the address says.
function readAddress() {
  const q = new URLSearchParams(location.search);
  for (const name of FILTERS) filterInput(name).value = q.get(name) ?? '';
  folds.part.read(q);
  functions.restore({ sort: q.get('sort'), open: q.get('open') ?? '' });
  const hash = (name: string) => Number.parseInt(q.get(name) ?? '0', 16) || 0;
  flame.restore({
    graph: q.get('diff') === 'off' ? 0 : usualGraph, type: q.get('type') ?? '', view: q.get('view') ?? 'graph',
    fn: q.get('fn') ?? '', up: q.get('up') ?? '', zoom: hash('zoom'), at: hash('at'), find: q.get('q') ?? '', filter: filters(),
  });
  address = addressOf();
  refresh();
}

// changed keeps the address up to date; a step is one that the back button undoes.
function changed(step: boolean) {
  const to = addressOf();
  if (to !== address) {
    const depth = history.state?.depth ?? 0;
    if (step) history.pushState({ depth: depth + 1 }, '', to);
    else history.replaceState({ depth }, '', to);
    address = to;
  }
  refresh();
}

// refresh brings the table and the command up to what the graph shows.
function refresh() {
  functions.refresh();
  const s = flame.state();
  const { types, default: usual } = pageData.flame.graphs![0];
  const type = s.graph === 0 ? s.type : types[usual].name;
  const asked = {
    type: types.length > 1 ? type : '', filters: filterTexts(), tagroot: pageData.tagroot, tagleaf: pageData.tagleaf, file: location.origin + pageData.download,
    base: usualGraph > 0 && s.graph === usualGraph ? location.origin + pageData.base_download : '',
  };
  document.getElementById('pprof')!.textContent = pprofCommand(asked);
  linkTags();
  (document.getElementById('pprof-pages') as HTMLAnchorElement).search = pprofQuery(asked);
}

// linkTags makes the links to other labels keep what a reader chose. A zoom is to a path, and all paths are others then;
// folds begin as that page has them.
function linkTags() {
  for (const a of document.querySelectorAll<HTMLAnchorElement>('.tags a')) {
    const to = new URLSearchParams(a.search);
    const query = new URLSearchParams(new URL(addressOf(), location.href).search);
    for (const name of ['tagroot', 'tagleaf']) query.delete(name);
    for (const name of ['zoom', 'at', 'unfold', 'fold']) query.delete(name);
    for (const name of ['tagroot', 'tagleaf']) if (to.get(name)) query.set(name, to.get(name)!);
    a.search = query.toString().replaceAll('%2F', '/');
  }
}

// become shows another state as one step.
function become(state: Partial<State & { filter: Filter | null }>) {
  flame.restore({ ...flame.state(), filter: filters(), ...state });
  changed(true);
}

function resetAll() {
  for (const name of FILTERS) filterInput(name).value = '';
  become({ view: 'graph', fn: '', zoom: 0, at: 0, find: '', filter: null });
}

// toggleDiff changes between the difference and the profile alone. Without a base it offers some.
function toggleDiff() {
  if (usualGraph > 0) { become({ graph: usualGraph - flame.state().graph, type: '' }); return; }
  const offer = document.querySelector<HTMLElement>('#compare summary');
  if (!offer) return;
  (offer.parentElement as HTMLDetailsElement).open = true;
  offer.focus();
}

async function copySelected() {
  const name = functions.focusedName() || flame.selectedName();
  const said = document.getElementById('said')!;
  try {
    await navigator.clipboard.writeText(name || location.href);
    said.textContent = name ? 'Copied the function\u2019s name.' : 'Copied the address of this view.';
  } catch {
    said.textContent = 'The browser does not let this page copy.';
  }
}

// pageKeys are those that work wherever the focus is, except in fields.
const pageKeys: Record<string, () => void> = {
  '/': () => document.querySelector<HTMLElement>('.find input')!.focus(),
  '?': () => keysDialog.showModal(),
  Backspace: () => { if (history.state?.depth > 0) history.back(); },
  c: copySelected,
  d: toggleDiff,
  u: flame.turn,
};

function pressed(e: KeyboardEvent) {
  const at = e.target as Element;
  if (e.ctrlKey || e.metaKey || e.altKey || keysDialog.open) return;
  const typing = at.matches('input, select, textarea');
  // A button of a dialog that was just closed has the focus until the page is drawn again.
  const unfocused = at === document.body || keysDialog.contains(at);
  const act = e.key === 'Escape' ? resetAll : typing ? null : pageKeys[e.key];
  if (act) {
    e.preventDefault();
    e.stopPropagation();
    act();
    if (e.key === 'Escape') flameStage.focus({ preventScroll: true });
  } else if (unfocused && /^(Arrow|Enter|Home)/.test(e.key)) {
    flameStage.focus({ preventScroll: true });
    flame.keys(e);
  }
}

if (pageData.flame.graphs?.length) {
  flameStage.setAttribute('aria-label', 'Flame graph. Arrow keys move, Enter zooms in, Backspace goes back, u turns it upside down, Escape resets.');
  functions = functionGrid(document.getElementById('function-table')!, document.getElementById('row-said')!, pageData.flame,
    { shown: flame.shownFunctions, show: showPath, changed });
  flame.start(pageData.flame, changed);
  folds.start(changed);
  readAddress();
  history.replaceState({ depth: history.state?.depth ?? 0 }, '', location.href);
  addEventListener('popstate', readAddress);
  for (const name of FILTERS) filterInput(name).addEventListener('change', () => become({}));
  document.addEventListener('keydown', pressed, true);
  for (const b of document.querySelectorAll('[data-keys]')) b.addEventListener('click', () => keysDialog.showModal());
  keysDialog.querySelector('button')!.addEventListener('click', () => keysDialog.close());
}
copyButtons();
