-- Captures that somebody asked for: an alert, or a person. A process that watches the target takes them. What the same
-- alert asks for again has the same ID. Times are milliseconds since 1970, 0 for none; ended is the alert's.
CREATE TABLE captures (
  id TEXT NOT NULL PRIMARY KEY,
  alert TEXT NOT NULL,
  source TEXT NOT NULL,
  target TEXT NOT NULL,
  service TEXT NOT NULL,
  reason TEXT NOT NULL,
  who TEXT NOT NULL,
  began BIGINT NOT NULL,
  ended BIGINT NOT NULL,
  asked BIGINT NOT NULL,
  due BIGINT NOT NULL,
  state TEXT NOT NULL,
  tries INTEGER NOT NULL,
  holder TEXT NOT NULL,
  held_until BIGINT NOT NULL,
  case_id TEXT NOT NULL,
  failure TEXT NOT NULL
);
CREATE INDEX captures_due ON captures (state, due);
CREATE INDEX captures_of_alert ON captures (alert);
CREATE INDEX captures_asked ON captures (asked);

-- Measurements of a case's remedy, as they were sent. The newest is in case.json, too.
CREATE TABLE proofs (
  case_id TEXT NOT NULL REFERENCES cases (id) ON DELETE CASCADE,
  sum TEXT NOT NULL,
  taken BIGINT NOT NULL,
  received BIGINT NOT NULL,
  who TEXT NOT NULL,
  data {{bytes}} NOT NULL,
  PRIMARY KEY (case_id, sum)
);
