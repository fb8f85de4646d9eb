package cli

import (
	"time"

	"github.com/spf13/pflag"

	"github.com/gocasebook/casebook/internal/settings"
)

// addSpan adds the flag of a setting that is a time, with its default and its bounds in the help.
func addSpan(flags *pflag.FlagSet, to *time.Duration, s *settings.Span) {
	flags.DurationVar(to, s.Flag, s.Default, s.Usage())
}
