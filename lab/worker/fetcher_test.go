package worker

import (
	"bytes"
	"maps"
	"slices"
	"testing"

	"github.com/twmb/franz-go/pkg/kgo"
)

// TestFetched: what the archive has put into the database is taken out by the timer, all of it, and counted like the
// counts group does.
func TestFetched(t *testing.T) {
	k := newTopic(t)
	k.send(t, 50)
	_, addr := startStore(t)
	r := startWorker(t, k, t.TempDir(), "-store", addr, "-fetch-every", "100ms")
	r.waitStored(t, 50)
	got := r.wait(t, "all messages fetched", func(s statsReply) bool {
		return s.Fetched != nil && s.Fetched.Messages == 50
	})
	if g := got.Groups["archive"]; g.Bytes == 0 || g.Calls == 0 {
		t.Errorf("the archive has %+v, want bytes and calls of the database", g)
	}
	r.stopped(t)
	want := r.sums(t, "counts")
	if got := r.sums(t, "fetched"); len(want) == 0 || !maps.Equal(got, want) {
		t.Errorf("%d keys are counted of what was fetched, want the %d of what came", len(got), len(want))
	}
}

// TestLargeRecords: as many records are large as was asked for, at even distances, and they are as large.
func TestLargeRecords(t *testing.T) {
	c := brokerConfig{events: 3, large: 0.02, largeBytes: 200_000}
	payloads, err := makePayloads(smallWorld, c)
	if err != nil {
		t.Fatal(err)
	}
	var sizes []int
	in := new(inflater)
	for _, p := range payloads {
		sizes = append(sizes, len(inflated(t, in, p)))
	}
	slices.Sort(sizes)
	if p97, p99 := sizes[len(sizes)*97/100], sizes[len(sizes)*99/100]; p97 > 2000 || p99 < 180_000 || p99 > 220_000 {
		t.Errorf("the P97 is %d bytes and the P99 %d, want some hundreds and 200,000", p97, p99)
	}
	if bytes.Equal(payloads[0], payloads[1]) {
		t.Error("the payloads are the same")
	}
}

func TestDue(t *testing.T) {
	for share, want := range map[float64]int{0: 0, 0.02: 20, 0.3: 300, 1: 1000} {
		n := 0
		for i := range 1000 {
			if due(i, share) {
				n++
			}
		}
		if n != want {
			t.Errorf("of 1000 are %d due, want %d", n, want)
		}
	}
}

// TestLargeRecordsInTurn: each partition of the row's topic gets its part of the large records, and gets them at even
// distances.
func TestLargeRecordsInTurn(t *testing.T) {
	const partitions, n = 7, 7 * 50 * 4
	c := brokerConfig{large: 0.02}
	topic := c.partitioner().ForTopic("events")
	var large, small [partitions]int
	for i := range n {
		p := topic.Partition(&kgo.Record{}, partitions)
		if !due(i, c.large) {
			small[p]++
			continue
		}
		if large[p]++; small[p] > 50*large[p] {
			t.Errorf("partition %d: %d small records before the %d. large one, want one in 50", p, small[p], large[p])
		}
	}
	for p := range partitions {
		if large[p] != n/50/partitions {
			t.Errorf("partition %d has %d large records, want %d", p, large[p], n/50/partitions)
		}
	}
}
