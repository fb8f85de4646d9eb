package ranking

import (
	"fmt"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/pprof/profile"

	"github.com/gocasebook/casebook/app/engine"
	"github.com/gocasebook/casebook/app/engine/enginetest"
	"github.com/gocasebook/casebook/app/store"
	_ "github.com/gocasebook/casebook/app/store/drivers"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/leaktest"
)

func TestMain(m *testing.M) { os.Exit(leaktest.Check(m.Run(), "app/ranking.", "app/store.")) }

func openStore(t *testing.T) *store.Store {
	t.Helper()
	dir := t.TempDir()
	s, err := store.Open(t.Context(), store.Config{Index: "sqlite:" + filepath.Join(dir, "index.db"),
		Blobs: filepath.Join(dir, "blobs"), Scratch: filepath.Join(dir, "scratch")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// push has an engine know a service with two instances for some minutes.
func push(t testing.TB, s *enginetest.Server, service, version string, p *profile.Profile) {
	t.Helper()
	for i := range 24 {
		for pod := range 2 {
			s.Add(map[string]string{"service_name": service, "pod": fmt.Sprint(pod), "service_version": version,
				"owner": "team of " + service}, "process_cpu", time.Now().Add(time.Minute-time.Duration(i)*15*time.Second), p)
		}
	}
}

func newRanker(t *testing.T, s *store.Store, sources ...Source) *Ranker {
	t.Helper()
	r, err := New(Config{Store: s, Sources: sources})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func directory(t *testing.T, address string) Source {
	t.Helper()
	d, err := engine.NewDirectory(address, engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return OfEngine(d)
}

func rankingOf(t *testing.T, s *store.Store) store.Ranking {
	t.Helper()
	list, err := s.Ranking(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// Two servers that share a store may rank two tenants of one engine. Each judges its own, also where services have the
// same name.
func TestRanksTenants(t *testing.T) {
	e, s := enginetest.NewPyroscope(t), openStore(t)
	push(t, e.Tenant("storage"), "shop", "v2", enginetest.Recorded(t, "registry-catalogue", "cpu.pb.gz"))
	push(t, e.Tenant("network"), "shop", "v1", enginetest.Recorded(t, "coredns-dnssec", "cpu.pb.gz"))
	for _, tenant := range []string{"storage", "network"} {
		n, err := newRanker(t, s, directory(t, "pyroscope://"+e.Host+"?tenant="+tenant)).Round(t.Context())
		if err != nil || n != 1 {
			t.Errorf("the server of %s judged %d services (%v), want its own", tenant, n, err)
		}
	}
	list := rankingOf(t, s)
	if list.Services != 2 || list.Failing != 0 {
		t.Fatalf("the ranking is %+v", list)
	}
	versions := make(map[string]string)
	for _, f := range list.Findings {
		if versions[f.Source] != "" && versions[f.Source] != f.Version || strings.Contains(f.Source, "storage") {
			t.Errorf("%s has findings of %s and of %s", f.Source, versions[f.Source], f.Version)
		}
		versions[f.Source] = f.Version
	}
	if len(versions) != 2 {
		t.Errorf("the sources and their versions are %v, want one for each tenant", versions)
	}
}

// Two servers that share a store judge each service of an engine once, and what a finding costs is its share of what
// all instances use.
func TestRanksEngines(t *testing.T) {
	for name, start := range map[string]func(testing.TB) *enginetest.Server{engine.Pyroscope: enginetest.NewPyroscope,
		engine.Parca: enginetest.NewParca} {
		t.Run(name, func(t *testing.T) {
			e, s := start(t), openStore(t)
			slow := enginetest.Recorded(t, "registry-catalogue", "cpu.pb.gz")
			push(t, e, "registry", "v2", slow)
			push(t, e, "idle", "v1", enginetest.Recorded(t, "nats-slow", "cpu.pb.gz"))
			one, two := newRanker(t, s, directory(t, name+"://"+e.Host)), newRanker(t, s, directory(t, name+"://"+e.Host))
			var n [2]int
			var work sync.WaitGroup
			for i, r := range []*Ranker{one, two} {
				work.Go(func() {
					var err error
					if n[i], err = r.Round(t.Context()); err != nil {
						t.Error(err)
					}
				})
			}
			work.Wait()
			if n[0]+n[1] != 2 {
				t.Errorf("%d and %d services were judged, want 2 together", n[0], n[1])
			}
			list := rankingOf(t, s)
			if list.Services != 2 || list.Failing != 0 || len(list.Findings) == 0 {
				t.Fatalf("the ranking is %+v", list)
			}
			top := list.Findings[0]
			if top.Service != "registry" || top.Owner != "team of registry" || top.Version != "v2" || top.Kind == "" {
				t.Errorf("the first is %+v", top)
			}
			if math.Abs(top.Cores-top.Share*top.ServiceCores) > 1e-9 || top.Share <= 0 || top.Share > 1 {
				t.Errorf("%v cores are not %v of %v", top.Cores, top.Share, top.ServiceCores)
			}
			var ns int64
			for _, sample := range slow.Sample {
				ns += sample.Value[1]
			}
			// of 24 × 2 profiles, those of five minutes are asked for: 20 or 21 of each instance
			if got := top.ServiceCores * 300e9 / float64(ns); got < 38 || got > 42 {
				t.Errorf("the service uses %v cores, which is %.1f profiles in five minutes; want 40 to 42",
					top.ServiceCores, got)
			}
			if again, err := one.Round(t.Context()); err != nil || again != 0 {
				t.Errorf("within the hour %d services were judged again, %v", again, err)
			}
		})
	}
}

// An engine that is away is a failure of its services, and not of the round.
func TestRanksWithoutItsEngine(t *testing.T) {
	e, s := enginetest.NewPyroscope(t), openStore(t)
	push(t, e, "registry", "v2", enginetest.Recorded(t, "registry-catalogue", "cpu.pb.gz"))
	e.Refuse = func(w http.ResponseWriter, r *http.Request) bool {
		if strings.HasSuffix(r.URL.Path, "SelectMergeProfile") {
			w.WriteHeader(http.StatusServiceUnavailable)
			return true
		}
		return false
	}
	n, err := newRanker(t, s, directory(t, "pyroscope://"+e.Host), OfCases(s)).Round(t.Context())
	if err != nil || n != 1 {
		t.Errorf("%d services, %v; want one, which failed", n, err)
	}
	if list := rankingOf(t, s); list.Services != 0 || len(list.Findings) != 0 {
		t.Errorf("the ranking is %+v", list)
	}
}

// A case's findings cost their share of the CPU that its process used.
func TestRanksCases(t *testing.T) {
	s := openStore(t)
	now := time.Now()
	c := func(ago time.Duration, version, function string, cores float64) {
		putCase(t, s, casefile.Case{Opened: now.Add(-ago), Target: casefile.Target{Name: "shop",
			Labels: map[string]string{"team": "checkout"}, Build: casefile.Build{Version: version}},
			Diagnosis: casefile.Diagnosis{Picture: &casefile.Picture{CPU: &casefile.PictureLine{Total: cores, Unit: "cores"}},
				Findings: []casefile.Finding{
					{ID: "CPU003", Kind: "cpu-json", Title: "JSON", Score: 60, Where: []casefile.Frame{{Function: function}},
						Impact: casefile.Impact{Resource: "cpu", Share: 0.5}},
					{ID: "MEM001", Kind: "mem-leak", Title: "Leak", Score: 80, Impact: casefile.Impact{Resource: "memory",
						Share: 0.9}}}}})
	}
	c(time.Hour, "v2", "main.now", 3)
	c(2*time.Hour, "v2", "main.earlier", 1)
	c(3*time.Hour, "v1", "main.old", 5)
	c(8*24*time.Hour, "v2", "main.older", 5)
	if _, err := newRanker(t, s, OfCases(s, "team")).Round(t.Context()); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range rankingOf(t, s).Findings {
		got = append(got, fmt.Sprintf("%s %s %.1f of %.0f %s %t", f.Function, f.Version, f.Cores, f.ServiceCores, f.Owner,
			f.Case != ""))
	}
	want := "main.now v2 1.5 of 3 checkout true; main.earlier v2 0.5 of 3 checkout true"
	if text := strings.Join(got, "; "); text != want {
		t.Errorf("the ranking is %q, want %q", text, want)
	}
}

func TestNewest(t *testing.T) {
	for _, c := range []struct {
		run                  string
		known, earlier, want string
	}{
		{"v1", "", "", "v1"}, {"", "v1", "", "v1"}, {"v1 v2", "v1", "", "v2"}, {"v1 v2", "v2", "v1", "v2"},
		{"v1", "v2", "v1", "v1"}, // rolled back
		{"v2 v3", "v2", "v1", "v3"},
	} {
		if got := newest(strings.Fields(c.run), c.known, c.earlier); got != c.want {
			t.Errorf("of %q with %q known after %q: %q, want %q", c.run, c.known, c.earlier, got, c.want)
		}
	}
}

func TestNewRefuses(t *testing.T) {
	s := openStore(t)
	if _, err := New(Config{Store: s, Sources: []Source{OfCases(s), OfCases(s)}, Workers: -1}); err == nil ||
		!strings.Contains(err.Error(), "twice") || !strings.Contains(err.Error(), "Workers") {
		t.Errorf("%v; want both faults", err)
	}
	if _, err := New(Config{}); err == nil || !strings.Contains(err.Error(), "Store") {
		t.Errorf("%v; want that a store is needed", err)
	}
}
