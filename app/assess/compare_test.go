package assess_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/app/assess"
	"github.com/gocasebook/casebook/app/compare"
)

// bench is the output of go test -bench with ten runs around ns.
func bench(ns float64) []byte {
	var b strings.Builder
	b.WriteString("goos: linux\ngoarch: amd64\npkg: example.com/shop\n")
	for i := range 10 {
		fmt.Fprintf(&b, "BenchmarkCart-2 \t 1000 \t %.1f ns/op\n", ns+float64(i%3))
	}
	return []byte(b.String())
}

func TestCompare(t *testing.T) {
	dir := t.TempDir()
	old, slow := write(t, dir, "old.txt", bench(1000)), write(t, dir, "new.txt", bench(2000))
	opt := compare.Options{Margin: compare.DefaultMargin, Alpha: compare.DefaultAlpha}
	got, err := assess.Compare(t.Context(), assess.CompareRequest{Inputs: []string{old, slow}, Options: opt})
	if err != nil || !got.Worse() || got.Diagnosed != nil {
		t.Fatalf("twice the time: %+v, %v; want a report that says worse", got, err)
	}
	data, err := json.Marshal(got)
	want, _ := json.Marshal(got.Report)
	if err != nil || string(data) != string(want) {
		t.Errorf("as JSON: %s, %v; want the report itself", data, err)
	}
	same, err := assess.Compare(t.Context(), assess.CompareRequest{Inputs: []string{old, old}, Options: opt})
	if err != nil || same.Worse() {
		t.Errorf("a file beside itself: %+v, %v; want nothing worse", same, err)
	}
}

func TestCompareRefuses(t *testing.T) {
	dir := t.TempDir()
	text, profile := write(t, dir, "old.txt", bench(1000)), write(t, dir, "goroutine.pb.gz", dump(t))
	_, err := assess.Compare(t.Context(), assess.CompareRequest{Inputs: []string{text, profile}})
	if err == nil || !strings.Contains(err.Error(), "only inputs of the same kind can be compared") {
		t.Errorf("two kinds: %v", err)
	}
	_, err = assess.Compare(t.Context(), assess.CompareRequest{Inputs: []string{profile, "-"},
		Stdin: bytes.NewReader(dump(t))})
	if !errors.Is(err, assess.ErrOnlyFiles) {
		t.Errorf("evidence from standard input: %v, want ErrOnlyFiles", err)
	}
}

// Evidence compared with evidence encodes as diagnose with a base does.
func TestCompareEvidence(t *testing.T) {
	profile := write(t, t.TempDir(), "goroutine.pb.gz", dump(t))
	got, err := assess.Compare(t.Context(), assess.CompareRequest{Inputs: []string{profile, profile}})
	if err != nil || got.Diagnosed == nil || got.Worse() {
		t.Fatalf("%+v, %v", got, err)
	}
	data, err := json.Marshal(got)
	if err != nil || !strings.HasPrefix(string(data), `{"schema":`) ||
		!strings.Contains(string(data), `"comparison":`) {
		t.Errorf("as JSON: %.200s, %v", data, err)
	}
}
