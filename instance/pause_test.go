package instance

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
)

// A parkedCapture is what testdata/parked prints.
type parkedCapture struct {
	Kind        string
	Pause, Cost time.Duration
	Bytes       int
	Err         string
}

// captureParked runs testdata/parked and returns what it captured, by kind.
func captureParked(t *testing.T, goroutines string) map[string]parkedCapture {
	t.Helper()
	bin := filepath.Join(t.TempDir(), "parked")
	build := exec.Command("go", "build", "-o", bin, "./testdata/parked")
	build.Env = append(os.Environ(), "GOWORK=off") // in a module cache go.work names modules that are not there
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("building testdata/parked: %v\n%s", err, out)
	}
	out, err := exec.Command(bin, "-n", goroutines).Output()
	if err != nil {
		t.Fatal(err)
	}
	captures := make(map[string]parkedCapture)
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var c parkedCapture
		if err := dec.Decode(&c); errors.Is(err, io.EOF) {
			return captures
		} else if err != nil {
			t.Fatal(err)
		}
		captures[c.Kind] = c
		t.Logf("%s goroutines, %s: world stopped for at most %s, %s of work, %d bytes %s", goroutines, c.Kind, c.Pause,
			c.Cost, c.Bytes, c.Err)
	}
}

// With 100,000 goroutines the profile is taken, the length of its stop of the world is known, and what would stop the
// world for long is refused.
func TestManyGoroutines(t *testing.T) {
	if testing.Short() {
		t.Skip("parks 100,000 goroutines")
	}
	got := captureParked(t, "100000")
	if c := got[casefile.Goroutine]; c.Err != "" || c.Pause <= 0 || c.Bytes == 0 {
		t.Errorf("the goroutine profile is %+v; want it taken, with the stop of the world that it caused", c)
	}
	if c := got[casefile.GoroutineDump]; !strings.Contains(c.Err, "there are 100001 goroutines") || c.Bytes != 0 {
		t.Errorf("the goroutine dump is %+v; want it refused, with the reason", c)
	}
	if c := got["census"]; !strings.Contains(c.Err, "no census is taken") {
		t.Errorf("the census is %+v; want it refused, with the reason", c)
	}
}

// With the largest number of goroutines that are still dumped, 20 frames deep: the dump is there, and its cost is
// known.
func TestDumpedGoroutines(t *testing.T) {
	if c := captureParked(t, "990")[casefile.GoroutineDump]; c.Err != "" || c.Pause <= 0 || c.Bytes < 990*20 {
		t.Errorf("the goroutine dump is %+v; want it taken, with the stop of the world that it caused", c)
	}
}

// The meter sees a stop of the world, and sees none afterwards.
func TestPauseMeter(t *testing.T) {
	m := newPauseMeter(false)
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	if d := m.longest(); d <= 0 {
		t.Errorf("runtime.ReadMemStats stops the world; the meter says %s", d)
	}
	if m := newPauseMeter(true); len(m.seen) != 2 {
		t.Errorf("%d histograms with the collector's, want 2", len(m.seen))
	}
	gc := newPauseMeter(true)
	runtime.GC()
	if d := gc.longest(); d <= 0 {
		t.Errorf("a garbage collection stops the world; the meter says %s", d)
	}
	unknown := newPauseMeter(false)
	unknown.samples[0].Name = "/unknown:seconds"
	runtime.ReadMemStats(&stats)
	if d := unknown.longest(); d != 0 {
		t.Errorf("without its metric the meter says %s, want 0", d)
	}
}
