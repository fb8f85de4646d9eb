package engine

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/instance"
	"github.com/gocasebook/casebook/internal/near"
	"github.com/gocasebook/casebook/internal/plain"
	"github.com/gocasebook/casebook/vitals"
)

// Options say how an engine is reached.
type Options struct {
	// Access are the credentials. They are sent to the engine's host, and to Metrics where its host is the same.
	Access instance.HTTPOptions
	// Metrics is a prometheus:// address that gives the signals of a target whose profiles are in Pyroscope or Parca;
	// "" means that these alone give some.
	Metrics string
}

// A Target is a service in an engine. It implements casebook.Target. Make it with New.
type Target struct {
	address *Address
	store   store    // nil: Prometheus has no profiles
	metrics *metrics // nil: there are none

	sampling sampling

	mu    sync.Mutex           // guards what follows
	of    selector             // of the service's series; nil until it was found
	pods  string               // the label that tells instances apart; "" until it is known
	asked map[string]time.Time // when a snapshot was last asked for, by kind
	why   map[string]string    // why signals are absent
}

// New checks the addresses. It sends nothing.
func New(address string, o Options) (*Target, error) {
	a, err := ParseAddress(address)
	if err != nil {
		return nil, err
	}
	t := &Target{address: a, asked: make(map[string]time.Time), why: make(map[string]string)}
	c, err := newClient(a, o.Access)
	if err != nil {
		return nil, err
	}
	switch a.Engine {
	case Pyroscope:
		t.store = &pyroscope{c, a.Nodes}
	case Parca:
		t.store = &parca{c}
	case Prometheus:
		t.metrics = &metrics{client: c, address: a}
	}
	if o.Metrics == "" {
		return t, nil
	}
	if t.metrics != nil {
		return nil, errors.New("the target is prometheus:// itself: a second one has no place")
	}
	if t.metrics, err = newMetrics(o, a); err != nil {
		return nil, fmt.Errorf("the metrics: %w", err)
	}
	return t, nil
}

// newMetrics is for a second address. It gets the credentials of the first where the host is the same, and not where
// these were encrypted and would not be any more. It may be where the first may be.
func newMetrics(o Options, of *Address) (*metrics, error) {
	a, err := ParseAddress(o.Metrics)
	if err != nil {
		return nil, err
	}
	if a.Engine != Prometheus {
		return nil, fmt.Errorf("%s has profiles; want a prometheus:// address", a)
	}
	access := o.Access
	if a.Base.Hostname() != of.Base.Hostname() || a.Base.Scheme == "http" && of.Base.Scheme == "https" {
		access = instance.HTTPOptions{CAFile: access.CAFile, Insecure: access.Insecure, Allow: access.Allow}
	}
	c, err := newClient(a, access)
	if err != nil {
		return nil, err
	}
	return &metrics{client: c, address: a}, nil
}

// URL is the address as it may be shown.
func (t *Target) URL() string { return t.address.String() }

// Describe finds the service. The error names those that there are.
func (t *Target) Describe(ctx context.Context) (casefile.Target, error) {
	w := t.address.window(time.Now())
	d := casefile.Target{Name: t.address.Service, URL: t.URL(), Build: casefile.Build{Version: t.address.Version}}
	of := casefile.Target{Labels: t.address.Labels}
	of.NameResource()
	d.Resource = of.Resource
	if t.metrics != nil {
		if err := t.metrics.describe(ctx, w, &d); err != nil {
			return d, err
		}
	}
	if t.store != nil {
		if _, err := t.selector(ctx, w); err != nil {
			return d, err
		}
	}
	return d, nil
}

// serviceLabels are the labels that may have a service's name, by engine: the client's own, OpenTelemetry's
// service.name (as both write it), that of scraping, and what is left on Kubernetes.
var serviceLabels = map[string][]string{
	Pyroscope:  {"service_name"},
	Parca:      {"service_name", "job", "container", "comm"},
	Prometheus: {"job", "service_name", "service", "container", "app"},
}

// versionLabels may have its version.
var versionLabels = []string{"service_version", "version", "app_kubernetes_io_version", "app_version"}

// instanceLabels tell processes of a service apart.
var instanceLabels = []string{"k8s_pod_name", "pod", "service_instance_id", "instance", "hostname", "pid"}

// A lister lists the values of a label.
type lister interface {
	values(ctx context.Context, label string, of selector, w window) ([]string, error)
}

// selector is that of the service's profiles.
func (t *Target) selector(ctx context.Context, w window) (selector, error) {
	t.mu.Lock()
	known := t.of
	t.mu.Unlock()
	if known != nil {
		return known, nil
	}
	of, err := findService(ctx, t.store, t.address, w)
	if err != nil {
		return nil, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.of = of
	return of, nil
}

// findService looks for the label that has the service's name, and for that of its version.
func findService(ctx context.Context, in lister, a *Address, w window) (selector, error) {
	labels := serviceLabels[a.Engine]
	if a.ServiceLabel != "" {
		labels = []string{a.ServiceLabel}
	}
	var others []string
	for _, label := range labels {
		there, err := in.values(ctx, label, nil, w)
		if err != nil {
			return nil, err
		}
		if slices.Contains(there, a.Service) {
			of := selector(maps.Clone(a.Labels)).with(label, a.Service)
			return findVersion(ctx, in, a, of, w)
		}
		others = append(others, there...)
	}
	return nil, noService(a, labels, others, w)
}

func findVersion(ctx context.Context, in lister, a *Address, of selector, w window) (selector, error) {
	if a.Version == "" {
		return of, nil
	}
	var others []string
	for _, label := range versionLabels {
		there, err := in.values(ctx, label, of, w)
		if err != nil {
			return nil, err
		}
		if slices.Contains(there, a.Version) {
			return of.with(label, a.Version), nil
		}
		others = append(others, there...)
	}
	return nil, fmt.Errorf("%s: there is no version %s from %s (labels %s); %s", a, a.Version, w,
		strings.Join(versionLabels, ", "), listed("there are", others))
}

func noService(a *Address, labels, others []string, w window) error {
	next := listed("there are", others)
	if meant := near.Names(a.Service, others); len(meant) > 0 {
		next = listed("did you mean", meant) + "?"
	}
	return fmt.Errorf("%s: there is no service %q from %s (labels %s); %s", a, plain.Text(a.Service), w,
		strings.Join(labels, ", "), next)
}

// listed names a few.
func listed(what string, names []string) string {
	const most = 8
	if len(names) == 0 {
		return "there are none at all: does anything send to this engine, to this tenant, at that time?"
	}
	slices.Sort(names)
	names = slices.Compact(names)
	more := ""
	if n := len(names) - most; n > 0 {
		names, more = names[:most], fmt.Sprintf(" and %d more", n)
	}
	return what + " " + plain.Text(strings.Join(names, ", ")) + more
}

// instances counts the processes that sent profiles in a window; 1 where no label tells them apart.
func (t *Target) instances(ctx context.Context, of selector, w window) (int, error) {
	t.mu.Lock()
	labels := []string{t.pods}
	t.mu.Unlock()
	if labels[0] == "" {
		labels = instanceLabels
	}
	for _, label := range labels {
		there, err := t.store.values(ctx, label, of, w)
		if err != nil {
			return 0, err
		}
		if len(there) > 0 {
			t.mu.Lock()
			t.pods = label
			t.mu.Unlock()
			return len(there), nil
		}
	}
	return 1, nil
}

// Absent says which signals the engine does not give, and why.
func (t *Target) Absent() map[string]string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return maps.Clone(t.why)
}

// Restarted is false: an average instance does not end.
func (t *Target) Restarted() bool { return false }

// settle records why signals are absent that no sample had.
func (t *Target) settle(seen map[vitals.ID]bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	clear(t.why)
	for _, name := range vitals.Names() {
		if id, _ := vitals.Lookup(name); !seen[id] {
			t.why[name] = "the engine has no series of it for " + t.address.Service
		}
	}
}
