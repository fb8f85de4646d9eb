package instance

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/pprof/profile"

	"github.com/gocasebook/casebook/internal/profiletest"
)

// A stack is one record of a profile made for a test: addresses, the size of its objects if not 0, and its values.
type stack struct {
	pcs    []uint64
	size   int64
	values []int64
}

// makeProfile makes a gzipped profile of sample types and stacks.
func makeProfile(t testing.TB, types []string, stacks ...stack) []byte {
	t.Helper()
	p := &profile.Profile{TimeNanos: time.Unix(2000, 0).UnixNano()}
	for _, name := range types {
		p.SampleType = append(p.SampleType, &profile.ValueType{Type: name, Unit: "count"})
	}
	locations := make(map[uint64]*profile.Location)
	for _, s := range stacks {
		sample := &profile.Sample{Value: append([]int64(nil), s.values...)}
		if s.size != 0 {
			sample.NumLabel = map[string][]int64{"bytes": {s.size}}
		}
		for _, pc := range s.pcs {
			if locations[pc] == nil {
				locations[pc] = &profile.Location{ID: uint64(len(locations) + 1), Address: pc}
				p.Location = append(p.Location, locations[pc])
			}
			sample.Location = append(sample.Location, locations[pc])
		}
		p.Sample = append(p.Sample, sample)
	}
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func parse(t testing.TB, data []byte) *profile.Profile {
	t.Helper()
	p, err := parseProfile(data)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestGrowth(t *testing.T) {
	waits := []string{"contentions", "delay"}
	heap := []string{"alloc_objects", "alloc_space", "inuse_objects", "inuse_space"}
	a, b, c := []uint64{1, 2, 3}, []uint64{1, 2, 4}, []uint64{3, 2, 1}
	for _, tt := range []struct {
		name          string
		types         []string
		before, after []stack
		prefix        string
		want          []stack
	}{
		{"one grew, one did not", waits, []stack{{a, 0, []int64{5, 50}}, {b, 0, []int64{1, 10}}},
			[]stack{{a, 0, []int64{7, 90}}, {b, 0, []int64{1, 10}}}, "", []stack{{a, 0, []int64{2, 40}}}},
		{"a new one", waits, []stack{{a, 0, []int64{5, 50}}}, []stack{{a, 0, []int64{5, 50}}, {c, 0, []int64{1, 9}}},
			"", []stack{{c, 0, []int64{1, 9}}}},
		{"nothing", waits, []stack{{a, 0, []int64{5, 50}}}, []stack{{a, 0, []int64{5, 50}}}, "", nil},
		{"one stack in two records", waits, []stack{{a, 0, []int64{5, 50}}, {a, 0, []int64{1, 1}}},
			[]stack{{a, 0, []int64{2, 2}}, {a, 0, []int64{5, 60}}}, "", []stack{{a, 0, []int64{1, 11}}}},
		{"the rate was changed, and one shrank", waits, []stack{{a, 0, []int64{5, 50}}},
			[]stack{{a, 0, []int64{4, 60}}}, "", []stack{{a, 0, []int64{0, 10}}}},
		{"sizes apart, in-use values dropped", heap, []stack{{a, 16, []int64{10, 160, 3, 48}},
			{a, 32, []int64{1, 32, 1, 32}}},
			[]stack{{a, 16, []int64{12, 192, 9, 144}}, {a, 32, []int64{1, 32, 9, 288}}}, "alloc_",
			[]stack{{a, 16, []int64{2, 32}}}},
		{"no baseline", waits, nil, []stack{{a, 0, []int64{5, 50}}}, "", []stack{{a, 0, []int64{5, 50}}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			base, err := newBaseline(t.Context(), nil, makeProfile(t, tt.types, tt.before...))
			if err != nil {
				t.Fatal(err)
			}
			data, n, err := base.growth(t.Context(), makeProfile(t, tt.types, tt.after...), 3*time.Second, tt.prefix)
			if err != nil {
				t.Fatal(err)
			}
			p := parse(t, data)
			if n != len(tt.want) || len(p.Sample) != n {
				t.Fatalf("%d stacks grew, %d are in the profile, want %d", n, len(p.Sample), len(tt.want))
			}
			if p.DurationNanos != 3e9 || p.TimeNanos != time.Unix(1997, 0).UnixNano() {
				t.Errorf("it spans %d ns from %d, want 3 s that end when the second was taken", p.DurationNanos,
					p.TimeNanos)
			}
			for i, want := range tt.want {
				got := stack{values: p.Sample[i].Value}
				for _, l := range p.Sample[i].Location {
					got.pcs = append(got.pcs, l.Address)
				}
				if size := p.Sample[i].NumLabel["bytes"]; len(size) == 1 {
					got.size = size[0]
				}
				if !equal(got, want) {
					t.Errorf("stack %d is %v, want %v", i, got, want)
				}
			}
		})
	}
	base, err := newBaseline(t.Context(), nil, makeProfile(t, waits, stack{a, 0, []int64{1, 1}}))
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := base.growth(t.Context(), makeProfile(t, heap, stack{a, 0, []int64{1, 1, 1, 1}}), time.Second,
		""); err == nil {
		t.Error("profiles of two kinds were subtracted")
	}
}

func equal(a, b stack) bool {
	if a.size != b.size || len(a.pcs) != len(b.pcs) || len(a.values) != len(b.values) {
		return false
	}
	for i := range a.pcs {
		if a.pcs[i] != b.pcs[i] {
			return false
		}
	}
	for i := range a.values {
		if a.values[i] != b.values[i] {
			return false
		}
	}
	return true
}

// What a target sends may be made to fill our memory.
func TestParseProfileRefuses(t *testing.T) {
	deflate := func(data []byte) []byte {
		var b bytes.Buffer
		zw, _ := gzip.NewWriterLevel(&b, gzip.NoCompression) // of hundreds of megabytes
		_, _ = zw.Write(data)                                // to memory
		_ = zw.Close()
		return b.Bytes()
	}
	for _, c := range []struct {
		name string
		data []byte
		want string
	}{
		{"zeros without end", deflate(make([]byte, maxInflated+10)), "larger than 64 MiB"},
		{"one sample of 60 million addresses", deflate(oneSample(60_000_000)), "larger stacks than Go records"},
		{"60 million addresses in samples", deflate(bytes.Repeat(oneSample(60_000), 1000)),
			"larger stacks than Go records"},
		{"empty samples", deflate(bytes.Repeat([]byte{0x12, 0}, maxMessages+1)), "more than 2097152 records"},
		{"no gzip", []byte("hello"), "inflating"},
		{"cut", deflate([]byte("hello"))[:12], "inflating"},
		{"no profile", deflate([]byte("hello")), "parsing"},
		{"empty", nil, "inflating"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := parseProfile(c.data); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error is %v, want %q in it", err, c.want)
			}
		})
	}
}

func FuzzGrowth(f *testing.F) {
	inflate := func(data []byte) []byte {
		var b bytes.Buffer
		if err := parse(f, data).WriteUncompressed(&b); err != nil {
			f.Fatal(err)
		}
		return b.Bytes()
	}
	types := []string{"contentions", "delay"}
	f.Add(inflate(makeProfile(f, types, stack{[]uint64{1, 2}, 8, []int64{1, 2}})),
		inflate(makeProfile(f, types, stack{[]uint64{1, 2}, 8, []int64{3, 2}})))
	f.Fuzz(func(t *testing.T, before, after []byte) {
		deflate := func(data []byte) []byte {
			var b bytes.Buffer
			zw := gzip.NewWriter(&b)
			_, _ = zw.Write(data) // to memory
			_ = zw.Close()
			return b.Bytes()
		}
		base, err := newBaseline(t.Context(), nil, deflate(before))
		if err != nil {
			return
		}
		data, n, err := base.growth(t.Context(), deflate(after), time.Second, "")
		if err != nil {
			return
		}
		if p := parse(t, data); len(p.Sample) != n {
			t.Errorf("%d stacks, said to be %d", len(p.Sample), n)
		}
	})
}

// BenchmarkDelta is the cost of the difference of two profiles to a service that watches itself, with maxDeltaRecords
// stacks that share no frames.
func BenchmarkDelta(b *testing.B) {
	for _, n := range []int{1000, maxDeltaRecords} {
		data := profiletest.CPU(b, n, 25)
		b.Run(fmt.Sprintf("records=%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				base, err := newBaseline(b.Context(), nil, data)
				if err != nil {
					b.Fatal(err)
				}
				if _, _, err := base.growth(b.Context(), data, time.Second, ""); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// oneSample is a profile record: a sample with n addresses and the value 1.
func oneSample(n int) []byte {
	ids := append(binary.AppendUvarint([]byte{1<<3 | 2}, uint64(n)), bytes.Repeat([]byte{1}, n)...)
	return append(binary.AppendUvarint([]byte{2<<3 | 2}, uint64(len(ids))), ids...)
}
