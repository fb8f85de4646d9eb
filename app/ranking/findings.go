package ranking

import (
	"slices"
	"sync"

	"github.com/gocasebook/casebook/app/store"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
)

// maxFindings bounds what is kept of a service. A diagnosis has a handful; the list of all services shows ten.
const maxFindings = 20

// costs returns what findings about CPU cost, the most first: the share of the service's CPU × the cores that it uses.
func costs(findings []casefile.Finding, cores float64, inCase string) (list []store.RankedFinding) {
	for i := range findings {
		f := &findings[i]
		if f.Impact.Resource != cpu || f.Impact.Share <= 0 || cores <= 0 {
			continue
		}
		place := store.PlaceOf(f)
		if wholeProcess()[f.Kind] {
			place = casefile.Frame{}
		}
		share := min(f.Impact.Share, 1)
		list = append(list, store.RankedFinding{ID: f.ID, Kind: f.Kind, Title: f.Title, Function: place.Function,
			File: place.File, Line: place.Line, Score: f.Score, Share: share, Cores: share * cores, Case: inCase})
	}
	slices.SortStableFunc(list, func(a, b store.RankedFinding) int {
		switch {
		case a.Cores > b.Cores:
			return -1
		case a.Cores < b.Cores:
			return 1
		}
		return 0
	})
	list = distinct(list)
	return list[:min(len(list), maxFindings)]
}

// wholeProcess are the kinds of which a process has one finding, whatever place leads in it this hour.
var wholeProcess = sync.OnceValue(func() map[string]bool {
	kinds := make(map[string]bool)
	for _, d := range diagnose.Detectors() {
		kinds[d.Kind] = d.IsWholeProcess
	}
	return kinds
})

// cpu is the resource of a finding that is measured in cores.
const cpu = "cpu"

// distinct keeps the first of findings that are one to the ranking: two lines of a function.
func distinct(list []store.RankedFinding) (kept []store.RankedFinding) {
	for _, f := range list {
		same := func(k store.RankedFinding) bool { return k.Kind == f.Kind && k.Function == f.Function }
		if !slices.ContainsFunc(kept, same) {
			kept = append(kept, f)
		}
	}
	return kept
}
