-- Who may speak to the server. hash is the SHA-256 of the token, which is 256 random bits: nobody can guess it back.
CREATE TABLE tokens (
  name TEXT NOT NULL PRIMARY KEY,
  role TEXT NOT NULL,
  hash TEXT NOT NULL UNIQUE,
  created BIGINT NOT NULL
);
