package gate

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/gocasebook/casebook/app/revision"
)

// Config of a gate. Limits and Against are needed.
type Config struct {
	Dir      string // where packages are named from, in a git repository. Default: the working directory
	Against  string // the base: a git revision
	Head     string // the revision to judge. Default: the files as they are in Dir
	Limits   []Limit
	Optional []string // figures whose limits hold only where they are measured
	Rounds   int      // pairs of measurements before anything is suspected. Default 6, at least 3
	Confirm  int      // pairs of measurements of what is suspected. Default 14, at least 10
	// MeasureIdentical measures what is the same on both sides, which needs no measuring: it is for testing the gate
	// itself.
	MeasureIdentical bool
	Progress         io.Writer // a line a step; nil discards

	// Packages are patterns as of go list, whose benchmarks are measured. Default "./..." without a Service, otherwise
	// none.
	Packages []string
	Bench    string // which benchmarks, as go test -bench. Default "."
	// Benchtime is how long a run of a benchmark takes, as go test -benchtime. Default "5ms".
	Benchtime string
	// Runs is how often a benchmark runs in each process. The smallest time counts, because everything else that the
	// machine does only adds to it; for throughput the largest value counts, for everything else the median. Default
	// 20.
	Runs int

	Service *Service // a server to measure under load; nil for none
}

// Least numbers of rounds: three show whether a figure varies, ten can carry a verdict among up to ten suspects
// (the smallest p of the signed-rank test is 2⁻ⁿ).
const (
	minRounds  = 3
	minConfirm = 10
	maxRounds  = 200
)

// CheckRounds is for who asks for rounds before anything is built.
func CheckRounds(n int) error {
	if n < minRounds || n > maxRounds {
		return fmt.Errorf("%d rounds: want %d to %d", n, minRounds, maxRounds)
	}
	return nil
}

// checked returns the configuration with its defaults, or what is wrong with it.
func (c Config) checked() (Config, error) {
	c.setDefaults()
	switch {
	case c.Against == "" || c.Against == revision.Here:
		return c, errors.New("no revision to compare with: name one, such as main")
	case len(c.Limits) == 0:
		return c, errors.New("no limits: name one, such as time:+5%")
	case c.Runs < 1 || c.Runs > maxRounds:
		return c, fmt.Errorf("%d runs in a process: want 1 to %d", c.Runs, maxRounds)
	case CheckRounds(c.Rounds) != nil:
		return c, CheckRounds(c.Rounds)
	case c.Confirm < minConfirm || c.Confirm > maxRounds:
		return c, fmt.Errorf("%d rounds to confirm: want %d to %d", c.Confirm, minConfirm, maxRounds)
	}
	if c.Service != nil {
		var err error
		if c.Service, err = c.Service.checked(c.Limits, len(c.Packages) > 0); err != nil {
			return c, err
		}
	}
	dir, err := filepath.Abs(c.Dir)
	c.Dir = dir
	return c, err
}

func (c *Config) setDefaults() {
	text := func(field *string, value string) {
		if *field == "" {
			*field = value
		}
	}
	number := func(field *int, value int) {
		if *field == 0 {
			*field = value
		}
	}
	text(&c.Dir, ".")
	text(&c.Head, revision.Here)
	text(&c.Bench, ".")
	text(&c.Benchtime, "5ms")
	number(&c.Rounds, 6)
	number(&c.Confirm, 14)
	number(&c.Runs, 20)
	if len(c.Packages) == 0 && c.Service == nil {
		c.Packages = []string{"./..."}
	}
	if c.Progress == nil {
		c.Progress = io.Discard
	}
}
