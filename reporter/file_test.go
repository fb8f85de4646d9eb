package reporter

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/gocasebook/casebook/casefile"
)

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

func TestFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cases.jsonl")
	r := File(path)
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

func TestSlog(t *testing.T) {
	var out bytes.Buffer
	r := Slog(slog.New(slog.NewTextHandler(&out, nil)))
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
		if err := r.Send(t.Context(), Report{Case: c, Folder: "/x"}); err != nil {
			t.Fatal(err)
		}
		for _, want := range tt.want {
			if !strings.Contains(out.String(), want) {
				t.Errorf("the record %swants %s", out.String(), want)
			}
		}
	}
}
