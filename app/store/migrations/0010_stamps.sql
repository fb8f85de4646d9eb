-- A blob is named by its SHA-256 and the stamp of the upload that wrote it, 0 of those before there were stamps. No row
-- may name a blob for the first time whose stamp is not above the bound: a sweep may have taken it. stamp.go says more.
ALTER TABLE evidence ADD COLUMN stamp BIGINT NOT NULL DEFAULT 0;
CREATE TABLE swept (bound BIGINT NOT NULL);
INSERT INTO swept (bound) VALUES (0);
