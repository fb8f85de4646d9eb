// The page of a comparison works without this file: it adds the flame graph, the theme button and the copy buttons.

import { copyButtons } from './copy';
import type { ComparisonData } from './data';
import { foldedFunctions } from './functiongrid';
import { hash } from './hash';
import { theme } from './theme';

document.documentElement.classList.add('js');
theme.start();
const pageData: ComparisonData = JSON.parse(document.getElementById('data')!.textContent!);
foldedFunctions(pageData.flame, hash.changed);
hash.start(!!pageData.flame.graphs?.length);
copyButtons();
