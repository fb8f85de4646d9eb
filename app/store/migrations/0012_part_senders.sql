-- Who sent a part: one sender may have a share of what is there in part.
ALTER TABLE parts ADD COLUMN sender TEXT NOT NULL DEFAULT '';
