-- Which findings a case's proof closes (app/closing): it closes what it measured. Of rows that were there before, a proof
-- that is better closed all of them.
ALTER TABLE findings ADD COLUMN closed INTEGER NOT NULL DEFAULT 0;
ALTER TABLE cases ADD COLUMN worst_open INTEGER NOT NULL DEFAULT 0;
UPDATE cases SET worst_open = worst WHERE proof <> 'better';
UPDATE findings SET closed = 1 WHERE case_id IN (SELECT id FROM cases WHERE proof = 'better');
