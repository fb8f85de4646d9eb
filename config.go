package casebook

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"runtime/debug"
	"slices"
	"syscall"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/instance"
	"github.com/gocasebook/casebook/internal/budget"
	"github.com/gocasebook/casebook/internal/settings"
	"github.com/gocasebook/casebook/reporter"
	"github.com/gocasebook/casebook/rule"
	"github.com/gocasebook/casebook/vitals"
)

// Config says what to watch and how. Its zero value watches the calling process.
type Config struct {
	// Target is the process under watch. Nil means the calling process. One of your own may wrap another: see Target.
	Target Target
	// Service is the target's name for people. Empty means its main module's name, otherwise its address.
	Service string
	// Version is the target's version. Empty means that of its build info.
	Version string
	// Labels are copied into every case and report: zone, cluster, customer. Do not put secrets here.
	Labels map[string]string

	// Dir is where cases are kept. Empty means DefaultDir in the working directory.
	Dir string
	// Retention limits what Dir keeps: the oldest cases are removed at the start and after each case. Its zero value
	// means 1 GiB, 30 days and 200 cases; casefile.KeepAll() removes nothing.
	Retention casefile.Retention

	// Rules say when to open a case. Empty means rule.Default(). Set changes them live.
	Rules []rule.Rule
	// Interval is the time between samples, 100 ms to 1 min. Zero means DefaultInterval. Set changes it live.
	Interval time.Duration
	// History is how much of the past is kept for rules and cases. Zero means DefaultHistory; a rule that looks back
	// further makes it longer.
	History time.Duration
	// Sources provide signals in addition to the target's own: Gauge, middleware.Handler, instance.Expvar.
	Sources []vitals.Source

	// AnswerWithin is how long the target may take for its first answer, and for a sample, 1 s to 10 min. Zero means
	// DefaultAnswerWithin. A target that takes longer counts as lost for that sample. One that is overloaded answers
	// late: give a single capture more than a watch, which asks again.
	AnswerWithin time.Duration
	// ProfileFor is how long CPU, mutex and block profiles of a case run, 1 s to 5 min. Zero means DefaultProfileFor.
	ProfileFor time.Duration
	// Again is how long after the trip a case takes the heap and the goroutines once more, where a rule on growth opened
	// it, it is undecided, and only time would decide it, up to 1 h. The case is closed that much later. Zero means never;
	// AgainAlways means whatever the case says.
	Again       time.Duration
	AgainAlways bool
	// Windows is how many CPU profile windows of 10 s are kept, so that a profile was already running before a spike
	// trips a rule. They cost as much as a CPU profile, and hold the process's only CPU profiler: net/http/pprof's
	// /profile then answers "already in use", and ProfileHandler replaces it. Zero means DefaultWindows for the calling
	// process, and none for another one, whose profiler belongs to its operators. Negative means none.
	Windows int
	// TraceCost is the share of the CPU that the process uses in busy seconds (half a core or more) up to which the
	// flight recorder of execution traces always runs. Above it, it runs only for a minute after an early warning, or
	// not at all; a case says which.
	// Zero means 0.01, negative never. It is for the calling process only. The runtime's tracer follows frame pointers:
	// a service with assembly that breaks them (golang/go issues 61766, 73664 and 75478) is better off with negative.
	TraceCost float64
	// Attachments are added to every case, next to the profiles.
	Attachments []Attachment
	// Quotes are added to every case: profiles that others keep of the target, of before the trip.
	Quotes []Quote
	// Budget limits what captures may cost the target in an hour. Its zero value has sensible limits.
	Budget Budget

	// Admit is asked before each case that a rule or a person opens. Nil admits all. See AdmitFunc.
	Admit AdmitFunc

	// Signals open a case when the process that Casebook runs in receives one of them, such as syscall.SIGUSR1.
	// SIGTERM and SIGINT cannot be among them; see CaptureAtEnd.
	Signals []os.Signal
	// CaptureAtEnd opens a last case, of snapshots only, when the watch ends: by the service's own handling of
	// SIGTERM, or by Start's stop. It takes up to 5 s.
	CaptureAtEnd bool
	// HeapDumpAtEnd is the path of a heap dump that is written when the watch ends, replacing an older one; see
	// WriteHeapDump for its price. Empty means none. Only a service that watches itself can write one.
	HeapDumpAtEnd string

	// Diagnose says how cases are judged: with detectors of your own, say, or with derivers that turn your own evidence
	// into what detectors read. The zero value means the built-in detectors. See package diagnose.
	Diagnose DiagnoseOptions
	// Draw renders a finished and diagnosed case for people, such as its page, and puts it next to the evidence
	// (casefile.Folder.AddFile). Nil draws nothing. A panic in it is recovered.
	Draw func(context.Context, *casefile.Folder) error
	// Reporters get every finished case. If this process is killed before that, the next watch of Dir with a reporter
	// of the same name delivers it. A reporter without a spool may get a case twice.
	Reporters []reporter.Reporter
	// Logger gets trips, cases and errors. Nil discards them. Its handler is called on a separate goroutine, for which
	// up to 256 lines wait; more are dropped and counted (Status.UnheardLines).
	Logger *slog.Logger
	// OnEvent is called for everything that happens, one call at a time, on a separate goroutine: the watch continues
	// while it runs. Up to 256 events wait for it, half of them samples; more are dropped and counted
	// (Status.UnheardEvents). Run delivers the waiting events before it returns, unless OnEvent hangs for 5 s. A panic
	// in it is recovered. Nil is allowed.
	OnEvent func(Event)
	// Tool is recorded in the cases as their author, for instance "casebook v0.1.0". Empty means the version of this
	// module in the calling program.
	Tool string
}

// An Attachment is evidence that the target does not provide itself, such as the page of another exporter.
type Attachment struct {
	Kind string // casefile.Prometheus or a kind of your own; also the file's name: lower-case letters, digits, dashes
	Take func(context.Context) ([]byte, error)
	// Within is how long Take may take. Zero means 10 s.
	Within time.Duration
	// Last says that Take disturbs the target: it is called when all other evidence is there. The phase is after then.
	Last bool
}

// A Quote is a profile of the target at another time, or of another version of it, that somebody else keeps: a database
// of profiles. A case freezes it as evidence of the kind casefile.Quote, because the database forgets. Detectors do not
// read it: people compare with it.
type Quote struct {
	Name string // of the file, after "quote-": lower-case letters, digits, dashes
	// Take gets the profile, and in its note where it comes from. tripped is when the rule did. It has 30 s.
	Take func(ctx context.Context, tripped time.Time) (instance.Profile, error)
}

// Defaults of Config's zero fields.
const (
	DefaultDir        = "casebook-cases"
	DefaultInterval   = time.Second
	DefaultHistory    = 10 * time.Minute
	DefaultProfileFor = 10 * time.Second
	DefaultWindows    = 3

	DefaultAnswerWithin = 5 * time.Second

	maxHistory = 100_000 // samples, 62 MB
	maxWindows = 30

	minAnswerWithin, maxAnswerWithin = time.Second, 10 * time.Minute
)

// withDefaults fills in zero fields but Target. self says that the target is the calling process.
func (c Config) withDefaults(self bool) Config {
	if c.Dir == "" {
		c.Dir = DefaultDir
	}
	if len(c.Rules) == 0 {
		c.Rules = rule.Default()
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	if c.Tool == "" {
		c.Tool = ownVersion()
	}
	if c.Windows == 0 && self {
		c.Windows = DefaultWindows
	}
	c.Windows = max(c.Windows, 0)
	c.Interval = orDefault(c.Interval, DefaultInterval)
	c.History = orDefault(c.History, DefaultHistory)
	c.ProfileFor = orDefault(c.ProfileFor, DefaultProfileFor)
	c.AnswerWithin = orDefault(c.AnswerWithin, DefaultAnswerWithin)
	return c
}

// validate names every field at fault.
func (c *Config) validate() error {
	var errs []error
	fault := func(field, format string, args ...any) {
		errs = append(errs, fmt.Errorf("field %s %s", field, fmt.Sprintf(format, args...)))
	}
	errs = append(errs, settings.Interval.CheckField(c.Interval))
	if c.History < 0 || c.Interval > 0 && c.History/c.Interval > maxHistory {
		fault("History", "is %s; it must be positive and hold %d samples at most", c.History, maxHistory)
	}
	errs = append(errs, settings.ProfileFor.CheckField(c.ProfileFor))
	if c.AnswerWithin < minAnswerWithin || c.AnswerWithin > maxAnswerWithin {
		fault("AnswerWithin", "is %s; it must be from %s to %s", c.AnswerWithin, minAnswerWithin, maxAnswerWithin)
	}
	if c.Again < 0 || c.Again > maxAgain {
		fault("Again", "is %s; it must be from 0 to %s", c.Again, maxAgain)
	}
	if c.Windows > maxWindows {
		fault("Windows", "is %d; it must be %d at most", c.Windows, maxWindows)
	}
	if c.TraceCost != c.TraceCost || c.TraceCost > 1 {
		fault("TraceCost", "is %g; it is a share, such as 0.01", c.TraceCost)
	}
	if err := c.Retention.Validate(); err != nil {
		errs = append(errs, fmt.Errorf("field Retention: %w", err))
	}
	if err := budget.Limits(c.Budget).Validate(); err != nil {
		errs = append(errs, fmt.Errorf("field Budget: %w", err))
	}
	if slices.ContainsFunc(c.Signals, func(s os.Signal) bool {
		return s == os.Interrupt || s == syscall.SIGTERM ||
			s == os.Kill
	}) {
		fault("Signals",
			"holds SIGTERM, SIGINT or SIGKILL, whose meaning is the service's; use CaptureAtEnd and end the watch")
	}
	for _, a := range c.Attachments {
		if !casefile.ValidKind(a.Kind) || a.Take == nil {
			fault("Attachments", "holds %q; it needs a kind of lower-case letters, digits and dashes, and Take", a.Kind)
		}
		if a.Within < 0 {
			fault("Attachments", "holds %q, whose Within is %s; it must be positive", a.Kind, a.Within)
		}
	}
	for _, q := range c.Quotes {
		if !casefile.ValidKind(q.Name) || q.Take == nil {
			fault("Quotes", "holds %q; it needs a name of lower-case letters, digits and dashes, and Take", q.Name)
		}
	}
	return errors.Join(errs...)
}

func orDefault(d, def time.Duration) time.Duration {
	if d == 0 {
		return def
	}
	return d
}

// ownVersion is Casebook's version as the calling program's build info has it.
func ownVersion() string {
	const name, module = "casebook", "github.com/gocasebook/casebook"
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return name
	}
	for _, m := range append(info.Deps, &info.Main) {
		if m.Path == module && m.Version != "" && m.Version != "(devel)" {
			return name + " " + m.Version
		}
	}
	return name
}
