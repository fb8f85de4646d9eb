package main

import (
	"context"
	"runtime"
	"sync"
	"time"

	"mosn.io/holmes"

	"github.com/gocasebook/casebook"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/rule"
)

// A watcher is one way for a service to watch itself.
type watcher struct {
	name string
	// start watches and returns what ends it. tell is told what happens; rules says whether a CPU spike is looked for,
	// else nothing ever trips.
	start func(dir string, spikes bool, tell func(event)) (watching, error)
}

// A watching is a watcher at work.
type watching struct {
	stop func()
	mode func() string // of the flight recorder; "" where there is none
}

// The names of watchers that parts ask for.
const (
	nothingName  = "nothing"
	againName    = "nothing again"
	defaultName  = "casebook, CPU windows"
	samplingName = "casebook, sampling only"
	holmesName   = "holmes, 1 s"
)

// watchers are all, in the order of the tables.
var watchers = [...]watcher{
	{nothingName, unwatched},
	{againName, unwatched},
	{samplingName, own(func(c *casebook.Config) { c.Windows, c.TraceCost = -1, -1 })},
	{defaultName, own(func(c *casebook.Config) { c.TraceCost = -1 })},
	{"casebook, recorder governed", own(func(*casebook.Config) {})},
	{"casebook, recorder armed", own(func(c *casebook.Config) {
		// Too costly to be on under load, but a rule is always near its limit; armed, it may cost five times as much.
		c.TraceCost, c.Rules = 0.02, append(c.Rules, nearLimit())
	})},
	{"casebook, recorder on", own(func(c *casebook.Config) { c.TraceCost = 1 })},
	{holmesName, byHolmes},
}

func lookup(name string) (watcher, bool) {
	for _, w := range watchers {
		if w.name == name {
			return w, true
		}
	}
	return watcher{}, false
}

func unwatched(string, bool, func(event)) (watching, error) {
	return watching{func() {}, noRecorder}, nil
}

func noRecorder() string { return "" }

// own is casebook, with a change to its configuration.
func own(change func(*casebook.Config)) func(string, bool, func(event)) (watching, error) {
	return func(dir string, spikes bool, tell func(event)) (watching, error) {
		c := casebook.Config{Dir: dir, Rules: []rule.Rule{never()},
			OnEvent: func(e casebook.Event) { tellCasebook(e, tell) }}
		if spikes {
			c.Interval, c.Rules = 100*time.Millisecond, []rule.Rule{burning()}
			c.ProfileFor = time.Second
			c.Retention = casefile.KeepAll()
			// a hundred spikes an hour are no service's lot
			c.Budget = casebook.Budget{CPU: -1, Bytes: -1, Pause: -1, Longest: -1}
		}
		change(&c)
		w, err := casebook.New(c)
		if err != nil {
			return watching{}, err
		}
		return watching{background(w, tell), func() string {
			if t := w.Status().Trace; t != nil {
				return t.Mode
			}
			return ""
		}}, nil
	}
}

// background runs a watch until the func it returns is called.
func background(w *casebook.Watch, tell func(event)) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	var run sync.WaitGroup
	run.Go(func() {
		if err := w.Run(ctx); err != nil {
			tell(event{Kind: evError, Text: err.Error()})
		}
	})
	return func() {
		cancel()
		run.Wait()
	}
}

func tellCasebook(e casebook.Event, tell func(event)) {
	switch e.Kind {
	case casebook.Tripped:
		tell(event{Kind: evTrip, At: e.Time, Text: e.Trigger.Text})
	case casebook.Captured:
		tell(event{Kind: evEvidence, At: e.Time, Text: e.Evidence.File})
	case casebook.Closed:
		tell(event{Kind: evCase, At: e.Time, Path: e.Path})
	case casebook.Failed, casebook.Missed:
		tell(event{Kind: evError, At: e.Time, Text: e.Err.Error()})
	}
}

// burning trips as soon as a sample shows seven tenths of the CPU in use.
func burning() rule.Rule {
	limit := 0.7
	return rule.Rule{
		Name: "burning", When: rule.Condition{Signal: "cpu_share", Above: &limit}, Capture: []string{casefile.CPU},
		Cooldown: rule.Duration(time.Second), Warmup: -1, PerHour: -1,
	}
}

// never is a rule that judges every sample and never trips.
func never() rule.Rule {
	limit := 1e9
	return rule.Rule{Name: "never", When: rule.Condition{Signal: "cpu_share", Above: &limit}}
}

// nearLimit is a rule that is always close to its limit, and so arms the flight recorder.
func nearLimit() rule.Rule {
	limit := float64(runtime.GOMAXPROCS(0)) / 0.9
	return rule.Rule{Name: "near", When: rule.Condition{Signal: "gomaxprocs", Above: &limit}}
}

// byHolmes is mosn.io/holmes at a second, which is the fastest that its own sampling takes.
func byHolmes(dir string, spikes bool, tell func(event)) (watching, error) {
	const huge = 1_000_000
	most := huge
	if spikes {
		most = 70
	}
	h, err := holmes.New(
		holmes.WithLogger(&holmesLogger{tell: tell}),
		holmes.WithDumpPath(dir),
		holmes.WithCollectInterval("1s"),
		holmes.WithCPUDump(10, huge, most, time.Second),
		holmes.WithMemDump(10, huge, huge, time.Second),
		holmes.WithGoroutineDump(10, huge, huge, 0, time.Second),
		holmes.WithProfileReporter(holmesReporter(tell)),
	)
	if err != nil {
		return watching{}, err
	}
	h.EnableCPUDump().EnableMemDump().EnableGoroutineDump().Start()
	return watching{h.Stop, noRecorder}, nil
}
