package cli

import (
	"github.com/gocasebook/casebook/app/assess"
	"github.com/gocasebook/casebook/casefile"
)

// warningScore is where severity warning begins.
const warningScore = assess.Warning

// worstScore returns the highest score among the findings.
func worstScore(d casefile.Diagnosis) int {
	worst := 0
	for _, f := range d.Findings {
		worst = max(worst, f.Score)
	}
	return worst
}
