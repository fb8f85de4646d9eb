package casebook

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"testing"
	"time"

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
type veiled struct{ Target }

// A renamed target wraps another one and says so.
type renamed struct {
	Target
	name string
}

func (r renamed) Unwrap() Target { return r.Target }

func (r renamed) Describe(ctx context.Context) (casefile.Target, error) {
	d, err := r.Target.Describe(ctx)
	d.Name = r.name
	return d, err
}

// An aloof target embeds Self and wants nothing to work inside the process.
type aloof struct{ *instance.Self }

func (aloof) InProcess() bool { return false }

// A looped target wraps itself. An angry one panics when it is asked.
type (
	looped struct{ Target }
	angry  struct{ Target }
)

func (l *looped) Unwrap() Target { return l }
func (angry) Unwrap() Target     { panic("unwrap") }

// TestWrappedSelf: a target that wraps Self keeps CPU windows, flight recorder, black box, and everything else that
// Self can do.
func TestWrappedSelf(t *testing.T) {
	http, err := instance.NewHTTP("http://127.0.0.1:6060")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		target Target
		inside bool // windows, recorder and black box
		able   bool // census, facts
	}{
		{"none given", nil, true, true},
		{"Self", instance.NewSelf(), true, true},
		{"embedded", &counting{Self: instance.NewSelf()}, true, true},
		{"wrapped", renamed{instance.NewSelf(), "shop"}, true, true},
		{"wrapped twice", renamed{renamed{instance.NewSelf(), "shop"}, "till"}, true, true},
		{"embedded, then wrapped", renamed{&counting{Self: instance.NewSelf()}, "shop"}, true, true},
		{"it does not want to", aloof{instance.NewSelf()}, false, true},
		{"wrapped, and it does not want to", renamed{aloof{instance.NewSelf()}, "shop"}, false, true},
		{"hidden", veiled{instance.NewSelf()}, false, false},
		{"from outside", http, false, true},
		{"from outside, wrapped", renamed{http, "shop"}, false, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			w, err := New(Config{Dir: t.TempDir(), Target: c.target})
			if err != nil {
				t.Fatal(err)
			}
			s, err := w.begin()
			if err != nil {
				t.Fatal(err)
			}
			defer func() { w.closeBox(); w.end() }()
			w.openBox(casefile.Target{Name: "shop", PID: 1})
			if windows, trace, box := s.windows != nil, s.trace != nil,
				s.box != nil; windows != c.inside || trace != c.inside || box != c.inside {
				t.Errorf("CPU windows %t, flight recorder %t, black box %t; want %t of each", windows, trace, box,
					c.inside)
			}
			_, counts := ability[countable](w.layers)
			_, knows := ability[factual](w.layers)
			if counts != c.able || knows != c.able {
				t.Errorf("census %t, facts %t; want %t of each", counts, knows, c.able)
			}
		})
	}
}

// TestWrapperIsAsked: an ability of the wrapper is used before the same ability of what it wraps.
func TestWrapperIsAsked(t *testing.T) {
	c := &counting{Self: instance.NewSelf()}
	var log bytes.Buffer
	runOnce(t, Config{Target: renamed{c, "shop"}, Logger: slog.New(slog.NewTextHandler(&log, nil))}, "shop")
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
	runOnce(t, Config{Target: veiled{instance.NewSelf()}, Logger: slog.New(slog.NewTextHandler(&log, nil))}, "")
	if !strings.Contains(log.String(), "has a method Unwrap() casebook.Target") ||
		!strings.Contains(log.String(), "casebook.veiled") {
		t.Errorf("the log says %q, want what the target has to do", &log)
	}
}

// runOnce watches until the first sample.
func runOnce(t *testing.T, cfg Config, name string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 8*time.Minute) // ends with the sample, however slow the machine is
	defer cancel()
	cfg.Dir, cfg.Interval = t.TempDir(), settings.Interval.Least
	sampled := false
	cfg.OnEvent = func(e Event) {
		if e.Kind == Started && name != "" && e.Target.Name != name {
			t.Errorf("the target is called %q, want %q", e.Target.Name, name)
		}
		if e.Kind == Sampled {
			sampled = true
			cancel()
		}
	}
	w, err := New(cfg)
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
		target Target
		want   string
	}{
		{"wraps itself", &looped{instance.NewSelf()}, "field Target: it wraps 16 targets or more"},
		{"panics", angry{instance.NewSelf()}, "field Target: Unwrap panicked: unwrap"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := New(Config{Dir: t.TempDir(), Target: c.target}); err == nil ||
				!strings.Contains(err.Error(), c.want) {
				t.Errorf("error is %v, want %q in it", err, c.want)
			}
		})
	}
}
