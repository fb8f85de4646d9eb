package messages

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/lab/serve"
)

// A Config says how the service runs. DefaultConfig is its healthy form.
type Config struct {
	serve.Flags

	Dir    string // of the store; empty: a temporary folder that is removed at the end
	Values string // where the store has them: one of valueNames

	Warm      int // messages of as many senders that are stored at the start
	WarmBytes int // of each
}

// The values of -values.
const (
	valuesInline   = "inline"
	valuesSeparate = "separate"
)

var valueNames = []string{valuesInline, valuesSeparate}

// maxMessage is what a message may have, in bytes.
const maxMessage = 4 << 20

// DefaultConfig is a healthy service.
func DefaultConfig() Config {
	return Config{Flags: serve.DefaultFlags(), Values: valuesSeparate, WarmBytes: 64 << 10}
}

// parseConfig reads the command line. Complaints and help go to stderr.
func parseConfig(args []string, stderr io.Writer) (Config, error) {
	c := DefaultConfig()
	f := flag.NewFlagSet("messages", flag.ContinueOnError)
	f.SetOutput(stderr)
	c.Flags.Add(f)
	f.StringVar(&c.Dir, "dir", c.Dir, "`folder` of the store; empty: a temporary one")
	f.StringVar(&c.Values, "values", c.Values,
		"where the store has values, in its sorted tables or beside them: "+strings.Join(valueNames, ", "))
	f.IntVar(&c.Warm, "warm", c.Warm, "`senders` whose messages are stored when starting")
	f.IntVar(&c.WarmBytes, "warm-bytes", c.WarmBytes, "`bytes` of each of them")
	if err := serve.Parse(f, args); err != nil {
		return c, err
	}
	return c, c.validate()
}

// validate names the flag at fault.
func (c Config) validate() error {
	return errors.Join(
		c.Flags.Validate(),
		serve.Check(slices.Contains(valueNames, c.Values), "values", "must be one of "+strings.Join(valueNames, ", ")),
		serve.Check(c.Warm >= 0 && c.Warm <= 1_000_000, "warm", "must be from 0 to 1000000"),
		serve.Check(c.WarmBytes >= 1 && c.WarmBytes <= maxMessage, "warm-bytes",
			fmt.Sprintf("must be from 1 to %d", maxMessage)),
	)
}
