package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/gocasebook/casebook"
	"github.com/gocasebook/casebook/app/casework"
	"github.com/gocasebook/casebook/app/command"
	"github.com/gocasebook/casebook/internal/settings"
)

// request returns what the flags and the file of --config say.
func (f *watchFlags) request(cmd *cobra.Command, urls []string) (r casework.WatchRequest, err error) {
	targets, err := f.watched(cmd, urls)
	if err != nil {
		return r, err
	}
	r = casework.WatchRequest{Dir: f.dir, Once: f.once, For: f.limit, AtEnd: f.atEnd,
		Wake: captureSignals(), Tool: command.Tool()}
	f.report.links = &f.links
	if r.Reporters, err = f.report.reporters(f.dir); err != nil {
		return r, err
	}
	if r.Keep, err = f.keep.retention(); err != nil {
		return r, err
	}
	for _, t := range targets {
		one, err := t.flags.target(t.url)
		switch {
		case err != nil && len(targets) > 1:
			return r, fmt.Errorf("target %s: %w", casework.Shown(t.url), err)
		case err != nil:
			return r, err
		}
		r.Targets = append(r.Targets, one)
	}
	return r, nil
}

// target returns what the flags say about one target.
func (f *watchFlags) target(url string) (t casework.WatchTarget, err error) {
	if err := f.check(); err != nil {
		return t, err
	}
	t = casework.WatchTarget{Interval: f.interval, Profile: f.profile, Rolling: f.rolling,
		Budget: casebook.Budget(f.budget.limits),
		Rules:  f.rules}
	t.Target, err = targetOf(url, &f.access, &f.about, &f.sources, &f.links)
	return t, err
}

// check refuses a zero that a person typed: casebook.New would treat it as "the default".
func (f *watchFlags) check() error {
	switch {
	case f.interval <= 0:
		return settings.Interval.CheckFlag(f.interval)
	case f.profile <= 0:
		return settings.ProfileFor.CheckFlag(f.profile)
	case f.limit < 0:
		return fmt.Errorf("--for is %s; it must be positive; without it, watch runs until Ctrl-C", f.limit)
	}
	_, err := f.keep.retention()
	return errors.Join(f.about.check(), f.sources.check(1), err)
}
