package blackbox

import (
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/vitals"
)

func TestRoundTrip(t *testing.T) {
	queue := vitals.Signal{Name: "queue_length", Unit: vitals.Count, Text: "jobs that wait"}
	catalog, err := vitals.NewCatalog(queue)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ samples, added int }{{5, 0}, {5, 1}, {5, 5}, {5, 6}, {5, 23}, {1, 3}} {
		dir := t.TempDir()
		r := mustCreate(t, Config{Dir: dir, Target: phones(), Catalog: catalog, Samples: c.samples, Interval: 7})
		for i := range c.added {
			s := sample(i)
			s.Set(vitals.ID(vitals.NumSignals), float64(-i))
			mustAdd(t, r, s)
		}
		abandon(t, r)
		got := mustFind(t, dir)
		if want := min(c.samples, c.added); len(got.Samples) != want {
			t.Fatalf("%d of %d samples came back, want %d", len(got.Samples), c.added, want)
		}
		for i := range got.Samples {
			n := c.added - len(got.Samples) + i
			want := sample(n)
			want.Set(vitals.ID(vitals.NumSignals), float64(-n))
			wantSample(t, &got.Samples[i], &want)
		}
		if s := got.Catalog.Extra(); len(s) != 1 || s[0] != queue {
			t.Errorf("the extra signals are %v", s)
		}
		if !reflect.DeepEqual(got.Target, phones()) || got.Interval != 7 || got.PID != os.Getpid() ||
			!got.Started.Equal(r.header.Started) || got.Rebooted {
			t.Errorf("the record is %+v", got)
		}
	}
}

func wantSample(t *testing.T, got, want *vitals.Sample) {
	t.Helper()
	if !got.Time.Equal(want.Time) {
		t.Errorf("a sample of %s came back as of %s", want.Time, got.Time)
	}
	for id := range got.Values {
		if g, w := got.Values[id], want.Values[id]; g != w && !(math.IsNaN(g) && math.IsNaN(w)) {
			t.Errorf("at %s signal %d came back as %g, want %g", want.Time, id, g, w)
		}
	}
}

func TestCleanEndLeavesNothing(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "not", "there", "yet")
	r := mustCreate(t, Config{Dir: dir, Target: phones()})
	info, err := os.Stat(r.Path())
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode().Perm() != 0o600 || !strings.HasPrefix(info.Name(), ".blackbox-phones-") ||
		info.Size() != r.header.size() {
		t.Errorf("the ring is %s %s, %d bytes", info.Name(), info.Mode(), info.Size())
	}
	s := sample(0)
	for range 2 {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
		if err := errors.Join(r.Add(&s)); !errors.Is(err, fs.ErrClosed) {
			t.Errorf("Add after Close: %v", err)
		}
		if err := r.SetTarget(phones()); !errors.Is(err, fs.ErrClosed) {
			t.Errorf("SetTarget after Close: %v", err)
		}
	}
	wantFiles(t, dir, 0)
	wantFound(t, dir, 0)
}

func TestSetTarget(t *testing.T) {
	dir := t.TempDir()
	r := mustCreate(t, Config{Dir: dir, Target: phones()})
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

func TestCreateErrors(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		cfg  Config
		want string
	}{
		{"no folder", Config{}, "field Dir is empty"},
		{"too many", Config{Dir: t.TempDir(), Samples: 1 << 30}, "field Samples is"},
		{"negative", Config{Dir: t.TempDir(), Samples: -1}, "field Samples is -1"},
		{"negative interval", Config{Dir: t.TempDir(), Interval: -1}, "field Interval is"},
		{"a file", Config{Dir: file}, "not a directory"},
		{"too long", Config{Dir: t.TempDir(), Target: casefile.Target{URL: strings.Repeat("x", slotSize)}},
			"more than"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := Create(c.cfg)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("Create = %v, %v; want %q in the error", r, err, c.want)
			}
			if c.cfg.Dir != "" && c.cfg.Dir != file {
				wantFiles(t, c.cfg.Dir, 0)
			}
		})
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
	abandon(t, mustCreate(t, Config{Dir: dir, Catalog: catalog}))
	if got := mustFind(t, dir).Catalog.Extra(); len(got) != len(extra) || got[31].Name != extra[31].Name {
		t.Errorf("%d extra signals came back, want %d", len(got), len(extra))
	}
}

// TestConcurrentAdds lets many goroutines add, rename and close at once, for -race.
func TestConcurrentAdds(t *testing.T) {
	r := mustCreate(t, Config{Samples: 10})
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for n := range 200 {
				s := sample(n)
				if err := r.Add(&s); err != nil && !errors.Is(err, fs.ErrClosed) {
					t.Error(err)
				}
				if i == 0 && n == 150 {
					_ = r.Close()
				}
			}
		})
	}
	wg.Wait()
}

func TestAddAllocatesNothing(t *testing.T) {
	r, s := mustCreate(t, Config{}), sample(1)
	if n := testing.AllocsPerRun(1000, func() { mustAdd(t, r, s) }); n != 0 {
		t.Errorf("Add allocates %g times", n)
	}
}

func BenchmarkAdd(b *testing.B) {
	r, s := mustCreate(b, Config{}), sample(1)
	b.ReportAllocs()
	for b.Loop() {
		if err := r.Add(&s); err != nil {
			b.Fatal(err)
		}
	}
}
