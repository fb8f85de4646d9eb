-- Services whose findings are ranked, by where their profiles come from. Of a row whose service is empty, the turn is to
-- list the services of the source. A version is '' when none is known. Times are milliseconds since 1970, 0 for never.
CREATE TABLE ranking_services (
  source TEXT NOT NULL,
  service TEXT NOT NULL,
  owner TEXT NOT NULL,
  version TEXT NOT NULL,
  version_since BIGINT NOT NULL,
  earlier_version TEXT NOT NULL,
  cores DOUBLE PRECISION NOT NULL,
  since BIGINT NOT NULL,
  judged BIGINT NOT NULL,
  listed BIGINT NOT NULL,
  due BIGINT NOT NULL,
  holder TEXT NOT NULL,
  held_until BIGINT NOT NULL,
  failure TEXT NOT NULL,
  PRIMARY KEY (source, service)
);
CREATE INDEX ranking_due ON ranking_services (due);
CREATE INDEX ranking_of_service ON ranking_services (service);

-- What was found in their profiles. since is when it was first found, seen when it was last.
CREATE TABLE ranking_findings (
  source TEXT NOT NULL,
  service TEXT NOT NULL,
  kind TEXT NOT NULL,
  function TEXT NOT NULL,
  file TEXT NOT NULL,
  line INTEGER NOT NULL,
  id TEXT NOT NULL,
  title TEXT NOT NULL,
  score INTEGER NOT NULL,
  share DOUBLE PRECISION NOT NULL,
  cores DOUBLE PRECISION NOT NULL,
  case_id TEXT NOT NULL,
  since BIGINT NOT NULL,
  seen BIGINT NOT NULL,
  PRIMARY KEY (source, service, kind, function),
  FOREIGN KEY (source, service) REFERENCES ranking_services (source, service) ON DELETE CASCADE
);
CREATE INDEX ranking_by_cores ON ranking_findings (cores DESC);
CREATE INDEX ranking_by_seen ON ranking_findings (seen);
