package stacks

import (
	"maps"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/checkout"
)

// of127 is evidence that ../testdata/labelled, built with Go 1.27.0, gave through net/http/pprof.
func of127(t *testing.T, name string) *Set {
	t.Helper()
	return mustRead(t, "evidence", checkout.File(t, "forms/labelled/go1.27.0."+name))
}

// mainFunc is the function of main that the goroutines of a sample are in; "" is none, or that which takes the dump.
func mainFunc(s *Set, sample int) string {
	for _, id := range s.Samples[sample].Stack { // the leaf first
		if name := s.Table.Func(id).Name; strings.HasPrefix(name, "main.") && name != "main.main" && name != "main.keep" {
			return name
		}
	}
	return ""
}

// inMain counts the goroutines of a set by that function.
func inMain(s *Set) map[string]int64 {
	found := make(map[string]int64)
	for i := range s.Samples {
		if name := mainFunc(s, i); name != "" {
			found[name] += s.Samples[i].Values[0]
		}
	}
	return found
}

// Go 1.27 prints labels behind the state. Each goroutine is read all the same, with its state and how long it waited.
func TestLabelledDump(t *testing.T) {
	want := map[string]int64{"main.orphan": 3, "main.patient": 2, "main.reader": 4, "main.plain": 1}
	for _, form := range []string{"goroutine.2.txt", "goroutine.1.txt", "after.2.txt"} {
		s := of127(t, form)
		got := inMain(s)
		if !maps.Equal(got, want) {
			t.Errorf("%s: goroutines %v, want %v", form, got, want)
		}
		for i, g := range s.Goroutines {
			name, minutes := mainFunc(s, i), int64(1)
			if strings.HasSuffix(g.State, "(leaked)") {
				minutes = 0 // Go prints none
			}
			if wait := s.Wait(i); name != "" && (g.Longest != minutes || wait == WaitUnknown) {
				t.Errorf("%s: %s is in state %q, %v, for %d minutes", form, name, g.State, wait, g.Longest)
			}
			if strings.ContainsAny(g.State, "{}\"") {
				t.Errorf("%s: the state %q has labels", form, g.State)
			}
		}
	}
}

// The goroutineleak profile of Go 1.27 has those that can never run again, and no others.
func TestLeakProfileOfGo127(t *testing.T) {
	s := of127(t, "goroutineleak.pb.gz")
	if got := inMain(s); s.Kind != casefile.GoroutineLeak || !maps.Equal(got, map[string]int64{"main.orphan": 3}) {
		t.Errorf("kind %s with %v; want main.orphan three times", s.Kind, got)
	}
}

// The labels of Go 1.26, which prints them where GODEBUG asks for it, are within the brackets.
func TestLabelsWithinBrackets(t *testing.T) {
	for header, want := range map[string]string{
		`goroutine 7 [select, 2 minutes labels:{"k": "v"}]:`:                     "select, 2 minutes",
		`goroutine 7 [chan receive labels:{"user": "a]: [b]", "x": "y"}]:`:       "chan receive",
		`goroutine 7 [chan send, 3 minutes, locked to thread] {k: v, "a b": c}:`: "chan send, 3 minutes, locked to thread",
		`goroutine 7 gp=0xc0 m=2 mp=0xc1 [running] {k: "]:`:                      "running",
	} {
		if got, ok := headerState([]byte(header)); !ok || string(got) != want {
			t.Errorf("%s: %q, %v; want %q", header, got, ok, want)
		}
	}
	for _, line := range []string{"goroutine 7 [select] k:", "goroutine 7 select {k: v}:", "goroutine running on [x]:",
		"goroutine 7 [select"} {
		if got, ok := headerState([]byte(line)); ok {
			t.Errorf("%s: taken for a header with state %q", line, got)
		}
	}
}
