package casework

import (
	"context"
	"fmt"
	"net/url"
	"time"

	"github.com/gocasebook/casebook"
	"github.com/gocasebook/casebook/app/engine"
	"github.com/gocasebook/casebook/app/kube"
	"github.com/gocasebook/casebook/app/report"
	"github.com/gocasebook/casebook/app/trace"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/instance"
	"github.com/gocasebook/casebook/internal/redact"
	"github.com/gocasebook/casebook/vitals"
)

// A Target is a process behind net/http/pprof, or a service in an engine, and what its cases call it.
type Target struct {
	URL     string               // of net/http/pprof, or k8s://, or pyroscope://, parca://, prometheus://
	Access  instance.HTTPOptions // credentials
	Signals Signals
	Service string            // the target's name in cases; "": its main module's
	Labels  map[string]string // in cases and reports
	Links   report.Links      // of the pages of its cases
}

// Shown is the address without what may be secret in it, and as it tells the target from others: that of a service in
// an engine is more than host and path.
func (t *Target) Shown() (string, error) {
	if engine.Is(t.URL) {
		return engine.Shown(t.URL, t.Access)
	}
	u, err := url.Parse(WithScheme(t.URL))
	if err != nil {
		return "", fmt.Errorf("target %s is not a URL; want something like http://10.0.0.7:6060", redact.Text(t.URL))
	}
	return redact.URL(u), nil
}

// An Event is one of a watch, with the target's address and the catalog that names the signals of its sample.
type Event struct {
	casebook.Event
	URL     string
	Catalog *vitals.Catalog // nil for Lost, before the target has answered
	Note    string          // what a person should know of the target's signals; with Started
}

// watchOf makes the watch of a target; cfg has all that the target does not say. rules, which may be nil, makes the
// rules for its catalog.
func (t *Target) watchOf(ctx context.Context, cfg casebook.Config, rules rulesOf, on func(Event)) (*watched, error) {
	process, l, err := t.reach(ctx, silentAfter(cfg.AnswerWithin))
	if err != nil {
		return nil, err
	}
	cfg.Sources, cfg.Attachments = l.sources, append(cfg.Attachments, l.pages...)
	if cfg.Quotes, err = t.quotes(); err != nil {
		return nil, err
	}
	catalog, err := catalogOf(cfg.Sources)
	if err != nil {
		return nil, err
	}
	if cfg.Rules, err = rules(catalog); err != nil {
		return nil, err
	}
	cfg.Target, cfg.Service, cfg.Labels = process, t.Service, t.Labels
	if engine.Is(t.URL) {
		cfg.AnswerWithin = max(cfg.AnswerWithin, engineAnswer)
	}
	w := &watched{process: process, answered: func() {}}
	cfg.OnEvent = func(e casebook.Event) {
		if e.Kind == casebook.Started {
			w.answered()
		}
		if on == nil {
			return
		}
		seen := Event{Event: e, URL: process.URL(), Catalog: catalog}
		if e.Kind == casebook.Started {
			seen.Note = l.note
		}
		on(seen)
	}
	cfg.Diagnose.Derive = append(cfg.Diagnose.Derive, trace.Deriver())
	cfg.Draw = func(_ context.Context, f *casefile.Folder) error { return WritePage(f.Path, t.Links) }
	if w.Watch, err = casebook.New(cfg); err != nil {
		return nil, err
	}
	return w, nil
}

// A reached target has an address that may be shown.
type reached interface {
	casebook.Target
	URL() string
}

// silentAfter is how long a process of this machine may take for its first answer, of what any target may, before it is
// looked at from outside: the 300 busy goroutines of one processor that package instance knows need 7 s.
func silentAfter(answerWithin time.Duration) time.Duration {
	if answerWithin == 0 {
		answerWithin = casebook.DefaultAnswerWithin
	}
	return min(4*answerWithin/5, captureSilent)
}

// reach makes the target that the address names, and what the signals come to at it.
func (t *Target) reach(ctx context.Context, silentAfter time.Duration) (reached, learned, error) {
	if engine.Is(t.URL) {
		return t.inEngine()
	}
	process, err := t.process()
	if err != nil {
		return nil, learned{}, err
	}
	process.SilentAfter = silentAfter
	l, err := t.Signals.learn(ctx, process)
	return process, l, err
}

// process makes the target of net/http/pprof; of a pod's address it is asked through the API server.
func (t *Target) process() (_ *instance.HTTP, err error) {
	address, access := t.URL, t.Access
	if kube.Is(address) {
		if address, access, err = kube.Proxy(address, access); err != nil {
			return nil, err
		}
	}
	return instance.NewHTTPWith(address, access)
}

// A watched target has its watch and the address under which it is reached.
type watched struct {
	*casebook.Watch
	process  reached
	answered func() // lets the next watch start
}

// silent reports whether the target has answered nothing at all.
func (w *watched) silent() bool {
	t, ok := w.process.(*instance.HTTP)
	return ok && t.Silent()
}
