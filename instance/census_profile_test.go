package instance

import (
	"bytes"
	"compress/gzip"
	"io"
	"math"
	"reflect"
	"sync"
	"testing"

	"github.com/google/pprof/profile"

	"github.com/gocasebook/casebook/internal/profiletest"
	"github.com/gocasebook/casebook/vitals"
)

// placesByPprof is what readPlaces does, by google/pprof.
func placesByPprof(data []byte) (places []vitals.Place, frames float64, err error) {
	p, err := parseProfile(data)
	if err != nil {
		return nil, 0, err
	}
	set, depth, goroutines := make(placeSet), 0, 0
	for _, s := range p.Sample {
		if len(s.Value) == 0 || s.Value[0] <= 0 || s.Value[0] > math.MaxInt32 {
			continue
		}
		n := int(s.Value[0])
		depth, goroutines = depth+n*len(s.Location), goroutines+n
		var addresses []uint64
		for _, l := range s.Location {
			addresses = append(addresses, l.Address)
		}
		set.add(hashPCs(addresses), n, functionsByPprof(s.Location))
	}
	return set.list(), float64(depth) / float64(max(goroutines, 1)), nil
}

func functionsByPprof(stack []*profile.Location) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for _, l := range stack {
			for _, line := range l.Line {
				if line.Function != nil && !yield(line.Function.Name) {
					return
				}
			}
		}
	}
}

// goroutineProfile is one of this process, with goroutines that wait at several places.
func goroutineProfile(tb testing.TB) []byte {
	tb.Helper()
	gate := make(chan struct{})
	var group sync.WaitGroup
	defer group.Wait()
	defer close(gate)
	for depth := range 40 {
		group.Go(func() { park(depth, gate) })
	}
	data, err := snapshot("goroutine")
	if err != nil {
		tb.Fatal(err)
	}
	return data
}

// TestStackProfileAgrees: a census says of each profile what google/pprof's reading says, also of one that is larger
// than the memory that is kept, and after it.
func TestStackProfileAgrees(t *testing.T) {
	heap, err := snapshot("heap")
	if err != nil {
		t.Fatal(err)
	}
	small := goroutineProfile(t)
	for name, data := range map[string][]byte{
		"goroutines": small, "several values": heap, "large": profiletest.CPU(t, 20_000, 35), "again": small,
	} {
		t.Run(name, func(t *testing.T) {
			want, wantFrames, err := placesByPprof(data)
			if err != nil {
				t.Fatal(err)
			}
			got, frames, err := readPlaces(t.Context(), data)
			if err != nil || !reflect.DeepEqual(got, want) || frames != wantFrames {
				t.Errorf("%d places, %g frames, %v; want %d places, %g frames", len(got), frames, err, len(want),
					wantFrames)
			}
			if len(want) == 0 {
				t.Error("there are no places: the test compares nothing")
			}
		})
	}
}

func FuzzStackProfile(f *testing.F) {
	raw, err := inflate(goroutineProfile(f), maxInflated)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(raw)
	f.Add([]byte("\x0a\x00\x12\x04\x0a\x00\x12\x00"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		data := zipped(raw)
		got, frames, err := readPlaces(t.Context(), data)
		want, wantFrames, wantErr := placesByPprof(data)
		if err == nil && wantErr == nil && (!reflect.DeepEqual(got, want) || frames != wantFrames) {
			t.Errorf("%v, %g frames; want %v, %g frames", got, frames, want, wantFrames)
		}
		if err != nil && wantErr == nil {
			t.Errorf("it is refused, and google/pprof reads it: %v", err)
		}
	})
}

func zipped(data []byte) []byte {
	var out bytes.Buffer
	zw := gzip.NewWriter(&out)
	_, _ = io.Copy(zw, bytes.NewReader(data)) // to memory
	_ = zw.Close()
	return out.Bytes()
}
