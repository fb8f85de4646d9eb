package diagnose_test

import (
	"math"
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/internal/words"
)

func TestScale(t *testing.T) {
	open, closed := diagnose.Scale{Worth: 10, Hurts: 20}, diagnose.Scale{Worth: 10, Hurts: 20, Top: 40}
	tests := []struct {
		scale diagnose.Scale
		x     float64
		want  int
	}{
		{open, -1, 0}, {open, 0, 0}, {open, math.NaN(), 0}, {open, 5, 12}, {open, 9.99, 24}, {open, 10, 25},
		{open, 15, 50},
		{open, 20, 75}, {open, 40, 87}, {open, math.Inf(1), 100},
		{closed, 20, 75}, {closed, 30, 87}, {closed, 40, 100}, {closed, 400, 100},
	}
	for _, tt := range tests {
		if got := tt.scale.Score(tt.x); got != tt.want {
			t.Errorf("%+v at %v: %d, want %d", tt.scale, tt.x, got, tt.want)
		}
	}
}

func TestConfidence(t *testing.T) {
	tests := []struct{ p, n, want float64 }{
		{0.3, 1000, 0.9}, {0.3, 100, 0.69}, {0.3, 10, 0.03}, {1, 5, 0.99}, {0, 100, 0}, {0.5, 0, 0}, {0.01, 4, 0},
	}
	for _, tt := range tests {
		if got := diagnose.Confidence(tt.p, tt.n); got != tt.want {
			t.Errorf("share %v of %v samples: %v, want %v", tt.p, tt.n, got, tt.want)
		}
	}
}

func TestPhrases(t *testing.T) {
	for got, want := range map[string]string{
		words.Function("github.com/bluele/gcache.(*LRUCache).set"): "gcache.(*LRUCache).set",
		words.Function("main.Map[example.com/x/y.T].Get"):          "main.Map[...].Get",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// The scale of scores that docs/findings.md promises.
const (
	worthKnowing = 25 // the lowest score of a finding
	capUnsure    = 74 // a warning at most: the evidence cannot show that it hurts
	capNotice    = 49 // a notice at most
)

// What a few kinds give at most, or ask for at least.
const (
	neighbourUnfelt = 34 // jobs on the machine that nobody feels
	ballastUnsure   = 35
	lookAheadCap    = 90 // a surge that has not come yet
	youngAge        = 5 * time.Minute
)

const (
	memLeakKind   = "mem-leak"
	callOutRemedy = "never-call-out"
	putBackTitle  = "Do not put back what has grown large"
)

// undecidedWhy is why a diagnosis could not judge a kind; "" if it could.
func undecidedWhy(us []casefile.Undecided, kind string) string {
	for _, u := range us {
		if u.Kind == kind {
			return u.Reason
		}
	}
	return ""
}
