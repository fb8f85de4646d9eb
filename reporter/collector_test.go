package reporter

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
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
