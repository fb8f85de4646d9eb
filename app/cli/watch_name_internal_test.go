package cli

import (
	"io"
	"testing"

	"github.com/gocasebook/casebook/casefile"
)

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
