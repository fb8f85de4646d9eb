package hold

import (
	"testing"

	"github.com/gocasebook/casebook/diagnose/stacks"
)

// TestTimers: timers and contexts are counted at the line that asked for them, once each; the standard library's own are
// nobody's, and what is no timer is none.
func TestTimers(t *testing.T) {
	text := heapOf(
		"900 time.newTimer time.NewTimer time.After main.(*checker).measure main.main", // the channel and the timer
		"880 time.NewTimer time.After main.(*checker).measure main.main",
		"400 context.withCancel context.WithCancel example.com/retry.Do main.ask main.main",
		"300 context.(*cancelCtx).propagateCancel context.withCancel context.WithCancel example.com/retry.Do main.ask main.main",
		"70 time.newTimer time.NewTimer net/http.(*persistConn).readLoop",
		"5000 bytes.growSlice main.render main.main")
	table := stacks.NewTable("example.com/app")
	set, err := table.Read(stacks.Source{Name: "heap.txt"}, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	got := New(set, nil).Timers()
	for i, want := range []struct {
		line, maker string
		contexts    bool
		least, most float64
	}{
		{"main.(*checker).measure", "main.(*checker).measure", false, 880, 900},
		{"main.ask", "example.com/retry.Do", true, 400, 400},
	} {
		if i >= len(got) {
			t.Fatalf("%d places keep timers, want %s as well", len(got), want.line)
		}
		g := got[i]
		if table.Func(g.Line).Name != want.line || table.Func(g.Maker).Name != want.maker || g.Contexts != want.contexts ||
			g.N < want.least || g.N > want.most {
			t.Errorf("%v timers of %s made by %s (contexts %v), want %.0f to %.0f of %s by %s", g.N, table.Func(g.Line).Name,
				table.Func(g.Maker).Name, g.Contexts, want.least, want.most, want.line, want.maker)
		}
	}
	if len(got) > 2 {
		t.Errorf("%d places keep timers, want 2", len(got))
	}
	if p := got[1].ParentsTables; p != 300<<10 {
		t.Errorf("%v bytes are tables of the parents, want 300 KiB", p)
	}
}
