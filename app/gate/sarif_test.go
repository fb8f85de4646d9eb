package gate

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

// located is the example with the places of its failure.
func located() *Result {
	r := example()
	r.Root = "/home/me/shop"
	j := &r.Judgements[1]
	j.Place, j.Because[0].Place = &Place{"codec/codec_test.go", 30}, &Place{"codec/mix.go", 9}
	return r
}

// A sarifResult is what the tests read of one.
type sarifResult struct {
	RuleID    string
	Message   struct{ Text string }
	Locations []struct {
		PhysicalLocation struct {
			ArtifactLocation struct{ URI, URIBaseID string }
			Region           struct{ StartLine int }
		}
	}
	RelatedLocations    []any
	PartialFingerprints map[string]string
}

func sarifOf(t *testing.T, r *Result) (results []sarifResult, text string) {
	t.Helper()
	var b bytes.Buffer
	if err := SARIF(&b, r, "v1"); err != nil {
		t.Fatal(err)
	}
	var log struct {
		Runs []struct{ Results []sarifResult }
	}
	if err := json.Unmarshal(b.Bytes(), &log); err != nil {
		t.Fatal(err)
	}
	return log.Runs[0].Results, b.String()
}

// A failure is one result, at the function that it blames; what cannot be told is a notification.
func TestSARIF(t *testing.T) {
	results, text := sarifOf(t, located())
	if len(results) != 1 {
		t.Fatalf("%d results, want one:\n%s", len(results), text)
	}
	at := results[0].Locations[0].PhysicalLocation
	if results[0].RuleID != "gate-time" || at.ArtifactLocation.URI != "codec/mix.go" ||
		at.ArtifactLocation.URIBaseID != "%SRCROOT%" || at.Region.StartLine != 9 || len(results[0].RelatedLocations) != 1 ||
		!strings.Contains(results[0].Message.Text, "time +20 % (limit +5 %)") {
		t.Errorf("%+v", results[0])
	}
	if strings.Contains(text, "file:") {
		t.Errorf("a log that leaves the machine says where its files are:\n%s", text)
	}
	if !strings.Contains(text, "BenchmarkC, allocs") {
		t.Errorf("what cannot be told is not said:\n%s", text)
	}
}

// The fingerprint is of the function, the figure and the benchmark: not of lines, numbers, the number of CPUs or the
// closure that the profile names.
func TestSARIFFingerprint(t *testing.T) {
	print := func(change func(*Result, *Judgement)) string {
		r := located()
		change(r, &r.Judgements[1])
		results, text := sarifOf(t, r)
		if len(results) == 0 {
			t.Fatalf("no result:\n%s", text)
		}
		return results[0].PartialFingerprints["primaryLocationLineHash"]
	}
	first := print(func(*Result, *Judgement) {})
	if first == "" {
		t.Fatal("no fingerprint")
	}
	for name, change := range map[string]func(*Result, *Judgement){
		"lines":   func(_ *Result, j *Judgement) { j.Place.Line, j.Because[0].Place.Line = 99, 120 },
		"numbers": func(_ *Result, j *Judgement) { j.Change, j.Head, j.P = .3, 1.3e-6, .001 },
		"CPUs":    func(_ *Result, j *Judgement) { j.Subject += "-16" },
		"closure": func(_ *Result, j *Judgement) { j.Because[0].Function += ".func2.1" },
		"folder":  func(r *Result, _ *Judgement) { r.Root = "/builds/7/shop" },
	} {
		if got := print(change); got != first {
			t.Errorf("other %s: %s, want %s", name, got, first)
		}
	}
	for name, change := range map[string]func(*Result, *Judgement){
		"figure":    func(_ *Result, j *Judgement) { j.Figure = "bytes" },
		"benchmark": func(_ *Result, j *Judgement) { j.Subject = "example.com/shop BenchmarkD" },
		"function":  func(_ *Result, j *Judgement) { j.Because[0].Function = "example.com/shop.other" },
	} {
		if got := print(change); got == first {
			t.Errorf("another %s has the same fingerprint", name)
		}
	}
}

// Without a line, as of a proof, a failure is not lost.
func TestSARIFWithoutPlaces(t *testing.T) {
	results, text := sarifOf(t, example())
	if len(results) != 0 || !strings.Contains(text, "failed, but its line is not known") {
		t.Errorf("%d results, want none and a notification:\n%s", len(results), text)
	}
}

// TestLocator: functions are found by their names in profiles, and nothing outside of the repository is.
func TestLocator(t *testing.T) {
	r := newModule(t, map[string]string{
		"set.go":             "package shop\n\ntype Set[T any] struct{}\n\nfunc (s *Set[T]) Add() { func() {}() }\n",
		"set_test.go":        "package shop_test\n\nfunc helper() {}\n",
		"in/in.go":           "package in\n\nfunc In() {}\n",
		"cmd/server/main.go": "package main\n\nfunc main() {}\n",
	})
	l, err := newLocator(t.Context(), r.dir, "./cmd/server")
	if err != nil {
		t.Fatal(err)
	}
	for function, want := range map[string]*Place{
		"example.com/shop.(*Set[...]).Add":       {"set.go", 5},
		"example.com/shop.(*Set[...]).Add.func1": {"set.go", 5},
		"example.com/shop_test.helper":           {"set_test.go", 3},
		"example.com/shop/in.In":                 {"in/in.go", 3},
		"main.main":                              {"cmd/server/main.go", 3},
		"example.com/shop.Gone":                  nil,
		"encoding/json.Marshal":                  nil,
		"example.com/shopping.Add":               nil,
		"runtime: gc":                            nil,
		"":                                       nil,
	} {
		if got := l.find(function); (got == nil) != (want == nil) || got != nil && *got != *want {
			t.Errorf("%s is at %+v, want %+v", function, got, want)
		}
	}
}
