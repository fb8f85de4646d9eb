// Pages that have folds and no other script: the address says which are open.

import { folds } from "../../report/web/fold";
import { hash } from "../../report/web/hash";
import { copyButtons } from "../../report/web/copy";
import { site } from "../../report/web/site";
import { theme } from "../../report/web/theme";

document.documentElement.classList.add('js');
theme.start();
site.start();
copyButtons();
folds.start();
hash.start([folds.part], folds.follow);
