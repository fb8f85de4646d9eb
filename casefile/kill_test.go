package casefile

import (
	"bufio"
	"bytes"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/internal/race"
)

// writeCases is the child of TestKill: it writes cases into dir in an endless loop and prints each one that was
// reported as written.
func writeCases(dir string) error {
	for {
		w, err := Dir(dir).Create(newCase())
		if err != nil {
			return err
		}
		fmt.Println("created", w.ID())
		for i := range 4 {
			name := fmt.Sprintf("during/f%d", i)
			if err := w.Add(evidence(name), bytes.Repeat([]byte{byte(i)}, 1+i*50_000)); err != nil {
				return err
			}
			fmt.Println("added", w.ID(), name)
		}
		w.Missing(Block, During, "not asked for")
		f, err := w.Commit()
		if err != nil {
			return err
		}
		fmt.Println("committed", f.Case.ID)
		err = f.Update(func(c *Case) { c.Findings = append(c.Findings, Finding{ID: "GC001"}) })
		if err != nil {
			return err
		}
		fmt.Println("updated", f.Case.ID)
	}
}

// TestKill kills a writer with SIGKILL at random moments. Every case must be readable, and nothing that was reported as
// written may be lost.
func TestKill(t *testing.T) {
	moments := 200
	switch { // the writer is one goroutine
	case testing.Short():
		moments = 10
	case race.Enabled:
		moments = 50
	}
	seen := map[string]int{}
	for i := range moments {
		dir := t.TempDir()
		reported := killedWriter(t, dir, i)
		for _, line := range reported {
			checkReported(t, dir, line)
		}
		before, _ := Dir(dir).List()
		recovered, err := Dir(dir).Recover()
		if err != nil {
			t.Fatalf("moment %d: Recover: %v", i, err)
		}
		after, err := Dir(dir).List()
		if err != nil || len(after) != len(before) {
			t.Fatalf("moment %d: %d cases before Recover, %d after it: %v", i, len(before), len(after), err)
		}
		for _, e := range append(before, after...) {
			if e.Err != nil {
				t.Errorf("moment %d: unreadable case: %v", i, e.Err)
			}
		}
		for _, e := range after {
			if f := wantVerified(t, e.Path); e.Unfinished || f.Case.Closed.IsZero() {
				t.Errorf("moment %d: case %s is still unfinished", i, e.ID)
			}
		}
		seen[fmt.Sprint(len(recovered), " recovered")]++
	}
	t.Log(seen)
	if seen["1 recovered"] == 0 || seen["0 recovered"] == 0 {
		t.Errorf("all %d moments were alike: %v", moments, seen)
	}
}

// killedWriter lets a child write, kills it a random moment after a line of its output and returns the whole output.
func killedWriter(t *testing.T, dir string, seed int) []string {
	t.Helper()
	random := rand.New(rand.NewPCG(uint64(seed), 1))
	cmd := child(t, "write", dir)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := random.IntN(25)
	var report []string
	sc := bufio.NewScanner(out)
	for n := 0; sc.Scan(); n++ {
		report = append(report, sc.Text())
		if n == lines {
			time.AfterFunc(time.Duration(random.IntN(2000))*time.Microsecond, func() { _ = cmd.Process.Kill() })
		}
	}
	_ = cmd.Wait() // killed: the output ended, as the test wants
	if len(report) <= lines {
		t.Fatalf("the child ended on its own after %q", report)
	}
	return report
}

// checkReported fails unless what the child printed is true.
func checkReported(t *testing.T, dir, line string) {
	t.Helper()
	words := strings.Fields(line)
	e, err := Dir(dir).Find(words[1])
	if err != nil || e.Err != nil {
		t.Errorf("%q, but: %v %v", line, err, e.Err)
		return
	}
	f := wantVerified(t, e.Path)
	switch words[0] {
	case "added":
		listed := false
		for _, ev := range f.Case.Evidence {
			listed = listed || ev.File == words[2]
		}
		if !listed {
			t.Errorf("%q, but the case lists %v", line, f.Case.Evidence)
		}
	case "committed", "updated":
		if e.Unfinished || filepath.Base(e.Path) != words[1] {
			t.Errorf("%q, but the case is in %s", line, e.Path)
		}
		if words[0] == "updated" && len(f.Case.Findings) != 1 {
			t.Errorf("%q, but it has %d findings", line, len(f.Case.Findings))
		}
	}
}
