package stacks_test

import (
	"maps"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/internal/checkout"
)

// of127 is evidence that ../testdata/labelled, built with Go 1.27.0, gave through net/http/pprof.
func of127(t *testing.T, name string) *stacks.Set {
	t.Helper()
	return mustRead(t, "evidence", checkout.File(t, "forms/labelled/go1.27.0."+name))
}

// mainFunc is the function of main that the goroutines of a sample are in; "" is none, or that which takes the dump.
func mainFunc(s *stacks.Set, sample int) string {
	for _, id := range s.Samples[sample].Stack { // the leaf first
		if name := s.Table.Func(id).Name; strings.HasPrefix(name, "main.") && name != "main.main" && name != "main.keep" {
			return name
		}
	}
	return ""
}

// inMain counts the goroutines of a set by that function.
func inMain(s *stacks.Set) map[string]int64 {
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
			if wait := s.Wait(i); name != "" && (g.Longest != minutes || wait == stacks.WaitUnknown) {
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
