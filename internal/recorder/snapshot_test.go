package recorder

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"
)

// batch is a batch of a generation in the trace's format: a type, the generation, and the rest.
func batch(gen byte, text string) []byte { return append([]byte{1, gen}, text...) }

func TestCollector(t *testing.T) {
	header, end := []byte("go 1.26 trace\x00\x00\x00"), []byte{9}
	for _, tt := range []struct {
		name    string
		writes  [][]byte
		want    string // after the header
		dropped int
		err     error
	}{
		{"nothing", nil, "", 0, nil},
		{"fits", [][]byte{batch(1, "aa"), end, batch(2, "bb"), end}, "\x01\x01aa\x09\x01\x02bb\x09", 0, nil},
		{"oldest left out", [][]byte{batch(1, "aaaaaaa"), end, batch(2, "bbbbbbb"), end, batch(3, "c"), end},
			"\x01\x02bbbbbbb\x09\x01\x03c\x09", 10, nil},
		{"too large", [][]byte{batch(1, "a"), batch(2, "bbbbbbbbbbbbbbbbbbbbbbbbb")}, "", 0, errTooLarge},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := collector{ctx: t.Context(), limit: 20}
			_, err := c.Write(header)
			for _, w := range tt.writes {
				if err == nil {
					_, err = c.Write(w)
				}
			}
			if !errors.Is(err, tt.err) {
				t.Fatalf("error %v, want %v", err, tt.err)
			}
			if got := fmt.Sprintf("%q", c.bytes()[len(header):]); err == nil &&
				(got != fmt.Sprintf("%q", tt.want) || c.dropped != tt.dropped) {
				t.Errorf("%s and %d bytes dropped, want %q and %d", got, c.dropped, tt.want, tt.dropped)
			}
		})
	}
}

func TestCollectorStopsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	c := collector{ctx: ctx, limit: 100}
	if _, err := c.Write([]byte("header")); err != nil {
		t.Fatal(err)
	}
	cancel()
	if _, err := c.Write(batch(1, "a")); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that of the context", err)
	}
}

// BenchmarkSnapshot prints the time and size of a snapshot, and how long starting and stopping the recorder takes.
func BenchmarkSnapshot(b *testing.B) {
	for _, burners := range []int{0, 2} {
		b.Run(fmt.Sprintf("burners=%d", burners), func(b *testing.B) {
			stopBurning := burning(burners)
			defer stopBurning()
			began := time.Now()
			tr, stop := realTrace(b)
			start := time.Since(began)
			size := 0
			for b.Loop() {
				data, _, err := tr.Snapshot(b.Context())
				if err != nil {
					b.Fatal(err)
				}
				size = len(data)
			}
			b.ReportMetric(float64(size)/1e3, "kB")
			began = time.Now()
			stop()
			b.ReportMetric(float64(start.Microseconds()), "start-µs")
			b.ReportMetric(float64(time.Since(began).Microseconds()), "stop-µs")
		})
	}
}
