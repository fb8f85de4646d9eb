package kube

import (
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
	// Serves asks whether net/http/pprof is at an address, and nothing else. It is called by several goroutines at once.
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

	mu   sync.Mutex      // guards what follows
	said map[string]bool // problems of annotations that were logged
}

// found is what is kept of a pod.
type found struct {
	uid       string
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
	f := &Finder{cfg: cfg, log: cfg.Log, said: make(map[string]bool)}
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
			Keep: f.keep, Log: f.log}))
	}
	if cfg.Peers != "" {
		f.peers = NewMirror(MirrorConfig[string]{Client: cfg.Client, Namespace: cfg.PeersIn, Selector: cfg.Peers,
			Keep: func(p *Pod) (string, bool) { return p.Metadata.Name, p.Ready() }, Log: f.log})
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
	work.Wait()
}

// keep makes endpoints of a pod. A fault of its annotations is logged once.
func (f *Finder) keep(p *Pod) (found, bool) {
	list, problems := p.Endpoints()
	for _, problem := range problems {
		f.once(p.Metadata.Namespace+"/"+p.service()+": "+problem, p)
	}
	return found{p.Metadata.UID, list}, len(list) > 0
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
// error says why the list may be old; before the first one there is none.
func (f *Finder) Endpoints(ctx context.Context) ([]Endpoint, error) {
	mine, err := f.share()
	var list, ask []Endpoint
	for _, e := range mine {
		if e.Asked {
			ask = append(ask, e)
		} else {
			list = append(list, e)
		}
	}
	list = append(list, f.survey.among(ctx, ask)...)
	slices.SortFunc(list, func(x, y Endpoint) int { return strings.Compare(x.URL, y.URL) })
	return list, err
}

// share are the endpoints of this replica's pods. A replica that does not know its peers yet watches nothing: all of
// them would watch all pods.
func (f *Finder) share() (list []Endpoint, err error) {
	var peers []string
	if f.peers != nil {
		if peers, err = f.peers.Kept(); err != nil && !f.peers.Listed() {
			return nil, fmt.Errorf("the replicas of this watch: %w", err)
		}
	}
	errs := []error{err}
	for _, m := range f.pods {
		kept, err := m.Kept()
		errs = append(errs, err)
		for _, pod := range kept {
			if f.peers == nil || Shard(f.cfg.Self, peers, pod.uid) {
				list = append(list, pod.endpoints...)
			}
		}
	}
	return list, errors.Join(errs...)
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

// A survey remembers which containers serve profiles.
type survey struct {
	serves func(ctx context.Context, url string) bool

	mu    sync.Mutex // guards known
	known map[string]*answer
}

// An answer is of one address of one container. A container that says no is asked again after a while: a program that
// has just been started may not listen yet.
type answer struct {
	yes   bool
	tries int
	again time.Time
}

const (
	askAtOnce  = 16
	askFirst   = time.Minute
	askMost    = time.Hour
	askTimeout = 5 * time.Second
)

// among are the endpoints of a list that serve profiles, one of a container.
func (s *survey) among(ctx context.Context, list []Endpoint) (yes []Endpoint) {
	s.ask(ctx, s.due(list, time.Now()))
	s.mu.Lock()
	defer s.mu.Unlock()
	taken := make(map[string]bool)
	for _, e := range list {
		if a := s.known[e.Key()+" "+e.URL]; a != nil && a.yes && !taken[e.Key()] {
			taken[e.Key()] = true
			yes = append(yes, e)
		}
	}
	return yes
}

// due are those that have to be asked now. What is not listed any more is forgotten.
func (s *survey) due(list []Endpoint, now time.Time) (ask []Endpoint) {
	s.mu.Lock()
	defer s.mu.Unlock()
	still := make(map[string]*answer, len(list))
	for _, e := range list {
		key := e.Key() + " " + e.URL
		a := s.known[key]
		if a == nil {
			a = &answer{}
		}
		still[key] = a
		if !a.yes && !now.Before(a.again) {
			ask = append(ask, e)
		}
	}
	s.known = still
	return ask
}

// ask asks some at a time.
func (s *survey) ask(ctx context.Context, list []Endpoint) {
	var asking sync.WaitGroup
	turn := make(chan struct{}, askAtOnce)
	for _, e := range list {
		turn <- struct{}{}
		asking.Go(func() {
			defer func() { <-turn }()
			ctx, cancel := context.WithTimeout(ctx, askTimeout)
			defer cancel()
			s.learn(e, s.serves(ctx, e.URL), time.Now())
		})
	}
	asking.Wait()
}

func (s *survey) learn(e Endpoint, yes bool, now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	a := s.known[e.Key()+" "+e.URL]
	if a == nil {
		return
	}
	a.yes = yes
	a.again = now.Add(min(askFirst<<min(a.tries, 10), askMost))
	a.tries++
}
