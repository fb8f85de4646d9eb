package fleet

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gocasebook/casebook"
	"github.com/gocasebook/casebook/app/casework"
	"github.com/gocasebook/casebook/app/store"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/reporter"
	"github.com/gocasebook/casebook/vitals"
)

// A Target is one that is watched.
type Target struct {
	ID      string            `json:"id"`
	URL     string            `json:"url"` // without what is secret in it
	Service string            `json:"service"`
	Labels  map[string]string `json:"labels,omitempty"`
	// Resource has what is known of it before it was watched under OpenTelemetry's names; a case has more.
	Resource map[string]string `json:"resource,omitempty"`
	State    State             `json:"state"`
	Problem  string            `json:"problem,omitempty"` // of a target that is silent
	Since    time.Time         `json:"since"`             // of the state
	Taking   string            `json:"taking,omitempty"`  // the case that is being taken
}

// A State says how a target is doing.
type State string

// The states.
const (
	Starting State = "starting" // it has not answered yet
	Watched  State = "watched"
	Silent   State = "silent" // it does not answer, and is asked again and again
	// Elsewhere is that of a target which another server watches that shares the store.
	Elsewhere State = "elsewhere"
)

// A Status is the live state of a target.
type Status struct {
	Target
	Time   time.Time         `json:"time,omitzero"` // of the sample
	Vitals []Vital           `json:"vitals"`
	Rules  []Rule            `json:"rules"`
	Absent map[string]string `json:"absent,omitempty"` // signals that cannot be read, and why
}

// A Vital is a signal at one moment.
type Vital struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
	Unit  string  `json:"unit"`
	Text  string  `json:"text"` // the value for people
	About string  `json:"about,omitempty"`
}

// A Rule is one of a target's, and why it did not fire, or did.
type Rule struct {
	Name   string    `json:"name"`
	Fired  bool      `json:"fired"`
	Time   time.Time `json:"time,omitzero"` // when it fired last
	Reason string    `json:"reason"`
}

// A member is a target with its watch.
type member struct {
	wish
	id   string
	f    *Fleet
	end  context.CancelFunc
	held bool // this process watches it

	mu        sync.Mutex // guards what follows
	watch     *casebook.Watch
	about     Target
	sample    vitals.Sample
	catalog   *vitals.Catalog
	sampled   bool
	cpu       course
	listeners map[*Listener]bool
	closed    map[string]chan struct{} // of cases that are being taken: closed with the case
}

// askAgain is the time between two attempts to begin the watch of a target.
const askAgain = 15 * time.Second

// start begins to watch a target that is held; one that is not is known, and no more. f.mu is held.
func (f *Fleet) start(ctx context.Context, id string, w wish, held bool) *member {
	ctx, cancel := context.WithCancel(ctx)
	m := &member{wish: w, id: id, f: f, end: cancel, held: held, listeners: make(map[*Listener]bool),
		closed: make(map[string]chan struct{})}
	m.about = Target{ID: id, URL: w.url, Service: w.target.Service, Labels: w.target.Labels, State: Starting,
		Since: time.Now().UTC()}
	if m.about.Service == "" {
		m.about.Service = hostOf(w.url)
	}
	if !held {
		m.about.State = Elsewhere
	}
	f.watches.Go(func() {
		defer cancel()
		if held {
			m.run(ctx)
			return
		}
		<-ctx.Done()
		m.leave()
	})
	return m
}

// run watches until ctx ends. A watch that cannot begin, or ends by itself, is begun again.
func (m *member) run(ctx context.Context) {
	defer m.leave()
	target := m.target
	target.Access.Allow = m.f.cfg.Networks.Check
	for {
		_, err := casework.Watch(ctx, casework.WatchRequest{Targets: []casework.WatchTarget{target}, Dir: m.f.cfg.Dir,
			Keep: m.f.cfg.Keep, Reporters: m.f.reporters(), Wake: m.f.cfg.Wake, Tool: m.f.cfg.Tool, On: m.see, Pace: m.f.pace,
			Admit: m.f.cfg.Admit, Begin: m.begin})
		if ctx.Err() != nil {
			return
		}
		if err == nil {
			err = errors.New("the watch ended")
		}
		m.f.log.Warn("target does not answer", "target", m.url, "error", err, "again", askAgain)
		m.silent(err)
		select {
		case <-ctx.Done():
			return
		case <-time.After(askAgain):
		}
	}
}

func (f *Fleet) reporters() []reporter.Reporter {
	if f.cfg.Store == nil {
		return f.cfg.Reporters
	}
	return append([]reporter.Reporter{toStore(f.cfg.Store)}, f.cfg.Reporters...)
}

func (m *member) begin(_ string, w *casebook.Watch) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.watch = w
}

func (m *member) silent(err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.become(Silent, err.Error())
	m.tell(Event{State: m.copied()})
}

// become changes the state. m.mu is held.
func (m *member) become(s State, problem string) {
	if m.about.State != s {
		m.about.State, m.about.Since = s, time.Now().UTC()
	}
	m.about.Problem = problem
}

// see keeps what an event says.
func (m *member) see(e casework.Event) {
	if m.f.cfg.On != nil {
		m.f.cfg.On(m.target, e)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	switch e.Kind {
	case casebook.Started, casebook.Found, casebook.Restarted:
		m.become(Watched, "")
		if m.target.Service == "" && e.Target.Name != "" {
			m.about.Service = e.Target.Name
		}
	case casebook.Lost:
		m.become(Silent, e.Err.Error())
	case casebook.Sampled:
		m.become(Watched, "")
		m.sample, m.catalog, m.sampled = e.Sample, e.Catalog, true
		if cores, ok := e.Sample.Get(vitals.CPU); ok {
			m.cpu.add(e.Sample.Time, cores)
		}
		m.tell(Event{Sampled: true})
		return
	case casebook.Tripped, casebook.Joined, casebook.Capturing, casebook.Captured, casebook.Missed:
		m.taking(e.CaseID)
	case casebook.Closed, casebook.Failed, casebook.Declined:
		m.taken(e.CaseID)
	}
	line := casework.LineOf(e)
	line.Path = "" // a folder of this machine
	m.tell(Event{Line: &line, State: m.copied()})
}

// taking notes that a case is being taken. m.mu is held.
func (m *member) taking(id string) {
	if m.closed[id] == nil && id != "" {
		m.closed[id] = make(chan struct{})
		m.about.Taking = id
	}
}

// taken notes that a case is closed. m.mu is held.
func (m *member) taken(id string) {
	if done := m.closed[id]; done != nil {
		close(done)
		delete(m.closed, id)
	}
	m.about.Taking = ""
}

// copied is m.about for somebody else. m.mu is held.
func (m *member) copied() *Target {
	t := m.about
	t.Labels = maps.Clone(t.Labels)
	of := casefile.Target{Name: t.Service, URL: t.URL, Labels: t.Labels}
	of.NameResource()
	t.Resource = of.Resource
	return &t
}

func (m *member) describe() Target {
	m.mu.Lock()
	defer m.mu.Unlock()
	return *m.copied()
}

// state asks the watch, which has locks of its own, without m.mu.
func (m *member) state() Status {
	m.mu.Lock()
	s := Status{Target: *m.copied(), Vitals: []Vital{}, Rules: []Rule{}}
	w := m.watch
	if m.sampled {
		s.Time, s.Vitals = m.sample.Time.UTC(), vitalsOf(&m.sample, m.catalog)
	}
	m.mu.Unlock()
	if w == nil {
		return s
	}
	status := w.Status()
	s.Absent = status.Absent
	for _, v := range status.Rules {
		s.Rules = append(s.Rules, Rule{v.Rule, v.Fired, v.Time.UTC(), once(v.Reason)})
	}
	return s
}

// once leaves out what a reason says again: a rule may ask for the same signal in several of its conditions.
func once(reason string) string {
	var parts []string
	for part := range strings.SplitSeq(reason, "; ") {
		if !slices.Contains(parts, part) {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, "; ")
}

func vitalsOf(s *vitals.Sample, catalog *vitals.Catalog) []Vital {
	list := []Vital{}
	for id, signal := range catalog.Signals() {
		if x, ok := s.Get(vitals.ID(id)); ok {
			list = append(list, Vital{signal.Name, x, string(signal.Unit), signal.Unit.Format(x), signal.Text})
		}
	}
	return list
}

// An Outcome is the case that a capture came to.
type Outcome struct {
	Case   string
	Path   string // of its folder; "" if it was not taken for this capture
	Joined bool   // the case was being taken already: the same incident
}

// ErrSilent says that a target does not answer, so that nothing can be captured from it.
var ErrSilent = errors.New("the target does not answer")

// take opens the case of a capture, or waits for the one that is being taken.
func (m *member) take(ctx context.Context, c *store.Capture) (Outcome, error) {
	m.mu.Lock()
	w, state, problem := m.watch, m.about.State, m.about.Problem
	m.mu.Unlock()
	if w == nil || state != Watched {
		return Outcome{}, silentError(problem)
	}
	alert := ""
	if c.Alert != "" {
		alert = c.ID
	}
	folder, err := w.CaptureAlert(ctx, alert, c.Reason)
	switch {
	case errors.Is(err, casebook.ErrBusy):
		return m.join(ctx)
	case errors.Is(err, casebook.ErrStopped):
		return Outcome{}, silentError("its watch has ended")
	case err != nil:
		return Outcome{}, err
	}
	return Outcome{Case: folder.Case.ID, Path: folder.Path}, nil
}

func silentError(why string) error {
	if why == "" {
		return fmt.Errorf("%w yet; it is asked again", ErrSilent)
	}
	return fmt.Errorf("%w: %s", ErrSilent, why)
}

// join waits for the case that is being taken.
func (m *member) join(ctx context.Context) (Outcome, error) {
	m.mu.Lock()
	id := m.about.Taking
	closed := m.closed[id]
	m.mu.Unlock()
	if closed == nil { // it has no event yet, or just ended
		return Outcome{}, casebook.ErrBusy
	}
	select {
	case <-closed:
		return Outcome{Case: id, Joined: true}, nil
	case <-ctx.Done():
		return Outcome{}, ctx.Err()
	}
}

// leave ends what listens.
func (m *member) leave() {
	m.mu.Lock()
	defer m.mu.Unlock()
	for l := range m.listeners {
		close(l.c)
	}
	m.listeners = nil
	for id := range m.closed {
		m.taken(id)
	}
}
