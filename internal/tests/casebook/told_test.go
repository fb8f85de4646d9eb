package casebook_test

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gocasebook/casebook"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/reporter"
)

// attacks is how often an attack is made: a few times in a test, as often as the variable says when a figure is
// measured.
func attacks(t *testing.T, few int) int {
	t.Helper()
	if n, err := strconv.Atoi(os.Getenv("CASEBOOK_ATTACKS")); err == nil {
		return n
	}
	if testing.Short() {
		return min(few, 4)
	}
	return few
}

func collectorOf(url, dir string) (reporter.Reporter, error) {
	return reporter.Collector(reporter.CollectorConfig{
		URL: url, Spool: filepath.Join(dir, ".spool"),
		Retry: reporter.Retry{First: time.Millisecond, Max: 10 * time.Millisecond},
	})
}

// A depot is a collector that can be down. It records which cases it received, and how often.
type depot struct {
	*httptest.Server
	down atomic.Bool

	mu    sync.Mutex // guards taken
	taken map[string]int
}

func newDepot(t *testing.T) *depot {
	t.Helper()
	d := &depot{taken: make(map[string]int)}
	d.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if d.down.Load() {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		if _, err := io.Copy(io.Discard, r.Body); err != nil {
			return
		}
		d.mu.Lock()
		defer d.mu.Unlock()
		d.taken[path.Base(r.URL.Path)]++
	}))
	t.Cleanup(d.Close)
	return d
}

func (d *depot) has(id string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.taken[id] > 0
}

// A service that reports its cases is killed: half the time right after it prints a case's line, otherwise at any
// moment. Its next start must leave no case that is unfinished, undiagnosed or unreported, and nothing else in the
// folder. A kill takes seconds and mostly waits, so a few are tried at a time.
func TestKilledWatchTellsOfEveryCase(t *testing.T) {
	t.Parallel()
	n := attacks(t, 8)
	const lanes = 8
	var all killings
	t.Run("lanes", func(t *testing.T) {
		for lane := range lanes {
			t.Run(strconv.Itoa(lane), func(t *testing.T) {
				t.Parallel()
				d := newDepot(t)
				for i := lane; i < n; i += lanes {
					all.add(killOnce(t, d, i))
				}
			})
		}
	})
	t.Logf("%d kills, %d cases, %d of them acknowledged: %d kills with a fault", all.kills, all.cases, all.acknowledged,
		all.faulty)
	if all.cases == 0 || all.acknowledged == 0 {
		t.Error("no kill left a case: the moments were no test")
	}
}

// killings are what kills left.
type killings struct {
	mu                                 sync.Mutex // guards the rest
	kills, cases, acknowledged, faulty int
}

func (k *killings) add(cases, acknowledged, faults int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.kills++
	k.cases += cases
	k.acknowledged += acknowledged
	k.faulty += min(faults, 1)
}

// killOnce kills a service, starts it again, and counts what it left.
func killOnce(t *testing.T, d *depot, i int) (cases, acknowledged, faults int) {
	t.Helper()
	dir := t.TempDir()
	d.down.Store(true) // so that only what is stored counts
	said := killOnALine(t, rand.New(rand.NewPCG(uint64(i), 1)), dir, d.URL)
	d.down.Store(false)
	makeOld(t, dir)
	nextStart(t, dir, d.URL)
	list, err := casefile.Dir(dir).List()
	if err != nil {
		t.Fatal(err)
	}
	bad := faultsOf(dir, list, said, d)
	for _, fault := range bad {
		t.Errorf("kill %d: %s", i, fault)
	}
	if err := os.RemoveAll(dir); err != nil { // hundreds of them would fill the disk
		t.Fatal(err)
	}
	return len(list), len(said), len(bad)
}

// killOnALine lets a child take cases, kills it after one of its lines, at once or a moment later, and returns the IDs
// of the cases that it printed.
func killOnALine(t *testing.T, random *rand.Rand, dir, url string) (said []string) {
	t.Helper()
	cmd, lines := startChild(t, modeQuick, dir, childURL+"="+url)
	last := random.IntN(3)
	later := time.Duration(random.IntN(2)*random.IntN(100_000)) * time.Microsecond
	for lines.Scan() {
		said = append(said, lines.Text())
		if len(said) == last+1 {
			time.AfterFunc(later, func() { _ = cmd.Process.Kill() })
		}
	}
	_ = cmd.Wait() // killed: its output ended, as the test wants
	return said
}

// makeOld sets the times back by an hour: a file that is a minute old may belong to a writer that is alive.
func makeOld(t *testing.T, dir string) {
	t.Helper()
	before := time.Now().Add(-time.Hour)
	err := filepath.WalkDir(dir, func(at string, d os.DirEntry, err error) error {
		if err == nil && strings.HasPrefix(d.Name(), ".") {
			err = os.Chtimes(at, before, before)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// nextStart watches the folder until nothing is left to be told of, and everything that waited in the spool is sent.
func nextStart(t *testing.T, dir, url string) {
	t.Helper()
	r, err := collectorOf(url, dir)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	samples := 0
	w, err := casebook.New(casebook.Config{
		Dir: dir, Service: "child", Target: &rogue{}, Rules: when("goroutines", 1e9), Interval: 100 * time.Millisecond,
		Reporters: []reporter.Reporter{r},
		OnEvent: func(e casebook.Event) {
			waiting, _ := filepath.Glob(filepath.Join(dir, ".spool", "*.zip"))
			if e.Kind == casebook.Sampled {
				samples++
			}
			untold, _ := filepath.Glob(filepath.Join(dir, "*", ".todo"))
			if samples > 2 && len(waiting)+len(untold) == 0 {
				cancel()
			}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Run(ctx); err != nil {
		t.Fatal(err)
	}
}

// faultsOf says what is wrong with the cases of a folder after a normal start.
func faultsOf(dir string, list []casefile.Entry, said []string, d *depot) (faults []string) {
	there := make(map[string]bool)
	for _, e := range list {
		there[e.ID] = true
		switch {
		case e.Err != nil:
			faults = append(faults, fmt.Sprintf("case %s is unreadable: %v", e.ID, e.Err))
		case e.Unfinished:
			faults = append(faults, "case "+e.ID+" is unfinished")
		case len(e.Case.Findings)+len(e.Case.Undecided) == 0:
			faults = append(faults, "case "+e.ID+" is undiagnosed")
		case !d.has(e.ID):
			faults = append(faults, "case "+e.ID+" was never told")
		}
	}
	for _, id := range said {
		if !there[id] {
			faults = append(faults, "case "+id+" was acknowledged and is lost")
		}
	}
	// a folder that cannot be walked is reported above
	_ = filepath.WalkDir(dir, func(at string, _ os.DirEntry, err error) error {
		name := filepath.Base(at)
		for _, left := range []string{".tmp-", ".part-", ".scratch-", ".reserve", ".todo"} {
			if strings.HasPrefix(name, left) && !strings.Contains(at, ".spool") {
				faults = append(faults, "left over: "+at)
			}
		}
		return nil
	})
	return faults
}
