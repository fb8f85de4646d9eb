-- What findings cost, so that metrics need not read each case.json. Of rows that were there before, the cost is not
-- known: resource is ''.
ALTER TABLE findings ADD COLUMN id TEXT NOT NULL DEFAULT '';
ALTER TABLE findings ADD COLUMN function TEXT NOT NULL DEFAULT '';
ALTER TABLE findings ADD COLUMN resource TEXT NOT NULL DEFAULT '';
ALTER TABLE findings ADD COLUMN share DOUBLE PRECISION NOT NULL DEFAULT 0;
