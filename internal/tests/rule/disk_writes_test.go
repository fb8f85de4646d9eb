package rule_test

import (
	"testing"
	"time"

	"github.com/gocasebook/casebook/rule"
	"github.com/gocasebook/casebook/vitals"
)

// TestDiskWrites is three minutes of what processes write to disks, in MB/s by the second. The lumps of merging and the
// rates of Pebble with large values are those of lab run messages/large-values.
func TestDiskWrites(t *testing.T) {
	for _, c := range []struct {
		name string
		rate func(second int) float64
		want bool
	}{
		{"Pebble merges values of 64 KiB", func(s int) float64 { return []float64{90, 520, 340, 60, 50}[s%5] }, true},
		{"a store merges for 20 s of each 40", func(s int) float64 { return []float64{20, 230}[s/20%2] }, true},
		{"every answer is spilled to a file", func(int) float64 { return 160 }, true},
		{"debug logs, and a disk that takes 125 MiB/s", func(int) float64 { return 125 }, true},
		{"an import since a minute", func(s int) float64 { return []float64{5, 180, 180}[s/60] }, true},
		{"Pebble with its values beside the tables", func(s int) float64 { return []float64{16, 60, 40}[s%3] }, false},
		{"an access log of 30,000 requests a second", func(int) float64 { return 6 }, false},
		{"a snapshot of 3 GB each minute", func(s int) float64 {
			if s%60 < 8 {
				return 400
			}
			return 2
		}, false},
		{"a broker that keeps 80 MB/s", func(int) float64 { return 80 }, false},
		{"a file server, which reads", func(int) float64 { return 0 }, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			at := time.Date(2026, 11, 27, 9, 0, 0, 0, time.UTC)
			var samples []vitals.Sample
			for s := range 180 {
				v := vitals.NewSample(at.Add(time.Duration(s) * time.Second))
				v.Set(vitals.DiskWrites, 1e6*c.rate(s))
				samples = append(samples, v)
			}
			outcomes, err := rule.Replay(rule.Default(), samples, nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, o := range outcomes {
				if fired := len(o.Firings) > 0; fired != (c.want && o.Rule.Name == "disk-writes") {
					t.Errorf("%s fired %t: %s", o.Rule.Name, fired, o.Last)
				}
			}
		})
	}
}
