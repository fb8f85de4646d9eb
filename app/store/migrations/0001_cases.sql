-- Cases, and what people search them by. {{bytes}} is the dialect's type of bytes. Times are milliseconds since 1970.
CREATE TABLE cases (
  id TEXT NOT NULL PRIMARY KEY,
  opened BIGINT NOT NULL,
  received BIGINT NOT NULL,
  service TEXT NOT NULL,
  version TEXT NOT NULL,
  rule TEXT NOT NULL,
  trigger_text TEXT NOT NULL,
  findings INTEGER NOT NULL,
  kind TEXT NOT NULL,
  title TEXT NOT NULL,
  score INTEGER NOT NULL,
  worst INTEGER NOT NULL,
  verdict TEXT NOT NULL,
  proof TEXT NOT NULL,
  bytes BIGINT NOT NULL,
  search TEXT NOT NULL
);
CREATE INDEX cases_newest ON cases (opened DESC, id DESC);
CREATE INDEX cases_of_service ON cases (service, opened DESC, id DESC);

-- case.json, apart from what lists read: it may have megabytes. received_sum is of what the sender sent.
CREATE TABLE records (
  case_id TEXT NOT NULL PRIMARY KEY REFERENCES cases (id) ON DELETE CASCADE,
  sum TEXT NOT NULL,
  received_sum TEXT NOT NULL,
  data {{bytes}} NOT NULL
);

CREATE TABLE findings (
  case_id TEXT NOT NULL REFERENCES cases (id) ON DELETE CASCADE,
  place INTEGER NOT NULL,
  kind TEXT NOT NULL,
  score INTEGER NOT NULL,
  PRIMARY KEY (case_id, place)
);
CREATE INDEX findings_of_kind ON findings (kind, score);

CREATE TABLE evidence (
  case_id TEXT NOT NULL REFERENCES cases (id) ON DELETE CASCADE,
  place INTEGER NOT NULL,
  file TEXT NOT NULL,
  kind TEXT NOT NULL,
  phase TEXT NOT NULL,
  bytes BIGINT NOT NULL,
  sum TEXT NOT NULL,
  PRIMARY KEY (case_id, file)
);
CREATE INDEX evidence_of_blob ON evidence (sum);

CREATE TABLE labels (
  case_id TEXT NOT NULL REFERENCES cases (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (case_id, name)
);
CREATE INDEX labels_of_value ON labels (name, value);
