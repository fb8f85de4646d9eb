-- What is to be done with a case, by whichever process takes it. Times are milliseconds since 1970.
CREATE TABLE jobs (
  case_id TEXT NOT NULL REFERENCES cases (id) ON DELETE CASCADE,
  work TEXT NOT NULL,
  due BIGINT NOT NULL,
  tries INTEGER NOT NULL,
  holder TEXT NOT NULL,
  held_until BIGINT NOT NULL,
  failure TEXT NOT NULL,
  PRIMARY KEY (case_id, work)
);
CREATE INDEX jobs_due ON jobs (due);
