package cli

import (
	"time"

	"github.com/gocasebook/casebook/app/assess"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/settings"
	"github.com/spf13/pflag"
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

// addSpan adds the flag of a setting that is a time, with its default and its bounds in the help.
func addSpan(flags *pflag.FlagSet, to *time.Duration, s *settings.Span) {
	flags.DurationVar(to, s.Flag, s.Default, s.Usage())
}
