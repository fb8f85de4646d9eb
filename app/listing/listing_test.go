package listing_test

import (
	"testing"

	"github.com/gocasebook/casebook/app/assess"
	"github.com/gocasebook/casebook/app/heat"
	"github.com/gocasebook/casebook/app/listing"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/checkout"
)

// list reads a recorded case. Its source is not at hand: it was recorded on another machine.
func list(t *testing.T, name, function string) *listing.Listing {
	t.Helper()
	checkout.Need(t)
	dir := checkout.Folder(t, name)
	l, err := assess.List(t.Context(), assess.DiagnoseRequest{What: []string{dir}}, function)
	if err != nil {
		t.Fatal(err)
	}
	return l.Listing
}

// TestLinesSumUp: what lines of a function cost is at most what the function does, and what they cost by themselves
// sums up to less than that.
func TestLinesSumUp(t *testing.T) {
	l := list(t, "trial/orders", "main.(*server).place")
	if len(l.Functions) != 1 {
		t.Fatalf("%d functions, want 1", len(l.Functions))
	}
	f := &l.Functions[0]
	own := 0.0
	for i := range f.Lines {
		line := &f.Lines[i]
		made, itself := line.Cost[heat.AllocBytes], line.Own[heat.AllocBytes]
		if made > f.Total.Cost[heat.AllocBytes] || itself > made {
			t.Errorf("line %d: %v of %v, by itself %v", line.Number, line.Cost, f.Total.Cost, line.Own)
		}
		own += itself
	}
	if all := f.Total.Cost[heat.AllocBytes]; own > all+1e-9 || all < 0.5 {
		t.Errorf("lines by themselves %v, the function %v: it makes most of the garbage", own, all)
	}
}

// TestGoroutinesCountOnce: a goroutine that is on a line twice, or in a function and its closure, is one.
func TestGoroutinesCountOnce(t *testing.T) {
	l := list(t, "trial/orders", "main.")
	if l.Goroutines == 0 {
		t.Fatal("no goroutines in", casefile.Goroutine)
	}
	for i := range l.Functions {
		for _, line := range append(l.Functions[i].Lines, l.Functions[i].Total) {
			if line.Goroutines < 0 || line.Goroutines > l.Goroutines {
				t.Errorf("%s:%d: %d goroutines of %d", l.Functions[i].Name, line.Number, line.Goroutines, l.Goroutines)
			}
		}
	}
}

func TestNoSuchFunction(t *testing.T) {
	checkout.Need(t)
	dir := checkout.Folder(t, "trial/orders")
	if _, err := assess.List(t.Context(), assess.DiagnoseRequest{What: []string{dir}}, "main.nobody"); err == nil {
		t.Error("no error for a function that the evidence does not have")
	}
}
