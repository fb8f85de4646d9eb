// The page of a comparison works without this file: it adds the flame graph, the theme button and the copy buttons.

import { copyButtons } from './copy';
import type { ComparisonData } from './data';
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
const pageData: ComparisonData = JSON.parse(document.getElementById('data')!.textContent!);
const table = foldedFunctions(pageData.flame, hash.changed);
const asked = hash.start([...pageData.flame.graphs?.length ? [flamePart()] : [], ...table, folds.part], folds.follow);
if (hasFlame(asked)) document.getElementById('profiles')?.scrollIntoView();
copyButtons();
