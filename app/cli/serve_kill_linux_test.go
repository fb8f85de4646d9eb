package cli_test

import (
	"maps"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// kills is how often a test kills a server. docs/evidence/serve.md has the figures of a hundred.
func kills(t *testing.T) int {
	text := os.Getenv("CASEBOOK_KILLS")
	if text == "" {
		return 4
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatalf("CASEBOOK_KILLS: %v", err)
	}
	return n
}

// awhile waits until uploads had its first acknowledgement, and then for a moment of which nobody knows how long it is.
func (l *uploads) awhile() {
	select {
	case <-l.ack:
	case <-time.After(patience):
	}
	time.Sleep(time.Duration(rand.IntN(400)) * time.Millisecond)
}

// A server is killed under load, again and again. Each case that it had acknowledged is there whole when it is back, and
// of the others none is there in part.
func TestKilledServer(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := serve(t, "--store", dir)
	all := map[string]string{}
	for range kills(t) {
		l := startUploads(t, s.url)
		l.awhile()
		s.kill()
		sums := l.wait()
		s = serve(t, "--store", dir)
		s.wantWhole(t, sums)
		maps.Copy(all, sums)
	}
	s.wantWhole(t, all)
	s.kill()
	if left, err := os.ReadDir(filepath.Join(dir, "scratch")); err != nil || len(left) > 0 {
		t.Errorf("kills have left %v in the scratch folder, %v", left, err)
	}
	casebook(t, t.TempDir(), "store", "check", "--store", dir).want(t, 0)
	t.Logf("attack: %d kills of a server with SQLite, %d acknowledged cases, all there and whole", kills(t), len(all))
}

// Of two servers that share PostgreSQL and a bucket one is killed. The other goes on, and has all that either of them
// acknowledged.
func TestKilledServerOfTwo(t *testing.T) {
	t.Parallel()
	_, _, flags := teamStore(t)
	servers := [2]*serving{serve(t, flags...), serve(t, flags...)}
	all := map[string]string{}
	for range kills(t) {
		loads := [2]*uploads{startUploads(t, servers[0].url), startUploads(t, servers[1].url)}
		dies := rand.IntN(2)
		loads[dies].awhile()
		servers[dies].kill()
		loads[1-dies].awhile()
		sums := loads[dies].wait()
		maps.Copy(sums, loads[1-dies].wait())
		servers[1-dies].wantWhole(t, sums)
		servers[dies] = serve(t, flags...)
		servers[dies].wantWhole(t, sums)
		maps.Copy(all, sums)
	}
	servers[0].wantWhole(t, all)
	casebook(t, t.TempDir(), append([]string{"store", "check"}, flags...)...).want(t, 0)
	t.Logf("attack: %d kills of one of two servers with PostgreSQL and S3, %d acknowledged cases, all there and whole",
		kills(t), len(all))
}

// Two servers that share a store have the same target. One watches it, the other knows of it and takes what is asked for
// to the first; when the first is killed, the other watches.
func TestKilledWatcherOfTwo(t *testing.T) {
	t.Parallel()
	_, _, flags := teamStore(t)
	target := start(t)
	var servers [2]*serving
	for i := range servers {
		servers[i] = serve(t, append([]string{"--target", target, "--watch-dir", t.TempDir()}, flags...)...)
	}
	state := func(i int) (id, state string) {
		var got struct{ Targets []struct{ ID, State string } }
		get(t, servers[i].url+"/api/v1/targets", &got)
		if len(got.Targets) == 0 {
			return "", ""
		}
		return got.Targets[0].ID, got.Targets[0].State
	}
	until := func(what string, test func() bool) {
		t.Helper()
		for late := time.Now().Add(patience); !test(); time.Sleep(100 * time.Millisecond) {
			if time.Now().After(late) {
				_, a := state(0)
				_, b := state(1)
				t.Fatalf("waited in vain for %s; at one server the target is %q, at the other %q", what, a, b)
			}
		}
	}
	watcher := -1
	until("one that watches and one that does not", func() bool {
		_, a := state(0)
		_, b := state(1)
		if a == "watched" && b == "elsewhere" {
			watcher = 0
		} else if a == "elsewhere" && b == "watched" {
			watcher = 1
		}
		return watcher >= 0
	})
	id, _ := state(1 - watcher)
	resp, err := http.Post(servers[1-watcher].url+"/api/v1/targets/"+id+"/captures", "application/json",
		strings.NewReader(`{"reason": "asked elsewhere"}`))
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	if resp.StatusCode != http.StatusAccepted {
		t.Fatalf("a capture that is asked for at the other server: %s", resp.Status)
	}
	until("its case", func() bool {
		var got struct{ Captures []struct{ State string } }
		get(t, servers[1-watcher].url+"/api/v1/captures", &got)
		return len(got.Captures) == 1 && got.Captures[0].State == "done"
	})
	killed := time.Now()
	servers[watcher].kill()
	watcher = 1 - watcher
	until("the other to watch", func() bool { _, s := state(watcher); return s == "watched" })
	t.Logf("%s after kill -9 of its watcher the other server watches the target", time.Since(killed).Round(time.Second/10))
}
