package blackbox_test

import (
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/blackbox"
	"github.com/gocasebook/casebook/vitals"
)

func TestOwners(t *testing.T) {
	dir := t.TempDir()
	living := mustCreate(t, blackbox.Config{Dir: dir})
	dead := mustCreate(t, blackbox.Config{Dir: dir})
	wantFound(t, dir, 0) // two in one process do not block each other
	abandon(t, dead)

	var claims atomic.Int32
	var claimed *blackbox.Record
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			records, err := blackbox.Find(dir)
			if err != nil {
				t.Error(err)
			}
			if len(records) > 0 {
				claims.Add(int32(len(records)))
				claimed = records[0]
			}
		})
	}
	wg.Wait()
	if claims.Load() != 1 || claimed.Path != dead.Path() {
		t.Fatalf("%d starts claimed the ring, want one", claims.Load())
	}
	claimed.Release()
	claimed.Release()
	if err := claimed.Remove(); err != nil {
		t.Errorf("Remove after Release: %v", err)
	}
	r := mustFind(t, dir) // released, it is reported again
	for range 2 {
		if err := r.Remove(); err != nil {
			t.Error(err)
		}
	}
	wantFound(t, dir, 0)
	mustAdd(t, living, sample(1))
	wantFiles(t, dir, 1)
}

// A crash loop that never reports leaves many rings. Each Find takes some of them, newest first.
func TestManyRings(t *testing.T) {
	dir := t.TempDir()
	for i := range maxRings + 3 {
		r := mustCreate(t, blackbox.Config{Dir: dir, Samples: 1})
		mustAdd(t, r, sample(i))
		abandon(t, r)
		when := start.Add(time.Duration(i) * time.Minute)
		if err := os.Chtimes(r.Path(), when, when); err != nil {
			t.Fatal(err)
		}
	}
	records, err := blackbox.Find(dir)
	if err != nil || len(records) != maxRings {
		t.Fatalf("Find = %d records, %v; want %d", len(records), err, maxRings)
	}
	if v, _ := records[0].Samples[0].Get(vitals.Goroutines); v != maxRings+2 {
		t.Errorf("the first record is ring %g, want the newest", v)
	}
	for _, r := range records {
		if err := r.Remove(); err != nil {
			t.Error(err)
		}
	}
	wantFound(t, dir, 3)
}

func TestSetTarget(t *testing.T) {
	dir := t.TempDir()
	r := mustCreate(t, blackbox.Config{Dir: dir, Target: phones()})
	for pid := range 5 {
		mustAdd(t, r, sample(pid))
		if err := r.SetTarget(casefile.Target{Name: "phones", PID: pid}); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.SetTarget(casefile.Target{Name: strings.Repeat("x", slotSize)}); err == nil ||
		!strings.Contains(err.Error(), "shorten the target's name") {
		t.Errorf("SetTarget of a name that is too long: %v", err)
	}
	mustAdd(t, r, sample(5))
	abandon(t, r)
	if got := mustFind(t, dir); got.Target.PID != 4 || len(got.Samples) != 6 {
		t.Errorf("the record has pid %d and %d samples, want 4 and 6", got.Target.PID, len(got.Samples))
	}
}

// The header has space for the largest number of extra signals, with the longest names and texts.
func TestFullCatalog(t *testing.T) {
	var extra []vitals.Signal
	for i := range vitals.MaxExtra {
		name := strings.Repeat(string(rune('a'+i%26)), 58) + string(rune('0'+i/26)) + "x"
		extra = append(extra, vitals.Signal{Name: name, Unit: vitals.BytesPerSecond, Text: strings.Repeat("<é", 5000)})
	}
	catalog, err := vitals.NewCatalog(extra...)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	abandon(t, mustCreate(t, blackbox.Config{Dir: dir, Catalog: catalog}))
	if got := mustFind(t, dir).Catalog.Extra(); len(got) != len(extra) || got[31].Name != extra[31].Name {
		t.Errorf("%d extra signals came back, want %d", len(got), len(extra))
	}
}
