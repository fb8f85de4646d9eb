-- A pinned case stays whatever the limits of what a store keeps.
ALTER TABLE cases ADD COLUMN pinned INTEGER NOT NULL DEFAULT 0;
