package stacks

import (
	"bytes"
	"compress/gzip"
	"testing"

	"github.com/gocasebook/casebook/internal/profiletest"
)

func TestPlausible(t *testing.T) {
	packed := profiletest.CPU(t, 10, 5)
	raw, p := decompress(packed, MaxProfile)
	if p != nil {
		t.Fatal(p)
	}
	var notes bytes.Buffer
	zw := gzip.NewWriter(&notes)
	if _, err := zw.Write([]byte("it was slow on Tuesday\n")); err != nil {
		t.Fatal(err)
	}
	if err := zw.Close(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		data string
		want bool
	}{
		{"a profile", string(packed), true},
		{"not compressed", string(raw), true},
		{"cut", string(packed[:len(packed)/2]), true},
		{"a CPU profile of the runtime", string(recorded(t, "cpu_hot_function/fault/cpu.pb.gz")), true},
		{"a goroutine profile of the runtime", string(recorded(t, "goroutine_leak/faulty/goroutine.pb.gz")), true},
		{"a CPU profile, not compressed, cut", string(gunzip(t, recorded(t, "cpu_hot_function/fault/cpu.pb.gz"))[:600]),
			true},
		{"cut in the header of gzip", string(packed[:12]), true},
		{"goroutines, debug=1", "goroutine profile: total 3\n3 @ 0x1\n#\t0x1\tmain.f+0x1\t/a.go:1\n", true},
		{"goroutines, debug=2", "goroutine 1 [running]:\nmain.main()\n\t/a.go:1 +0x1\n", true},
		{"a crash behind a log", "2026/11/21 started\npanic: bad\n\ngoroutine 1 [running]:\nmain.main()\n", true},
		{"mutex, debug=1", "--- mutex:\ncycles/second=1\nsampling period=1\n", true},
		{"block, debug=1", "--- contention:\ncycles/second=1\n", true},
		{"empty", "", false},
		{"notes", "it was slow on Tuesday\n", false},
		{"notes, compressed", notes.String(), false},
		{"notes with a line break first", "\n\nhello, this is a long enough text to be one\n", false},
		{"Go source", "package main\n\nfunc main() {}\n", false},
		{"Markdown with a rule", "---\ntitle: x\n---\n", false},
		{"an execution trace", "go 1.26 trace\x00\x00\x00\x01\x02", false},
		{"a binary", "\x7fELF\x02\x01\x01\x00\x00\x00", false},
		{"JSON", `{"a": 1}`, false},
		{"a picture", "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", false},
		{"a zip", "PK\x03\x04\x14\x00\x08\x00", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Plausible([]byte(c.data)); got != c.want {
				t.Errorf("Plausible is %v, want %v", got, c.want)
			}
		})
	}
}
