package trace

import (
	"bytes"
	"context"
	"runtime/trace"
	"strings"
	"sync"
	"testing"
)

// TestLargeGeneration: of a generation that is larger than memory should hold the first part is read. This program
// writes some MB in each: two goroutines hand each other work, as tasks.
func TestLargeGeneration(t *testing.T) {
	var buf bytes.Buffer
	if err := trace.Start(&buf); err != nil {
		t.Fatal(err)
	}
	const tasks = 40_000
	busy(tasks)
	trace.Stop()
	g, err := newGenerations(bytes.NewReader(buf.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	g.most = 512 << 10
	got, err := read(t.Context(), t.Name(), g)
	if err != nil {
		t.Fatal(err)
	}
	s := got.Summary()
	if len(s.Warnings) != 1 || !strings.Contains(s.Warnings[0], "were left out") {
		t.Errorf("of %d KiB the warnings are %q, want one that something was left out", buf.Len()>>10, s.Warnings)
	}
	k := kindNamed(s, "task unit")
	if k == nil {
		t.Fatalf("no tasks were read: %q", s.Warnings)
	}
	t.Logf("%d of %d tasks, of %d KiB; %q", k.Times.Count, tasks, buf.Len()>>10, s.Warnings)
	if n := k.Times.Count; n < 100 || n >= tasks {
		t.Errorf("%d of %d tasks were read, want a part", n, tasks)
	}
}

// busy does tasks, each handed from one goroutine to another and back.
func busy(tasks int) {
	there, back := make(chan context.Context), make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		for range there {
			back <- struct{}{}
		}
	})
	for range tasks {
		ctx, task := trace.NewTask(context.Background(), "unit")
		there <- ctx
		<-back
		task.End()
	}
	close(there)
	wg.Wait()
}
