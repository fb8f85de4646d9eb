package tables

import (
	"context"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/gocasebook/casebook/internal/number"
)

const contextsTitle = "Requests with and without a context"

const (
	abandoned = 100                   // calls whose caller does not wait any longer
	patience  = 10 * time.Millisecond // of their callers
)

func contextsTable(ctx context.Context, p pace) (Table, error) {
	forms := []contestant{
		repeat("no context", func(i int) uint64 { return answer(context.Background(), i) }),
		repeat("WithCancel", func(i int) uint64 {
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			return answer(ctx, i)
		}),
		repeat("WithTimeout", func(i int) uint64 {
			ctx, cancel := context.WithTimeout(context.Background(), time.Hour)
			defer cancel()
			return answer(ctx, i)
		}),
	}
	costs, err := p.measure(ctx, forms)
	if err != nil {
		return Table{}, err
	}
	t := Table{
		Name:  "contexts",
		Title: contextsTitle,
		Text: "What a context costs a call that answers at once: CPU time, bytes and heap objects. And how many of " +
			"100 calls of a service that hangs are still held by their goroutines after every caller has given up.",
		Columns: []string{"call", "CPU", "bytes", "objects", "still held"},
		Said:    "The article has it among the advice without proof.",
		Holds:   contextsHolds,
	}
	for i, f := range forms {
		// without a context, and with one that nobody cancels in time, a call ends when the service answers
		held := heldCalls(f.name == "WithTimeout", f.name == "WithCancel")
		t.Rows = append(t.Rows, []string{f.name, middleOf(costs[i], cpuOf).timed(),
			number.Bytes(middleOf(costs[i], func(c cost) float64 { return c.bytes }).median),
			amount(middleOf(costs[i], func(c cost) float64 { return c.allocs }).median), strconv.Itoa(held)})
	}
	return t, nil
}

// answer is a call that looks at its context once.
//
//go:noinline
func answer(ctx context.Context, i int) uint64 {
	if ctx.Err() != nil {
		return 0
	}
	return uint64(i)
}

// heldCalls makes calls of a service that answers when all callers have left, and counts those that are waited for
// after that. A caller with a timeout gives it to its call; one that can cancel does so when it leaves.
func heldCalls(timeout, cancels bool) int {
	var held atomic.Int64
	hangs, ended := make(chan struct{}), make(chan struct{}, abandoned)
	for range abandoned {
		ctx, cancel := context.Background(), context.CancelFunc(func() {})
		switch {
		case timeout:
			ctx, cancel = context.WithTimeout(ctx, patience)
		case cancels:
			ctx, cancel = context.WithCancel(ctx)
			time.AfterFunc(patience, cancel)
		}
		held.Add(1)
		go func() {
			defer cancel()
			select {
			case <-hangs:
			case <-ctx.Done():
			}
			held.Add(-1)
			ended <- struct{}{}
		}()
	}
	// The callers with a context are gone when all calls have ended; of the others patience is all that can be waited.
	if timeout || cancels {
		for range abandoned {
			<-ended
		}
	}
	still := int(held.Load())
	close(hangs)
	for range still {
		<-ended
	}
	return still
}
