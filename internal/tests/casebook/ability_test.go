package casebook_test

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/instance"
	"github.com/gocasebook/casebook/internal/settings"
	"github.com/gocasebook/casebook/vitals"
)

// A counting target embeds Self and counts its samples.
type counting struct {
	*instance.Self
	samples int
}

func (c *counting) Sample(ctx context.Context, s *vitals.Sample) error {
	c.samples++
	return c.Self.Sample(ctx, s)
}

// A veiled target has the methods of a Target, and hides what else the inner one can do.
type veiled struct{ casebook.Target }

// A renamed target wraps another one and says so.
type renamed struct {
	casebook.Target
	name string
}

func (r renamed) Unwrap() casebook.Target { return r.Target }

func (r renamed) Describe(ctx context.Context) (casefile.Target, error) {
	d, err := r.Target.Describe(ctx)
	d.Name = r.name
	return d, err
}

type looped struct{ casebook.Target }

type angry struct{ casebook.Target }

func (l *looped) Unwrap() casebook.Target { return l }

func (angry) Unwrap() casebook.Target { panic("unwrap") }

// TestWrapperIsAsked: an ability of the wrapper is used before the same ability of what it wraps.
func TestWrapperIsAsked(t *testing.T) {
	c := &counting{Self: instance.NewSelf()}
	var log bytes.Buffer
	runOnce(t, casebook.Config{Target: renamed{c, "shop"}, Logger: slog.New(slog.NewTextHandler(&log, nil))}, "shop")
	if c.samples == 0 {
		t.Error("the wrapper was not sampled")
	}
	if strings.Contains(log.String(), "Unwrap") {
		t.Errorf("a wrapper with Unwrap is asked to have one: %s", &log)
	}
}

// TestHiddenSelfIsTold: a wrapper without Unwrap loses what works only inside the process, and the log says so.
func TestHiddenSelfIsTold(t *testing.T) {
	var log bytes.Buffer
	runOnce(t, casebook.Config{Target: veiled{instance.NewSelf()}, Logger: slog.New(slog.NewTextHandler(&log, nil))}, "")
	if !strings.Contains(log.String(), "has a method Unwrap() casebook.Target") ||
		!strings.Contains(log.String(), "casebook_test.veiled") {
		t.Errorf("the log says %q, want what the target has to do", &log)
	}
}

// runOnce watches until the first sample.
func runOnce(t *testing.T, cfg casebook.Config, name string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 8*time.Minute) // ends with the sample, however slow the machine is
	defer cancel()
	cfg.Dir, cfg.Interval = t.TempDir(), settings.Interval.Least
	sampled := false
	cfg.OnEvent = func(e casebook.Event) {
		if e.Kind == casebook.Started && name != "" && e.Target.Name != name {
			t.Errorf("the target is called %q, want %q", e.Target.Name, name)
		}
		if e.Kind == casebook.Sampled {
			sampled = true
			cancel()
		}
	}
	w, err := casebook.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Run(ctx); err != nil || !sampled {
		t.Fatalf("sampled %t, error %v", sampled, err)
	}
}

// TestBadWrapper: New refuses what cannot be unwrapped, and neither hangs nor panics.
func TestBadWrapper(t *testing.T) {
	for _, c := range []struct {
		name   string
		target casebook.Target
		want   string
	}{
		{"wraps itself", &looped{instance.NewSelf()}, "field Target: it wraps 16 targets or more"},
		{"panics", angry{instance.NewSelf()}, "field Target: Unwrap panicked: unwrap"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := casebook.New(casebook.Config{Dir: t.TempDir(), Target: c.target}); err == nil ||
				!strings.Contains(err.Error(), c.want) {
				t.Errorf("error is %v, want %q in it", err, c.want)
			}
		})
	}
}
