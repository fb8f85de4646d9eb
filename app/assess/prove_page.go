package assess

import (
	"github.com/gocasebook/casebook/app/prove"
	"github.com/gocasebook/casebook/app/prove/trial"
	"github.com/gocasebook/casebook/app/report"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/vitals"
)

// Page returns the page of a proof.
func (p *Proved) Page() report.Comparison {
	r := &p.Result
	c := report.OfProof(p.Proof, p.Blocks)
	curves := make([]report.Curve, len(r.Totals))
	for i := range r.Totals {
		curves[i] = report.LatencyCurve(r.Totals[i].Latency)
	}
	if len(curves[0]) > 0 && len(curves[2]) > 0 {
		c.Latency = []report.Curve{curves[0], curves[2]}
		c.Noise = report.BandBetween(curves[0], curves[1])
	}
	c.Profiles = profilePairs(p.Proof, r.Profiles)
	if r.Profiles != nil && r.Profiles.Absent != "" {
		c.Warnings = append(c.Warnings, "The page cannot show where it changed: "+r.Profiles.Absent+".")
	}
	return c
}

// profilePairs returns the profiles that both sides have. The level of CPU comes from /proc, measured over all blocks.
func profilePairs(p casefile.Proof, taken *trial.Profiles) []report.ProfilePair {
	if taken == nil {
		return nil
	}
	var out []report.ProfilePair
	if taken.A.CPU != nil && taken.B.CPU != nil {
		pair := report.ProfilePair{Name: "CPU per request", Kind: casefile.CPU, Before: taken.A.CPU,
			After: taken.B.CPU, Unit: vitals.Seconds}
		for _, fig := range p.Figures {
			if fig.Name != prove.CPUPerRequest {
				continue
			}
			pair.LevelBefore, pair.LevelAfter = fig.Before.Value, fig.After.Value
			if e := fig.Effect; e != nil && !e.Absolute { // the medians' ratio is not the change that was proved
				pair.LevelAfter, pair.Noise = fig.Before.Value*(1+e.Value), e.Noise
			}
		}
		out = append(out, pair)
	}
	if taken.A.Heap != nil && taken.B.Heap != nil {
		out = append(out, report.ProfilePair{Name: "Heap in use", Kind: casefile.Heap, Before: taken.A.Heap,
			After: taken.B.Heap})
	}
	return out
}
