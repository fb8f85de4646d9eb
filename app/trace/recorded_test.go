package trace

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/diagnose/traces"
)

// recorded are the traces of testdata/record, by release: go1.22 to go1.27.
func recorded(t testing.TB) map[string][]byte {
	t.Helper()
	files, err := filepath.Glob("testdata/*.trace*")
	if err != nil || len(files) < 6 {
		t.Fatalf("%d traces in testdata (%v), want those of six releases", len(files), err)
	}
	all := make(map[string][]byte)
	for _, f := range files {
		name, _, _ := strings.Cut(filepath.Base(f), ".trace")
		all[name] = readTrace(t, f)
	}
	return all
}

// readTrace reads a recorded trace. Most are packed; the command's tests have one that is not.
func readTrace(t testing.TB, file string) []byte {
	t.Helper()
	data, err := os.ReadFile(file)
	if err == nil && strings.HasSuffix(file, ".gz") {
		var packed *gzip.Reader
		if packed, err = gzip.NewReader(bytes.NewReader(data)); err == nil {
			data, err = io.ReadAll(packed)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func summaryOf(t testing.TB, data []byte) *traces.Summary {
	t.Helper()
	got, err := Read(t.Context(), t.Name(), bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return got.Summary()
}

// TestReleases: the program of testdata/record knows how many requests, calls and queries it makes.
func TestReleases(t *testing.T) {
	for release, data := range recorded(t) {
		t.Run(release, func(t *testing.T) {
			s := summaryOf(t, data)
			if len(s.Warnings) > 0 {
				t.Errorf("warnings: %q", s.Warnings)
			}
			for kind, want := range map[string]int64{"net/http server": 22, "net/http client": 22, "database/sql": 60,
				"TLS handshake": 4, "DNS lookup": 1, "task checkout": 1, "region pay": 1} {
				k := kindNamed(s, kind)
				if k == nil || k.Times.Count+k.Open != want {
					t.Errorf("%s: %+v, want %d", kind, k, want)
				}
			}
			if k := kindNamed(s, "region pay"); k != nil && k.Times.Min < 5*time.Millisecond {
				t.Errorf("region pay took %v, want 5 ms at least", k.Times.Min)
			}
		})
	}
}

// TestCutOff: of a trace that ends too early what comes before is read, with a warning, or there is an error.
func TestCutOff(t *testing.T) {
	for release, data := range recorded(t) {
		for n := 0; n < len(data); n += 1 + len(data)/31 {
			got, err := Read(t.Context(), release, bytes.NewReader(data[:n]))
			if err == nil && len(got.Summary().Warnings) == 0 {
				t.Errorf("%s: no warning of %d of %d bytes", release, n, len(data))
			}
		}
	}
}

// TestDamaged: no byte of a trace makes the reader panic.
func TestDamaged(t *testing.T) {
	for release, data := range recorded(t) {
		for n := range 40 {
			damaged := bytes.Clone(data)
			at := n * len(data) / 40
			damaged[at] ^= byte(1 + n%255)
			if got, err := Read(t.Context(), release, bytes.NewReader(damaged)); err == nil {
				got.Summary()
			}
		}
	}
}

// TestDamagedGeneration: what comes after a damaged generation is read.
func TestDamagedGeneration(t *testing.T) {
	one := recorded(t)["go1.26"]
	whole := summaryOf(t, one)
	// The generations that were recorded, damaged, and once more with numbers that come after.
	damaged := bytes.Clone(one[:headerSize])
	for _, batch := range batches(t, one, 0) {
		for i := 100; i < len(batch)-100; i += 50 { // behind its length
			batch[i] = 0xee
		}
		damaged = append(damaged, batch...)
	}
	for _, batch := range batches(t, one, 20) {
		damaged = append(damaged, batch...)
	}
	s := summaryOf(t, damaged)
	if len(s.Warnings) == 0 {
		t.Error("no warning")
	}
	a, b := kindNamed(whole, "database/sql"), kindNamed(s, "database/sql")
	if b == nil || b.Times.Count < a.Times.Count {
		t.Errorf("%+v after the damaged generation, want %+v; %q", b, a, s.Warnings)
	}
}

// batches are those of a trace, with their generation moved by a number.
func batches(t *testing.T, data []byte, by byte) (all [][]byte) {
	g, err := newGenerations(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	for g.next() == nil {
		b := slices.Concat(g.pending, g.body)
		if b[0] == eventBatch {
			if b[1] > 100 {
				t.Fatalf("generation %d", b[1])
			}
			b[1] += by
		}
		all = append(all, b)
	}
	return all
}

// TestFuture: a trace of a later release is read as one of the last that is known.
func TestFuture(t *testing.T) {
	data := bytes.Clone(recorded(t)["go1.26"])
	copy(data, "go 1.31 trace")
	s := summaryOf(t, data)
	if len(s.Warnings) != 1 || !strings.Contains(s.Warnings[0], "1.31") {
		t.Errorf("warnings %q, want one about Go 1.31", s.Warnings)
	}
	if k := kindNamed(s, "net/http server"); k == nil || k.Times.Count == 0 {
		t.Errorf("no requests: %+v", s.Kinds)
	}
}

func TestNoTrace(t *testing.T) {
	for _, c := range []struct{ name, data, want string }{
		{"empty", "", "not a Go execution trace"},
		{"text", "this is a text and no trace at all", "not a Go execution trace"},
		{"old", "go 1.21 trace\x00\x00\x00...", "Go 1.22 and later"},
		{"no events", "go 1.26 trace\x00\x00\x00", "no events"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Read(t.Context(), c.name, strings.NewReader(c.data))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want an error with %q", err, c.want)
			}
		})
	}
}

func FuzzRead(f *testing.F) {
	for _, data := range recorded(f) {
		f.Add(data)
		f.Add(data[:len(data)/2])
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := Read(t.Context(), "fuzz", bytes.NewReader(data))
		if err != nil {
			return
		}
		got.Summary()
		for _, name := range Profiles() {
			if _, err := got.Profile(name); err != nil {
				t.Errorf("profile %s: %v", name, err)
			}
		}
	})
}

func BenchmarkRead(b *testing.B) {
	data := recorded(b)["go1.26"]
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Read(b.Context(), "bench", bytes.NewReader(data)); err != nil {
			b.Fatal(err)
		}
	}
}
