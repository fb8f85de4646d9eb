package cli_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/reporter"
)

// tripRules trip at once and cost little.
const tripRules = `{"schema":1,"rules":[{"name":"any","warmup":"-1s","cooldown":"10m","capture":["heap"],
  "when":{"signal":"goroutines","above":0}}]}`

// A delivery is a request that a server received.
type delivery struct {
	method, path, token, key string
	body                     []byte
}

// receiver is a server that keeps what is sent to it, and answers with a status.
func receiver(t *testing.T, status *atomic.Int64) (url string, got chan delivery) {
	t.Helper()
	got = make(chan delivery, 100)
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return // the sender was killed
		}
		select {
		case got <- delivery{r.Method, r.URL.Path, r.Header.Get("Authorization"), r.Header.Get("Idempotency-Key"),
			body}:
		default: // more than any test looks at
		}
		w.WriteHeader(int(status.Load()))
	}))
	t.Cleanup(srv.Close)
	return srv.URL, got
}

func accepting() *atomic.Int64 {
	var status atomic.Int64
	status.Store(http.StatusCreated)
	return &status
}

// Every reporter gets every case.
func TestWatchReports(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	script := filepath.Join(dir, "notify.sh")
	if err := os.WriteFile(script,
		[]byte("#!/bin/sh\necho \"$1|$2|$CASEBOOK_RULE|$CASEBOOK_LABEL_ZONE\" > \"$1\"\ncp \"$2/case.json\" "+
			"\"$1.json\"\n"),
		0o700); err != nil {
		t.Fatal(err)
	}
	hook, hooked := receiver(t, accepting())
	slack, slacked := receiver(t, accepting())
	b := begin(t, dir, "watch", "--profile", "1s", "--rules", write(t, "r.json", tripRules), "--service", "shop",
		"--label", "zone=eu-1",
		"--exec", script+" told", "--webhook", hook+"/hook", "--slack", slack+"/services/secret", "--report-file",
		"cases.jsonl", start(t))
	onWeb, onSlack := <-hooked, <-slacked
	// A busy machine may need longer than a watch waits at its end.
	for _, name := range []string{"told.json", "cases.jsonl"} {
		for info, err := os.Stat(filepath.Join(dir, name)); err != nil ||
			info.Size() == 0; info, err = os.Stat(filepath.Join(dir, name)) {
			time.Sleep(20 * time.Millisecond)
		}
	}
	r := b.stop(t)
	r.want(t, 0, "rule any tripped", "reporter exec: 1 sent", "reporter webhook: 1 sent", "reporter slack: 1 sent",
		"reporter file: 1 sent")
	if strings.Contains(r.out+r.errors, "secret") {
		t.Errorf("the webhook's path is shown:\n%s", r.errors)
	}
	c := onlyCase(t, filepath.Join(dir, "casebook-cases"))

	told, err := os.ReadFile(filepath.Join(dir, "told"))
	if want := "told|" + c.Path + "|any|eu-1\n"; err != nil || string(told) != want {
		t.Errorf("the command got %q, %v; want %q", told, err, want)
	}
	if _, err := os.Stat(filepath.Join(dir, "told.json")); err != nil {
		t.Errorf("the case was not there for the command: %v", err)
	}
	for name, data := range map[string][]byte{"the webhook": onWeb.body,
		"the file": read(t, filepath.Join(dir, "cases.jsonl"))} {
		var m reporter.Message
		if err := json.Unmarshal(data, &m); err != nil || m.ID != c.Case.ID || m.Service != "shop" ||
			m.Labels["zone"] != "eu-1" || m.Rule != "any" {
			t.Errorf("%s got %s, %v", name, data, err)
		}
	}
	var text struct{ Text string }
	if err := json.Unmarshal(onSlack.body, &text); err != nil || !strings.Contains(text.Text, "shop") ||
		!strings.Contains(text.Text, "any") {
		t.Errorf("Slack got %q, %v", text.Text, err)
	}
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// A case that the collector could not accept waits on disk for the next watch, even if this one is killed.
func TestCollectorSpoolOutlivesKill(t *testing.T) {
	t.Parallel()
	dir, url, status := t.TempDir(), start(t), accepting()
	status.Store(http.StatusServiceUnavailable)
	collector, got := receiver(t, status)
	token := write(t, "token", "s3cret\n")
	args := []string{"watch", "--profile", "1s", "--rules", write(t, "r.json", tripRules), "--collector", collector,
		"--collector-token-file", token, url}
	b := begin(t, dir, args...)
	b.await(t, "Report  ")
	refused := <-got // it was tried, and is on disk by now
	b.signal(t, os.Kill)
	<-b.ended
	c := onlyCase(t, filepath.Join(dir, "casebook-cases"))

	status.Store(http.StatusCreated)
	b = begin(t, dir, args...)
	d := <-got
	for bytes.Equal(d.body, nil) || d.path != refused.path {
		d = <-got
	}
	if d.method != http.MethodPut || d.path != "/api/v1/cases/"+c.Case.ID || d.token != "Bearer s3cret" ||
		d.key != refused.key {
		t.Errorf("the collector got %s %s with token %q and key %s, want the case %s with key %s", d.method, d.path,
			d.token, d.key, c.Case.ID, refused.key)
	}
	f, err := casefile.Dir(t.TempDir()).Import(bytes.NewReader(d.body), int64(len(d.body)))
	if err != nil || f.Case.ID != c.Case.ID || len(f.Case.Evidence) != len(c.Case.Evidence) {
		t.Errorf("what the collector got is no such case: %v", err)
	}
	r := b.stop(t)
	r.want(t, 0, "reporter collector: 1 sent")
	if strings.Contains(r.out, "s3cret") {
		t.Errorf("the token is shown:\n%s", r.out)
	}
}

// A reporter that fails is reported at the end, and does no harm.
func TestReporterThatFails(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	script := filepath.Join(dir, "broken.sh")
	if err := os.WriteFile(script, []byte("#!/bin/sh\necho no way >&2\nexit 3\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	r := casebook(t, dir, "watch", "--once", "--profile", "1s", "--rules", write(t, "r.json", tripRules), "--exec",
		script, start(t))
	r.want(t, 0, "Report  ", "reporter exec: 0 sent", "no way")
	narrow(t, r.errors[strings.Index(r.errors, "watched  "):])
}

// When a webhook is down while the watch is killed, the next watch sends the report. The webhook's URL is in no flag.
func TestWebhookOutlivesKill(t *testing.T) {
	t.Parallel()
	dir, url, status := t.TempDir(), start(t), accepting()
	status.Store(http.StatusServiceUnavailable)
	hook, got := receiver(t, status)
	rules := write(t, "r.json", tripRules)
	args := []string{"watch", "--profile", "1s", "--rules", rules, "--slack",
		"file:" + write(t, "hook", hook+"/services/secret\n"), url}
	b := begin(t, dir, args...)
	b.await(t, "Report  ")
	<-got
	b.signal(t, os.Kill)
	<-b.ended
	c := onlyCase(t, filepath.Join(dir, "casebook-cases"))

	status.Store(http.StatusOK)
	b = begin(t, dir, args...)
	d := <-got
	for d.key != c.Case.ID {
		d = <-got
	}
	b.await(t, "watching victim")
	r := b.stop(t)
	r.want(t, 0, "reporter slack: 1 sent")
	if strings.Contains(r.out+r.errors, "secret") {
		t.Errorf("the webhook's path is shown:\n%s", r.errors)
	}
}

// A URL may come from the environment or a file. Errors about it do not contain the URL.
func TestReportURLsFromElsewhere(t *testing.T) {
	t.Setenv("CASEBOOK_TEST_HOOK", "https://hooks.example.com/s3cret path")
	t.Setenv("CASEBOOK_TEST_EMPTY", " ")
	for _, c := range []struct{ value, want string }{
		{"env:CASEBOOK_TEST_EMPTY", "the variable CASEBOOK_TEST_EMPTY is not set or is empty"},
		{"env:", "is not set or is empty"},
		{"file:" + write(t, "hook", "\n"), "is empty; it must hold the URL"},
		{"file:/nonexistent", "no such file"},
		{"file:" + write(t, "hook", "http://s3cret.example.com/x"), "not encrypted"},
		{"file:" + write(t, "hook", "s3cret"), "that is not a URL"},
	} {
		r := inProcess(t, "watch", "--dir", t.TempDir(), "--webhook", c.value, "127.0.0.1:1")
		r.want(t, 2, c.want)
		if strings.Contains(r.errors, "/x") {
			t.Errorf("%s: the path is shown: %s", c.value, r.errors)
		}
	}
}
