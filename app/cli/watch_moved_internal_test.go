package cli

import (
	"testing"

	"github.com/gocasebook/casebook/vitals"
)

func TestMovedText(t *testing.T) {
	moves := []vitals.Move{
		{Signal: vitals.HeapLive.Signal(), From: 49 << 20, To: 391 << 20},
		{Signal: vitals.Goroutines.Signal(), From: 984, To: 300},
	}
	want := "heap_live ×7.98 (49 MiB → 391 MiB), goroutines ÷3.28 (984 → 300)"
	if got := movedText(moves); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := movedText(nil); got != "" {
		t.Errorf("%q moved where nothing did", got)
	}
}
