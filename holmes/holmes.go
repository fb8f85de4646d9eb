package holmes

import (
	"errors"
	"fmt"
	"net/http"
	"sync"

	"github.com/gocasebook/casebook"
	"github.com/gocasebook/casebook/rule"
	"github.com/gocasebook/casebook/vitals"
)

// Holmes dumps profiles of its own process. Make it with New; its methods are safe for concurrent use.
type Holmes struct {
	changing sync.Mutex // held while options change or a run begins or ends; taken before mu
	machine  machine    // as New found it; guarded by changing
	record   *record    // what was collected, in this run and before

	mu   sync.Mutex // guards what follows
	opts options
	run  *run // nil while stopped
}

// New checks the options, and reads the limits of the cgroup and the machine. It starts nothing, and nothing is enabled
// yet.
func New(opts ...Option) (*Holmes, error) {
	o, err := newOptions().with(opts)
	if err != nil {
		return nil, err
	}
	h := &Holmes{opts: o, machine: readMachine(), record: new(record)}
	if err := h.apply(nil, o); err != nil {
		return nil, err
	}
	return h, nil
}

// options is a copy of what is set.
func (h *Holmes) options() options {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.opts
}

// current is the run under way, or nil.
func (h *Holmes) current() *run {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.run
}

// Start watches until Stop. A second Start without a Stop between changes nothing. What keeps it from watching, such as
// a dump path that cannot be written, is logged and tried again.
func (h *Holmes) Start() {
	h.changing.Lock()
	defer h.changing.Unlock()
	if h.current() != nil {
		h.Errorf("[Holmes] Holmes has started, please don't start it again.")
		return
	}
	r, err := startRun(h)
	if err != nil {
		h.Errorf("[Holmes] starting: %v", err)
		return
	}
	h.mu.Lock()
	h.run = r
	h.mu.Unlock()
}

// Stop ends the watching and waits until everything has ended, but no longer than five seconds for a reporter. A second
// Stop changes nothing; Start begins again.
func (h *Holmes) Stop() {
	h.changing.Lock()
	h.mu.Lock()
	r := h.run
	h.run = nil
	h.mu.Unlock()
	h.changing.Unlock()
	if r == nil {
		h.Warnf("[Holmes] Holmes has stopped, please don't stop it again.")
		return
	}
	r.stop()
}

// Set changes options, also while Holmes runs. It takes all of them or, with an error that names the one at fault,
// none.
func (h *Holmes) Set(opts ...Option) error {
	return h.change(func(o options) (options, error) { return o.with(opts) })
}

// change replaces the options by f's.
func (h *Holmes) change(f func(options) (options, error)) error {
	h.changing.Lock()
	defer h.changing.Unlock()
	o, err := f(h.options())
	if err != nil {
		return err
	}
	if err := h.apply(h.current(), o); err != nil {
		return err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.opts = o
	return nil
}

// apply checks that options make rules, and gives them to the run if there is one.
func (h *Holmes) apply(r *run, o options) error {
	s := o.scale(h.machine)
	rules := o.rules(s)
	if r == nil {
		return prefixed(checkRules(rules))
	}
	if err := r.watch.Set(casebook.Settings{Rules: rules, Interval: o.sampling()}); err != nil {
		return prefixed(err)
	}
	h.record.set(&o, s)
	r.scaled(s)
	return nil
}

// checkRules says what the watch would say of rules.
func checkRules(rules []rule.Rule) error {
	catalog, err := vitals.NewCatalog(signals()...)
	if err != nil {
		return err
	}
	return rule.Validate(rules, catalog)
}

func prefixed(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("holmes: %w", err)
}

// Status says how the watch below is doing. It is not in mosn.io/holmes.
func (h *Holmes) Status() casebook.Status {
	if r := h.current(); r != nil {
		return r.watch.Status()
	}
	return casebook.Status{}
}

// ProfileHandler takes the place of net/http/pprof's Profile where CPU is dumped: the profile that always runs then
// holds the process's one CPU profiler, so that another is refused as "already in use". Without that profile it calls
// otherwise. It is not in mosn.io/holmes.
//
//	mux.Handle("/debug/pprof/profile", h.ProfileHandler(http.HandlerFunc(pprof.Profile)))
func (h *Holmes) ProfileHandler(otherwise http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if r := h.current(); r != nil && r.profiling {
			r.watch.ProfileHandler().ServeHTTP(w, req)
			return
		}
		otherwise.ServeHTTP(w, req)
	})
}

// EnableDump says whether a dump may be taken at this percentage of CPU, as an error if not (WithCPUMax). The rules
// hold it themselves.
func (h *Holmes) EnableDump(curCPU int) (err error) {
	if most := h.options().cpuMax; most != 0 && curCPU >= most {
		return fmt.Errorf("current cpu percent [%v] is greater than the CPUMaxPercent [%v]", curCPU, most)
	}
	return nil
}

var errNoReporter = errors.New("holmes: there is no reporter to enable; set one by WithProfileReporter")
