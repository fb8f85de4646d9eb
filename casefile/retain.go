package casefile

import (
	"cmp"
	"errors"
	"slices"
	"time"

	"github.com/gocasebook/casebook/internal/settings"
)

// A Retention says how much of the past a folder of cases keeps. A zero field means its default, a negative one no
// limit. Whatever the limits, the first case of each rule stays (how it began), so does its worst (the highest score of
// a finding; of equals the earliest), so does the newest case of all (somebody was just told of it), and so does what
// cannot be read (a person must look). An imported case counts like any other, from the time of its import and not of
// its opening: somebody wants to look at it now. It is nobody's first or worst: that is about what happened here, and a
// folder of imports under a hundred rules must not stay forever.
type Retention struct {
	// MaxBytes bounds the size of all cases together, 1 MiB or more. Zero means DefaultMaxBytes.
	MaxBytes int64
	// MaxAge is how long after its opening (its import) a case is kept, 1 m or more. Zero means DefaultMaxAge.
	MaxAge time.Duration
	// MaxCases bounds the number of cases. Zero means DefaultMaxCases.
	MaxCases int
}

// Defaults of Retention's zero fields. The case of a small service takes 0.2 MiB, most of it the report, so the bytes
// bind only where evidence is large: an execution trace of a service that saturates two cores took 100–170 MB for 2–3
// s, and 1 GiB holds several without being missed on a disk of today. 30 days cover a monthly job, a release to compare
// with, and a holiday. 200 cases are more than a person reads.
const (
	DefaultMaxBytes = settings.DefaultKeepBytes
	DefaultMaxAge   = settings.DefaultKeepAge
	DefaultMaxCases = settings.DefaultKeepCases
)

// KeepAll is the Retention without limits.
func KeepAll() Retention { return Retention{MaxBytes: -1, MaxAge: -1, MaxCases: -1} }

// Validate names every field that is too small to be meant.
func (r Retention) Validate() error {
	return errors.Join(settings.KeepBytes.CheckField(r.MaxBytes), settings.KeepAge.CheckField(int64(r.MaxAge)),
		settings.KeepCases.CheckField(int64(r.MaxCases)))
}

func (r Retention) withDefaults() Retention {
	return Retention{
		MaxBytes: cmp.Or(r.MaxBytes, DefaultMaxBytes),
		MaxAge:   cmp.Or(r.MaxAge, DefaultMaxAge),
		MaxCases: cmp.Or(r.MaxCases, DefaultMaxCases),
	}
}

// A keepFact is what the decision knows of one case.
type keepFact struct {
	id       string
	path     string
	rule     string
	since    time.Time // its opening, or its import
	score    int       // the highest of its findings, 0 without one
	bytes    int64     // of the whole folder
	imported bool
	// unfinished or unreadable: counted, never dropped, and nothing of the above but id, path and bytes is known
	fixed bool
}

// drop picks the cases to remove: the oldest that may go, until what is left is within the limits.
func (r Retention) drop(cases []keepFact, now time.Time) []keepFact {
	r = r.withDefaults()
	oldest := slices.SortedFunc(slices.Values(cases), keepFact.byAge)
	kept := protected(oldest)
	count, bytes := len(cases), sumBytes(cases)
	var out []keepFact
	for _, c := range oldest {
		if kept[c.id] {
			continue
		}
		tooOld := r.MaxAge > 0 && now.Sub(c.since) > r.MaxAge
		tooMany := r.MaxCases > 0 && count > r.MaxCases
		tooLarge := r.MaxBytes > 0 && bytes > r.MaxBytes
		if !tooOld && !tooMany && !tooLarge {
			break // the rest is younger
		}
		out = append(out, c)
		count--
		bytes -= c.bytes
	}
	return out
}

// protected names the cases that stay, of cases with the oldest first. That the earliest of equals is the worst makes
// two Casebooks that prune one folder at the same time agree, and lets the choice stand when an equal one follows.
func protected(oldest []keepFact) map[string]bool {
	kept := make(map[string]bool)
	worst := make(map[string]keepFact) // by rule
	newest := ""
	for _, c := range oldest {
		if c.fixed {
			kept[c.id] = true
			continue
		}
		newest = c.id
		if c.imported {
			continue
		}
		w, seen := worst[c.rule]
		if !seen {
			kept[c.id] = true
		}
		if !seen || c.score > w.score {
			worst[c.rule] = c
		}
	}
	for _, c := range worst {
		kept[c.id] = true
	}
	if newest != "" {
		kept[newest] = true
	}
	return kept
}

// byAge puts older cases first; the ID decides between cases of one instant.
func (c keepFact) byAge(d keepFact) int {
	return cmp.Or(c.since.Compare(d.since), cmp.Compare(c.id, d.id))
}

func sumBytes(cases []keepFact) int64 {
	var sum int64
	for _, c := range cases {
		sum += c.bytes
	}
	return sum
}
