package stacks

import (
	"bytes"
	"compress/gzip"
	"errors"
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"github.com/gocasebook/casebook/internal/checkout"
	"github.com/gocasebook/casebook/internal/race"
)

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

func mustRead(t testing.TB, name string, data []byte) *Set {
	t.Helper()
	s, err := NewTable("").Read(Source{Name: name}, data)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// recorded reads a file of the diagnose package's evidence.
func recorded(t testing.TB, name string) []byte {
	t.Helper()
	return checkout.File(t, name)
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

func TestReadRefusesMuch(t *testing.T) {
	race.Skip(t)
	for _, tt := range []struct {
		name   string
		data   []byte
		reason string
	}{
		{"bomb", zipFast(t, make([]byte, MaxProfile+1)), "decompresses to more than 128 MiB"},
		{"many samples", bytes.Repeat([]byte{0x12, 0}, MaxSamples+1), "more than 2000000 stacks"},
		{"many labels", crafted(0x12, bytes.Repeat([]byte{0x1a, 0}, maxParts+1)), "more records than a real profile"},
		{"many strings", bytes.Repeat([]byte{0x32, 0}, maxTable+1), "more records than a real profile"},
	} {
		t.Run(tt.name, func(t *testing.T) { refuses(t, tt.data, tt.reason) })
	}
}

// refuses reads a file that must be refused for a reason.
func refuses(t *testing.T, data []byte, reason string) {
	t.Helper()
	s, err := NewTable("").Read(Source{Name: "some.file"}, data)
	var p *Problem
	if !errors.As(err, &p) {
		t.Fatalf("got %v, %v; want a *Problem", s, err)
	}
	if p.File != "some.file" || !strings.Contains(p.Reason, reason) || p.Next == "" {
		t.Errorf("got file %q, reason %q, next %q; want some.file, a reason with %q and a next step", p.File, p.Reason,
			p.Next, reason)
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

// crafted is one protobuf record with a length.
func crafted(tag byte, data []byte) []byte {
	out := []byte{tag}
	n := len(data)
	for n >= 0x80 {
		out = append(out, byte(n)|0x80)
		n >>= 7
	}
	return append(append(out, byte(n)), data...)
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
	out, p := decompress(b, MaxProfile)
	if p != nil {
		t.Fatal(p.Reason)
	}
	return out
}
