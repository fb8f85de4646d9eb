package reporter

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/casetest"
)

// script is a reporter that returns these errors in turn, then nil, and notes when it was called.
func script(calls *[]time.Duration, answers ...error) Reporter {
	start, n := time.Now(), 0
	return Reporter{Name: "script", Send: func(context.Context, Report) error {
		*calls = append(*calls, time.Since(start))
		if n++; n <= len(answers) {
			return answers[n-1]
		}
		return nil
	}}
}

// counts are the numbers of a status.
type counts struct{ sent, failed, retried, dropped, pending int }

func wantCounts(t *testing.T, s Status, want counts) {
	t.Helper()
	if got := (counts{s.Sent, s.Failed, s.Retried, s.Dropped, s.Pending}); got != want {
		t.Errorf("reporter %s: %+v, want %+v (last error %q)", s.Name, got, want, s.LastError)
	}
}

type span struct{ least, most time.Duration }

func TestRetries(t *testing.T) {
	const s = time.Second
	wait := &Error{Err: errTest, After: 40 * s}
	for _, tt := range []struct {
		name    string
		answers []error
		retry   Retry
		want    counts
		pauses  []span
	}{
		{name: "at once", want: counts{sent: 1}},
		{name: "at the second try", answers: []error{errTest}, want: counts{sent: 1, retried: 1},
			pauses: []span{{2500 * time.Millisecond, 5 * s}}},
		{name: "three tries", answers: []error{errTest, errTest, errTest}, want: counts{failed: 1, retried: 2},
			pauses: []span{{2500 * time.Millisecond, 5 * s}, {5 * s, 10 * s}}},
		{name: "final", answers: []error{final(errTest)}, want: counts{failed: 1}},
		{name: "asked to wait", answers: []error{wait}, want: counts{sent: 1, retried: 1},
			pauses: []span{{40 * s, 43 * s}}},
		{name: "asked to wait too long", answers: []error{wait}, retry: Retry{Max: 10 * s},
			want: counts{sent: 1, retried: 1}, pauses: []span{{10 * s, 10 * s}}},
		{name: "bounded", answers: []error{errTest, errTest, errTest, errTest},
			retry: Retry{Tries: 5, First: s, Max: 3 * s}, want: counts{sent: 1, retried: 4},
			pauses: []span{{s / 2, s}, {s, 2 * s}, {s * 3 / 2, 3 * s}, {s * 3 / 2, 3 * s}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var calls []time.Duration
				r := script(&calls, tt.answers...)
				r.Retry = tt.retry
				q := mustQueue(t, QueueOptions{}, r)
				stop := running(q)
				q.Put(named(1))
				time.Sleep(time.Hour) // of the bubble
				if err := stop(); err != nil {
					t.Error(err)
				}
				status := q.Status()[0]
				wantCounts(t, status, tt.want)
				if failed := len(tt.answers) > 0; failed != strings.HasSuffix(status.LastError, errTest.Error()) {
					t.Errorf("last error %q", status.LastError)
				}
				wantPauses(t, calls, tt.pauses)
			})
		})
	}
}

func wantPauses(t *testing.T, calls []time.Duration, want []span) {
	t.Helper()
	if len(calls) != len(want)+1 {
		t.Fatalf("called at %v, want %d calls", calls, len(want)+1)
	}
	for i, w := range want {
		if pause := calls[i+1] - calls[i]; pause < w.least || pause > w.most {
			t.Errorf("pause %d was %s, want %s to %s", i+1, pause, w.least, w.most)
		}
	}
}

// A Send that ignores its context is left behind and reported. The next Run waits for it and continues.
func TestAbandoned(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		free, n := make(chan struct{}), 0
		q := mustQueue(t, QueueOptions{}, Reporter{Name: "deaf", Send: func(context.Context, Report) error {
			n++
			<-free
			return nil
		}})
		stop := running(q)
		q.Put(named(1))
		q.Put(named(2))
		synctest.Wait()
		began, start := time.Now(), time.Now()
		err := stop()
		if err == nil || !errors.Is(err, errAbandoned) || !strings.Contains(err.Error(), `"deaf"`) {
			t.Errorf("Run said %v, want that the reporter was left running", err)
		}
		if took := time.Since(start); took != DefaultGrace+patience {
			t.Errorf("the end took %s, want grace and patience: %s", took, DefaultGrace+patience)
		}
		if s := q.Status()[0]; !s.BusySince.Equal(began) {
			t.Errorf("busy since %s, want %s: it still is", s.BusySince, began)
		}
		wantCounts(t, q.Status()[0], counts{failed: 1, pending: 1})
		if err := running(q)(); !errors.Is(err, errAbandoned) {
			t.Errorf("a second Run beside the call that still runs said %v, want that", err)
		}
		stop = running(q)
		time.Sleep(time.Minute)
		if s := q.Status()[0]; !strings.Contains(s.LastError, "was left running") {
			t.Errorf("last error %q", s.LastError)
		}
		if n != 1 {
			t.Errorf("Send was called %d times, want 1: one call at a time", n)
		}
		close(free)
		synctest.Wait()
		if err := stop(); err != nil {
			t.Error(err)
		}
		wantCounts(t, q.Status()[0], counts{sent: 1, failed: 1})
	})
}

// A Send that continues after its timeout is reported while it does.
func TestOverdue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		free := make(chan struct{})
		q := mustQueue(t, QueueOptions{}, Reporter{Name: "deaf", Send: func(context.Context, Report) error {
			<-free
			return nil
		}})
		stop := running(q)
		q.Put(named(1))
		time.Sleep(DefaultTimeout + patience)
		synctest.Wait()
		if s := q.Status()[0]; !strings.Contains(s.LastError, "ignores its timeout of 30s") || s.BusySince.IsZero() {
			t.Errorf("status %+v", s)
		}
		close(free)
		if err := stop(); err != nil {
			t.Error(err)
		}
		wantCounts(t, q.Status()[0], counts{sent: 1})
	})
}

var aSum = strings.Repeat("0123456789abcdef", 4)

const anID = "20261121T132512Z-gc-cpu-3f2a9c"

func TestParseItem(t *testing.T) {
	for _, name := range []string{anID + "." + aSum + ".zip", anID + "." + aSum + ".refused-401.zip",
		anID + "." + aSum + ".json", anID + "." + aSum + ".refused-401.json"} {
		it, ok := parseItem(name)
		if !ok || it.id != anID || it.sum != aSum || (it.refused == 401) != strings.Contains(name, "401") ||
			it.name() != name {
			t.Errorf("parseItem(%q) = %+v, %t", name, it, ok)
		}
	}
	for _, name := range []string{
		"", ".zip", "..", spoolLock, partPrefix + "x", anID + ".zip", anID + "." + aSum, anID + "." + aSum + ".zip.zip",
		anID + "." + aSum + ".zip.json", anID + "." + aSum + ".json.zip",
		"../" + anID + "." + aSum + ".zip",
		anID + "." + strings.ToUpper(aSum) + ".zip", anID + "." + aSum[1:] + ".zip", "x." + aSum + ".zip",
		anID + "." + aSum + ".refused-.zip",
		anID + "." + aSum + ".refused-0401.zip", anID + "." + aSum + ".refused-99.zip", anID + "." + aSum + ".401.zip",
		anID + "." + aSum + ".refused-401.x.zip",
	} {
		if it, ok := parseItem(name); ok {
			t.Errorf("parseItem(%q) = %+v, want it refused", name, it)
		}
	}
}

func FuzzItemName(f *testing.F) {
	f.Add(anID + "." + aSum + ".zip")
	f.Add(anID + "." + aSum + ".refused-503.zip")
	f.Add("../../etc/passwd")
	f.Fuzz(func(t *testing.T, name string) {
		it, ok := parseItem(name)
		if !ok {
			return
		}
		if it.name() != name || !casefile.ValidID(it.id) || !filepath.IsLocal(name) || filepath.Base(name) != name {
			t.Errorf("parseItem(%q) = %+v, whose name is %q", name, it, it.name())
		}
		if again, ok := parseItem(it.refusedWith(403).name()); !ok || again != it.refusedWith(403) {
			t.Errorf("refused, %q reads %+v, %t", name, again, ok)
		}
	})
}

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
		f, err := casetest.Commit(dir, n, 50_000)
		if err != nil {
			return err
		}
		q.Put(Report{Case: f.Case, Folder: f.Path, Service: "phones"})
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
		s := casetest.NewCollector(t, secretToken, func(http.ResponseWriter, *http.Request, int) bool {
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
func wantArrived(t *testing.T, s *casetest.Collector, dir string, kept []string, down bool) {
	t.Helper()
	s.Lock()
	defer s.Unlock()
	if len(s.Faults) > 0 {
		t.Errorf("bad requests: %q", s.Faults)
	}
	arrived := map[string]int{}
	for key, n := range s.Taken {
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

func TestMessageIsBounded(t *testing.T) {
	r := hugeReport()
	m := NewMessage(r)
	data, err := m.encode()
	if err != nil {
		t.Fatal(err)
	}
	if len(data) > 128<<10 {
		t.Errorf("%d bytes of JSON, want 128 KiB at most", len(data))
	}
	if len(m.Labels) != maxLabels || len(m.Also) != maxAlso || len(m.Findings) != maxFindings {
		t.Errorf("%d labels, %d rules, %d findings", len(m.Labels), len(m.Also), len(m.Findings))
	}
	if !json.Valid(data) {
		t.Error("it is not JSON")
	}
	for _, bad := range []string{"pass", "secret", `\n`, `\u0000`} {
		if strings.Contains(string(data), bad) {
			t.Errorf("the message has %q in it", bad)
		}
	}
}

// JSON has no NaN. A case with one is reported nevertheless.
func TestMessageOfOddCases(t *testing.T) {
	odd := casetest.Sample()
	odd.Trigger.Value, odd.Findings[0].Confidence, odd.Trigger.Text = math.NaN(), math.Inf(1), "bad \xff utf8"
	for name, c := range map[string]casefile.Case{"NaN": odd, "empty": {}} {
		data, err := NewMessage(Report{Case: c}).encode()
		if err != nil || !utf8.Valid(data) {
			t.Errorf("%s: %v\n%s", name, err, data)
		}
		if !strings.Contains(string(data), `"findings":[`) {
			t.Errorf("%s: findings is no list:\n%s", name, data)
		}
	}
}

func TestWorstFinding(t *testing.T) {
	f := func(score int, causedBy ...string) casefile.Finding {
		return casefile.Finding{Score: score, CausedBy: causedBy}
	}
	for _, tt := range []struct {
		name string
		in   []casefile.Finding
		want int
	}{
		{"none", nil, -1},
		{"the highest", []casefile.Finding{f(10), f(30), f(20)}, 1},
		{"the earliest of equals", []casefile.Finding{f(30), f(30)}, 0},
		{"the cause, not its symptom", []casefile.Finding{f(90, "A"), f(50), f(80, "A")}, 1},
		{"symptoms alone", []casefile.Finding{f(50, "A"), f(60, "A")}, 1},
	} {
		if got := worstOf(tt.in); got != tt.want {
			t.Errorf("%s: %d, want %d", tt.name, got, tt.want)
		}
	}
}

func TestPlain(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"", ""},
		{"a  b\r\n\tc\x00\u2028d", "a b c d"},
		{"0123456789", "0123456789"},
		{"01234567890", "012345678…"},
		{"éééééééééé", "éééééééééé"},
		{"ééééééééééé", "ééééééééé…"},
		{"\xff", "\uFFFD"},
		{strings.Repeat("x", 1<<20), "xxxxxxxxx…"},
	} {
		if got := plain(tt.in, 10); got != tt.want {
			t.Errorf("plain(%.20q) = %q, want %q", tt.in, got, tt.want)
		}
	}
}

func TestQuote(t *testing.T) {
	for in, want := range map[string]string{
		"/var/lib/x-1": "/var/lib/x-1", "": "''", "a b": "'a b'", "it's": `'it'\''s'`, "$(rm)": "'$(rm)'",
		"a;b": "'a;b'", "~x": "'~x'",
	} {
		if got := quote(in); got != want {
			t.Errorf("quote(%q) = %s, want %s", in, got, want)
		}
	}
}
