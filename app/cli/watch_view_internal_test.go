package cli

import (
	"io"
	"testing"

	"github.com/gocasebook/casebook/casefile"
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

func TestNameOf(t *testing.T) {
	const a, b, c = "http://127.0.0.1:6060/debug/pprof/", "http://127.0.0.1:6061/debug/pprof/", "unix:///run/shop.sock"
	v := newWatchView(io.Discard, io.Discard, true)
	for _, step := range []struct{ url, name, want string }{
		{a, "", "127.0.0.1:6060 "}, // it has not answered
		{a, "shop", "shop "},
		{a, "", "shop "}, // an event without the target
		{b, "shop", "shop 127.0.0.1:6061 "},
		{a, "", "shop 127.0.0.1:6060 "}, // told apart from now on
		{b, "cart", "cart "},
		{a, "", "shop "},
		{c, "", c + " "},
	} {
		if got := v.nameOf(step.url, casefile.Target{Name: step.name}); got != step.want {
			t.Errorf("of %s, named %q: %q, want %q", step.url, step.name, got, step.want)
		}
	}
	if got := newWatchView(io.Discard, io.Discard, false).nameOf(a, casefile.Target{Name: "shop"}); got != "" {
		t.Errorf("alone it is called %q", got)
	}
}
