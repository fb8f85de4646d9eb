package stacks_test

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"runtime"
	"testing"

	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/internal/race"
)

// Records of profile.proto, written by hand: google/pprof's writer would need gigabytes for so many.
func record(num byte, data ...byte) []byte { return crafted(num<<3|2, data) }

func numbered(num byte, v uint64) []byte { return binary.AppendUvarint([]byte{num << 3}, v) }

// header is the beginning of a CPU profile with one Go function, number 1.
func header() []byte {
	strings := []string{"", "cpu", "nanoseconds", "main.main", "main.go"}
	out := record(fieldSampleType, 8, 1, 16, 2)
	for _, s := range strings {
		out = append(out, record(fieldString, []byte(s)...)...)
	}
	return append(out, record(fieldFunction, 8, 1, 16, 3, 32, 4)...)
}

// TestBombs: data that is small as a file and large in memory ends in an error, or is read within the limits that
// problem.go promises.
func TestBombs(t *testing.T) {
	if testing.Short() {
		t.Skip("it unpacks 128 MiB several times")
	}
	race.Skip(t)
	line := record(4, 8, 1) // Line{function_id: 1}
	locations := func(n int) []byte {
		out := header()
		for i := range n {
			out = append(out, record(fieldLocation, append(numbered(1, uint64(i+1)), line...)...)...)
		}
		return out
	}
	deep := func(samples, frames int) []byte {
		ids := append(record(fieldLocations, bytes.Repeat([]byte{1}, frames)...), record(fieldValues, 1)...)
		return append(locations(1), bytes.Repeat(record(fieldSample, ids...), samples)...)
	}
	inlined := func(lines, samples int) []byte {
		out := append(header(), record(fieldLocation, append(numbered(1, 1), bytes.Repeat(line, lines)...)...)...)
		return append(out, bytes.Repeat(record(fieldSample, 8, 1, 16, 1), samples)...)
	}
	for _, c := range []struct {
		name string
		data []byte
		read bool
	}{
		{"ten million locations", append(header(), bytes.Repeat(locations(1)[len(header()):], 10_000_000)...), false},
		{"half a million locations", append(locations(500_000), record(fieldSample, 8, 1, 16, 1)...), true},
		{"a million samples of 50 frames", deep(1_000_000, 50), true},
		{"deeper than is read", deep(1_000_000, 80), false},
		{"one sample of 50 million addresses", deep(1, 50_000_000), false},
		{"a name of 50 MB", append(header(), append(record(fieldString, bytes.Repeat([]byte("x"), 50_000_000)...),
			append(record(fieldFunction, 8, 2, 16, 5),
				append(record(fieldLocation, append(numbered(1, 1), record(4, 8, 2)...)...),
					record(fieldSample, 8, 1, 16, 1)...)...)...)...), true},
		{"one location that stands for a million frames", inlined(1_000_000, 1000), false},
	} {
		t.Run(c.name, func(t *testing.T) {
			packed := zipFast(t, c.data)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			table := stacks.NewTable("")
			_, err := table.Read(stacks.Source{Name: "bomb.pb.gz"}, packed)
			runtime.ReadMemStats(&after)
			for _, f := range table.Funcs {
				if len(f.Name) > maxName {
					t.Errorf("a name of %d bytes is kept, want %d at most", len(f.Name), maxName)
				}
			}
			var p *stacks.Problem
			if (err == nil) != c.read || err != nil && !errors.As(err, &p) {
				t.Errorf("error %v; to be read: %v", err, c.read)
			}
			const most = 1 << 30 // in total, garbage included: less is in use at any time
			if took := after.TotalAlloc - before.TotalAlloc; took > most {
				t.Errorf("it took %d MiB, want at most %d", took>>20, most>>20)
			} else {
				t.Logf("attack: %s: %d kB as a file, %d MB unpacked: %d MiB allocated: %v", c.name, len(packed)>>10,
					len(c.data)>>20, took>>20, err)
			}
		})
	}
}

// zipFast compresses less well than zip, in a tenth of the time.
func zipFast(t *testing.T, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	zw, err := gzip.NewWriterLevel(&b, gzip.BestSpeed)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := zw.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := zw.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
