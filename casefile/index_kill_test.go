package casefile

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

// writeIndexes is the child of TestIndexKill: it writes the index of dir in an endless loop.
func writeIndexes(dir string) error {
	for {
		places, err := scan(dir)
		if err != nil {
			return err
		}
		x := openIndex(dir, later())
		for _, p := range places {
			if _, err := x.summary(p); err != nil {
				return err
			}
		}
		x.dead += indexWorth // as if that many cases had been removed
		x.save()
		fmt.Println("written")
	}
}

// TestIndexKill kills writers of the index with SIGKILL at random moments. They leave a whole index, the old one or the
// new one, and it agrees with the folder.
func TestIndexKill(t *testing.T) {
	moments := 40
	if testing.Short() {
		moments = 5
	}
	dir := t.TempDir()
	parts := func() int {
		found, err := filepath.Glob(filepath.Join(dir, partPrefix+"*"))
		if err != nil {
			t.Fatal(err)
		}
		return len(found)
	}
	for i := range 4 * indexWorth {
		plainCase(t, dir, i)
	}
	i := 0
	for ; i < moments || parts() == 0 && i < 20*moments; i++ { // one in ten comes while the file is written
		killedIndexer(t, dir, i)
		if fits := indexed(t, dir); fits != 4*indexWorth {
			t.Errorf("moment %d: %d entries of the index fit, want all %d", i, fits, 4*indexWorth)
		}
		plainCase(t, dir, 10_000+i) // and the killed one did not note everything
		wantTruth(t, dir, fmt.Sprint("moment ", i))
		if err := Dir(dir).Remove(newestID(t, dir)); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("attack: %d of %d kills came while the index was written; it was whole after each", parts(), i)
	if errs := clearLeftovers(dir, later()); errs != nil || parts() > 0 {
		t.Errorf("%d leftovers stay: %v", parts(), errs)
	}
}

func newestID(t *testing.T, dir string) string {
	t.Helper()
	list, err := scan(dir)
	if err != nil {
		t.Fatal(err)
	}
	return list[0].ID
}

func killedIndexer(t *testing.T, dir string, seed int) {
	t.Helper()
	random := rand.New(rand.NewPCG(uint64(seed), 2))
	cmd := child(t, "index", dir)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for range 1 + random.IntN(3) {
		if !lines.Scan() {
			t.Error("the child ended on its own")
		}
	}
	time.AfterFunc(time.Duration(random.IntN(30_000))*time.Microsecond, func() { _ = cmd.Process.Kill() })
	for lines.Scan() { // until it is killed
	}
	_ = cmd.Wait() // killed, as the test wants
}

// Many processes that list and change one folder at the same time do not disturb each other, and leave an index that
// agrees with the folder.
func TestIndexAtTheSameTime(t *testing.T) {
	dir := t.TempDir()
	for i := range 4 * indexWorth {
		plainCase(t, dir, i)
	}
	var all sync.WaitGroup
	for worker := range 4 {
		all.Go(func() {
			for i := range 10 {
				if _, err := walkSummaries(dir, later(), func(Summary) bool { return true }); err != nil {
					t.Error(err)
				}
				if worker == 0 {
					plainCase(t, dir, 1000+i)
				}
				if worker == 1 {
					_ = os.Remove(filepath.Join(dir, indexName))
				}
			}
		})
	}
	all.Wait()
	wantTruth(t, dir, "afterwards")
	wantTruth(t, dir, "and again")
}
