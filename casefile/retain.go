package casefile

import (
	"cmp"
	"errors"
	"slices"
	"time"

	"github.com/gocasebook/casebook/internal/settings"
)

// A Retention says how much of the past a folder of cases, or a store, keeps. A zero field means its default, a negative one no
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

// A Keepsake is what Retention.Drop knows of one case.
type Keepsake struct {
	ID    string
	Since time.Time // its opening, or its import
	Bytes int64
	// Scores are of what the case may be the first or the worst of: the highest of its findings, 0 without one, by its
	// rule where cases are in a folder, and each by its service and kind where they are in a store.
	Scores map[string]int
	// Imported is nobody's first or worst.
	Imported bool
	// Pinned stays, and is a first or a worst nevertheless.
	Pinned bool
	// Fixed is unfinished or unreadable: counted, never dropped, and nothing of the above but ID and Bytes is known.
	Fixed bool

	path string
}

// Drop picks the cases to remove: the oldest that may go, until what is left is within the limits.
func (r Retention) Drop(cases []Keepsake, now time.Time) []Keepsake {
	r = r.withDefaults()
	oldest := slices.SortedFunc(slices.Values(cases), Keepsake.byAge)
	kept := protected(oldest)
	count, bytes := len(cases), sumBytes(cases)
	var out []Keepsake
	for _, c := range oldest {
		if kept[c.ID] {
			continue
		}
		tooOld := r.MaxAge > 0 && now.Sub(c.Since) > r.MaxAge
		tooMany := r.MaxCases > 0 && count > r.MaxCases
		tooLarge := r.MaxBytes > 0 && bytes > r.MaxBytes
		if !tooOld && !tooMany && !tooLarge {
			break // the rest is younger
		}
		out = append(out, c)
		count--
		bytes -= c.Bytes
	}
	return out
}

// protected names the cases that stay, of cases with the oldest first. That the earliest of equals is the worst makes
// two Casebooks that prune one folder at the same time agree, and lets the choice stand when an equal one follows.
func protected(oldest []Keepsake) map[string]bool {
	kept := make(map[string]bool)
	worst := make(map[string]Keepsake) // by what it is the worst of
	newest := ""
	for _, c := range oldest {
		if c.Pinned || c.Fixed {
			kept[c.ID] = true
		}
		if c.Fixed {
			continue
		}
		newest = c.ID
		if c.Imported {
			continue
		}
		for of, score := range c.Scores {
			w, seen := worst[of]
			if !seen {
				kept[c.ID] = true
			}
			if !seen || score > w.Scores[of] {
				worst[of] = c
			}
		}
	}
	for _, c := range worst {
		kept[c.ID] = true
	}
	if newest != "" {
		kept[newest] = true
	}
	return kept
}

// byAge puts older cases first; the ID decides between cases of one instant.
func (c Keepsake) byAge(d Keepsake) int {
	return cmp.Or(c.Since.Compare(d.Since), cmp.Compare(c.ID, d.ID))
}

func sumBytes(cases []Keepsake) int64 {
	var sum int64
	for _, c := range cases {
		sum += c.Bytes
	}
	return sum
}
