package reporter

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// collectorOf is a collector without retries that sends to the server at url.
func collectorOf(t *testing.T, url, spool string, change func(*CollectorConfig)) Reporter {
	t.Helper()
	cfg := CollectorConfig{URL: url + "/base", Token: secretToken, Spool: spool, Timeout: 5 * time.Minute,
		Retry: Retry{First: time.Millisecond, Max: 2 * time.Millisecond}}
	if change != nil {
		change(&cfg)
	}
	r, err := Collector(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// files are the names in a spool, without the lock, and with checksums cut off.
func files(t *testing.T, spool string) []string {
	t.Helper()
	entries, err := os.ReadDir(spool)
	if err != nil {
		t.Fatal(err)
	}
	names := []string{}
	for _, e := range entries {
		if it, ok := parseItem(e.Name()); ok {
			names = append(names, strings.Replace(e.Name(), "."+it.sum, "", 1))
		} else if e.Name() != spoolLock {
			names = append(names, e.Name())
		}
	}
	return names
}

func wantFiles(t *testing.T, spool string, want ...string) {
	t.Helper()
	if got := files(t, spool); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("the spool holds %q, want %q", got, want)
	}
}

func TestCollector(t *testing.T) {
	s := newStore(t, nil)
	dir, spool := t.TempDir(), filepath.Join(t.TempDir(), "a", "spool")
	reports := []Report{mustCommit(t, dir, 1, 10), mustCommit(t, dir, 2, 3<<20), mustCommit(t, dir, 3, 10)}
	q := mustQueue(t, QueueOptions{}, collectorOf(t, s.URL, spool, nil))
	stop := running(q)
	for _, r := range reports {
		q.Put(r)
	}
	eventually(t, "all sent", func() bool { return q.Status()[0].Sent == 3 })
	if err := stop(); err != nil {
		t.Error(err)
	}
	s.wantTaken(t, reports...)
	wantCounts(t, q.Status()[0], counts{sent: 3})
	wantFiles(t, spool)
	if info, err := os.Stat(spool); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("mode of the spool %s, %v; want 0700", info.Mode(), err)
	}
}

func TestCollectorAnswers(t *testing.T) {
	status := func(first int, codes ...int) func(http.ResponseWriter, *http.Request, int) bool {
		return func(w http.ResponseWriter, _ *http.Request, n int) bool {
			if n < first || n >= first+len(codes) {
				return false
			}
			w.WriteHeader(codes[n-first])
			return true
		}
	}
	for _, tt := range []struct {
		name   string
		answer func(http.ResponseWriter, *http.Request, int) bool
		want   counts
		say    string
		left   string // after the case's ID
		taken  int
	}{
		{"200", status(1, 200), counts{sent: 1}, "", "", 0},
		{"204", status(1, 204), counts{sent: 1}, "", "", 0},
		{"409, it is there", status(1, 409), counts{sent: 1}, "", "", 0},
		{"500, 503, 408, 425, 429, 202", status(1, 500, 503, 408, 425, 429, 202), counts{sent: 1, retried: 6},
			"answered 202", "", 1},
		{"Retry-After", func(w http.ResponseWriter, _ *http.Request, n int) bool {
			w.Header().Set("Retry-After", "600")
			return status(1, 503)(w, nil, n)
		}, counts{sent: 1, retried: 1}, "answered 503", "", 1},
		{"400", status(1, 400), counts{failed: 1}, "was refused and stays in the spool: http://127.0.0.1",
			".refused-400.zip", 0},
		{"401", status(1, 401), counts{failed: 1}, "check the token", ".refused-401.zip", 0},
		{"413 before the body", func(w http.ResponseWriter, r *http.Request, _ int) bool {
			w.Header().Set("Connection", "close")
			w.WriteHeader(413)
			return true
		}, counts{failed: 1}, "no report of this size", ".refused-413.zip", 0},
		{"302", func(w http.ResponseWriter, r *http.Request, _ int) bool {
			http.Redirect(w, r, "http://elsewhere.example/secret", http.StatusFound)
			return true
		}, counts{failed: 1}, "this redirect is not followed: set the URL to the new address " +
			"(http://elsewhere.example)", ".refused-302.zip", 0},
		{"307 on the same server", func(w http.ResponseWriter, r *http.Request, n int) bool {
			if n == 1 {
				http.Redirect(w, r, r.URL.Path, http.StatusTemporaryRedirect)
			}
			return n == 1
		}, counts{sent: 1}, "", "", 1},
		{"the connection cut in the body", func(_ http.ResponseWriter, r *http.Request, n int) bool {
			if n == 1 {
				_, _ = io.CopyN(io.Discard, r.Body, 1<<20)
				panic(http.ErrAbortHandler)
			}
			return false
		}, counts{sent: 1, retried: 1}, "cannot reach http://127.0.0.1", "", 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newStore(t, tt.answer)
			spool := t.TempDir()
			r := mustCommit(t, t.TempDir(), 1, 4<<20)
			q := mustQueue(t, QueueOptions{}, collectorOf(t, s.URL, spool, nil))
			stop := running(q)
			q.Put(r)
			eventually(t, "sent or refused", func() bool { s := q.Status()[0]; return s.Sent+s.Failed > 0 })
			if err := stop(); err != nil {
				t.Error(err)
			}
			got := q.Status()[0]
			wantCounts(t, got, tt.want)
			if !strings.Contains(got.LastError, tt.say) {
				t.Errorf("last error %q, want %q in it", got.LastError, tt.say)
			}
			wantNoSecret(t, got.LastError)
			if tt.left == "" {
				wantFiles(t, spool)
			} else {
				wantFiles(t, spool, r.Case.ID+tt.left)
			}
			if len(s.taken) != tt.taken || len(s.faults) > 0 {
				t.Errorf("%d cases arrived, want %d; faults %q", len(s.taken), tt.taken, s.faults)
			}
		})
	}
}

// Reports reach the disk even when the server is down, and the next process sends them.
func TestCollectorDown(t *testing.T) {
	dir, spool := t.TempDir(), t.TempDir()
	var reports []Report
	down := collectorOf(t, "http://127.0.0.1:1", spool, nil)
	q := mustQueue(t, QueueOptions{Size: 2}, down)
	stop := running(q)
	for i := range 5 {
		reports = append(reports, mustCommit(t, dir, i, 10))
		q.Put(reports[i])
		eventually(t, "kept", func() bool { return len(files(t, spool)) == i+1 })
	}
	eventually(t, "tried", func() bool { return q.Status()[0].Retried > 3 })
	if err := stop(); err != nil {
		t.Error(err)
	}
	if s := q.Status()[0]; s.Pending != 5 || s.Sent+s.Failed+s.Dropped != 0 ||
		!strings.Contains(s.LastError, "connection refused") {
		t.Errorf("status %+v, want five pending", s)
	}
	s := newStore(t, nil)
	q = mustQueue(t, QueueOptions{}, collectorOf(t, s.URL, spool, nil))
	stop = running(q)
	eventually(t, "all sent", func() bool { return q.Status()[0].Sent == 5 })
	if err := stop(); err != nil {
		t.Error(err)
	}
	s.wantTaken(t, reports...)
	wantFiles(t, spool)
}

// One case that breaks the server does not block the others.
func TestCollectorPoison(t *testing.T) {
	dir, spool := t.TempDir(), t.TempDir()
	poison, good := mustCommit(t, dir, 1, 10), mustCommit(t, dir, 2, 10)
	s := newStore(t, func(w http.ResponseWriter, r *http.Request, _ int) bool {
		bad := strings.HasSuffix(r.URL.Path, poison.Case.ID)
		if bad {
			w.WriteHeader(500)
		}
		return bad
	})
	q := mustQueue(t, QueueOptions{}, collectorOf(t, s.URL, spool, nil))
	q.Put(poison)
	q.Put(good)
	stop := running(q)
	eventually(t, "the good one sent", func() bool { return q.Status()[0].Sent == 1 })
	if err := stop(); err != nil {
		t.Error(err)
	}
	s.wantTaken(t, good)
	wantFiles(t, spool, poison.Case.ID+".zip")
}

// What was refused because of the token is sent by the next process, which has a better token. What was refused for its
// content is not.
func TestCollectorSecondChance(t *testing.T) {
	spool, r := t.TempDir(), mustCommit(t, t.TempDir(), 1, 10)
	bad := mustCommit(t, t.TempDir(), 2, 10)
	s := newStore(t, func(w http.ResponseWriter, req *http.Request, n int) bool {
		if n > 2 {
			return false
		}
		code := map[bool]int{true: 401, false: 422}[strings.HasSuffix(req.URL.Path, r.Case.ID)]
		w.WriteHeader(code)
		return true
	})
	q := mustQueue(t, QueueOptions{}, collectorOf(t, s.URL, spool, nil))
	q.Put(r)
	q.Put(bad)
	if err := running(q)(); err != nil {
		t.Error(err)
	}
	wantCounts(t, q.Status()[0], counts{failed: 2})
	q = mustQueue(t, QueueOptions{}, collectorOf(t, s.URL, spool, nil))
	if err := running(q)(); err != nil {
		t.Error(err)
	}
	wantCounts(t, q.Status()[0], counts{sent: 1})
	s.wantTaken(t, r)
	wantFiles(t, spool, bad.Case.ID+".refused-422.zip")
}

// Send without a Queue keeps the case, tries once and reports that.
func TestCollectorSendAlone(t *testing.T) {
	spool, r := t.TempDir(), mustCommit(t, t.TempDir(), 1, 10)
	s := newStore(t, func(w http.ResponseWriter, _ *http.Request, n int) bool {
		if n == 1 {
			w.WriteHeader(503)
		}
		return n == 1
	})
	c := collectorOf(t, s.URL, spool, nil)
	if err := c.Send(t.Context(), r); err == nil || !strings.Contains(err.Error(), "kept and not yet delivered") {
		t.Errorf("Send said %v", err)
	}
	wantFiles(t, spool, r.Case.ID+".zip")
	if err := c.Send(t.Context(), r); err != nil {
		t.Error(err)
	}
	s.wantTaken(t, r)
	wantFiles(t, spool)
}

// Two queues on one spool, as two processes have: everything arrives, nothing twice.
func TestCollectorSharedSpool(t *testing.T) {
	dir, spool := t.TempDir(), t.TempDir()
	s := newStore(t, nil)
	var reports []Report
	var stops []func() error
	var queues []*Queue
	for range 2 {
		q := mustQueue(t, QueueOptions{}, collectorOf(t, s.URL, spool, nil))
		queues = append(queues, q)
		stops = append(stops, running(q))
	}
	for i := range 12 {
		reports = append(reports, mustCommit(t, dir, i, 100_000))
		queues[i%2].Put(reports[i])
	}
	eventually(t, "all sent", func() bool { return queues[0].Status()[0].Sent+queues[1].Status()[0].Sent == 12 })
	for _, stop := range stops {
		if err := stop(); err != nil {
			t.Error(err)
		}
	}
	s.wantTaken(t, reports...)
	if s.requests != 12 {
		t.Errorf("%d requests for 12 cases: some were sent twice", s.requests)
	}
	wantFiles(t, spool)
}

func TestSecrets(t *testing.T) {
	u, err := url.Parse("https://bob:pa%2Fss@hooks.example/api/v1/a%20secret%20path/Xyz123?key=k1&token=t%2B123")
	if err != nil {
		t.Fatal(err)
	}
	s := secretsOf(u, http.Header{"Authorization": {"Bearer h-token"}, "X-Env": {"eu"}})
	for _, text := range []string{
		"see a secret path", "see a%20secret%20path", "XYZ123", "key=k1&token=t%2B123", "t+123", "user bob", "pa/ss",
		"bob:pa%2Fss", "h-token", "/api/v1/a%20secret%20path/Xyz123",
	} {
		if got := s.clean("text " + text + " text"); got != withheld {
			t.Errorf("clean(%q) = %q, want it withheld", text, got)
		}
	}
	for _, text := range []string{"api v1 is down", "channel_not_found", "no such EU zone: k1"} {
		if got := s.clean(text); got != text {
			t.Errorf("clean(%q) = %q, want it as it is", text, got)
		}
	}
}

func TestWithoutSecrets(t *testing.T) {
	for in, want := range map[string]string{
		"": "", "http://127.0.0.1:6060": "http://127.0.0.1:6060",
		"http://u:p@h/debug/pprof?x=1#f": "http://h/debug/pprof", "http://h/?": "http://h/", "::": "",
	} {
		if got := withoutSecrets(in); got != want {
			t.Errorf("withoutSecrets(%q) = %q, want %q", in, got, want)
		}
	}
}

// An environment's proxy that cannot be used is reported without its password.
func TestReasonHidesProxies(t *testing.T) {
	for _, text := range []string{`invalid proxy address "http://u:secret@proxy": parse`,
		`invalid proxy address "u:secret@proxy"`, "bad http://u:secret@h"} {
		if got := reason(&url.Error{Op: "Post", URL: "https://secret",
			Err: &url.Error{Err: errorText(text)}}); strings.Contains(got, "secret") {
			t.Errorf("reason(%q) = %q", text, got)
		}
	}
	if got := reason(&url.Error{Op: "Post", URL: "https://secret",
		Err: errorText("connection refused")}); got != "connection refused" {
		t.Errorf("reason = %q", got)
	}
}

type errorText string

func (e errorText) Error() string { return string(e) }

func newLog(t *testing.T, most int64) *logFile {
	return &logFile{path: filepath.Join(t.TempDir(), "cases.jsonl"), most: most, old: 2}
}

func mustSend(t *testing.T, l *logFile, n int) {
	t.Helper()
	if err := l.send(t.Context(), named(n)); err != nil {
		t.Fatal(err)
	}
}

// lines reads a file of messages. Every line must be one message.
func lines(t *testing.T, path string) []Message {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var all []Message
	for line := range bytes.Lines(data) {
		var m Message
		if err := json.Unmarshal(line, &m); err != nil || m.ID == "" || line[len(line)-1] != '\n' {
			t.Errorf("line %q of %s: %v", line, path, err)
		}
		all = append(all, m)
	}
	return all
}

// A full file is rotated, and the oldest is deleted: the disk holds a bounded number.
func TestFileRotates(t *testing.T) {
	size := int64(len(encoded(t)) + 1)
	l := newLog(t, 2*size)
	for i := range 7 {
		mustSend(t, l, i)
	}
	for name, want := range map[string]int{"": 1, ".1": 2, ".2": 2} {
		if got := lines(t, l.path+name); len(got) != want {
			t.Errorf("file %q has %d lines, want %d", name, len(got), want)
		}
	}
	if all, _ := filepath.Glob(l.path + "*"); len(all) != 3 {
		t.Errorf("files %v, want three", all)
	}
	if first := lines(t, l.path+".2")[0].ID; first[:16] != "20261121T132514Z" {
		t.Errorf("the oldest line is of %s, want that of the third case", first)
	}
}

func encoded(t *testing.T) []byte {
	t.Helper()
	data, err := NewMessage(named(0)).encode()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// Many writers of one file, each like another process: no line is lost or torn.
func TestFileOfManyWriters(t *testing.T) {
	l := newLog(t, 40*int64(len(encoded(t))))
	l.old = 10
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			own := *l
			for i := range 25 {
				if err := own.send(t.Context(), named(i)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	files, _ := filepath.Glob(l.path + "*")
	n := 0
	for _, f := range files {
		n += len(lines(t, f))
	}
	if n != 200 || len(files) < 3 {
		t.Errorf("%d lines in %d files, want 200 in several", n, len(files))
	}
}

// A line that a crash cut off does not spoil the next line.
func TestFileAfterATornLine(t *testing.T) {
	l := newLog(t, 1<<20)
	if err := os.WriteFile(l.path, []byte(`{"schema":1,"id":"to`), 0o600); err != nil {
		t.Fatal(err)
	}
	mustSend(t, l, 1)
	data, err := os.ReadFile(l.path)
	if err != nil {
		t.Fatal(err)
	}
	_, second, _ := strings.Cut(string(data), "\n")
	if !json.Valid([]byte(second)) {
		t.Errorf("the second line is %q", second)
	}
}

func TestFileRefused(t *testing.T) {
	dir := t.TempDir()
	for name, path := range map[string]string{"a folder": dir, "no folder": filepath.Join(dir, "no", "x"),
		"a device": os.DevNull} {
		if err := File(path).Send(t.Context(), named(1)); err == nil || isFinal(err) != (name != "no folder") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A lock that somebody keeps for long is waited for no longer than the context allows.
func TestFileLocked(t *testing.T) {
	l := newLog(t, 1<<20)
	f, err := l.open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if !haveLocks(t) {
		t.Skip("no locks here")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := l.send(ctx, named(1)); !errors.Is(err, context.Canceled) ||
		!strings.Contains(err.Error(), "another process holds the lock") {
		t.Errorf("send said %v", err)
	}
}
