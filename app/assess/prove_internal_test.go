package assess

import (
	"testing"
	"time"

	"github.com/gocasebook/casebook/app/child"
	"github.com/gocasebook/casebook/app/load"
	"github.com/gocasebook/casebook/app/prove/trial"
)

func TestSidesAreNamedByWhatDiffers(t *testing.T) {
	spec := func(env []string, args ...string) child.Spec { return child.Spec{Env: env, Args: args} }
	for _, c := range []struct {
		name  string
		sides Sides
		want  [2]string
		same  bool
	}{
		{"commands", Sides{A: spec(nil, "./old", "-p", "{port}"), B: spec(nil, "./new", "-p", "{port}")},
			[2]string{"./old", "./new"}, false},
		{"environments", Sides{A: spec(nil, "./s"), B: spec([]string{"GOGC=400"}, "./s")}, [2]string{"A", "GOGC=400"},
			false},
		{"nothing", Sides{A: spec(nil, "./s"), B: spec(nil, "./s")}, [2]string{"A", "B"}, true},
		{"named", Sides{A: spec(nil, "./s"), B: spec(nil, "./s"), Names: [2]string{"then", "now"}},
			[2]string{"then", "now"}, true},
	} {
		if got := c.sides.Same(); got != c.same {
			t.Errorf("%s: the same: %v, want %v", c.name, got, c.same)
		}
		remove, err := c.sides.build(t.Context(), func(text string) { t.Errorf("%s: it says %q", c.name, text) })
		if err != nil || remove() != nil || c.sides.Names != c.want {
			t.Errorf("%s: names %q, %v; want %q", c.name, c.sides.Names, err, c.want)
		}
		if v := c.sides.variant(1); v.Label != c.want[1] || v.Command != c.sides.B.Command() {
			t.Errorf("%s: the proof has %+v for B", c.name, v)
		}
	}
}

func TestLoadText(t *testing.T) {
	ramp, err := load.ParseSchedule("ramp 50..800 60s")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		trial trial.Config
		want  string
	}{
		{trial.Config{Rate: 300, Arrivals: load.RandomArrivals},
			"300/s to /items, poisson arrivals, open model, in turns of 250ms, the same for A and B"},
		{trial.Config{Pace: ramp},
			ramp.Text +
				" to /items, poisson arrivals, open model, in turns of 250ms from all over it, the same for A and B"},
	} {
		r := ProveRequest{URL: "/items", Trial: c.trial}
		if got := r.loadText(250 * time.Millisecond); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
