package rule_test

import (
	"bytes"
	"testing"
	"time"

	"github.com/gocasebook/casebook/internal/archive"
	"github.com/gocasebook/casebook/internal/checkout"
	"github.com/gocasebook/casebook/rule"
	"github.com/gocasebook/casebook/vitals"
)

// watched are the vitals of a watch that testdata has: archive/watch.
func watched(t *testing.T, name string) ([]vitals.Sample, *vitals.Catalog) {
	t.Helper()
	data, err := archive.Set("testdata").ReadFile(name + ".jsonl")
	if err != nil {
		t.Fatal(err)
	}
	h, samples, err := vitals.ReadJSONL(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return samples, h.Catalog
}

// TestUnseenServices plays watches of services of lab/unseen/third.txtar (lab/field) through the default rules: 52 s
// of healthy traffic, and then what makes them ill, or their repaired forms not. When the services were new to
// Casebook, none of these tripped within 100 s.
func TestUnseenServices(t *testing.T) {
	checkout.Need(t)
	for _, tt := range []struct {
		name   string
		rule   string        // "" for none
		within time.Duration // of the fault
	}{
		{"press", "requests-stay", 100 * time.Second},
		{"agents", "requests-unaccepted", 60 * time.Second},
		{"desk", "http-latency", 60 * time.Second},
		{"thumbs", "heap-quadruples", 125 * time.Second},
		{"press-fixed", "", 0},
		{"agents-fixed", "", 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			samples, catalog := watched(t, "unseen/"+tt.name)
			outcomes, err := rule.Replay(rule.Default(), samples, catalog, nil)
			if err != nil {
				t.Fatal(err)
			}
			fault := samples[0].Time.Add(52 * time.Second)
			for _, o := range outcomes {
				switch {
				case len(o.Firings) == 0 && o.Rule.Name == tt.rule:
					t.Errorf("%s did not fire: %s; %+v", o.Rule.Name, o.Last, o.Closest)
				case len(o.Firings) == 0:
				case tt.rule == "":
					t.Errorf("%s fired: %s", o.Rule.Name, o.Firings[0].Text)
				case o.Rule.Name == tt.rule && o.Firings[0].Time.Sub(fault) > tt.within:
					t.Errorf("%s after %s, want %s at most", o.Rule.Name, o.Firings[0].Time.Sub(fault), tt.within)
				default:
					t.Logf("%s after %s: %s", o.Rule.Name, o.Firings[0].Time.Sub(fault), o.Firings[0].Text)
				}
			}
		})
	}
}
