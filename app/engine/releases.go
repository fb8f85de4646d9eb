package engine

import (
	"bytes"
	"context"
	"fmt"
	"time"

	"github.com/google/pprof/profile"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/instance"
)

// A Release is one version of a service in an engine.
type Release struct {
	Version  string
	From, To time.Time
	Windows  [][]byte // its CPU profiles, pprof, one for each part of the time that has any
	Sum      []byte   // of all of it
}

const (
	// releaseWindow has two profiles of a client that pushes every 15 s, and releaseWindows are as many as five minutes
	// have, the default of what is asked for: a rank test on ten and ten finds changes beyond the noise of both.
	releaseWindow  = 30 * time.Second
	releaseWindows = 10
	// leastWindows is what a median needs for an interval of 95 % (golang.org/x/perf/benchmath).
	leastWindows = 6
)

// Releases returns the CPU profiles of the version of a service that runs now and of the one that ran before it, from
// the last minutes of each. It returns an *instance.EmptyError when the last week has no two versions.
func (d *Directory) Releases(ctx context.Context, service string) (old, latest Release, err error) {
	now := time.Now()
	in, err := d.ask(ctx, d.address.window(now))
	if err != nil {
		return old, latest, err
	}
	of := selector(d.address.Labels).with(in.service, service)
	if latest.Version, old.Version, old.To, err = d.two(ctx, service, of, now); err != nil {
		return old, latest, err
	}
	latest.To = now.Add(-settle)
	for _, r := range []*Release{&old, &latest} {
		if err := d.fill(ctx, r, in, of.with(in.version, r.Version)); err != nil {
			return old, latest, err
		}
	}
	return old, latest, nil
}

// two finds the version that runs, and the one before with the moment when it was last seen.
func (d *Directory) two(ctx context.Context, service string, of selector, now time.Time) (latest, old string,
	ended time.Time, err error) {
	address := *d.address
	address.Service = service
	t := &Target{address: &address, store: d.store}
	week := window{now.Add(-week), now}
	label, versions, err := t.versions(ctx, of, week)
	if err != nil {
		return "", "", ended, err
	}
	if latest, err = d.youngest(ctx, label, of, now); err != nil {
		return "", "", ended, err
	}
	address.Version = latest
	if latest != "" {
		ended, old, err = t.previous(ctx, of, label, versions, now)
	}
	if err == nil && old == "" {
		err = &instance.EmptyError{Reason: fmt.Sprintf("%s has no two versions of %s in the last week", d.address, service)}
	}
	return latest, old, ended, err
}

// youngest is the version that runs; of several, while one replaces another, the one that was first seen last. "" is
// none.
func (d *Directory) youngest(ctx context.Context, label string, of selector, now time.Time) (string, error) {
	if label == "" {
		return "", nil
	}
	run, err := d.store.values(ctx, label, of, d.address.window(now))
	if err != nil || len(run) == 1 {
		return first(run), err
	}
	in, err := d.ask(ctx, d.address.window(now))
	if err != nil || len(in.cpu) == 0 {
		return "", err
	}
	var latest string
	var began time.Time
	for _, v := range run {
		points, err := d.store.course(ctx, in.cpu[0], of.with(label, v), window{now.Add(-week), now}, hour, false)
		if err != nil {
			return "", err
		}
		if len(points) > 0 && points[0].at.After(began) {
			latest, began = v, points[0].at
		}
	}
	return latest, nil
}

func first(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return list[0]
}

// fill asks for the profiles of a release.
func (d *Directory) fill(ctx context.Context, r *Release, in columns, of selector) error {
	r.From = r.To.Add(-releaseWindows * releaseWindow)
	var err error
	if r.Sum, err = d.window(ctx, in, of, window{r.From, r.To}); err != nil {
		return err
	}
	for i := range releaseWindows {
		from := r.From.Add(time.Duration(i) * releaseWindow)
		data, err := d.window(ctx, in, of, window{from, from.Add(releaseWindow)})
		if err != nil {
			return err
		}
		if data != nil {
			r.Windows = append(r.Windows, data)
		}
	}
	if n := len(r.Windows); n < leastWindows {
		return &instance.EmptyError{Reason: fmt.Sprintf("%s has profiles of version %s in %d half minutes before %s; "+
			"%d are needed to tell a change from noise", d.address, r.Version, n, r.To.UTC().Format(time.DateTime),
			leastWindows)}
	}
	return nil
}

// window is the CPU profile of a part of the time; nil when there is none.
func (d *Directory) window(ctx context.Context, in columns, of selector, w window) ([]byte, error) {
	p, t, err := d.cpu(ctx, in.cpu, of, w)
	if err != nil || p == nil {
		return nil, err
	}
	p.SampleType = []*profile.ValueType{{Type: t.typ, Unit: t.unit}}
	p.DefaultSampleType = ""
	samePeriod([]*profile.Profile{p}, t)
	p.TimeNanos, p.DurationNanos = w.from.UnixNano(), w.length().Nanoseconds()
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		return nil, fmt.Errorf("writing the %s of %s: %w", casefile.CPU, d.address, err)
	}
	return b.Bytes(), nil
}
