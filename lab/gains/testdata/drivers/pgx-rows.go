package main

import (
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"
)

type item struct {
	ID       int64
	Name     string
	Price    float64
	Quantity int32
	Sold     bool
}

// rows are what a server has sent: 50 times the same.
type rows struct {
	pgx.Rows
	m      *pgtype.Map
	fields []pgconn.FieldDescription
	values [][]byte
	left   int
}

func (r *rows) Close()                                       {}
func (r *rows) Err() error                                   { return nil }
func (r *rows) FieldDescriptions() []pgconn.FieldDescription { return r.fields }
func (r *rows) Next() bool                                   { r.left--; return r.left >= 0 }
func (r *rows) RawValues() [][]byte                          { return r.values }
func (r *rows) Scan(dest ...any) error {
	if len(dest) == 1 {
		if s, ok := dest[0].(pgx.RowScanner); ok {
			return s.ScanRow(r)
		}
	}
	return pgx.ScanRow(r.m, r.fields, r.values, dest...)
}

func work() func() {
	m := pgtype.NewMap()
	f := func(name string, oid uint32) pgconn.FieldDescription {
		return pgconn.FieldDescription{Name: name, DataTypeOID: oid, Format: pgtype.TextFormatCode}
	}
	fields := []pgconn.FieldDescription{f("id", pgtype.Int8OID), f("name", pgtype.TextOID), f("price", pgtype.Float8OID),
		f("quantity", pgtype.Int4OID), f("sold", pgtype.BoolOID)}
	values := [][]byte{[]byte("17"), []byte("a name"), []byte("12.5"), []byte("3"), []byte("t")}
	return func() {
		all, err := pgx.CollectRows[item](&rows{m: m, fields: fields, values: values, left: 50},
			pgx.RowToStructByName[item])
		check(err)
		sink = all
	}
}
