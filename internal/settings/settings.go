// Package settings says what the settings of a watch may be: their bounds, their default and what they mean, once for
// the checks of the Go API, the flags and their help. The file of watch --config is read as flags, so it is bound too.
package settings

import (
	"fmt"
	"time"

	"github.com/gocasebook/casebook/internal/number"
)

// A Span is a setting that is a time.
type Span struct {
	Field string // of casebook.Config; empty if the API has none
	Flag  string // of the commands, without dashes
	Text  string // what it is, for the help of a flag

	Least, Most, Default time.Duration
}

// MostProfile is the longest profile that is taken.
const MostProfile = 5 * time.Minute

// The settings.
var (
	Interval = Span{
		Field: "Interval", Flag: "interval", Text: "time between samples",
		Least: 100 * time.Millisecond, Most: time.Minute, Default: time.Second,
	}
	ProfileFor = Span{
		Field: "ProfileFor", Flag: "profile", Text: "how long CPU, mutex and block profiles run",
		Least: time.Second, Most: MostProfile, Default: 10 * time.Second,
	}
	// Before is for captures by hand. The history that a watch keeps by default is the most that a case shows of them.
	Before = Span{
		Flag: "before", Text: "how long to sample the signals first",
		Least: 0, Most: 10 * time.Minute, Default: 3 * time.Second,
	}
)

// Usage is the help of the flag: "time between samples, 100ms to 1m".
func (s *Span) Usage() string {
	return s.Text + ", " + number.Setting(s.Least) + " to " + number.Setting(s.Most)
}

// CheckField is an error in the words of the Go API: "field Interval is 2m0s; it must be from 100ms to 1m".
func (s *Span) CheckField(d time.Duration) error { return s.check("field "+s.Field, d) }

// CheckFlag is an error in the words of a command: "--interval is 2m0s; it must be from 100ms to 1m".
func (s *Span) CheckFlag(d time.Duration) error { return s.check("--"+s.Flag, d) }

func (s *Span) check(name string, d time.Duration) error {
	if d < s.Least || d > s.Most {
		return fmt.Errorf("%s is %s; it must be from %s to %s", name, d, number.Setting(s.Least),
			number.Setting(s.Most))
	}
	return nil
}
