package cli_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/race"
	"github.com/gocasebook/casebook/internal/victimtest"
)

const (
	hostiles    = 10        // targets besides the healthy one
	memoryLimit = 128 << 20 // bytes for the watch of them all
)

// anyRule opens a case of any process that has goroutines, again and again.
const anyRule = `{"schema": 1, "rules": [{"name": "any", "warmup": "-1s", "cooldown": "3s", "per_hour": 1000,
  "when": {"signal": "goroutines", "above": 0}}]}`

// TestBehavioursInLittleMemory: a watch of ten hostile targets and a healthy one, in a cgroup of 128 MiB, takes the
// healthy one's case as if that target were alone, and continues. make attack tries every behaviour; otherwise it is
// ten of those that send the most.
func TestBehavioursInLittleMemory(t *testing.T) {
	needsMemory(t)
	t.Parallel()
	var all []behaviour
	for _, b := range behaviours() {
		if attacks() || strings.Contains(b.name, "without end") || strings.HasPrefix(b.name, "sends") ||
			strings.HasPrefix(b.name, "packs") {
			all = append(all, b)
		}
	}
	if !attacks() {
		all = all[len(all)-hostiles:]
	}
	witness, asked := newWitness(t)
	tried, ended, worst, slowest := len(all), 0, int64(0), time.Duration(0)
	for len(all) > 0 {
		n := min(len(all), hostiles)
		r := watchHostiles(t, bin, witness, all[:n])
		all = all[n:]
		ended += r.ended
		worst, slowest = max(worst, r.peak), max(slowest, r.took)
	}
	t.Logf("attack: %d behaviours × watch in 128 MiB: %d ended it, %d requests to another host, at most %d MiB, the "+
		"neighbour's case after %s at most",
		tried, ended, asked.Load(), worst>>20, slowest.Round(100*time.Millisecond))
	if asked.Load() != 0 {
		t.Errorf("another host was asked %d times", asked.Load())
	}
}

// needsMemory skips a test that counts bytes under the race detector, which needs ten times the memory.
func needsMemory(t *testing.T) {
	t.Helper()
	if race.Enabled {
		t.Skip("the race detector needs ten times the memory: make test runs this without it")
	}
}

type survived struct {
	ended int
	peak  int64 // bytes of resident memory
	took  time.Duration
}

// watchHostiles watches some hostile targets and a healthy one. All are well until each has been seen.
func watchHostiles(t *testing.T, command, witness string, some []behaviour) (s survived) {
	t.Helper()
	dir := t.TempDir()
	healthy, _ := victimtest.Start(t, victim)
	var config strings.Builder
	fmt.Fprintf(&config, "targets:\n  - http://%s\n", healthy)
	names := make([]string, len(some))
	targets := make([]*hostile, len(some))
	for i, b := range some {
		targets[i] = newHostile(t, b, witness, true)
		names[i] = b.name
		fmt.Fprintf(&config, "  - %s\n", targets[i].url)
	}
	b := beginIn(t, command, dir, "watch", "--json", "--profile", "1s", "--budget",
		"cpu=-1,bytes=-1,pause=-1,longest=-1", "--interval", "500ms",
		"--rules", write(t, "rules.json", anyRule), "--config", write(t, "watch.yaml", config.String()))
	cases := func(n int) *regexp.Regexp { // of the healthy one
		return regexp.MustCompile(`(?s)` + strings.Repeat(`"event":"case"[^\n]*"url":"http://`+
			regexp.QuoteMeta(healthy)+`[^\n]*\n.*`, n))
	}
	b.awaitMatch(t, cases(1))
	for _, h := range targets { // what never answered would rightly end the watch with an error
		b.awaitMatch(t, regexp.MustCompile(`"event":"started"[^\n]*"url":"http://`+regexp.QuoteMeta(strings.TrimPrefix(h.url, "http://"))))
	}
	for _, h := range targets {
		h.well.Store(false) // from now on the index page, too
	}
	b.awaitMatch(t, cases(3))
	s.peak = peakOf(t, b.cmd.Process.Pid)
	r := b.stop(t)
	if r.code != 0 {
		s.ended = 1
		t.Errorf("exit code %d of a watch of targets that: %s; it said:\n%s", r.code, strings.Join(names, ", "),
			last(r.out, 3000))
	}
	if s.peak > memoryLimit {
		t.Errorf("the watch took %d MiB; the targets: %s", s.peak>>20, strings.Join(names, ", "))
	}
	s.took = slowestCase(t, filepath.Join(dir, "casebook-cases"), healthy)
	if s.took > time.Minute { // what a hostile target is waited for
		t.Errorf("the healthy target's case took %s beside targets that: %s", s.took, strings.Join(names, ", "))
	}
	t.Logf("%d MiB, the neighbour's case after %s: %s", s.peak>>20, s.took.Round(100*time.Millisecond),
		strings.Join(names, ", "))
	return s
}

func last(text string, n int) string { return text[max(len(text)-n, 0):] }

// beginIn starts a command in a cgroup of memoryLimit; where none can be made, with the runtime's limit set as the
// command would set it.
func beginIn(t *testing.T, command, dir string, args ...string) *beside {
	t.Helper()
	cmd := exec.Command(command, args...)
	if group := makeMemoryGroup(t, memoryLimit); group != "" {
		cmd = exec.Command("sh", append([]string{"-c", `echo $$ >"$0"/cgroup.procs && exec "$@"`, group, command},
			args...)...)
	} else {
		t.Log("no cgroup can be made here: GOMEMLIMIT takes its place, and the peak of the resident memory is " +
			"looked at")
		cmd.Env = append(os.Environ(), fmt.Sprintf("GOMEMLIMIT=%d", memoryLimit-memoryLimit/4))
	}
	return beginCommand(t, dir, cmd)
}

// makeMemoryGroup makes a cgroup with the limit; "" where that may not be.
func makeMemoryGroup(t *testing.T, limit int) string {
	t.Helper()
	for _, c := range [...]struct{ parent, file string }{
		{"/sys/fs/cgroup", "memory.max"},                   // v2
		{"/sys/fs/cgroup/memory", "memory.limit_in_bytes"}, // v1
	} {
		dir, err := os.MkdirTemp(c.parent, "casebook-test-")
		if err != nil {
			continue
		}
		_, err = os.Stat(filepath.Join(dir, c.file)) // a plain file system would take any name
		if err == nil && os.WriteFile(filepath.Join(dir, c.file), []byte(strconv.Itoa(limit)), 0o600) == nil {
			t.Cleanup(func() {
				if err := os.Remove(dir); err != nil {
					t.Errorf("the test's cgroup is left: %v", err)
				}
			})
			return dir
		}
		_ = os.Remove(dir) // a folder of the wrong kind of tree; empty
	}
	return ""
}

// peakOf is the most memory of its own that a process has had: resident, without the pages of its binary, which the
// kernel may take back.
func peakOf(t *testing.T, pid int) int64 {
	t.Helper()
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatalf("the watch has ended: %v", err)
	}
	field := func(name string) int64 {
		m := regexp.MustCompile(name + `:\s+(\d+) kB`).FindSubmatch(data)
		if m == nil {
			t.Fatalf("no %s in:\n%s", name, data)
		}
		kb, _ := strconv.ParseInt(string(m[1]), 10, 64) // digits
		return kb << 10
	}
	return field("VmHWM") - field("RssFile")
}

// slowestCase is the longest that a case of a target took from its trigger to its end.
func slowestCase(t *testing.T, dir, host string) (longest time.Duration) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*", "case.json"))
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var c casefile.Case
		if err := json.Unmarshal(data, &c); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		if !strings.Contains(c.Target.URL, host) {
			continue
		}
		seen++
		longest = max(longest, c.Closed.Sub(c.Opened))
		if len(c.Evidence) < 4 && c.Closed.Sub(c.Opened) > 0 && seen == 1 {
			t.Errorf("the healthy target's case has %d artefacts; missing: %v", len(c.Evidence), c.Missing)
		}
	}
	if seen == 0 {
		t.Errorf("no case of the healthy target among %d", len(files))
	}
	return longest
}
