package tables

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"time"

	"github.com/gocasebook/casebook/internal/number"
)

const pausesTitle = "Rarer cycles of the collector, and how long they stop the world"

const (
	liveObjects  = 100_000 // of 64 bytes with a pointer each: 6.4 MB that every cycle walks
	pausesLeast  = 20      // of which a median is worth its name
	pausesMost   = 256     // that runtime/debug keeps
	garbageBytes = 1 << 10

	// pausesPatience ends the wait for as many cycles, where others use the machine.
	pausesPatience = 5 * time.Second
)

// liveObject is what stays.
type liveObject struct {
	next *liveObject
	_    [56]byte
}

func pausesTable(ctx context.Context, p pace) (Table, error) {
	t := Table{
		Name:  "pauses",
		Title: pausesTitle,
		Text: "One goroutine makes objects of 1 kB beside 100,000 that stay, 6.4 MB, at several values of GOGC. " +
			"Cycles a second, the median and the longest of the pauses in which the world stops, and the heap that a " +
			"cycle ends with.",
		Columns: []string{"GOGC", "cycles", "median pause", "longest", "heap"},
		Said: "The article, after its worker's cycles fell from 5 a second to one in ten: pauses do not grow, for " +
			"marking goes by what is in use, not by what is to be freed.",
		Note: "A pause ends when all goroutines have stopped: the longest are the machine's as " +
			"much as the collector's.",
	}
	live := keepLive(p)
	defer debug.SetGCPercent(debug.SetGCPercent(100))
	var all []paused
	for _, percent := range []int{50, 100, 400, 1000} {
		got, err := pausesAt(ctx, p, percent)
		if err != nil {
			return Table{}, err
		}
		all = append(all, got)
		t.Rows = append(t.Rows, []string{whole(percent), number.Rate(got.rate), number.Duration(got.median),
			number.Duration(got.longest), number.Bytes(got.heap)})
	}
	runtime.KeepAlive(live)
	t.Holds = pausesHold(all[1], all[len(all)-1])
	return t, nil
}

// keepLive makes what stays.
func keepLive(p pace) *liveObject {
	n := liveObjects
	if p.quick {
		n = 1000
	}
	var live *liveObject
	for range n {
		live = &liveObject{next: live}
	}
	return live
}

// A paused is what cycles took at one value of GOGC.
type paused struct {
	percent         int
	rate            float64 // cycles a second
	median, longest time.Duration
	heap            float64 // bytes at which a cycle ends
}

// pausesAt makes garbage for as long as a contestant runs, and until there were enough cycles.
func pausesAt(ctx context.Context, p pace, percent int) (paused, error) {
	least := int64(pausesLeast)
	if p.quick {
		least = 1
	}
	debug.SetGCPercent(percent)
	runtime.GC()
	var before, after debug.GCStats
	debug.ReadGCStats(&before)
	began := time.Now()
	enough := func() bool {
		took := time.Since(began)
		return after.NumGC >= before.NumGC+least && took >= p.turn*time.Duration(p.turns) ||
			after.NumGC > before.NumGC && took >= pausesPatience
	}
	for !enough() {
		if err := ctx.Err(); err != nil {
			return paused{}, err
		}
		for range 1000 {
			keptRoom = make([]byte, garbageBytes)
		}
		debug.ReadGCStats(&after)
	}
	took := time.Since(began)
	cycles := int(after.NumGC - before.NumGC)
	pauses := slices.Sorted(slices.Values(after.Pause[:min(cycles, len(after.Pause), pausesMost)]))
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return paused{percent: percent, rate: float64(cycles) / took.Seconds(), median: pauses[len(pauses)/2],
		longest: pauses[len(pauses)-1], heap: float64(m.NextGC)}, nil
}

// pausesHold compares the median pause at a small and at a large GOGC.
func pausesHold(often, rarely paused) string {
	said := "Still true"
	if rarely.median.Seconds() >= 2*often.median.Seconds() {
		said = "Not by these figures"
	}
	return fmt.Sprintf("%s: at GOGC=%d there are %s cycles instead of %s at %d, and a pause is %s instead of %s in "+
		"the median.", said, rarely.percent, number.Rate(rarely.rate), number.Rate(often.rate), often.percent,
		number.Duration(rarely.median), number.Duration(often.median))
}
