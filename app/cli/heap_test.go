package cli_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/gocasebook/casebook/internal/archive"
)

// recordedHeap unpacks a recorded heap dump.
func recordedHeap(t *testing.T) string {
	t.Helper()
	dumps, err := archive.ReadArchive("../heapdump/testdata/recorded.tar.zst")
	if err != nil {
		t.Fatal(err)
	}
	return write(t, "heap.dump", string(dumps["go1.26.dump"]))
}

// TestHeap prints the holders of a recorded dump on 80 columns.
func TestHeap(t *testing.T) {
	t.Parallel()
	r := inProcess(t, "heap", recordedHeap(t))
	r.want(t, 0, "go1.26", "Held by globals", "holder", "global bss+0x", "--binary")
	for line := range strings.Lines(r.out) {
		if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > 80 {
			t.Errorf("%d columns: %s", n, line)
		}
	}
}

func TestHeapJSON(t *testing.T) {
	t.Parallel()
	r := inProcess(t, "heap", "--json", "--rows", "2", recordedHeap(t))
	r.want(t, 0)
	var got struct {
		Objects int `json:"objects"`
		Holders []struct {
			Bytes int64 `json:"bytes"`
			Root  struct {
				Kind string `json:"kind"`
			} `json:"root"`
		} `json:"holders"`
	}
	if err := json.Unmarshal([]byte(r.out), &got); err != nil {
		t.Fatal(err)
	}
	if got.Objects < 1000 || len(got.Holders) != 2 || got.Holders[0].Root.Kind != "global" {
		t.Errorf("got %+v", got)
	}
}

// TestHeapCut reads what there is, and says what there is not.
func TestHeapCut(t *testing.T) {
	t.Parallel()
	whole, err := os.ReadFile(recordedHeap(t))
	if err != nil {
		t.Fatal(err)
	}
	inProcess(t, "heap", write(t, "cut.dump", string(whole[:len(whole)/2]))).
		want(t, 0, "read up to here", "no roots", "objects")
}

func TestHeapRefuses(t *testing.T) {
	t.Parallel()
	dump := recordedHeap(t)
	for _, c := range []struct {
		want string
		args []string
	}{
		{"takes one file", nil},
		{"not a heap dump", []string{write(t, "text", "hello, this is no heap dump at all")}},
		{"no such file", []string{"/nowhere/heap.dump"}},
		{"--rows 0", []string{"--rows", "0", dump}},
		{"only ELF binaries", []string{"--binary", write(t, "program", "#!/bin/sh"), dump}},
		{"profile", []string{"--profile", write(t, "heap.pb.gz", "no profile"), dump}},
	} {
		inProcess(t, append([]string{"heap"}, c.args...)...).want(t, 2, c.want)
	}
}
