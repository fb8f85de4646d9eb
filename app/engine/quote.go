package engine

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/instance"
)

// A Quoted is one thing that a case quotes of an engine.
type Quoted struct {
	Name string
	Take func(ctx context.Context, tripped time.Time) (instance.Profile, error)
}

const week = 7 * 24 * time.Hour

// quotedKinds are the kinds of evidence that are quoted: most differences between two weeks or versions are in them.
var quotedKinds = []string{casefile.CPU, casefile.Heap}

// Quotes returns what a case quotes of a service in Pyroscope or Parca: the window before the trip, the same one a week
// earlier, and the last one of the version before. The address says how long a window is; its end is the trip.
func Quotes(address string, o Options) ([]Quoted, error) {
	t, err := New(address, o)
	if err != nil {
		return nil, err
	}
	if t.store == nil {
		return nil, errors.New("an engine of metrics keeps no profiles to quote; want a pyroscope:// or parca:// " +
			"address")
	}
	if !t.address.Until.IsZero() {
		return nil, errors.New("a quote ends when the rule trips: leave until out of the address")
	}
	var all []Quoted
	for _, kind := range quotedKinds {
		all = append(all,
			Quoted{"before-" + kind, func(ctx context.Context, at time.Time) (instance.Profile, error) {
				return t.quote(ctx, kind, at)
			}},
			Quoted{"last-week-" + kind, func(ctx context.Context, at time.Time) (instance.Profile, error) {
				return t.quote(ctx, kind, at.Add(-week))
			}},
			Quoted{"previous-version-" + kind, func(ctx context.Context, at time.Time) (instance.Profile, error) {
				return t.quoteVersion(ctx, kind, at)
			}})
	}
	return all, nil
}

// quote takes the window that ends at a time.
func (t *Target) quote(ctx context.Context, kind string, at time.Time) (instance.Profile, error) {
	of, err := t.selector(ctx, window{at.Add(-week), time.Now()})
	if err != nil {
		return instance.Profile{}, err
	}
	return t.profileOf(ctx, kind, of, window{at.Add(-t.address.Since), at}.lastOf(kind))
}

// hour is the step in which the last profile of another version is looked for.
const hour = time.Hour

// maxVersions bounds how many versions of a week are looked at: a service that is deployed more often has more.
const maxVersions = 20

// quoteVersion takes the last window of the version that ran before the one that runs at a time.
func (t *Target) quoteVersion(ctx context.Context, kind string, at time.Time) (instance.Profile, error) {
	w := window{at.Add(-week), at}
	of, err := t.selector(ctx, window{w.from, time.Now()})
	if err != nil {
		return instance.Profile{}, err
	}
	label, versions, err := t.versions(ctx, of, w)
	if err != nil {
		return instance.Profile{}, err
	}
	service := maps.Clone(of)
	delete(service, label) // the address may name the present version
	ended, version, err := t.previous(ctx, service, label, versions, at)
	if err != nil {
		return instance.Profile{}, err
	}
	if version == "" {
		return instance.Profile{}, &instance.EmptyError{Reason: fmt.Sprintf("%s has no other version of %s in the "+
			"week before", t.address.Engine, t.address.Service)}
	}
	w = window{ended.Add(-t.address.Since), ended}.lastOf(kind)
	p, err := t.profileOf(ctx, kind, service.with(label, version), w)
	p.Note += "; version " + version
	return p, err
}

// versions lists those of a window, and the label that has them.
func (t *Target) versions(ctx context.Context, of selector, w window) (label string, all []string, err error) {
	for _, label := range versionLabels {
		without := maps.Clone(of)
		delete(without, label)
		if all, err = t.store.values(ctx, label, without, w); err != nil || len(all) > 0 {
			return label, all[:min(len(all), maxVersions)], err
		}
	}
	return "", nil, nil
}

// seen is the time in which a version was there.
type seen struct {
	version     string
	first, last time.Time
}

// later reports whether a version ran after another: while one replaces the other both are there, and the one that came
// last is the newer.
func (s seen) later(than seen) bool {
	if s.last.Equal(than.last) {
		return s.first.After(than.first)
	}
	return s.last.After(than.last)
}

// previous finds the version whose CPU was seen last, before that which is seen at the end.
func (t *Target) previous(ctx context.Context, service selector, label string, versions []string, at time.Time) (
	ended time.Time, version string, err error) {
	w := window{at.Add(-week), at}
	there, err := t.store.types(ctx, w)
	if err != nil {
		return ended, "", err
	}
	types := find(there, valueType{typ: "cpu", unit: "nanoseconds"}, false, "")
	if len(types) == 0 {
		return ended, "", nil
	}
	var all []seen
	for _, v := range versions {
		points, err := t.store.course(ctx, types[0], service.with(label, v), w, hour, false)
		if err != nil {
			return ended, "", err
		}
		if n := len(points); n > 0 {
			all = append(all, seen{v, points[0].at, points[n-1].at})
		}
	}
	before := beforeLast(all, t.address.Version)
	if before.version == "" {
		return ended, "", nil
	}
	return t.lastSeen(ctx, types[0], service.with(label, before.version), before.last), before.version, nil
}

// beforeLast is the version that ran before the present one; the latest is the present one where nobody named it.
func beforeLast(all []seen, present string) (before seen) {
	if present == "" {
		var latest seen
		for _, s := range all {
			if s.later(latest) {
				latest = s
			}
		}
		present = latest.version
	}
	for _, s := range all {
		if s.version != present && s.later(before) {
			before = s
		}
	}
	return before
}

// lastSeen is when a version was last seen, to the half minute: hours are too coarse for a window of minutes.
func (t *Target) lastSeen(ctx context.Context, v valueType, of selector, hourEnd time.Time) time.Time {
	points, err := t.store.course(ctx, v, of, window{hourEnd.Add(-hour), hourEnd}, coarse, false)
	if err != nil || len(points) == 0 {
		return hourEnd // the window may then hold less
	}
	return points[len(points)-1].at
}
