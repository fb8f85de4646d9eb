package engine

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/google/pprof/profile"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/instance"
)

// A Directory is the services of a Pyroscope or Parca, for whoever looks at each in turn. Its methods may be called at
// once.
type Directory struct {
	address *Address
	store   store
	owners  []string

	mu      sync.Mutex // guards what follows; nobody waits for the engine under it
	columns columns
}

// columns are the labels and the types under which an engine has what a Directory asks of each service. "" is a label
// that it does not have.
type columns struct {
	service, version, owner, instance string
	cpu                               []valueType
	until                             time.Time // when they are asked for again
}

// columnsKept is how long columns are believed: a label that senders begin to send is seen in the next round.
const columnsKept = 50 * time.Minute

// OwnerLabels may have who owns a service: Backstage's and Prometheus' usual names.
var OwnerLabels = []string{"owner", "team"}

// NewDirectory checks an address. One that names a service has that alone. owners are the labels that may have who owns
// a service; none means OwnerLabels. It sends nothing.
func NewDirectory(address string, o Options, owners ...string) (*Directory, error) {
	a, err := parseAddress(address, false)
	if err != nil {
		return nil, err
	}
	if !a.Until.IsZero() || a.Version != "" {
		return nil, fmt.Errorf("%s: services are asked for as they are now: leave until and version out of the address", a)
	}
	c, err := newClient(a, o.Access)
	if err != nil {
		return nil, err
	}
	d := &Directory{address: a, owners: owners}
	if len(owners) == 0 {
		d.owners = OwnerLabels
	}
	switch a.Engine {
	case Pyroscope:
		d.store = &pyroscope{c, a.Nodes}
	case Parca:
		d.store = &parca{c}
	default:
		return nil, errors.New("an engine of metrics has no profiles; want a pyroscope:// or parca:// address")
	}
	return d, nil
}

// String is the address as it may be shown.
func (d *Directory) String() string { return d.address.String() }

// Host is the scheme and host that is asked.
func (d *Directory) Host() string { return d.address.Base.Scheme + "://" + d.address.Base.Host }

// Services lists the services that sent profiles in the window of the address, now.
func (d *Directory) Services(ctx context.Context) ([]string, error) {
	if d.address.Service != "" {
		return []string{d.address.Service}, nil
	}
	w := d.address.window(time.Now())
	in, err := d.ask(ctx, w)
	if err != nil {
		return nil, err
	}
	return d.store.values(ctx, in.service, selector(d.address.Labels), w)
}

// ask finds the columns, or knows them.
func (d *Directory) ask(ctx context.Context, w window) (columns, error) {
	d.mu.Lock()
	known := d.columns
	d.mu.Unlock()
	if w.to.Before(known.until) {
		return known, nil
	}
	found := columns{until: w.to.Add(columnsKept)}
	names := serviceLabels[d.address.Engine]
	if d.address.ServiceLabel != "" {
		names = []string{d.address.ServiceLabel}
	}
	for _, c := range []struct {
		to     *string
		labels []string
	}{{&found.service, names}, {&found.version, versionLabels}, {&found.owner, d.owners},
		{&found.instance, instanceLabels}} {
		var err error
		if *c.to, err = d.first(ctx, c.labels, w); err != nil {
			return columns{}, err
		}
	}
	if found.service == "" {
		return columns{}, fmt.Errorf("%s has no services from %s (labels %s); %s", d.address, w, strings.Join(names, ", "),
			listed("", nil))
	}
	there, err := d.store.types(ctx, w)
	if err != nil {
		return columns{}, err
	}
	found.cpu = find(there, valueType{typ: "cpu", unit: "nanoseconds"}, false, casefile.CPU)
	d.mu.Lock()
	defer d.mu.Unlock()
	d.columns = found
	return found, nil
}

// first returns the first of some labels that has a value; "" if none has.
func (d *Directory) first(ctx context.Context, labels []string, w window) (string, error) {
	for _, label := range labels {
		there, err := d.store.values(ctx, label, selector(d.address.Labels), w)
		if err != nil || len(there) > 0 {
			return label, err
		}
	}
	return "", nil
}

// A Usage is the CPU that a service used in the window.
type Usage struct {
	Cores    float64  // of all its instances together
	Versions []string // that ran
	Owners   []string
	// Profile is the sum of all profiles divided by the instances: detectors judge one process.
	Profile instance.Profile
}

// Usage asks for the CPU of a service. It returns an *instance.EmptyError when the engine has none.
func (d *Directory) Usage(ctx context.Context, service string) (u Usage, err error) {
	w := d.address.window(time.Now())
	in, err := d.ask(ctx, w)
	if err != nil {
		return u, err
	}
	of := selector(d.address.Labels).with(in.service, service)
	p, t, err := d.cpu(ctx, in.cpu, of, w)
	if err != nil {
		return u, err
	}
	if p == nil {
		return u, &instance.EmptyError{Reason: fmt.Sprintf("%s has no CPU profile of %s from %s", d.address, service, w)}
	}
	if u.Versions, err = d.column(ctx, in.version, of, w); err != nil {
		return u, err
	}
	if u.Owners, err = d.column(ctx, in.owner, of, w); err != nil {
		return u, err
	}
	instances, err := d.column(ctx, in.instance, of, w)
	if err != nil {
		return u, err
	}
	u.Cores = total(p) / 1e9 / w.length().Seconds()
	n := max(len(instances), 1)
	u.Profile, err = oneProcess(p, t, w, n)
	u.Profile.Note = fmt.Sprintf("from %s, %s, %s; an average one of %d instances", d.address, service, w, n)
	return u, err
}

// cpu is the sum of a service's CPU profiles, with the type under which there is one; nil without any.
func (d *Directory) cpu(ctx context.Context, types []valueType, of selector, w window) (*profile.Profile, valueType,
	error) {
	for _, t := range types {
		p, err := d.store.merged(ctx, t, of, w)
		if err != nil || len(p.Sample) > 0 {
			return p, t, err
		}
	}
	return nil, valueType{}, nil
}

// column lists the values that a label has of a service.
func (d *Directory) column(ctx context.Context, label string, of selector, w window) ([]string, error) {
	if label == "" {
		return nil, nil
	}
	return d.store.values(ctx, label, of, w)
}

// oneProcess makes the CPU profile of an average process of a sum. The number of samples is not asked for, which would
// be a second profile: it is the time over the period.
func oneProcess(sum *profile.Profile, t valueType, w window, instances int) (instance.Profile, error) {
	period := cmp.Or(sum.Period, goPeriod.Nanoseconds())
	for _, s := range sum.Sample {
		if len(s.Value) != 1 {
			return instance.Profile{}, fmt.Errorf("the engine answered with %d values a sample for %s; want one",
				len(s.Value), t.id)
		}
		ns := scaled(s.Value[0], 1/float64(instances))
		s.Value = []int64{max((ns+period/2)/period, min(ns, 1)), ns}
	}
	var types []*profile.ValueType
	for _, v := range kinds[casefile.CPU].values {
		types = append(types, &profile.ValueType{Type: v.typ, Unit: v.unit})
	}
	sum.SampleType, sum.DefaultSampleType = types, ""
	samePeriod([]*profile.Profile{sum}, t)
	sum.TimeNanos, sum.DurationNanos = w.from.UnixNano(), w.length().Nanoseconds()
	var b bytes.Buffer
	if err := sum.WriteUncompressed(&b); err != nil { // it is read again at once
		return instance.Profile{}, fmt.Errorf("writing a CPU profile: %w", err)
	}
	return instance.Profile{Kind: casefile.CPU, Data: b.Bytes(), Taken: w.from, Seconds: w.length().Seconds()}, nil
}
