// Package reflect_per_call writes rows of a table as the tags of their struct say.
//
// The fault: fields and tags are asked for again for each row.
package reflect_per_call

import (
	"net/http"
	"reflect"
	"strconv"
	"sync"

	"github.com/gocasebook/casebook/lab/faults"
)

// A Row is a measurement.
type Row struct {
	ID      int     `col:"id"`
	Station string  `col:"station"`
	Celsius float64 `col:"celsius"`
	Secret  string  `col:"-"`
	Day     int     `col:"day"`
}

// A Table writes rows.
type Table struct {
	rows  []Row
	write func(t *Table, out []byte, row reflect.Value) []byte
	plan  []column
	pool  sync.Pool
}

type column struct {
	index int
	name  string
}

func newTable(n int, write func(*Table, []byte, reflect.Value) []byte) *Table {
	t := &Table{write: write, pool: sync.Pool{New: func() any { return new([]byte) }}}
	for i := range n {
		t.rows = append(t.rows, Row{i, "station " + strconv.Itoa(i%30), float64(i%400) / 10, "x", i % 365})
	}
	for i := range reflect.TypeFor[Row]().NumField() {
		if name := reflect.TypeFor[Row]().Field(i).Tag.Get("col"); name != "-" {
			t.plan = append(t.plan, column{i, name})
		}
	}
	return t
}

// ServeHTTP writes all rows.
func (t *Table) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	kept := t.pool.Get().(*[]byte)
	defer t.pool.Put(kept)
	out := (*kept)[:0]
	for i := range t.rows {
		out = t.write(t, out, reflect.ValueOf(&t.rows[i]).Elem())
	}
	*kept = out
	w.Write(out)
}

// row asks the type for its columns.
func (t *Table) row(out []byte, v reflect.Value) []byte {
	for i := range v.NumField() {
		name := v.Type().Field(i).Tag.Get("col")
		if name == "-" {
			continue
		}
		out = cell(append(append(out, name...), '='), v.Field(i))
	}
	return append(out, '\n')
}

// planned knows the columns.
func (t *Table) planned(out []byte, v reflect.Value) []byte {
	for _, c := range t.plan {
		out = cell(append(append(out, c.name...), '='), v.Field(c.index))
	}
	return append(out, '\n')
}

func cell(out []byte, v reflect.Value) []byte {
	switch v.Kind() {
	case reflect.Int:
		out = strconv.AppendInt(out, v.Int(), 10)
	case reflect.Float64:
		out = strconv.AppendFloat(out, v.Float(), 'f', 1, 64)
	default:
		out = append(out, v.String()...)
	}
	return append(out, ' ')
}

func service(n int, write func(*Table, []byte, reflect.Value) []byte, perSecond float64) faults.Service {
	return faults.Service{Handler: newTable(n, write), Load: []faults.Call{{Path: "/rows", PerSecond: perSecond}}}
}

// Fault is the kind with its variants.
func Fault() faults.Fault {
	return faults.Fault{
		Kind: "reflect-per-call", Text: "a struct's fields and tags are asked for again for each row",
		Culprit:  "reflect_per_call.(*Table).row",
		Faulty:   func() faults.Service { return service(500, (*Table).row, 800) },
		Repaired: func() faults.Service { return service(500, (*Table).planned, 800) },
		Limit:    func() faults.Service { return service(80, (*Table).row, 900) },
	}
}
