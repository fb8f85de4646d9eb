// Package doctor looks at a target before it is watched: what of the evidence can be had, what is switched off, what
// watching would cost, and who else can read the endpoint.
//
// The problem: one learns in the middle of an incident that mutex waits were not recorded, that the server's
// WriteTimeout cuts profiles, that the process belongs to another user, or that the endpoint has been open to the
// network all the time. Examine asks for each kind of evidence once, for a second at most, as a capture would, and says
// of each what came or why nothing did.
//
// The limits: what is predicted to take more than a second of the target's CPU is not tried. From outside it cannot be
// told whether blocking is recorded while nothing has blocked. Who can reach an address is known of this machine alone:
// its other addresses are asked, firewalls between are not seen.
package doctor

import (
	"context"
	"slices"
	"time"

	"github.com/gocasebook/casebook/app/kube"
	"github.com/gocasebook/casebook/app/notes"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/instance"
)

// A Checkup is what was learnt about a target.
type Checkup struct {
	Target   casefile.Target `json:"target"`
	Time     time.Time       `json:"time"`
	Evidence []Evidence      `json:"evidence"`
	Signals  Signals         `json:"signals"`
	Watching Watching        `json:"watching"`
	Exposure Exposure        `json:"exposure"`
	Advice   []Advice        `json:"advice"`          // what to change, the most urgent first
	Notes    []notes.Note    `json:"notes,omitempty"` // releases in it with a known fault: no advice, and no warning
}

// A State says whether a kind of evidence can be had.
type State string

// The states of evidence.
const (
	Available State = "available"
	Off       State = "off"       // the program can switch it on
	Unknown   State = "unknown"   // nothing came, which has two reasons
	Absent    State = "absent"    // the target does not offer it
	Expensive State = "expensive" // it was not tried, because it would cost the target too much
	Failed    State = "failed"
)

// An Evidence is what became of one kind.
type Evidence struct {
	Kind    string        `json:"kind"`
	State   State         `json:"state"`
	Text    string        `json:"text,omitempty"` // why, or what came with it
	Bytes   int           `json:"bytes,omitempty"`
	Seconds float64       `json:"seconds,omitempty"` // that it spans
	Took    time.Duration `json:"took_ns,omitempty"` // beyond Seconds
}

// Signals are those of a sample.
type Signals struct {
	Present []string          `json:"present"`
	Absent  map[string]string `json:"absent,omitempty"` // why, by name
}

// Watching is what a watch with the default settings would cost the target.
type Watching struct {
	// of a sample, the median time until its index page was answered, and how often it is asked for
	Index    time.Duration `json:"index_ns"`
	Interval time.Duration `json:"interval_ns"`
	// the time until the memory statistics were answered, and how often they are read at most
	MemStats      time.Duration `json:"memstats_ns,omitempty"`
	MemStatsEvery time.Duration `json:"memstats_every_ns,omitempty"`
	// of one core: at most, because a target answers no faster than it is given CPU
	Share float64 `json:"share"`
	// Case is what a case with the default evidence is predicted to take
	Case Cost `json:"case"`
	// Hour is what all cases of an hour may take
	Hour Cost `json:"hour"`
}

// A Cost is that of captures.
type Cost struct {
	CPU     time.Duration `json:"cpu_ns"`
	Bytes   int64         `json:"bytes"`
	Pause   time.Duration `json:"pause_ns"`   // all stops of the world together
	Longest time.Duration `json:"longest_ns"` // the longest
}

// An Advice is one thing to change.
type Advice struct {
	Severity string `json:"severity"` // casefile.Warning, casefile.Notice
	Text     string `json:"text"`
	Change   string `json:"change,omitempty"` // Go code, or a command
}

// Warns reports whether something should be changed before the target is relied on.
func (c *Checkup) Warns() bool {
	return slices.ContainsFunc(c.Advice, func(a Advice) bool { return a.Severity == casefile.Warning })
}

// A Request says what to look at.
type Request struct {
	URL    string
	Access instance.HTTPOptions
	On     func(step string) // told what is being looked at; nil: nobody is told
}

// answerWithin is how long the first answer may take: a service without CPU left answers late.
const answerWithin = 30 * time.Second

// Examine looks at a target. An error means that nothing answers there, or that it is not net/http/pprof.
func Examine(ctx context.Context, r Request) (*Checkup, error) {
	var err error
	if kube.Is(r.URL) {
		if r.URL, r.Access, err = kube.Proxy(r.URL, r.Access); err != nil {
			return nil, err
		}
	}
	t, err := instance.NewHTTPWith(r.URL, r.Access)
	if err != nil {
		return nil, err
	}
	defer t.CloseIdle()
	e := &examination{HTTP: t, Request: r, Checkup: Checkup{Time: time.Now().UTC()}, linked: linked{}}
	if err := e.describe(ctx); err != nil {
		return nil, err
	}
	for _, step := range []struct {
		name string
		run  func(context.Context)
	}{{"signals", e.signals}, {"evidence", e.evidence}, {"cost", e.cost}, {"exposure", e.exposure}} {
		if r.On != nil {
			r.On(step.name)
		}
		step.run(ctx)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	e.advise()
	e.Notes = notes.Faults(e.linked.modules())
	return &e.Checkup, nil
}

// An examination is one in progress.
type examination struct {
	*instance.HTTP
	Request
	Checkup
	profileRate float64 // bytes for a sample of the memory profile; -1: unknown
	cut         bool    // the server's WriteTimeout is shorter than a case's profiles
	linked      linked
}

func (e *examination) describe(ctx context.Context) (err error) {
	ctx, cancel := context.WithTimeout(ctx, answerWithin)
	defer cancel()
	e.Target, err = e.Describe(ctx)
	return err
}
