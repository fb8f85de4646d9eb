// The page works without this file: it adds the charts, the flame graph, the theme button and the copy buttons.

import { chartsPart } from './charthash';
import { charts } from './charts';
import { copyButtons } from './copy';
import type { CaseData } from './data';
import { flame } from './flame';
import { flamePart, hasFlame } from './flamehash';
import { folds } from './fold';
import { foldedFunctions } from './functiongrid';
import { hash } from './hash';
import { site } from './site';
import { theme } from './theme';

document.documentElement.classList.add('js');
theme.start();
site.start();
folds.start();
const pageData: CaseData = JSON.parse(document.getElementById('data')!.textContent!);
charts.start(pageData.vitals);
charts.onChange(() => hash.changed(true));
const table = foldedFunctions(pageData.flame, hash.changed);
const asked = hash.start([...pageData.flame.graphs?.length ? [flamePart()] : [], chartsPart, ...table, folds.part], folds.follow);
if (hasFlame(asked)) document.getElementById('profiles')?.scrollIntoView();
else if (asked.has('from')) document.getElementById('vitals')?.scrollIntoView();
copyButtons();
for (const button of document.querySelectorAll<HTMLElement>('[data-mark]')) {
  button.addEventListener('click', () => flame.showMark(Number(button.dataset.mark)));
}
for (const chip of document.querySelectorAll<HTMLElement>('[data-graph]')) {
  chip.addEventListener('click', () => flame.showGraph(Number(chip.dataset.graph)));
}
