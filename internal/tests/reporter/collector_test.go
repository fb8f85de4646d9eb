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
	s := newStore(t, nil)
	dir, spool := t.TempDir(), t.TempDir()
	reports := []reporter.Report{mustCommit(t, dir, 1, 10), mustCommit(t, dir, 2, 10)}
	q := mustQueue(t, reporter.QueueOptions{Grace: 5 * time.Minute}, collectorOf(t, s.URL, spool, nil))
	for _, r := range reports {
		q.Put(r)
	}
	if err := running(q)(); err != nil { // ended before it began
		t.Error(err)
	}
	s.wantTaken(t, reports...)
}

// A hanging server costs an upload its timeout. The end of the queue waits no longer than the grace period.
func TestCollectorHangs(t *testing.T) {
	s := newStore(t, func(_ http.ResponseWriter, r *http.Request, n int) bool {
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
	s.wantTaken(t, r)
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
	c := sample()
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
	r := reporter.Report{Case: sample()}
	if m := reporter.NewMessage(r); m.Service != "phones" || m.Labels["zone"] != "b" {
		t.Errorf("service %q, labels %v; want the target's", m.Service, m.Labels)
	}
	r.Service, r.Labels = "shop", map[string]string{"zone": "c"}
	if m := reporter.NewMessage(r); m.Service != "shop" || m.Labels["zone"] != "c" {
		t.Errorf("service %q, labels %v; want the report's", m.Service, m.Labels)
	}
}
