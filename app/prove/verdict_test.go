package prove

import (
	"strings"
	"testing"

	"github.com/gocasebook/casebook/casefile"
)

func TestOverall(t *testing.T) {
	measured := casefile.Stat{Value: 1, Low: 1, High: 1, N: 8}
	figures := func(key casefile.Verdict, others ...casefile.Verdict) []casefile.Figure {
		out := []casefile.Figure{{Name: CPUPerRequest, Unit: "seconds", Key: true, Verdict: key, Before: measured,
			After: measured, Note: "open"}}
		for i, v := range others {
			out = append(out, casefile.Figure{Name: names()[i], Verdict: v, Before: measured, After: measured})
		}
		return out
	}
	const better, worse, same, open = casefile.Better, casefile.Worse, casefile.Same, casefile.CannotTell
	for _, c := range []struct {
		name string
		figs []casefile.Figure
		want casefile.Verdict
		says string
	}{
		{"the key figure decides", figures(worse, better, better, better), worse, "better: p50"},
		{"also when it is the same", figures(same, better, better), same, "better: p50"},
		{"eight clear ones", figures(open, better, better, better, better, better, better, better, better), better,
			"the verdict comes from the others: 8 figures are better and none worse"},
		{"all that moved is worse", figures(open, worse, same, same), worse, "one figure is worse and none better"},
		{"they contradict each other", figures(open, better, better, better, worse), open, "cannot be told from noise"},
		{"more cannot be told than can", figures(open, better, better, open, open), open, "cannot be told from noise"},
		{"nothing moved", figures(open, same, same, same), open, "the same: p50"},
		{"alone", figures(open), open, "cannot be told from noise"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := casefile.Proof{Figures: c.figs, Verdict: overall(c.figs, CPUPerRequest)}
			if p.Verdict != c.want {
				t.Errorf("%s, want %s", p.Verdict, c.want)
			}
			if text := summary(p, CPUPerRequest); !strings.Contains(text, c.says) {
				t.Errorf("%q, want %q in it", text, c.says)
			}
		})
	}
	if v := overall(figures(open, better, better)[1:], ""); v != open {
		t.Errorf("without a key figure: %s", v)
	}
}
