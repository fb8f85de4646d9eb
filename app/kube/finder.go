package kube

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"
)

// A FinderConfig says which pods are looked at, and for which replica.
type FinderConfig struct {
	Client *Client
	// Namespaces and Selector say which pods. None means all.
	Namespaces []string
	Selector   string
	// Self is the name of the pod that this process runs in, and PeersIn the namespace of its replicas, which have the
	// labels of Peers. An empty Peers means that this process watches all pods.
	Self, PeersIn, Peers string
	// Serves asks whether net/http/pprof is at an address, and nothing else. It is called by several goroutines at
	// once.
	Serves func(ctx context.Context, url string) bool
	// Log gets what an operator should know. Nil means nothing is logged.
	Log *slog.Logger
}

// A Finder knows the endpoints that this replica watches. Its methods are safe for concurrent use.
type Finder struct {
	cfg    FinderConfig
	log    *slog.Logger
	pods   []*Mirror[found]
	peers  *Mirror[string] // nil for none
	survey survey

	mu      sync.Mutex      // guards what follows
	said    map[string]bool // problems of annotations that were logged
	changed chan struct{}   // closed at the next change
	divided *division       // who watches what; nil without replicas
}

// found is what is kept of a pod.
type found struct {
	node      string
	endpoints []Endpoint
}

// NewFinder checks a configuration. It starts nothing.
func NewFinder(cfg FinderConfig) (*Finder, error) {
	switch {
	case cfg.Client == nil || cfg.Serves == nil:
		return nil, errors.New("kube: fields Client and Serves say who is asked, and how; one is nil")
	case cfg.Peers != "" && (cfg.Self == "" || cfg.PeersIn == ""):
		return nil, errors.New("kube: replicas share pods by their names: fields Self and PeersIn are needed with Peers")
	}
	for _, ns := range cfg.Namespaces {
		if !isName(ns) {
			return nil, fmt.Errorf("%.60q is not the name of a namespace", ns)
		}
	}
	f := &Finder{cfg: cfg, log: cfg.Log, said: make(map[string]bool), changed: make(chan struct{})}
	if f.log == nil {
		f.log = slog.New(slog.DiscardHandler)
	}
	f.survey = survey{serves: cfg.Serves, known: make(map[string]*answer)}
	namespaces := cfg.Namespaces
	if len(namespaces) == 0 {
		namespaces = []string{""}
	}
	for _, ns := range namespaces {
		f.pods = append(f.pods, NewMirror(MirrorConfig[found]{Client: cfg.Client, Namespace: ns, Selector: cfg.Selector,
			Keep: f.keep, On: f.tell, Log: f.log}))
	}
	if cfg.Peers != "" {
		f.peers = NewMirror(MirrorConfig[string]{Client: cfg.Client, Namespace: cfg.PeersIn, Selector: cfg.Peers,
			Keep: func(p *Pod) (string, bool) { return p.Metadata.Name, p.Ready() }, On: f.tell, Log: f.log})
	}
	return f, nil
}

// Run looks at pods until ctx ends.
func (f *Finder) Run(ctx context.Context) {
	var work sync.WaitGroup
	for _, m := range f.pods {
		work.Go(func() { m.Run(ctx) })
	}
	if f.peers != nil {
		work.Go(func() { f.peers.Run(ctx) })
	}
	work.Go(func() { f.ask(ctx) })
	work.Wait()
}

// askPause is the least time between two looks at what has to be asked: pods come in crowds.
const askPause = 500 * time.Millisecond

// ask asks the containers of which no annotation is sure, until ctx ends.
func (f *Finder) ask(ctx context.Context) {
	for ctx.Err() == nil {
		changed := f.Changed()
		mine, _, _ := f.share() // what cannot be known now is asked for later
		if f.survey.ask(ctx, f.survey.due(onlyAsked(mine), time.Now())) {
			f.tell()
		}
		pause(ctx, askPause)
		select {
		case <-ctx.Done():
		case <-changed:
		case <-time.After(askFirst / 2):
		}
	}
}

func onlyAsked(list []Endpoint) (asked []Endpoint) {
	for _, e := range list {
		if e.Asked {
			asked = append(asked, e)
		}
	}
	return asked
}

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// Changed is closed when Endpoints may return something else than before the call.
func (f *Finder) Changed() <-chan struct{} {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.changed
}

func (f *Finder) tell() {
	f.mu.Lock()
	defer f.mu.Unlock()
	close(f.changed)
	f.changed = make(chan struct{})
}

// keep makes endpoints of a pod. A fault of its annotations is logged once.
func (f *Finder) keep(p *Pod) (found, bool) {
	list, problems := p.Endpoints()
	for _, problem := range problems {
		f.once(p.Metadata.Namespace+"/"+p.service()+": "+problem, p)
	}
	return found{p.Spec.NodeName, list}, len(list) > 0
}

// maxSaid bounds what is remembered of problems.
const maxSaid = 1000

func (f *Finder) once(problem string, p *Pod) {
	f.mu.Lock()
	said := f.said[problem] || len(f.said) >= maxSaid
	f.said[problem] = true
	f.mu.Unlock()
	if !said {
		f.log.Warn("annotations of a pod", "pod", p.key(), "problem", problem)
	}
}

// Endpoints are those that this replica watches now: of its share of the pods, the containers that serve profiles. The
// error says why nothing is known yet.
func (f *Finder) Endpoints() ([]Endpoint, error) {
	mine, d, err := f.share()
	if f.peers != nil && err == nil {
		f.mu.Lock()
		f.divided = d // here alone: ask runs beside, and may be late with what it has seen
		f.mu.Unlock()
	}
	list := f.survey.serving(mine)
	slices.SortFunc(list, func(x, y Endpoint) int { return strings.Compare(x.URL, y.URL) })
	return list, err
}

// share are the endpoints of this replica's pods, and who has which. A replica that does not know its peers yet watches
// nothing: all of them would watch all pods. Whether something was listed is asked first: what is kept is whole then.
func (f *Finder) share() (list []Endpoint, d *division, err error) {
	var peers []string
	if f.peers != nil {
		listed := f.peers.Listed()
		if peers, err = f.peers.Kept(); !listed {
			return nil, nil, fmt.Errorf("the replicas of this watch: %w", cmp.Or(err, errNotListed))
		}
	}
	d = divide(f.cfg.Self, peers)
	var errs []error
	some := false
	for _, m := range f.pods {
		listed := m.Listed()
		kept, err := m.Kept()
		if listed {
			some = true // what is kept is good, if old: the mirror says in the log what is wrong
		} else {
			errs = append(errs, cmp.Or(err, errNotListed))
		}
		for _, pod := range kept {
			if f.peers == nil || d.mine(pod) {
				list = append(list, pod.endpoints...)
			}
		}
	}
	if !some {
		return nil, nil, errors.Join(errs...)
	}
	return list, d, nil // of a namespace among others that may not be listed, too, the log says so
}

// Parts say what part this replica has in what replicas may do together: of those that watch a workload, and of all.
func (f *Finder) Parts(workload string) (same, all Part) {
	f.mu.Lock()
	d := f.divided
	f.mu.Unlock()
	if d == nil {
		return same, all
	}
	return partOf(d.self, d.watching[workload], workload), partOf(d.self, d.replicas, "")
}

// Stats are what was asked of the API server for pods and peers.
func (f *Finder) Stats() (sum Stats) {
	all := make([]Stats, 0, len(f.pods)+1)
	for _, m := range f.pods {
		all = append(all, m.Stats())
	}
	if f.peers != nil {
		all = append(all, f.peers.Stats())
	}
	for _, s := range all {
		sum.Lists, sum.Watches, sum.Pods = sum.Lists+s.Lists, sum.Watches+s.Watches, sum.Pods+s.Pods
		sum.Changes, sum.Kept = sum.Changes+s.Changes, sum.Kept+s.Kept
	}
	return sum
}

// Listed reports whether all pods were listed once.
func (f *Finder) Listed() bool {
	return !slices.ContainsFunc(f.pods, func(m *Mirror[found]) bool { return !m.Listed() })
}
