package feature

import (
	"errors"
	"flag"
	"io"
	"strings"
	"time"

	"github.com/gocasebook/casebook/lab/serve"
)

// A Config says how an API tier runs.
type Config struct {
	serve.Flags

	ComputeURL  string        // base URLs of the compute tier's replicas, with commas between
	Timeout     time.Duration // of the call, a hedge among it
	MaxInFlight int           // requests; more are refused with 503
	Decode      string        // one of decodeNames
	Call        string        // one of callNames
}

// errUnknownModel names the models there are.
var errUnknownModel = errors.New("want one of " + modelNames())

// DefaultConfig is a healthy API tier whose compute tier still has to be named.
func DefaultConfig() Config {
	return Config{Flags: serve.DefaultFlags(), Timeout: 100 * time.Millisecond, MaxInFlight: 256, Decode: decodeFields,
		Call: callHedged}
}

func (c Config) replicas() []string { return strings.Split(c.ComputeURL, ",") }

// parseConfig reads the command line. Complaints and help go to stderr.
func parseConfig(args []string, stderr io.Writer) (Config, error) {
	c := DefaultConfig()
	f := flag.NewFlagSet("feature", flag.ContinueOnError)
	f.SetOutput(stderr)
	c.Flags.Add(f)
	f.StringVar(&c.ComputeURL, "compute-url", c.ComputeURL,
		"base `URL` of the compute tier; several replicas with commas between")
	f.DurationVar(&c.Timeout, "timeout", c.Timeout, "of the call of the compute tier, a hedge among it")
	f.IntVar(&c.MaxInFlight, "max-in-flight", c.MaxInFlight, "requests; more are refused with 503")
	f.StringVar(&c.Decode, "decode", c.Decode, "how an answer of the compute tier is read: "+strings.Join(decodeNames,
		", "))
	f.StringVar(&c.Call, "call", c.Call, "how the compute tier is asked: "+strings.Join(callNames, ", "))
	if err := serve.Parse(f, args); err != nil {
		return c, err
	}
	return c, c.validate()
}

// validate names the flag at fault.
func (c Config) validate() error {
	errs := []error{
		c.Flags.Validate(),
		serve.Check(c.Timeout > 0, "timeout", "must be above 0"),
		checkRange("max-in-flight", c.MaxInFlight, 1, maxInFlight),
		checkName("decode", c.Decode, decodeNames),
		checkName("call", c.Call, callNames),
	}
	for _, u := range c.replicas() {
		errs = append(errs, serve.CheckURL("compute-url", u))
	}
	return errors.Join(errs...)
}
