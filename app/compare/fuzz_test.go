package compare

import (
	"bytes"
	"encoding/json"
	"io"
	"testing"

	"github.com/gocasebook/casebook/app/report"
)

// FuzzBenchmarks: no benchmark output makes a comparison or one of its forms fail.
func FuzzBenchmarks(f *testing.F) {
	f.Add([]byte("pkg: p\nBenchmarkA 1 2 ns/op 3 allocs/op\nBenchmarkA 1 2 ns/op\n"),
		[]byte("BenchmarkA 1 NaN ns/op\nBenchmarkB 1 +Inf x\n"))
	f.Add([]byte("Unit x better=lower assume=exact\nBenchmarkA 1 -2 x\n"),
		[]byte("note: <b>|\nBenchmarkA/<i>=\x1b[31m 1 0 x\n"))
	f.Add([]byte("BenchmarkA 1 0 B/op\nBenchmarkA 1 0 B/op\n"),
		[]byte("BenchmarkA 1 1e308 B/op\nBenchmarkA 1 1e308 B/op\n"))
	f.Fuzz(func(t *testing.T, a, b []byte) {
		_, _ = KindOf(a) // it must not panic; every answer is right for noise
		r, err := OfBenchmarks([]Input{{"a", bytes.NewReader(a)}, {"b", bytes.NewReader(b)}}, Options{})
		if err != nil {
			return
		}
		writeAll(t, r)
	})
}

// FuzzProof does the same with proofs.
func FuzzProof(f *testing.F) {
	f.Add(
		[]byte(
			`{"verdict":"better","figures":[{"name":"p99","unit":"seconds","better":"lower","after":{"value":1,"low":0.9,"high":1.1,"n":8}}]}`))
	f.Add([]byte(`{"proof":{"figures":[{"after":{"value":-1,"low":1e308,"high":-1e308,"n":-3}}]}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := DecodeProof(data)
		if err != nil {
			return
		}
		r, err := OfProofs("a", p, "b", p, Options{})
		if err != nil {
			t.Fatal(err)
		}
		writeAll(t, r)
	})
}

func writeAll(t *testing.T, r *Report) {
	t.Helper()
	if _, err := json.Marshal(r); err != nil {
		t.Errorf("JSON: %v", err)
	}
	for name, write := range map[string]func() error{
		"text":     func() error { return Text(io.Discard, r, Layout{}) },
		"Markdown": func() error { return Markdown(io.Discard, r) },
		"HTML":     func() error { return report.WriteComparison(io.Discard, r.Page()) },
	} {
		if err := write(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
