package store

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
)

// keepCases bounds the number alone.
func keepCases(n int) casefile.Retention {
	return casefile.Retention{MaxBytes: -1, MaxAge: -1, MaxCases: n}
}

// retained puts cases in, one an hour: the first and the worst of a finding, one that is pinned, the newest, and others.
func retained(t *testing.T, s *Store, now *time.Time) (parcels []parcel) {
	t.Helper()
	for i, f := range []casefile.Finding{finding("mem-leak", 60, "main.f"), finding("mem-leak", 50, "main.f"),
		finding("mem-leak", 90, "main.f"), finding("mem-leak", 70, "main.f"), finding("mem-leak", 80, "main.f"),
		finding("gc-cpu", 30, "main.g"), finding("mem-leak", 90, "main.f"), finding("mem-leak", 10, "main.f")} {
		p := newParcel(t, i, "shop", f)
		put(t, s, p)
		parcels = append(parcels, p)
		*now = now.Add(time.Hour)
	}
	if err := s.Pin(t.Context(), parcels[3].c.ID, true); err != nil {
		t.Fatal(err)
	}
	return parcels
}

// Too many cases go, the first that came first; the first and the worst of a finding, the newest and the pinned stay.
// What would go is what goes, and its evidence with it.
func TestPruneStore(t *testing.T) {
	eachStore(t, func(t *testing.T, cfg Config) {
		s := openStore(t, cfg)
		now := time.Now().Add(-100 * time.Hour)
		s.now = func() time.Time { return now }
		parcels := retained(t, s, &now)
		now = now.Add(2 * sweepAge)
		var all, freed int64
		for i, p := range parcels {
			all += evidenceBytes(&p.c)
			if i == 1 || i == 4 {
				freed += evidenceBytes(&p.c)
			}
		}
		want := []string{parcels[1].c.ID, parcels[4].c.ID}
		check := func(name string, p Pruning, err error) {
			t.Helper()
			var ids []string
			for _, c := range p.Removed {
				ids = append(ids, c.ID)
			}
			if err != nil || !slices.Equal(ids, want) || p.Freed != freed || p.Cases != 6 || p.Bytes != all-freed || p.Pinned != 1 {
				t.Errorf("%s: %+v, %v; want %q removed, %d bytes of %d", name, p, err, want, freed, all)
			}
		}
		plan, err := s.PlanPrune(t.Context(), keepCases(6))
		check("the plan", plan, err)
		if n := len(listed(t, s, Filter{})); n != 8 {
			t.Errorf("after the plan there are %d cases, want 8", n)
		}
		done, err := s.RetainOnce(t.Context(), "me", keepCases(6))
		check("the pruning", done, err)
		wantBlobs(t, s, 6*3)
		for i, p := range parcels {
			if i != 1 && i != 4 {
				wantEvidence(t, s, p)
			}
		}
		over, err := s.PlanPrune(t.Context(), casefile.Retention{MaxBytes: 1 << 20, MaxAge: time.Minute, MaxCases: 1})
		if err != nil || len(over.Removed) != 1 || over.Removed[0].ID != parcels[6].c.ID || over.Cases != 5 {
			t.Errorf("with narrow limits: %+v, %v; want that the equal of the worst goes, and no other", over, err)
		}
		if err := s.Pin(t.Context(), parcels[3].c.ID, false); err != nil {
			t.Fatal(err)
		}
		if p, err := s.PlanPrune(t.Context(), keepCases(1)); err != nil || len(p.Removed) != 2 || p.Pinned != 0 {
			t.Errorf("without the pin: %+v, %v; want two removed", p, err)
		}
		if p, err := s.PlanPrune(t.Context(), casefile.KeepAll()); err != nil || len(p.Removed) > 0 {
			t.Errorf("without limits: %+v, %v", p, err)
		}
	})
}

// What is pinned or removed between the look at cases and their removal stays, or is nobody's.
func TestPruneLooksAgain(t *testing.T) {
	eachStore(t, func(t *testing.T, cfg Config) {
		s := openStore(t, cfg)
		now := time.Now()
		s.now = func() time.Time { return now }
		parcels := retained(t, s, &now)
		plan, err := s.PlanPrune(t.Context(), keepCases(1))
		if err != nil || len(plan.Removed) != 3 {
			t.Fatalf("the plan is %+v, %v", plan, err)
		}
		if err := s.Pin(t.Context(), parcels[1].c.ID, true); err != nil {
			t.Fatal(err)
		}
		if err := s.Remove(t.Context(), parcels[4].c.ID); err != nil {
			t.Fatal(err)
		}
		gone, err := s.index.removeUnpinned(t.Context(), plan.Removed)
		if err != nil || len(gone) != 1 || gone[0].ID != parcels[6].c.ID {
			t.Errorf("removed %+v, %v; want one", gone, err)
		}
	})
}

// One process at a time prunes a store, and a case that waits for a diagnosis stays.
func TestRetainTakesTurns(t *testing.T) {
	eachStore(t, func(t *testing.T, cfg Config) {
		s := openStore(t, cfg)
		for i := range 3 {
			put(t, s, newParcel(t, i, "shop"))
		}
		job, err := s.TakeJob(t.Context(), "me", time.Minute, Diagnose)
		if err == nil {
			err = s.JobDone(t.Context(), job)
		}
		if err != nil {
			t.Fatal(err)
		}
		held, err := s.HoldTargets(t.Context(), "other", []string{pruneTurn}, time.Minute, nil)
		if err != nil || !held[pruneTurn] {
			t.Fatalf("%v, %v", held, err)
		}
		if p, err := s.RetainOnce(t.Context(), "me", keepCases(1)); err != nil || p.Cases+len(p.Removed) > 0 {
			t.Errorf("in another's turn: %+v, %v; want nothing done", p, err)
		}
		if err := s.FreeTargets(t.Context(), "other"); err != nil {
			t.Fatal(err)
		}
		p, err := s.RetainOnce(t.Context(), "me", keepCases(1))
		if err != nil || p.Cases != 3 { // two wait, the third is the newest that does not
			t.Errorf("%+v, %v; want three cases left", p, err)
		}
		if held, err := s.HoldTargets(t.Context(), "other", []string{pruneTurn}, time.Minute, nil); err != nil || !held[pruneTurn] {
			t.Errorf("the turn is not free afterwards: %v, %v", held, err)
		}
	})
}

// A copy of a store has its pins.
func TestPinsAreCopied(t *testing.T) {
	s, to := openStore(t, sqliteConfig(t)), openStore(t, sqliteConfig(t))
	var parcels [2]parcel
	for i := range parcels {
		parcels[i] = newParcel(t, i, "shop")
		put(t, s, parcels[i])
	}
	for i := range parcels { // the second when the copy has the case
		if err := s.Pin(t.Context(), parcels[i].c.ID, true); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Copy(t.Context(), to, nil); err != nil {
			t.Fatal(err)
		}
		page, err := to.List(t.Context(), Filter{})
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]bool{}
		for _, c := range page.Cases {
			got[c.ID] = c.Pinned
		}
		if want := map[string]bool{parcels[0].c.ID: true, parcels[1].c.ID: i == 1}; fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("the copy has the pins %v, want %v", got, want)
		}
	}
	if err := s.Pin(t.Context(), "20261121T132512Z-gc-cpu-000000", true); !errors.Is(err, ErrNotFound) {
		t.Errorf("pinning a case that is not there: %v", err)
	}
	if err := s.Pin(t.Context(), "\x00", true); !errors.Is(err, ErrNotFound) {
		t.Errorf("pinning no ID: %v", err)
	}
}
