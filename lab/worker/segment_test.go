package worker

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func newSegments(t *testing.T, dir string, size int64, keep int, buffered bool) *segments {
	t.Helper()
	s, err := openSegments(dir, size, keep, buffered)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func put(t *testing.T, s *segments, text string) {
	t.Helper()
	w, err := s.writer()
	if err == nil {
		_, err = io.WriteString(w, text)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// contents are the files of a folder, oldest first.
func contents(t *testing.T, dir string) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*.log"))
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(names)
	all := make([]string, 0, len(names))
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, string(data))
	}
	return all
}

func TestSegments(t *testing.T) {
	for _, buffered := range []bool{false, true} {
		dir := filepath.Join(t.TempDir(), "archive")
		s := newSegments(t, dir, 10, 2, buffered)
		for _, step := range []struct {
			text string
			end  func() error
			want string
		}{
			{"one ", s.commit, "one "},
			{"lost", s.rollback, "one "},
			{strings.Repeat("l", 2*bufferBytes), s.rollback, "one "}, // more than the buffer holds
			{"two more", s.commit, "one two more"},                   // reaches the size
			{"lost", s.rollback, "one two more|"},
			{"three four", s.commit, "one two more|three four"},
			{"five six seven", s.commit, "three four|five six seven"}, // the oldest is removed
			{"lost", s.close, "five six seven|"},
		} {
			put(t, s, step.text)
			if err := step.end(); err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(contents(t, dir), "|"); got != step.want {
				t.Errorf("buffered %v, after %.8q: %q, want %q", buffered, step.text, got, step.want)
			}
		}
		if want := int64(len("one two morethree fourfive six seven")); s.bytes != want {
			t.Errorf("%d bytes are committed, want %d", s.bytes, want)
		}
	}
}

// TestSegmentsContinue: a worker that starts again writes a new file after those that are there.
func TestSegmentsContinue(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "00000041.log"), []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := newSegments(t, dir, 10, 5, true)
	put(t, s, "new")
	if err := s.commit(); err != nil {
		t.Fatal(err)
	}
	if err := s.close(); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(filepath.Join(dir, "00000042.log")); err != nil || string(got) != "new" {
		t.Errorf("the file after 41 holds %q, %v", got, err)
	}
	if got := contents(t, dir); len(got) != 2 || got[0] != "old" {
		t.Errorf("the folder holds %q", got)
	}
}

func TestSegmentsWhoseNamesAreNotOurs(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "syslog.log"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := openSegments(dir, 10, 5, true); err == nil || !strings.Contains(err.Error(), "syslog.log") {
		t.Errorf("a foreign file: %v; want its name", err)
	}
}
