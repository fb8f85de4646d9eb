// Pages that have folds and no other script: the address says which are open.

import { folds } from "../../report/web/fold";
import { hash } from "../../report/web/hash";

folds.start();
hash.start([folds.part], folds.follow);
