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

// attacks is how often an attack is made: a few times in a test, as often as the variable says for a figure.
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

// A depot is a collector that can be down. It knows which cases it took, and how often.
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

// A service that reports its cases is killed, half of the time on the line of a case, else at any moment. Its next
// start must leave no case that is unfinished, undiagnosed or untold, and nothing else in the folder.
func TestKilledWatchTellsOfEveryCase(t *testing.T) {
	n := attacks(t, 8)
	d := newDepot(t)
	var faults, seen, acknowledged int
	for i := range n {
		dir := t.TempDir()
		d.down.Store(true) // so that what counts is what is kept
		said := killOnALine(t, rand.New(rand.NewPCG(uint64(i), 1)), dir, d.URL)
		d.down.Store(false)
		makeOld(t, dir)
		nextStart(t, dir, d.URL)
		list, err := casefile.List(dir)
		if err != nil {
			t.Fatal(err)
		}
		seen, acknowledged = seen+len(list), acknowledged+len(said)
		bad := faultsOf(dir, list, said, d)
		for _, fault := range bad {
			t.Errorf("kill %d: %s", i, fault)
		}
		faults += min(len(bad), 1)
		if err := os.RemoveAll(dir); err != nil { // hundreds of them would fill the disk
			t.Fatal(err)
		}
	}
	t.Logf("%d kills, %d cases, %d of them acknowledged: %d kills with a fault", n, seen, acknowledged, faults)
	if seen == 0 || acknowledged == 0 {
		t.Error("no kill left a case: the moments were no test")
	}
}

// killOnALine lets a child take cases, kills it after one of its lines, at once or a moment later, and returns the IDs
// of the cases that it told of.
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
	_ = cmd.Wait() // killed: its lines ended, and that is what was wanted
	return said
}

// makeOld lets an hour go by: what is a minute old may be some living writer's.
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

// nextStart watches the folder until what waited in the spool is sent.
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
			if samples > 2 && len(waiting) == 0 {
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

// faultsOf says what is wrong with the cases of a folder, after a start in order.
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
	_ = filepath.WalkDir(dir, func(at string, _ os.DirEntry, err error) error { // what cannot be walked is found above
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
