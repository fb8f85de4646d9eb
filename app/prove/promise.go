package prove

import (
	"fmt"

	"github.com/gocasebook/casebook/app/closing"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/number"
)

// measuredBy names the figures that show whether a gain was achieved, by the resource of a finding's impact; the first
// measured one counts. CPU is given per request, so that a service that did less work before does not look economical.
var measuredBy = [...]struct{ resource, figure string }{
	{closing.CPU, CPUPerRequest},
	{closing.CPU, CPU},
	{closing.Memory, RSS},
	{closing.Garbage, AllocBytes}, // what findings about allocations promise of memory, without a CPU profile
	{closing.Latency, P99},
}

// A Kept is the gain that a finding promised and the gain that was measured, as shares of the resource before: 0.4 is
// 40 % less.
type Kept struct {
	ID       string        `json:"id"` // of the finding
	Resource string        `json:"resource"`
	Promised casefile.Gain `json:"promised"`
	Figure   string        `json:"figure"`   // that the resource is measured by
	Measured float64       `json:"measured"` // below 0: it became more
}

// Ratio returns the measured gain over the middle of the promised range: above 1 the finding promised too little.
func (k Kept) Ratio() float64 { return 2 * k.Measured / (k.Promised.Low + k.Promised.High) }

// Keeps says what a finding's promise came to. It is false when nothing was promised, or no figure measures it.
func Keeps(f casefile.Finding, p *casefile.Proof) (Kept, bool) {
	if f.Impact.Gain.High <= 0 {
		return Kept{}, false
	}
	measured := closing.Resource(&f)
	for _, m := range measuredBy {
		if m.resource != measured {
			continue
		}
		if change, ok := relativeChange(p, m.figure); ok {
			return Kept{f.ID, f.Impact.Resource, f.Impact.Gain, m.figure, -change}, true
		}
	}
	return Kept{}, false
}

// Promised compares the gain that the first finding with one promised with what the proof measured: "GC003 promised
// 40–51 % of cpu back; measured: cpu −85.4 %". It is "" when nothing was promised, or no figure measures it.
func Promised(findings []casefile.Finding, p *casefile.Proof) string {
	for _, f := range findings {
		if k, ok := Keeps(f, p); ok {
			return fmt.Sprintf("%s promised %s of %s back; measured: %s %s", k.ID, GainRange(k.Promised), k.Resource,
				k.Figure, number.Signed(number.Share, -k.Measured))
		}
	}
	return ""
}

// relativeChange returns how a figure moved: −0.4 for 40 % less.
func relativeChange(p *casefile.Proof, name string) (float64, bool) {
	for _, f := range p.Figures {
		if f.Name == name && f.Before.N > 0 && f.After.N > 0 && f.Before.Value > 0 {
			if f.Effect != nil && !f.Effect.Absolute {
				return f.Effect.Value, true
			}
			return f.After.Value/f.Before.Value - 1, true
		}
	}
	return 0, false
}

// GainRange returns a promised gain for people: "40–51 %".
func GainRange(g casefile.Gain) string { return number.Estimate(g.Low, g.High) }
