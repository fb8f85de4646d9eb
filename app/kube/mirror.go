package kube

import (
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"sync"
	"time"
)

// A MirrorConfig says what of which pods is kept.
type MirrorConfig[T any] struct {
	Client *Client
	// Namespace and Selector say which pods. Empty means all.
	Namespace, Selector string
	// Keep makes what is kept of a pod; false keeps nothing. It may be called again for the same pod.
	Keep func(*Pod) (T, bool)
	// On is called after each change of what is kept; nil: nobody is told. It must not wait.
	On func()
	// Log gets what an operator should know. Nil means nothing is logged.
	Log *slog.Logger

	pause time.Duration // the first time between tries; 0 means a second
}

// A Mirror keeps something of each pod as long as the pod is there. Its methods are safe for concurrent use.
type Mirror[T any] struct {
	cfg  MirrorConfig[T]
	log  *slog.Logger
	wait backoff // of Run

	mu      sync.Mutex // guards what follows
	kept    map[string]T
	listed  bool
	problem error // why what is kept may be old; nil if it is not
	stats   Stats
}

// Stats are what a mirror asked of the API server.
type Stats struct {
	Lists, Watches int // that were begun; a list may be several pages
	Pods, Changes  int // pods in lists, and changes, since the start
	Kept           int
}

// NewMirror starts nothing.
func NewMirror[T any](cfg MirrorConfig[T]) *Mirror[T] {
	m := &Mirror[T]{cfg: cfg, log: cfg.Log, kept: make(map[string]T)}
	if m.log == nil {
		m.log = slog.New(slog.DiscardHandler)
	}
	m.wait = backoff{first: cfg.pause, most: 30 * cfg.pause}
	if cfg.pause == 0 {
		m.wait = backoff{first: time.Second, most: 30 * time.Second}
	}
	return m
}

// errNotListed says that nothing is known yet.
var errNotListed = errors.New("pods have not been listed yet")

// Kept is what is kept now, in no order. The error says why it may be old; before the first list it is all there is.
func (m *Mirror[T]) Kept() (list []T, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.listed {
		if m.problem != nil {
			return nil, m.problem
		}
		return nil, errNotListed
	}
	for _, x := range m.kept {
		list = append(list, x)
	}
	return list, m.problem
}

// Listed reports whether pods were listed once.
func (m *Mirror[T]) Listed() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.listed
}

// Stats are what was asked until now.
func (m *Mirror[T]) Stats() Stats {
	m.mu.Lock()
	defer m.mu.Unlock()
	s := m.stats
	s.Kept = len(m.kept)
	return s
}

// Run lists and watches until ctx ends. What is kept stays while the API server does not answer.
func (m *Mirror[T]) Run(ctx context.Context) {
	for ctx.Err() == nil {
		version, err := m.relist(ctx)
		if err == nil {
			m.wait.reset()
			m.settle(nil)
			err = m.follow(ctx, version)
		}
		if ctx.Err() != nil {
			return
		}
		if isExpired(err) {
			m.log.Info("the API server has forgotten the version of the pods; they are listed again")
			pause(ctx, m.wait.first/2+rand.N(m.wait.first/2+1)) // all replicas hear of it at the same moment
			continue
		}
		m.settle(err)
		m.retry(ctx, err)
	}
}

func (m *Mirror[T]) retry(ctx context.Context, err error) {
	wait := m.wait.next(err)
	m.log.Warn("pods cannot be listed or watched", "error", err, "again", wait)
	pause(ctx, wait)
}

func (m *Mirror[T]) settle(err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.problem = err
}

// relist replaces all that is kept. Until the last page has come what was kept stays.
func (m *Mirror[T]) relist(ctx context.Context) (version string, err error) {
	m.count(func(s *Stats) { s.Lists++ })
	fresh := make(map[string]T)
	n := 0
	version, err = m.cfg.Client.list(ctx, scope{m.cfg.Namespace, m.cfg.Selector}, func(p *Pod) {
		n++
		if x, ok := m.cfg.Keep(p); ok {
			fresh[p.key()] = x
		}
	})
	if err != nil {
		return "", err
	}
	defer m.tell()
	m.mu.Lock()
	defer m.mu.Unlock()
	m.kept, m.listed = fresh, true
	m.stats.Pods += n
	return version, nil
}

func (p *Pod) key() string { return p.Metadata.Namespace + "/" + p.Metadata.Name }

func (m *Mirror[T]) count(add func(*Stats)) {
	m.mu.Lock()
	defer m.mu.Unlock()
	add(&m.stats)
}

// tell says that something changed. m.mu is not held.
func (m *Mirror[T]) tell() {
	if m.cfg.On != nil {
		m.cfg.On()
	}
}

// watchFor is about how long one watch lasts. client-go's last 5 to 10 minutes.
const watchFor = 5 * time.Minute

// follow watches from a version on until pods have to be listed again. A watch that ends or breaks is begun again from
// the last version that was seen; bookmarks see to it that this is not old.
func (m *Mirror[T]) follow(ctx context.Context, version string) error {
	for ctx.Err() == nil {
		m.count(func(s *Stats) { s.Watches++ })
		before, began := version, time.Now()
		err := m.cfg.Client.watch(ctx, scope{m.cfg.Namespace, m.cfg.Selector}, version, watchFor+rand.N(watchFor),
			func(kind string, p *Pod) {
				if p.Metadata.ResourceVersion != "" {
					version = p.Metadata.ResourceVersion
				}
				m.apply(kind, p)
			})
		switch {
		case isExpired(err):
			return err
		case err != nil:
			m.settle(err)
			m.retry(ctx, err)
		case version == before && time.Since(began) < watchFor/10: // a server that ends each at once is not asked in a loop
			pause(ctx, m.wait.next(nil))
			m.settle(nil)
		default:
			m.wait.reset()
			m.settle(nil)
		}
	}
	return ctx.Err()
}

func (m *Mirror[T]) apply(kind string, p *Pod) {
	if kind == "BOOKMARK" {
		return
	}
	var x T
	keep := false
	if kind == "ADDED" || kind == "MODIFIED" {
		x, keep = m.cfg.Keep(p)
	}
	if m.replace(p.key(), x, keep) {
		m.tell()
	}
}

// replace reports whether anything is different.
func (m *Mirror[T]) replace(key string, x T, keep bool) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.stats.Changes++
	_, had := m.kept[key]
	if keep {
		m.kept[key] = x
	} else {
		delete(m.kept, key)
	}
	return keep || had
}
