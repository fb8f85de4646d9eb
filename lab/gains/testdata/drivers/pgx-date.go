package main

import "github.com/jackc/pgx/v5/pgtype"

func work() func() {
	m := pgtype.NewMap()
	days := [][]byte{[]byte("2026-11-23"), []byte("1999-12-31"), []byte("2000-02-29")}
	return func() {
		for _, d := range days {
			var date pgtype.Date
			check(m.Scan(pgtype.DateOID, pgtype.TextFormatCode, d, &date))
			sink = date
		}
	}
}
