// Package storetest starts what stores of a team stand on, for tests and measurements: Debian's PostgreSQL, and an S3
// server (Versity's gateway over a folder), as processes of their own. They can be ended as a crash would, stopped so
// that they are there and do not answer, and started again over the same data.
//
// The limits: Linux; durability is the real one, so a machine with a slow disk measures its disk.
package storetest
