// Package drivers links SQLite, PostgreSQL's driver and a client of S3's protocol into a program, for app/store. It is
// imported for that alone. Package driver says why it is apart.
package drivers

import "github.com/gocasebook/casebook/app/store/driver"

func init() {
	driver.Link(&driver.Drivers{
		SQLite:     driver.Database{Open: openSQLite, Explain: explainSQLite},
		Postgres:   driver.Database{Open: openPostgres, Explain: explainPostgres},
		OpenBucket: openBucket,
	})
}
