package cli

import (
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/app/load/limit"
)

// TestLimitFound: the text below the table explains what is in it.
func TestLimitFound(t *testing.T) {
	step := func(rate float64, limited string) limit.Step {
		return limit.Step{Rate: rate, Figures: limit.Figures{Limited: limited}}
	}
	for _, c := range []struct {
		name   string
		report limit.Report
		want   []string
		star   bool
	}{
		{"found", limit.Report{Best: 190, Fails: 200, Steps: []limit.Step{step(190, ""), step(200, "")}},
			[]string{"is 190 a second, confirmed over 20s", "200 a second does not"}, false},
		{"generator late below", limit.Report{Best: 400, Why: "the end",
			Steps: []limit.Step{step(100, "it was late"), step(400, "it was later")}},
			[]string{"ended because: the end.", "at 100 a second because it was late."}, true},
		{"generator late where it fails", limit.Report{Best: 190, Fails: 200,
			Steps: []limit.Step{step(190, "it was late"), step(200, "it was later")}},
			[]string{"At 200 a second (*)", "not the target: it was later."}, true},
		{"nothing", limit.Report{Why: "even 0.1 a second fails"}, []string{"No rate was found", "even 0.1"}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := limitFound(limit.Config{Step: 10 * time.Second}, c.report)
			for _, w := range c.want {
				if !strings.Contains(got, w) {
					t.Errorf("it says %q, want %q in it", got, w)
				}
			}
			if strings.Contains(got, "*") != c.star {
				t.Errorf("it says %q; want a word on the * of the table: %v", got, c.star)
			}
		})
	}
}
