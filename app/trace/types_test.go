package trace

import (
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gocasebook/casebook/diagnose/traces"
)

const members = 40

// plantedMember shows its stack by Gosched, if it is to; the others run from their beginning to their end.
//
//go:noinline
func plantedMember(shows bool) {
	if shows {
		runtime.Gosched()
	}
}

// TestPlantedGroup: goroutines that WaitGroup.Go starts have the type of what they are about, and all of their time,
// though most show no stack but that of Go.
func TestPlantedGroup(t *testing.T) {
	s := record(t, func() {
		var all sync.WaitGroup
		for i := range members {
			all.Go(func() { plantedMember(i%8 == 7) })
		}
		all.Wait()
	})
	var group []traces.GoroutineType
	for _, g := range s.Goroutines {
		if strings.Contains(g.Name, ".TestPlantedGroup.") {
			group = append(group, g)
		}
		if strings.HasPrefix(g.Name, "sync.(*WaitGroup).Go") {
			t.Errorf("%d goroutines are of type %s", g.Number, g.Name)
		}
	}
	if len(group) != 1 || group[0].Number != members || group[0].Alive != 0 || group[0].Life.Count != members ||
		group[0].Runs.Count < members || group[0].Spent.Running == 0 {
		t.Fatalf("types of the group: %+v, want one of %d goroutines that all ran and ended", group, members)
	}
	for _, c := range s.Created {
		if c.Number == members && c.Starts == group[0].Name {
			return
		}
	}
	t.Errorf("no go statement started %d of %s: %+v", members, group[0].Name, s.Created)
}

// TestRunningAddsUp: the time that goroutines ran, by their types, is that of how many ran at once.
func TestRunningAddsUp(t *testing.T) {
	for release, data := range recorded(t) {
		s := summaryOf(t, data)
		var byType, atOnce, span time.Duration
		for _, g := range s.Goroutines {
			byType += g.Spent.Running + g.Spent.Assist
		}
		for n, took := range s.Use.Running {
			atOnce += time.Duration(n) * took
			span += took
		}
		if (byType-atOnce).Abs() > atOnce/100 || span != s.Span || len(s.Use.Running) > s.Procs+1 {
			t.Errorf("%s: %v by type, %v by how many of %d ran at once, in %v of %v", release, byType, atOnce,
				s.Procs, span, s.Span)
		}
	}
}
