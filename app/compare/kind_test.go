package compare

import (
	"strings"
	"testing"
)

func TestKindOf(t *testing.T) {
	for _, c := range []struct {
		name, head string
		want       Kind
		err        string
	}{
		{"benchmarks", "goos: linux\nBenchmarkA-8  100  12.5 ns/op\n", Benchmarks, ""},
		{"benchmarks below a test's own output", "starting up\n\nBenchmarkA-8\nBenchmarkA-8  100  12.5 ns/op\nPASS\n",
			Benchmarks, ""},
		{"a load result", `{"schema": 1, "kind": "casebook-load"}`, Load, ""},
		{"a load result that is cut", `{"schema": 1, "kind": "casebook-load", "start": "2026`, Load, ""},
		{"a search", `{"kind": "casebook-load-limit"}`, "", "best"},
		{"a proof", `{"verdict": "better", "figures": []}`, Proof, ""},
		{"a case", `{"schema": 1, "id": "x", "proof": {}}`, Proof, ""},
		{"a goroutine dump", "goroutine 1 [running]:\nmain.main()\n\t/src/main.go:3 +0x1d\n", Evidence, ""},
		{"a zip", "PK\x03\x04rest", Evidence, ""},
		{"go test -json", `{"Time":"2026-11-21T10:00:00Z","Action":"start","Package":"p"}` + "\n", "", "without -json"},
		{"a comparison", `{"kind": "casebook-compare"}`, "", "already"},
		{"JSON", `{"a": 1}`, "", "unknown JSON"},
		{"broken JSON", `{"a`, "", "unknown JSON"},
		{"empty", " \n", "", "empty"},
		{"prose", "Benchmarks are nice\n", "", "want the output of go test -bench"},
		{"HTML", "<!DOCTYPE html><html></html>", "", "HTML"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := KindOf([]byte(c.head))
			if got != c.want || (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
				t.Errorf("KindOf = %q, %v; want %q and an error with %q", got, err, c.want, c.err)
			}
		})
	}
}
