package trial

import (
	"fmt"
	"time"

	"github.com/gocasebook/casebook/internal/number"
)

// Slices become longer by themselves where a quarter of a second does not show what a server does under a load that
// goes on: where its queue was still growing when the slice ended, and drained before its next turn.
const (
	longest      = 4 * time.Second
	longestFixed = time.Second // where the number of blocks is fixed, and no time bounds them
	step         = 4           // times as long
	lastBlock    = 8           // after so many blocks of a length they are no longer thrown away
	// oneWay is the length from which on longer slices are so long that a block has one turn of each server only, in
	// its own order, and does not come back; below it goes there and back once.
	oneWay = time.Second
)

// lengthen makes the slices longer if they are too short, and reports whether it did. What was measured until then
// shows something else, and does not count.
func (t *trial) lengthen() bool {
	if !t.Lengthen || len(t.result.Blocks) >= lastBlock {
		return false
	}
	next, why := t.Slice, ""
	for i, k := range t.keepings() {
		wanted := t.Slice
		switch {
		case k.growing:
			wanted = step * t.Slice
			if k.grows > growingFast*k.came {
				wanted = longest
			}
			wanted = min(wanted, t.drained(&k))
		case k.rising || k.slow:
			wanted = step * t.Slice
		}
		if wanted > next {
			next, why = wanted, t.sideName(i)
		}
	}
	next = min(next, t.room())
	if next < t.Slice*3/2 {
		return false
	}
	next = next.Truncate(10 * time.Millisecond)
	t.View.say("the queue of %s had not settled when slices of %v ended: slices take %v from now on, and the "+
		"measurement restarts", why, t.Slice, next)
	t.Slice, t.longer = next, true
	return true
}

// drained returns the slice after which a server with a growing queue is done with it in a third of the timeout:
// requests that are given up show how long the timeout is, and nothing of the server.
func (t *trial) drained(k *keeping) time.Duration {
	seconds := k.served() / k.grows * t.timeout.Seconds() / 3
	return time.Duration(min(seconds, t.timeout.Seconds()) * float64(time.Second))
}

// room returns the longest slice with which minBlocks blocks fit into the time that is left, if each server has one
// turn and takes as long again for what is left of a queue.
func (t *trial) room() time.Duration {
	if t.Blocks > 0 {
		return longestFixed
	}
	block := (t.bound()-time.Since(t.began))/minBlocks - t.starting
	if once := block / (2 * sides); once >= oneWay {
		return min(longest, once)
	}
	return min(oneWay-1, block/(4*sides))
}

// turns returns how many turns of its servers a pass has: there and back.
func (t *trial) turns() int {
	if t.longer && t.Slice >= oneWay {
		return sides
	}
	return 2 * sides
}

// keepings returns how A, with its second start, and B keep up, by all blocks of the present length.
func (t *trial) keepings() [2]keeping {
	return [2]keeping{keepingOf(t.courses[0]), keepingOf(t.courses[1])}
}

func (t *trial) sideName(i int) string { return [...]string{t.A.Name, t.B.Name}[i] }

// watch keeps the courses of a block's slices.
func (t *trial) watch(c *cast) {
	for i, s := range c.servers {
		side := 0
		if i == sideB {
			side = 1
		}
		for _, sl := range s.slices {
			t.courses[side] = append(t.courses[side], sl.course)
		}
	}
}

// overloads says which sides do not keep up, as sentences.
func (t *trial) overloads() []string {
	var out []string
	for i, k := range t.keepings() {
		offered := k.came
		if t.Pace.Pace == nil {
			offered = t.Rate // of which the slices are samples
		}
		switch {
		case k.growing:
			left := min(k.grows/k.came, 1) * offered
			out = append(out, fmt.Sprintf("%s cannot keep up with %s/s: %s/s, queue growing by %s requests a "+
				"second, over slices of %v.",
				t.sideName(i), number.Digits(offered), number.Digits(offered-left), number.Digits(left), t.Slice))
		case k.rising:
			out = append(out, fmt.Sprintf("The latency of %s was still rising when slices of %v ended: under "+
				"continuous load it is higher than measured.",
				t.sideName(i), t.Slice))
		}
	}
	return out
}
