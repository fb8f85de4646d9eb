package ads

import (
	"errors"
	"flag"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/gocasebook/casebook/lab/serve"
)

// A Config says how a delivery service runs. DefaultConfig is its healthy form.
type Config struct {
	serve.Flags

	ContentURL string        // base URL of the content service
	Redis      string        // host:port
	Timeout    time.Duration // of one call of Redis; the content service has ten times as long for its catalogue
	Refresh    time.Duration // how often the content service is asked for a newer catalogue
	MaxStale   time.Duration // how long a catalogue serves when the content service does not answer

	InFlight int // requests that are worked on at once; more are refused
	Consider int // candidates, the best first, whose caps are read for a request
	Part     int // ads that each goroutine of a request gets, where it has its own
	Report   string
	Marks    int  // candidates, the best first, that are marked as considered
	Lost     bool // whether candidates that are not shown are reported, too

	Fanout, Room, Match, Index, Keys, Counts, MarksBy, ReportBy string // see forms.go
}

// DefaultConfig is a healthy delivery service whose dependencies still have to be named. Its report goes nowhere.
func DefaultConfig() Config {
	return Config{
		Flags: serve.DefaultFlags(), Redis: "127.0.0.1:6379",
		Timeout: 250 * time.Millisecond, Refresh: 10 * time.Second, MaxStale: 5 * time.Minute,
		InFlight: 256, Consider: 40, Part: 30, Report: os.DevNull,
		Fanout: fanoutWorkers, Room: roomFitted, Match: matchSet, Index: indexNumber, Keys: keysAppend,
		Counts: countsBatched, MarksBy: marksBatched, ReportBy: reportDirect,
	}
}

// A choice is a flag that takes one of some words.
type choice struct {
	name, text string
	value      *string
	words      []string
}

// check names the flag when its value is none of the words.
func (o choice) check() error {
	return serve.Check(slices.Contains(o.words, *o.value), o.name, "must be one of "+strings.Join(o.words, ", "))
}

func (c *Config) choices() []choice {
	return []choice{
		{"fanout", "who searches the ads of a request", &c.Fanout, fanoutForms()},
		{"room", "how much memory the candidates of a request get", &c.Room, roomForms()},
		{"match", "how keywords are compared", &c.Match, matchForms()},
		{"index", "what campaigns are found by", &c.Index, indexForms()},
		{"keys", "how the keys of counters are made", &c.Keys, keysForms()},
		{"counts", "how counters go to Redis", &c.Counts, countsForms()},
		{"marks-by", "how marks of what was considered go to Redis", &c.MarksBy, marksForms()},
		{"report-by", "how lines of the report are made", &c.ReportBy, reportForms()},
	}
}

// parseConfig reads the command line of delivery. Complaints and help go to stderr.
func parseConfig(args []string, stderr io.Writer) (Config, error) {
	c := DefaultConfig()
	f := flag.NewFlagSet("ads", flag.ContinueOnError)
	f.SetOutput(stderr)
	c.Add(f)
	f.StringVar(&c.ContentURL, "content-url", c.ContentURL, "base `URL` of the content service")
	f.StringVar(&c.Redis, "redis", c.Redis, "`host:port` of Redis")
	f.DurationVar(&c.Timeout, "timeout", c.Timeout, "of one call of Redis; of the content service ten times that")
	f.DurationVar(&c.Refresh, "refresh", c.Refresh, "how often to ask for a newer catalogue")
	f.DurationVar(&c.MaxStale, "max-stale", c.MaxStale,
		"how long a catalogue serves while the content service does not answer")
	f.IntVar(&c.InFlight, "in-flight", c.InFlight, "`requests` at once; more are refused")
	f.IntVar(&c.Consider, "consider", c.Consider, "`candidates` whose caps are read for a request")
	f.IntVar(&c.Marks, "marks", c.Marks, "`candidates` of a request that are marked in Redis as considered")
	f.IntVar(&c.Part, "part", c.Part, "`ads` that each goroutine of a request gets, with -fanout goroutines")
	f.StringVar(&c.Report, "report", c.Report,
		"`file` that gets a line for each ad shown, at most 64 MiB; then it begins anew")
	f.BoolVar(&c.Lost, "report-lost", c.Lost, "report the candidates that are not shown, too")
	for _, o := range c.choices() {
		f.StringVar(o.value, o.name, *o.value, o.text+": "+strings.Join(o.words, ", "))
	}
	if err := serve.Parse(f, args); err != nil {
		return Config{}, err
	}
	return c, c.validate()
}

// validate names the flag at fault.
func (c *Config) validate() error {
	errs := []error{
		c.Flags.Validate(),
		serve.CheckURL("content-url", c.ContentURL),
		serve.CheckAddress("redis", c.Redis, false),
		serve.Check(c.Timeout > 0, "timeout", "must be above 0"),
		serve.Check(c.Refresh > 0, "refresh", "must be above 0"),
		serve.Check(c.MaxStale > 0, "max-stale", "must be above 0"),
		serve.Check(c.InFlight > 0, "in-flight", "must be above 0"),
		serve.Check(c.Consider > 0 && c.Consider <= maxAds, "consider", "must be from 1 to 10000"),
		serve.Check(c.Marks >= 0 && c.Marks <= maxAds, "marks", "must be from 0 to 10000"),
		serve.Check(c.Part > 0, "part", "must be above 0"),
		serve.Check(c.Report != "", "report", "must name a file; "+os.DevNull+" keeps nothing"),
	}
	for _, o := range c.choices() {
		errs = append(errs, o.check())
	}
	return errors.Join(errs...)
}
