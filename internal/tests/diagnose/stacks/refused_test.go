package stacks_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"testing"

	"github.com/google/pprof/profile"

	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/internal/profiletest"
)

func TestPlausible(t *testing.T) {
	packed := profiletest.CPU(t, 10, 5)
	raw := gunzip(t, packed)
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
			if got := stacks.Plausible([]byte(c.data)); got != c.want {
				t.Errorf("Plausible is %v, want %v", got, c.want)
			}
		})
	}
}

// zip compresses as Go's profiles are compressed.
func zip(t testing.TB, b []byte) []byte {
	t.Helper()
	var buf bytes.Buffer
	zw := gzip.NewWriter(&buf)
	if _, err := zw.Write(b); err != nil {
		t.Fatal(err)
	}
	if err := zw.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

func TestReadRefuses(t *testing.T) {
	cpu := recorded(t, "cpu_hot_function/fault/cpu.pb.gz")
	plain := gunzip(t, cpu)
	tests := []struct {
		name   string
		data   []byte
		reason string
	}{
		{"empty", nil, "empty file"},
		{"blank", []byte(" \n\n"), "empty file"},
		{"empty gzip", zip(t, nil), "nothing in it"},
		{"truncated gzip", cpu[:len(cpu)/2], "truncated"},
		{"gzip header only", cpu[:6], "truncated"},
		{"damaged gzip", damage(cpu), "damaged"},
		{"truncated protobuf", plain[:len(plain)*2/3], "truncated"},
		{"twice compressed", zip(t, cpu), "compressed twice"},
		{"HTML", []byte("<!DOCTYPE html><html>"), "HTML page, not a profile: is the URL right?"},
		{"404", []byte("404 page not found\n"), `"404 page not found"`},
		{"unknown profile", []byte("Unknown profile\n"), `"Unknown profile"`},
		{"JSON", []byte(`{"findings":[]}`), "JSON"},
		{"trace", []byte("go 1.26 trace\x00\x00\x00rest"), "execution trace"},
		{"ELF", []byte("\x7fELF\x02\x01\x01"), "binary"},
		{"zip", []byte("PK\x03\x04rest"), "zip archive"},
		{"prose", []byte("what is this? not a profile at all"), "not a profile"},
		{"random", []byte{0xde, 0xad, 0xbe, 0xef, 1, 2, 3}, "not a profile"},
		{"no symbols", addressesOnly(t), "no function names"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { refuses(t, tt.data, tt.reason) })
	}
}

// damage overwrites the middle.
func damage(b []byte) []byte {
	b = bytes.Clone(b)
	for i := len(b) / 4; i < len(b)/2; i++ {
		b[i] = 0xff
	}
	return b
}

func addressesOnly(t *testing.T) []byte {
	t.Helper()
	l := &profile.Location{ID: 1, Address: 0x1000}
	p := &profile.Profile{SampleType: []*profile.ValueType{{Type: "cpu", Unit: "nanoseconds"}},
		Location: []*profile.Location{l}, Sample: []*profile.Sample{{Location: []*profile.Location{l},
			Value: []int64{1}}}}
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func gunzip(t testing.TB, b []byte) []byte {
	t.Helper()
	zr, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	out, err := io.ReadAll(zr)
	if err != nil {
		t.Fatal(err)
	}
	return out
}
