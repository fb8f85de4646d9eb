package server

import (
	"fmt"
	"net/url"
	"time"

	"github.com/gocasebook/casebook/app/store"
)

// A timeRange is a time that a page can be about. Its parts are 24 to 30: as many bars as a telephone has room for.
type timeRange struct {
	Name string // in the address: ?range=7d
	Text string
	Span time.Duration
	Step time.Duration
	Unit string // what a part is
}

const (
	hour = time.Hour
	day  = 24 * hour
)

// ranges are those to choose from, the shortest first.
var ranges = []timeRange{
	{"24h", "24 hours", day, hour, "hour"},
	{"7d", "7 days", 7 * day, 6 * hour, "6 hours"},
	{"30d", "30 days", 30 * day, day, "day"},
	{"90d", "90 days", 90 * day, 3 * day, "3 days"},
}

// usualRange is as long as a case is open.
const usualRange = "7d"

// rangeOf takes the range out of a query; without one it is the usual one. An unknown one is a problem of the reader's
// address.
func rangeOf(q url.Values, usual string) (timeRange, error) {
	name := q.Get("range")
	q.Del("range")
	if name == "" {
		name = usual
	}
	for _, r := range ranges {
		if r.Name == name {
			return r, nil
		}
	}
	return ranges[1], fmt.Errorf("range is %.40q; want 24h, 7d, 30d or 90d", name)
}

// from is where the range begins: a full part before now, so that a page that is asked for again shows the same bars.
func (r timeRange) from(now time.Time) store.Span {
	end := now.UTC().Truncate(r.Step).Add(r.Step)
	return store.Span{From: end.Add(-r.Span), Step: r.Step}
}

// A choice is a link of a row of links, of which one is the page itself.
type choice struct {
	Text, URL string
	Here      bool
}

// choices are the ranges as links of a page, with the rest of its query.
func (r timeRange) choices(path string, q url.Values) (list []choice) {
	for _, other := range ranges {
		list = append(list, choice{other.Text, addressOf(path, q, "range", other.Name), other.Name == r.Name})
	}
	return list
}

// addressOf is a page's address with one value of its query set, or taken away.
func addressOf(path string, q url.Values, name, value string) string {
	next := url.Values{}
	for key, values := range q {
		if key != "after" {
			next[key] = values
		}
	}
	if next.Del(name); value != "" {
		next.Set(name, value)
	}
	if len(next) == 0 {
		return path
	}
	return path + "?" + next.Encode()
}

// ago says how long ago something was, in the unit that matters: 12 min, 5 h, 3 days.
func ago(t, now time.Time) string {
	switch d := now.Sub(t); {
	case d < time.Minute:
		return "now"
	case d < hour:
		return fmt.Sprintf("%d min", d/time.Minute)
	case d < 2*day:
		return fmt.Sprintf("%d h", d/hour)
	case d < 90*day:
		return fmt.Sprintf("%d days", d/day)
	default:
		return fmt.Sprintf("%d months", d/(30*day))
	}
}
