package prove

import (
	"testing"

	"github.com/gocasebook/casebook/casefile"
)

func TestPromised(t *testing.T) {
	finding := casefile.Finding{ID: "GC003", Impact: casefile.Impact{Resource: "cpu",
		Gain: casefile.Gain{Low: 0.4, High: 0.51}}}
	proof := &casefile.Proof{Figures: []casefile.Figure{{
		Name: CPU, Before: casefile.Stat{Value: 1.68, N: 20}, After: casefile.Stat{Value: 0.24, N: 20},
	}}}
	other := finding
	other.Impact.Resource = "goroutines"
	garbage, held := finding, finding
	garbage.ID, garbage.Kind, garbage.Impact.Resource = "AL001", "alloc-site", "memory"
	held.ID, held.Kind, held.Impact.Resource = "MEM001", "mem-leak", "memory"
	memory := &casefile.Proof{Figures: []casefile.Figure{
		{Name: RSS, Before: casefile.Stat{Value: 100, N: 20}, After: casefile.Stat{Value: 90, N: 20}},
		{Name: AllocBytes, Before: casefile.Stat{Value: 100, N: 20}, After: casefile.Stat{Value: 50, N: 20}},
	}}
	for _, c := range []struct {
		name     string
		findings []casefile.Finding
		proof    *casefile.Proof
		want     string
	}{
		{"both", []casefile.Finding{other, finding}, proof,
			"GC003 promised 40–51 % of cpu back; measured: cpu −85.7 %"},
		{"garbage", []casefile.Finding{garbage}, memory,
			"AL001 promised 40–51 % of memory back; measured: alloc_bytes −50 %"},
		{"what is held", []casefile.Finding{held}, memory, "MEM001 promised 40–51 % of memory back; measured: rss −10 %"},
		{"no promise", nil, proof, ""},
		{"the figure was not measured", []casefile.Finding{finding}, &casefile.Proof{}, ""},
		{"nothing measures it", []casefile.Finding{other}, proof, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Promised(c.findings, c.proof); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}
