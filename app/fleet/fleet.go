// Package fleet is the targets that a server watches itself: many watches that come and go.
//
// The problem: `casebook watch` has a list of targets from its start to its end, and a server's targets change: a file
// is written anew, a name stands for other addresses after a deployment, and one target that hangs must not keep
// another from being watched. The approach: every few seconds the list is read and names are resolved; the difference
// to what is watched is started and ended. Each target is a casework.Watch of its own, with the rules and the engine of
// the command. Its cases go into the store by a reporter, so that a case which a killed server had not stored yet is
// stored after the next start. Captures that alerts and people ask for are rows of the store; workers here take those
// of the targets that this process watches.
//
// A list of addresses that somebody else writes is a way to make this process ask where it should not (SSRF). Networks
// (allow.go) decides of each connection, after names are resolved.
//
// Of several servers that share a store and have the same targets, one watches each: a row of the store says who (hold.go).
//
// The limits: 500 targets unless more are allowed.
package fleet

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gocasebook/casebook/app/casework"
	"github.com/gocasebook/casebook/app/store"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/reporter"
)

// A Config says what is watched.
type Config struct {
	// Targets returns what is to be watched now. It is called every Refresh. While it fails, what it returned last goes
	// on being watched.
	Targets func() ([]casework.WatchTarget, error)
	// Store gets the cases and has the captures that are asked for. Nil: cases stay in Dir, and nobody asks.
	Store *store.Store
	// Keep says which cases stay in Dir.
	Keep casefile.Retention
	// Reporters are told of each case besides the store: an engine that gets its profiles.
	Reporters []reporter.Reporter
	// Dir is where cases are until the store has them.
	Dir string
	// Networks are the addresses that may be asked. Its zero value is DefaultNetworks.
	Networks Networks
	// Holder names this process among those that share the store. Empty means its host and process ID.
	Holder string
	// Changed is closed when Targets may return something else than before the call, so that it is called at once. Nil:
	// it is called every Refresh alone.
	Changed func() <-chan struct{}
	// Refresh is the time between two looks at Targets. Zero means DefaultRefresh.
	Refresh time.Duration
	// Most is how many targets are watched at once. Zero means DefaultMost.
	Most int
	// Wake are signals to this process that open a case of every target.
	Wake []os.Signal
	// On is told what happens at targets, by several goroutines at once; nil: nobody is told.
	On func(casework.WatchTarget, casework.Event)
	// Admit decides whether a case is taken now; nil: all are. See casebook.AdmitFunc.
	Admit func(ctx context.Context, t *casework.WatchTarget, trigger casefile.Trigger) (release func(), err error)
	// Tool is the cases' author.
	Tool string
	// Log gets what an operator should know. Nil means nothing is logged.
	Log *slog.Logger
}

const (
	// DefaultRefresh is short enough that a deployment is watched while it is young.
	DefaultRefresh = 15 * time.Second
	changePause    = 200 * time.Millisecond
	// DefaultMost bounds memory: 500 targets take some 600 MiB (lab/kube, TestFirstWatch).
	DefaultMost = 500
)

// A Fleet watches. Its methods are safe for concurrent use.
type Fleet struct {
	cfg      Config
	log      *slog.Logger
	resolver resolver
	watches  sync.WaitGroup
	pace     *casework.Pace // of their starts

	mu      sync.Mutex // guards what follows
	members map[string]*member
	problem string // why the list could not be read, or names not be resolved; "" if all is well
}

// New checks a configuration. It starts nothing.
func New(cfg Config) (*Fleet, error) {
	var errs []error
	if cfg.Targets == nil {
		errs = append(errs, errors.New("field Targets is nil; it says what to watch"))
	}
	if cfg.Dir == "" {
		errs = append(errs, errors.New("field Dir is empty; it is where cases are until the store has them"))
	}
	if cfg.Most < 0 {
		errs = append(errs, fmt.Errorf("field Most is %d; it cannot be negative", cfg.Most))
	}
	if cfg.Refresh < 0 {
		errs = append(errs, fmt.Errorf("field Refresh is %s; it cannot be negative", cfg.Refresh))
	}
	if err := errors.Join(errs...); err != nil {
		return nil, fmt.Errorf("fleet: %w", err)
	}
	if cfg.Most == 0 {
		cfg.Most = DefaultMost
	}
	if cfg.Refresh == 0 {
		cfg.Refresh = DefaultRefresh
	}
	if cfg.Networks.empty() {
		cfg.Networks = DefaultNetworks()
	}
	if cfg.Holder == "" {
		cfg.Holder = thisProcess()
	}
	f := &Fleet{cfg: cfg, log: cfg.Log, pace: casework.NewPace(), members: make(map[string]*member)}
	if f.log == nil {
		f.log = slog.New(slog.DiscardHandler)
	}
	return f, nil
}

// Run watches until ctx ends, and then waits until cases that are being taken are written.
func (f *Fleet) Run(ctx context.Context) {
	var workers sync.WaitGroup
	for i := range captureWorkers {
		if f.cfg.Store != nil {
			workers.Go(func() { f.capture(ctx, i) })
		}
	}
	tick := time.NewTicker(f.cfg.Refresh)
	defer tick.Stop()
	for {
		var changed <-chan struct{}
		if f.cfg.Changed != nil {
			changed = f.cfg.Changed()
		}
		f.refresh(ctx)
		select {
		case <-ctx.Done():
			workers.Wait()
			f.endAll()
			f.free()
			return
		case <-tick.C:
		case <-changed:
			gather(ctx)
		}
	}
}

// gather waits a moment: changes come in crowds, and one look sees all of them.
func gather(ctx context.Context) {
	select {
	case <-ctx.Done():
	case <-time.After(changePause):
	}
}

// refresh starts and ends watches until they are those of the list.
func (f *Fleet) refresh(ctx context.Context) {
	wanted, problem := f.wanted(ctx)
	if ctx.Err() != nil {
		return
	}
	held := f.hold(ctx, wanted)
	if ctx.Err() != nil {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if problem != f.problem && problem != "" {
		f.log.Warn("targets", "problem", problem)
	}
	f.problem = problem
	for id, m := range f.members {
		if w, stays := wanted[id]; !stays || w.stamp != m.stamp {
			f.log.Info("target is not watched any more", "target", m.url)
			m.end()
			delete(f.members, id)
		}
	}
	for id, w := range wanted {
		m := f.members[id]
		if m != nil && m.held == held[id] {
			continue
		}
		if m != nil {
			m.end()
		}
		if held[id] {
			f.log.Info("target is watched", "target", w.url)
		} else {
			f.log.Info("another server watches target", "target", w.url)
		}
		f.members[id] = f.start(ctx, id, w, held[id])
	}
}

// A wish is a target that is to be watched.
type wish struct {
	target casework.WatchTarget
	url    string // without its secrets
	from   string // what the list says: an address, or a name that stands for several
	stamp  string // differs when anything of the target does
}

// wanted is what is to be watched now, by ID. What cannot be known now stays as it is.
func (f *Fleet) wanted(ctx context.Context) (map[string]wish, string) {
	list, err := f.cfg.Targets()
	if err != nil {
		return f.present(func(*member) bool { return true }), err.Error()
	}
	wanted := make(map[string]wish)
	var problems []string
	for i := range list {
		found, err := f.resolver.expand(ctx, list[i])
		if err != nil {
			problems = append(problems, err.Error())
			from := list[i].URL
			for id, w := range f.present(func(m *member) bool { return m.from == from }) {
				wanted[id] = w
			}
		}
		for _, t := range found {
			id, w, err := newWish(t, list[i].URL)
			switch {
			case err != nil:
				problems = append(problems, err.Error())
			case len(wanted) >= f.cfg.Most && wanted[id].url == "":
				return wanted, fmt.Sprintf("there are more than %d targets; those beyond are not watched: "+
					"start another server for them", f.cfg.Most)
			case wanted[id].url == "":
				wanted[id] = w
			}
		}
	}
	return wanted, strings.Join(problems, "; ")
}

// present are the members that pass a test, as wishes.
func (f *Fleet) present(pass func(*member) bool) map[string]wish {
	f.mu.Lock()
	defer f.mu.Unlock()
	all := make(map[string]wish)
	for id, m := range f.members {
		if pass(m) {
			all[id] = m.wish
		}
	}
	return all
}

func (f *Fleet) endAll() {
	f.mu.Lock()
	members := f.members // of one that is not listed any more, a case may still be being written
	f.members = make(map[string]*member)
	f.mu.Unlock()
	for _, m := range members {
		m.end()
	}
	f.watches.Wait()
}

func (f *Fleet) member(id string) *member {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.members[id]
}

// Problem says why the list of targets is not as it should be; "" if it is.
func (f *Fleet) Problem() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.problem
}

// Targets lists what is watched, by service and address.
func (f *Fleet) Targets() []Target {
	f.mu.Lock()
	members := make([]*member, 0, len(f.members))
	for _, m := range f.members {
		members = append(members, m)
	}
	f.mu.Unlock()
	list := make([]Target, 0, len(members))
	for _, m := range members {
		list = append(list, m.describe())
	}
	slices.SortFunc(list, func(a, b Target) int {
		if by := strings.Compare(a.Service, b.Service); by != 0 {
			return by
		}
		return strings.Compare(a.URL, b.URL)
	})
	return list
}

// Status returns the live state of a target.
func (f *Fleet) Status(id string) (Status, bool) {
	m := f.member(id)
	if m == nil {
		return Status{}, false
	}
	return m.state(), true
}

// Listen hears what happens at a target from now on. The caller closes it.
func (f *Fleet) Listen(id string) (*Listener, bool) {
	m := f.member(id)
	if m == nil {
		return nil, false
	}
	return m.listen()
}

// newWish gives a target its ID: the beginning of the hash of its address. Addresses may hold passwords, so the ID is
// made of what is shown of them.
func newWish(t casework.WatchTarget, from string) (id string, w wish, err error) {
	shown, err := t.Shown()
	if err != nil {
		return "", w, err
	}
	sum := sha256.Sum256([]byte(shown))
	stamp := sha256.Sum256(fmt.Appendf(nil, "%+v", t))
	return hex.EncodeToString(sum[:6]), wish{t, shown, from, hex.EncodeToString(stamp[:])}, nil
}
