// Package cpu_protobuf answers which features are switched on for a customer.
//
// The fault: the table of features, a protocol buffer, is decoded for every question.
package cpu_protobuf

import (
	"fmt"
	"io"
	"net/http"
	"strconv"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/gocasebook/casebook/lab/faults"
)

// Features are those of a site, for each the share of customers that have it.
type Features struct {
	encoded []byte           // as the control plane sent it
	decoded *structpb.Struct // nil where it is decoded for every question
}

func newFeatures(n int, decodeOnce bool) *Features {
	shares := make(map[string]any, n)
	for i := range n {
		shares[fmt.Sprint("feature ", i)] = map[string]any{"percent": i % 100, "owner": "team " + strconv.Itoa(i%7)}
	}
	table, err := structpb.NewStruct(shares)
	if err != nil {
		panic(err) // a value of a type that it does not know
	}
	encoded, err := proto.MarshalOptions{Deterministic: true}.Marshal(table)
	if err != nil {
		panic(err) // a text that is not UTF-8
	}
	f := &Features{encoded: encoded}
	if decodeOnce {
		f.decoded = table
	}
	return f
}

// decode reads the table.
func (f *Features) decode() (*structpb.Struct, error) {
	table := new(structpb.Struct)
	if err := proto.Unmarshal(f.encoded, table); err != nil {
		return nil, fmt.Errorf("reading the table of features: %w", err)
	}
	return table, nil
}

// table is the one that was decoded, or one that is decoded now.
func (f *Features) table() (*structpb.Struct, error) {
	if f.decoded != nil {
		return f.decoded, nil
	}
	return f.decode()
}

// ServeHTTP answers how many of three features a customer has.
func (f *Features) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	table, err := f.table()
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	customer, _ := strconv.Atoi(r.FormValue("customer"))
	on := 0
	for i := range 3 {
		feature := table.GetFields()["feature "+strconv.Itoa((customer+i)%len(table.GetFields()))]
		if percent := feature.GetStructValue().GetFields()["percent"].GetNumberValue(); float64(
			customer%100) < percent {
			on++
		}
	}
	io.WriteString(w, strconv.Itoa(on))
}

func service(features int, decodeOnce bool, perSecond float64) faults.Service {
	return faults.Service{Handler: newFeatures(features, decodeOnce),
		Load: []faults.Call{{Path: "/features?customer=%d", PerSecond: perSecond}}}
}

// Fault is the kind with its variants.
func Fault() faults.Fault {
	return faults.Fault{
		Kind: "cpu-protobuf", Text: "a table of features is decoded for every question",
		Culprit:  "cpu_protobuf.(*Features).decode",
		Faulty:   func() faults.Service { return service(120, false, 900) },
		Repaired: func() faults.Service { return service(120, true, 900) },
		Limit:    func() faults.Service { return service(58, false, 900) },
	}
}
