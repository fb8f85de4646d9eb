package reporter_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/casetest"
	"github.com/gocasebook/casebook/reporter"
)

// collectorOf is a collector without retries that sends to the server at url.
func collectorOf(t *testing.T, url, spool string, change func(*reporter.CollectorConfig)) reporter.Reporter {
	t.Helper()
	cfg := reporter.CollectorConfig{URL: url + "/base", Token: secretToken, Spool: spool, Timeout: 5 * time.Minute,
		Retry: reporter.Retry{First: time.Millisecond, Max: 2 * time.Millisecond}}
	if change != nil {
		change(&cfg)
	}
	r, err := reporter.Collector(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// At the end of a Run everything that is queued is kept, and sent if the server answers.
func TestCollectorAtTheEnd(t *testing.T) {
	s := casetest.NewCollector(t, secretToken, nil)
	dir, spool := t.TempDir(), t.TempDir()
	reports := []reporter.Report{mustCommit(t, dir, 1, 10), mustCommit(t, dir, 2, 10)}
	q := mustQueue(t, reporter.QueueOptions{Grace: 5 * time.Minute}, collectorOf(t, s.URL, spool, nil))
	for _, r := range reports {
		q.Put(r)
	}
	if err := running(q)(); err != nil { // ended before it began
		t.Error(err)
	}
	wantTaken(t, s, reports...)
}

// A hanging server costs an upload its timeout. The end of the queue waits no longer than the grace period.
func TestCollectorHangs(t *testing.T) {
	s := casetest.NewCollector(t, secretToken, func(_ http.ResponseWriter, r *http.Request, n int) bool {
		if n == 1 {
			_, _ = io.Copy(io.Discard, r.Body)
			<-r.Context().Done()
		}
		return n == 1
	})
	spool, r := t.TempDir(), mustCommit(t, t.TempDir(), 1, 10)
	q := mustQueue(t, reporter.QueueOptions{}, collectorOf(t, s.URL, spool,
		func(c *reporter.CollectorConfig) { c.Timeout = time.Second }))
	stop := running(q)
	q.Put(r)
	eventually(t, "sent", func() bool { return q.Status()[0].Sent == 1 })
	if err := stop(); err != nil {
		t.Error(err)
	}
	if got := q.Status()[0]; got.Retried < 1 || !strings.Contains(got.LastError, "did not answer in time") {
		t.Errorf("status %+v", got)
	}
	wantTaken(t, s, r)
}

func TestCollectorConfigRefused(t *testing.T) {
	ok := reporter.CollectorConfig{URL: "https://collector.example", Spool: "spool"}
	for name, tt := range map[string]struct {
		change func(*reporter.CollectorConfig)
		want   string
	}{
		"no URL":      {func(c *reporter.CollectorConfig) { c.URL = "" }, "field URL"},
		"plain":       {func(c *reporter.CollectorConfig) { c.URL = "http://collector.example/secret" }, "is not encrypted"},
		"no spool":    {func(c *reporter.CollectorConfig) { c.Spool = "" }, "field Spool"},
		"small spool": {func(c *reporter.CollectorConfig) { c.MaxSpoolBytes = 1 }, "field MaxSpoolBytes"},
		"token":       {func(c *reporter.CollectorConfig) { c.Token = "secret\n" }, "field Token has a line end"},
		"retry":       {func(c *reporter.CollectorConfig) { c.Retry.Tries = -1 }, "field Retry.Tries"},
	} {
		cfg := ok
		tt.change(&cfg)
		_, err := reporter.Collector(cfg)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: Collector said %v, want %q in it", name, err, tt.want)
		} else {
			wantNoSecret(t, err.Error())
		}
	}
	if _, err := reporter.Collector(ok); err != nil {
		t.Error(err)
	}
}

func TestWebhookConfigRefused(t *testing.T) {
	for _, tt := range []struct {
		name string
		cfg  reporter.WebhookConfig
		want string
	}{
		{"no URL", reporter.WebhookConfig{}, "field URL is not a URL"},
		{"no scheme", reporter.WebhookConfig{URL: "hooks.example/secret"}, "field URL is not a URL"},
		{"another scheme", reporter.WebhookConfig{URL: "ftp://hooks.example/secret"}, "field URL is not a URL"},
		{"a password where the port is", reporter.WebhookConfig{URL: "https://user:secret"}, "field URL is not a URL"},
		{"no host", reporter.WebhookConfig{URL: "https:///secret"}, "field URL is not a URL"},
		{"a port alone", reporter.WebhookConfig{URL: "https://:443/secret"}, "field URL is not a URL"},
		{"a space", reporter.WebhookConfig{URL: "https://hooks.example /secret"}, "field URL is not a URL"},
		{"not encrypted", reporter.WebhookConfig{URL: "http://u:secret@hooks.example/secret"},
			"http://hooks.example is not encrypted"},
		{"a bad header", reporter.WebhookConfig{URL: "https://hooks.example", Header: map[string]string{"a b": "secret"}},
			"is not a header name"},
		{"two headers in one", reporter.WebhookConfig{URL: "https://hooks.example",
			Header: map[string]string{"A": "x\r\nB: secret"}}, "the value of A has control characters"},
		{"a format", reporter.WebhookConfig{URL: "https://hooks.example", Format: "xml"}, "field Format"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := reporter.Webhook(tt.cfg)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Fatalf("Webhook said %v, want %q in it", err, tt.want)
			}
			wantNoSecret(t, err.Error())
		})
	}
	for _, cfg := range []reporter.WebhookConfig{
		{URL: "https://hooks.example/x"}, {URL: "http://localhost:8080"}, {URL: "http://[::1]:8080"},
		{URL: "http://127.9.9.9"},
		{URL: "http://hooks.example", PlainHTTP: true},
	} {
		if _, err := reporter.Webhook(cfg); err != nil {
			t.Errorf("%+v: %v", cfg, err)
		}
	}
}

// lines reads a file of messages. Every line must be one message.
func lines(t *testing.T, path string) []reporter.Message {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var all []reporter.Message
	for line := range bytes.Lines(data) {
		var m reporter.Message
		if err := json.Unmarshal(line, &m); err != nil || m.ID == "" || line[len(line)-1] != '\n' {
			t.Errorf("line %q of %s: %v", line, path, err)
		}
		all = append(all, m)
	}
	return all
}

func TestFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cases.jsonl")
	r := reporter.File(path)
	for i := range 3 {
		if err := r.Send(t.Context(), named(i)); err != nil {
			t.Fatal(err)
		}
	}
	if got := lines(t, path); len(got) != 3 || got[2].ID[:16] != "20261121T132514Z" {
		t.Errorf("%d lines, the last of %s", len(got), got[len(got)-1].ID)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %s, %v; want 0600", info.Mode(), err)
	}
}

func TestSlog(t *testing.T) {
	var out bytes.Buffer
	r := reporter.Slog(slog.New(slog.NewTextHandler(&out, nil)))
	c := casetest.Sample()
	for _, tt := range []struct {
		score int
		want  []string
	}{
		{80, []string{"level=ERROR", "rule=gc-cpu", "worst.id=GC003", `worst.where="main.load (cache.go:42)"`,
			"labels.zone=b", "folder=/x", "findings=2"}},
		{60, []string{"level=WARN", "worst.score=60"}},
	} {
		out.Reset()
		c.Findings = append([]casefile.Finding(nil), c.Findings...)
		c.Findings[1].Score = tt.score
		if err := r.Send(t.Context(), reporter.Report{Case: c, Folder: "/x"}); err != nil {
			t.Fatal(err)
		}
		for _, want := range tt.want {
			if !strings.Contains(out.String(), want) {
				t.Errorf("the record %swants %s", out.String(), want)
			}
		}
	}
}

func exitGoroutine() { runtime.Goexit() }

// A logger whose handler panics must not end the process from one of our goroutines.
func TestLoggerThatPanics(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var calls []time.Duration
		q := mustQueue(t, reporter.QueueOptions{Logger: slog.New(badHandler{slog.DiscardHandler})}, script(&calls, errTest))
		stop := running(q)
		q.Put(named(1))
		time.Sleep(time.Minute)
		if err := stop(); err != nil {
			t.Error(err)
		}
		wantCounts(t, q.Status()[0], counts{sent: 1, retried: 1})
	})
}

type badHandler struct{ slog.Handler }

func (badHandler) Enabled(context.Context, slog.Level) bool { return true }

func (badHandler) Handle(context.Context, slog.Record) error { panic("handler") }

// Put, Status and Run from many goroutines at once: everything that was put is exactly one of sent, dropped or pending.
func TestConcurrentUse(t *testing.T) {
	q := mustQueue(t, reporter.QueueOptions{Size: 3}, script(new([]time.Duration)))
	stop := running(q)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for i := range 50 {
				q.Put(named(i))
				q.Status()
			}
		})
	}
	all.Wait()
	if err := stop(); err != nil {
		t.Error(err)
	}
	if s := q.Status()[0]; s.Sent+s.Dropped != 400 || s.Pending != 0 {
		t.Errorf("sent %d and dropped %d of 400, %d pending", s.Sent, s.Dropped, s.Pending)
	}
}

func TestReportNames(t *testing.T) {
	r := reporter.Report{Case: casetest.Sample()}
	if m := reporter.NewMessage(r); m.Service != "phones" || m.Labels["zone"] != "b" {
		t.Errorf("service %q, labels %v; want the target's", m.Service, m.Labels)
	}
	r.Service, r.Labels = "shop", map[string]string{"zone": "c"}
	if m := reporter.NewMessage(r); m.Service != "shop" || m.Labels["zone"] != "c" {
		t.Errorf("service %q, labels %v; want the report's", m.Service, m.Labels)
	}
}

func TestCollector(t *testing.T) {
	s := casetest.NewCollector(t, secretToken, nil)
	dir, spool := t.TempDir(), filepath.Join(t.TempDir(), "a", "spool")
	reports := []reporter.Report{mustCommit(t, dir, 1, 10), mustCommit(t, dir, 2, 3<<20), mustCommit(t, dir, 3, 10)}
	q := mustQueue(t, reporter.QueueOptions{}, collectorOf(t, s.URL, spool, nil))
	stop := running(q)
	for _, r := range reports {
		q.Put(r)
	}
	eventually(t, "all sent", func() bool { return q.Status()[0].Sent == 3 })
	if err := stop(); err != nil {
		t.Error(err)
	}
	wantTaken(t, s, reports...)
	wantCounts(t, q.Status()[0], counts{sent: 3})
	casetest.WantSpooled(t, spool)
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
			s := casetest.NewCollector(t, secretToken, tt.answer)
			spool := t.TempDir()
			r := mustCommit(t, t.TempDir(), 1, 4<<20)
			q := mustQueue(t, reporter.QueueOptions{}, collectorOf(t, s.URL, spool, nil))
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
				casetest.WantSpooled(t, spool)
			} else {
				casetest.WantSpooled(t, spool, r.Case.ID+tt.left)
			}
			if len(s.Taken) != tt.taken || len(s.Faults) > 0 {
				t.Errorf("%d cases arrived, want %d; faults %q", len(s.Taken), tt.taken, s.Faults)
			}
		})
	}
}

// Reports reach the disk even when the server is down, and the next process sends them.
func TestCollectorDown(t *testing.T) {
	dir, spool := t.TempDir(), t.TempDir()
	var reports []reporter.Report
	down := collectorOf(t, "http://127.0.0.1:1", spool, nil)
	q := mustQueue(t, reporter.QueueOptions{Size: 2}, down)
	stop := running(q)
	for i := range 5 {
		reports = append(reports, mustCommit(t, dir, i, 10))
		q.Put(reports[i])
		eventually(t, "kept", func() bool { return len(casetest.Spooled(t, spool)) == i+1 })
	}
	eventually(t, "tried", func() bool { return q.Status()[0].Retried > 3 })
	if err := stop(); err != nil {
		t.Error(err)
	}
	if s := q.Status()[0]; s.Pending != 5 || s.Sent+s.Failed+s.Dropped != 0 ||
		!strings.Contains(s.LastError, "connection refused") {
		t.Errorf("status %+v, want five pending", s)
	}
	s := casetest.NewCollector(t, secretToken, nil)
	q = mustQueue(t, reporter.QueueOptions{}, collectorOf(t, s.URL, spool, nil))
	stop = running(q)
	eventually(t, "all sent", func() bool { return q.Status()[0].Sent == 5 })
	if err := stop(); err != nil {
		t.Error(err)
	}
	wantTaken(t, s, reports...)
	casetest.WantSpooled(t, spool)
}

// One case that breaks the server does not block the others.
func TestCollectorPoison(t *testing.T) {
	dir, spool := t.TempDir(), t.TempDir()
	poison, good := mustCommit(t, dir, 1, 10), mustCommit(t, dir, 2, 10)
	s := casetest.NewCollector(t, secretToken, func(w http.ResponseWriter, r *http.Request, _ int) bool {
		bad := strings.HasSuffix(r.URL.Path, poison.Case.ID)
		if bad {
			w.WriteHeader(500)
		}
		return bad
	})
	q := mustQueue(t, reporter.QueueOptions{}, collectorOf(t, s.URL, spool, nil))
	q.Put(poison)
	q.Put(good)
	stop := running(q)
	eventually(t, "the good one sent", func() bool { return q.Status()[0].Sent == 1 })
	if err := stop(); err != nil {
		t.Error(err)
	}
	wantTaken(t, s, good)
	casetest.WantSpooled(t, spool, poison.Case.ID+".zip")
}

// What was refused because of the token is sent by the next process, which has a better token. What was refused for its
// content is not.
func TestCollectorSecondChance(t *testing.T) {
	spool, r := t.TempDir(), mustCommit(t, t.TempDir(), 1, 10)
	bad := mustCommit(t, t.TempDir(), 2, 10)
	s := casetest.NewCollector(t, secretToken, func(w http.ResponseWriter, req *http.Request, n int) bool {
		if n > 2 {
			return false
		}
		code := map[bool]int{true: 401, false: 422}[strings.HasSuffix(req.URL.Path, r.Case.ID)]
		w.WriteHeader(code)
		return true
	})
	q := mustQueue(t, reporter.QueueOptions{}, collectorOf(t, s.URL, spool, nil))
	q.Put(r)
	q.Put(bad)
	if err := running(q)(); err != nil {
		t.Error(err)
	}
	wantCounts(t, q.Status()[0], counts{failed: 2})
	q = mustQueue(t, reporter.QueueOptions{}, collectorOf(t, s.URL, spool, nil))
	if err := running(q)(); err != nil {
		t.Error(err)
	}
	wantCounts(t, q.Status()[0], counts{sent: 1})
	wantTaken(t, s, r)
	casetest.WantSpooled(t, spool, bad.Case.ID+".refused-422.zip")
}

// Send without a Queue keeps the case, tries once and reports that.
func TestCollectorSendAlone(t *testing.T) {
	spool, r := t.TempDir(), mustCommit(t, t.TempDir(), 1, 10)
	s := casetest.NewCollector(t, secretToken, func(w http.ResponseWriter, _ *http.Request, n int) bool {
		if n == 1 {
			w.WriteHeader(503)
		}
		return n == 1
	})
	c := collectorOf(t, s.URL, spool, nil)
	if err := c.Send(t.Context(), r); err == nil || !strings.Contains(err.Error(), "kept and not yet delivered") {
		t.Errorf("Send said %v", err)
	}
	casetest.WantSpooled(t, spool, r.Case.ID+".zip")
	if err := c.Send(t.Context(), r); err != nil {
		t.Error(err)
	}
	wantTaken(t, s, r)
	casetest.WantSpooled(t, spool)
}

// Two queues on one spool, as two processes have: everything arrives, nothing twice.
func TestCollectorSharedSpool(t *testing.T) {
	dir, spool := t.TempDir(), t.TempDir()
	s := casetest.NewCollector(t, secretToken, nil)
	var reports []reporter.Report
	var stops []func() error
	var queues []*reporter.Queue
	for range 2 {
		q := mustQueue(t, reporter.QueueOptions{}, collectorOf(t, s.URL, spool, nil))
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
	wantTaken(t, s, reports...)
	if s.Requests != 12 {
		t.Errorf("%d requests for 12 cases: some were sent twice", s.Requests)
	}
	casetest.WantSpooled(t, spool)
}
