package reporter

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
)

// deliverCases is the child of TestKill: while a queue runs it puts cases into dir in an endless loop, and prints what
// was kept in the spool.
func deliverCases(url, dir, spool string) error {
	r, err := Collector(CollectorConfig{URL: url + "/base", Token: secretToken, Spool: spool,
		Retry: Retry{First: time.Millisecond, Max: 2 * time.Millisecond}})
	if err != nil {
		return err
	}
	told := *r.outbox
	keep := told.keep
	told.keep = func(ctx context.Context, rep Report) error {
		err := keep(ctx, rep)
		if err == nil {
			fmt.Println("kept", rep.Case.ID)
		}
		return err
	}
	r.outbox = &told
	q, err := NewQueue([]Reporter{r}, QueueOptions{})
	if err != nil {
		return err
	}
	_ = running(q)
	for n := 0; ; n++ {
		rep, err := commit(dir, n, 50_000)
		if err != nil {
			return err
		}
		q.Put(rep)
		time.Sleep(time.Millisecond)
	}
}

// TestKill kills a sender with SIGKILL at random moments. Everything that was kept arrives when the next one runs, and
// the server accepts each case once.
func TestKill(t *testing.T) {
	moments := 12
	if testing.Short() {
		moments = 4
	}
	left := 0
	for i := range moments {
		random := rand.New(rand.NewPCG(uint64(i), 1))
		down := i%2 == 0 // every other child never gets an answer: killed between spool and upload
		open := make(chan struct{})
		s := newStore(t, func(http.ResponseWriter, *http.Request, int) bool {
			select {
			case <-open: // a request of the next process
				return false
			default:
			}
			if down { // for the child, whose requests end unread
				<-open
				panic(http.ErrAbortHandler)
			}
			return false
		})
		dir, place := t.TempDir(), t.TempDir()
		kept := killedSender(t, random, s.URL, dir, place)
		close(open)
		left += (&spool{dir: place}).count()

		q := mustQueue(t, QueueOptions{}, collectorOf(t, s.URL, place, nil))
		stop := running(q)
		eventually(t, "the spool empty", func() bool { return (&spool{dir: place}).count() == 0 })
		if err := stop(); err != nil {
			t.Error(err)
		}
		wantArrived(t, s, dir, kept, down)
	}
	if left == 0 {
		t.Error("no kill left anything in a spool: the moments were no test")
	}
	t.Logf("%d kills left %d cases in the spools", moments, left)
}

// killedSender lets a child send, kills it a random moment after a line of its output and returns the output.
func killedSender(t *testing.T, random *rand.Rand, url, dir, spool string) (kept []string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], url, dir, spool)
	cmd.Env = append(os.Environ(), childVar+"=deliver")
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := random.IntN(8)
	sc := bufio.NewScanner(out)
	for n := 0; sc.Scan(); n++ {
		if id, ok := strings.CutPrefix(sc.Text(), "kept "); ok {
			kept = append(kept, id)
		}
		if n == lines {
			time.AfterFunc(time.Duration(random.IntN(3000))*time.Microsecond, func() { _ = cmd.Process.Kill() })
		}
	}
	_ = cmd.Wait() // killed: the output ended, as the test wants
	if len(kept) <= lines {
		t.Fatalf("the child ended on its own after %q", kept)
	}
	return kept
}

// wantArrived fails unless the server has every case that was kept. Where it answered the child (not down), one case
// may have been sent twice, when the child died while the answer was on its way. The second time the server recognised
// it by the key.
func wantArrived(t *testing.T, s *store, dir string, kept []string, down bool) {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.faults) > 0 {
		t.Errorf("bad requests: %q", s.faults)
	}
	arrived := map[string]int{}
	for key, n := range s.taken {
		arrived[key[:len(key)-65]]++
		if n > 2 || down && n > 1 {
			t.Errorf("case %s was sent %d times", key, n)
		}
	}
	for _, id := range kept {
		if arrived[id] != 1 {
			t.Errorf("case %s was kept and is there under %d keys, want 1", id, arrived[id])
		}
	}
	for id := range arrived {
		if _, err := casefile.Open(filepath.Join(dir, id)); err != nil {
			t.Errorf("case %s arrived, but: %v", id, err)
		}
	}
}
