package prove

import (
	"fmt"
	"strings"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/vitals"
)

// measuredBy names the figures that show whether a gain was had, by the resource of a finding's impact.
var measuredBy = [...]struct{ resource, figure string }{
	{"cpu", CPU},
	{"cpu", CPUPerRequest},
	{"memory", RSS},
	{"latency", P99},
}

// Promised puts the gain that the first finding with one promised beside what the proof measured: "GC003 promised
// 40–51 % of cpu back; measured: cpu −85.4 %". It is "" when nothing was promised, or no figure measures it.
func Promised(findings []casefile.Finding, p *casefile.Proof) string {
	for _, f := range findings {
		for _, m := range measuredBy {
			if m.resource != f.Impact.Resource || f.Impact.Gain.High <= 0 {
				continue
			}
			if change, ok := relativeChange(p, m.figure); ok {
				return fmt.Sprintf("%s promised %s of %s back; measured: %s %s", f.ID, gainRange(f.Impact.Gain), m.resource, m.figure, change)
			}
		}
	}
	return ""
}

func relativeChange(p *casefile.Proof, name string) (string, bool) {
	for _, f := range p.Figures {
		if f.Name == name && f.Before.N > 0 && f.After.N > 0 && f.Before.Value > 0 {
			change := f.After.Value/f.Before.Value - 1
			if f.Effect != nil && !f.Effect.Absolute {
				change = f.Effect.Value
			}
			sign := "+"
			if change < 0 {
				sign, change = "−", -change
			}
			return sign + vitals.Share.Format(change), true
		}
	}
	return "", false
}

func gainRange(g casefile.Gain) string {
	low, high := vitals.Share.Format(g.Low), vitals.Share.Format(g.High)
	if low == high {
		return high
	}
	return strings.TrimSuffix(low, " %") + "–" + high
}
