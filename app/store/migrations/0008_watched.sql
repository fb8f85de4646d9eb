-- Which process watches a target, of those that share the store and have it in their lists. Times are milliseconds since
-- 1970.
CREATE TABLE watched_targets (
  target TEXT NOT NULL PRIMARY KEY,
  holder TEXT NOT NULL,
  held_until BIGINT NOT NULL
);
