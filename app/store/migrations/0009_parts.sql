-- Parts of zips that have arrived, where servers on several machines share the store: the next part may come to another.
-- A part's bytes are a blob. Times are milliseconds since 1970.
CREATE TABLE parts (
  upload TEXT NOT NULL,
  begins BIGINT NOT NULL,
  ends BIGINT NOT NULL,
  blob TEXT NOT NULL,
  arrived BIGINT NOT NULL,
  PRIMARY KEY (upload, begins)
);
