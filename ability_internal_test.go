package casebook

import (
	"context"
	"testing"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/instance"
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
