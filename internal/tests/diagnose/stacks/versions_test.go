package stacks_test

import (
	"maps"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/internal/checkout"
)

// evidence/cases/forms/versions holds evidence of one program, taken with Go 1.20, 1.23 and 1.26. Frames, states and formats
// have changed in between. The result of reading must not.

// parked are the program's goroutines by the function that they wait in. A debug=1 text does not show the direction of
// a channel operation.
func parked(byText bool) map[string]stacks.Wait {
	m := map[string]stacks.Wait{"main.(*queue[...]).take": stacks.WaitReceive, "main.wait": stacks.WaitReceive,
		"main.sel":   stacks.WaitSelect,
		"main.group": stacks.WaitGroup, "main.rlock": stacks.WaitRLock, "main.sleeper": stacks.WaitSleep}
	if byText {
		m["main.(*queue[...]).take"], m["main.wait"], m["main.sel"] = stacks.WaitUnknown, stacks.WaitUnknown,
			stacks.WaitUnknown
	}
	return m
}

func versionsOf(t *testing.T, form string) map[string]*stacks.Set {
	t.Helper()
	sets := make(map[string]*stacks.Set)
	for file, data := range checkout.Case(t, "forms/versions") {
		if strings.HasSuffix(file, "."+form) {
			sets[file] = mustRead(t, "evidence", data)
		}
	}
	if len(sets) != 3 {
		t.Fatalf("%d files of the form %s, want 3", len(sets), form)
	}
	return sets
}

func TestGoroutinesOfEveryGo(t *testing.T) {
	for _, form := range []string{"goroutine.1.txt", "goroutine.2.txt", "goroutine.pb.gz"} {
		for name, s := range versionsOf(t, form) {
			t.Run(name, func(t *testing.T) {
				got := make(map[string]stacks.Wait)
				for i := range s.Samples {
					if id, _ := s.Table.UserFrame(s.Samples[i].Stack); id != stacks.NoFrame {
						got[s.Table.Func(id).Name] = s.Wait(i)
					}
				}
				if want := parked(form == "goroutine.1.txt"); s.Kind != casefile.Goroutine || !maps.Equal(got, want) {
					t.Errorf("kind %s, waits %v; want %v", s.Kind, got, want)
				}
			})
		}
	}
}

// The other forms: their kind, and that the function that causes the cost is found in the user's code.
func TestProfilesOfEveryGo(t *testing.T) {
	for _, c := range []struct{ form, kind, fn string }{
		{"cpu.pb.gz", casefile.CPU, "main.burn"},
		{"fgprof.pb.gz", stacks.Fgprof, "main.sleeper"},
		{"mutex.1.txt", casefile.Mutex, "main.lock"},
		{"heap.1.txt", casefile.Heap, "main.burn"},
	} {
		for name, s := range versionsOf(t, c.form) {
			t.Run(name, func(t *testing.T) {
				seen := make(map[string]bool)
				for i := range s.Samples {
					if id, _ := s.Table.UserFrame(s.Samples[i].Stack); id != stacks.NoFrame {
						seen[s.Table.Func(id).Name] = true
					}
				}
				if s.Kind != c.kind || !seen[c.fn] {
					t.Errorf("kind %q with %v; want %q with %s", s.Kind, seen, c.kind, c.fn)
				}
				if withTime := strings.HasPrefix(c.form, "cpu") ||
					c.kind == stacks.Fgprof; withTime != (s.Seconds > 1.5 && s.Seconds < 3) {
					t.Errorf("it spans %.2f s", s.Seconds)
				}
			})
		}
	}
}
