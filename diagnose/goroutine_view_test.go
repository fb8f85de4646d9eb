package diagnose

import (
	"context"
	"reflect"
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/view"
)

// TestPilesAreShared: no detector writes into the piles, which all detectors read at once. Otherwise what one of them
// supposes (that all of a pile wait) is what the next one takes for seen, and the answer depends on who came first.
func TestPilesAreShared(t *testing.T) {
	n := 0
	for _, dir := range foldersOf(t, "goroutine_stuck/", "modules/", "holdout2/", "holdout5/", "trial/",
		"unseen-waits/") {
		if rep := judged(t, dir); !hasKind(rep, "goroutine-stuck") && !hasKind(rep, "slow-dependency") {
			continue
		}
		n++
		r, _ := read(context.Background(), loadCase(t, dir))
		was := map[int][]view.Pile{}
		for i, set := range r.All(casefile.Goroutine) {
			for _, p := range r.Piles(set) {
				was[i] = append(was[i], *p)
			}
		}
		new(Report).ask(context.Background(), Detectors(), time.Hour, r)
		for i, set := range r.All(casefile.Goroutine) {
			for j, p := range r.Piles(set) {
				if !reflect.DeepEqual(*p, was[i][j]) {
					t.Errorf("%s: a detector changed the pile at %s", dir, r.Place(p.At))
				}
			}
		}
	}
	if n < 10 {
		t.Errorf("%d recordings in which goroutines are stuck, want 10 or more", n)
	}
}

func hasKind(rep Report, kind string) bool {
	for _, k := range kindsOf(rep) {
		if k == kind {
			return true
		}
	}
	return false
}

func kindsOf(rep Report) (kinds []string) {
	for _, f := range rep.Findings {
		kinds = append(kinds, f.Kind)
	}
	return kinds
}
