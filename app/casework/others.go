package casework

import (
	"context"
	"slices"
	"time"

	"github.com/gocasebook/casebook/app/report"
	"github.com/gocasebook/casebook/app/store"
	"github.com/gocasebook/casebook/casefile"
)

// What is looked for of other cases for the page of one, and for how long somebody waits for it.
const (
	recurringFindings = 8
	othersPatience    = 250 * time.Millisecond
)

// othersOf are the cases of the same service and of the same findings. What cannot be read in time is not on the page.
func othersOf(ctx context.Context, from Cases, c *casefile.Case) (out report.Others) {
	ctx, cancel := context.WithTimeout(ctx, othersPatience)
	defer cancel()
	out.Before, out.After = beside(ctx, from, c)
	var keys []store.GroupKey
	for i := range c.Findings[:min(len(c.Findings), recurringFindings)] {
		f := &c.Findings[i]
		keys = append(keys, store.GroupKey{Service: c.Target.Name, Kind: f.Kind, Function: store.PlaceOf(f).Function})
	}
	all, err := from.Occurrences(ctx, keys)
	if err != nil {
		return out
	}
	for i, list := range all {
		out.Findings = append(out.Findings, recurring(report.FindingKey(keys[i]), c.ID, list))
	}
	return out
}

// recurring says how often a finding came, of its cases, the newest first.
func recurring(key report.FindingKey, id string, list []store.Occurrence) report.Recurring {
	r := report.Recurring{Key: key}
	at := slices.IndexFunc(list, func(o store.Occurrence) bool { return o.Case == id })
	if at < 0 { // among the older ones, which are not looked at
		return r
	}
	r.Since, r.Cases = store.Since(list)
	if at >= r.Cases { // of a run before
		r.Since, r.Cases = store.Since(list[at:])
	}
	if at > 0 {
		r.Newest = list[0].Case
	}
	if at+1 < len(list) {
		r.Before = list[at+1].Case
	}
	return r
}

// maxBeside bounds how many cases of one moment are looked through.
const maxBeside = 50

// beside are the cases of the service before and after one.
func beside(ctx context.Context, from Cases, c *casefile.Case) (before, after string) {
	until := c.Opened.Add(time.Millisecond)
	page, err := from.List(ctx, store.Filter{Service: c.Target.Name, To: until, Limit: maxBeside})
	if err != nil || c.Target.Name == "" {
		return "", ""
	}
	if at := slices.IndexFunc(page.Cases, is(c.ID)); at >= 0 && at+1 < len(page.Cases) {
		before = page.Cases[at+1].ID
	}
	// lists begin with the newest: what came after a case is found where little did
	page, err = from.List(ctx, store.Filter{Service: c.Target.Name, From: c.Opened, Limit: maxBeside})
	if err != nil {
		return before, ""
	}
	if at := slices.IndexFunc(page.Cases, is(c.ID)); at > 0 {
		after = page.Cases[at-1].ID
	}
	return before, after
}

func is(id string) func(store.Summary) bool { return func(s store.Summary) bool { return s.ID == id } }
