package diagnose

import (
	"fmt"
	"slices"

	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// A loop that waits by asking for the time, and one that asks for each of its elements, look alike in a profile: of
// `for time.Since(start) < d {}` 93 to 100 % is the clock, of a walk over a list or slice 82 to 98 % (testdata/clocks).
// "Read the clock once" is wrong for the first and "sleep" for the second. Where the function's name says that it
// waits, it is a spin; otherwise the remedy has both.

// asksOnly is the share of a function's CPU from which it does little else than ask for the time, with the locks that
// it takes itself: whoever waits for something to happen looks at that, too. A limiter's Allow has 82 %; a walk over a
// map has 71 % and a timed loop 72 %, and neither is a wait.
const asksOnly = 0.75

// forClock is the row for a function that may be waiting: the remedy names both ways out.
func (k costKind) forClock(r *Reading, c *costView, l *lineCost) costKind {
	if k.kind != "cpu-time-now" || c.cpu == nil {
		return k
	}
	fn := r.Table.FuncID(l.line)
	share := c.cpu.asking(r.Table, fn)
	if share < asksOnly {
		return k
	}
	k.explanation = fmt.Sprintf("%s of what %s does is to ask for the time: it waits in a loop, and takes the CPU "+
		"from others meanwhile, or it asks for each of many elements.",
		percent(share), short(r.Table.Func(l.line).Name))
	either := byChange("", "Sleep until the time has come, or read the clock once",
		"At {line}: if it waits for a time, time.Sleep, a Timer or a Ticker wakes it. If it waits for something to "+
			"happen, a channel with a timeout, or a limiter's Wait instead of Allow. If it asks for each element, "+
			"take the time before the loop.",
		"a wake-up takes some 50 µs; times are a little old")
	k.fixes = slices.Insert(slices.Clone(k.fixes[1:]), 0, either)
	return k
}

// resolveClocks moves lines that ask for the time in order to wait to the row of spinning.
func (c *costView) resolveClocks() {
	if c.cpu == nil {
		return
	}
	clock, spin := c.row("cpu-time-now"), c.row("cpu-spin")
	for k, l := range c.byLine {
		fn := c.x.t.FuncID(k.line)
		if k.kind != clock || !saysWait(c.x.t.Funcs[fn].Name) || c.cpu.asking(c.x.t, fn) < asksOnly {
			continue
		}
		to := costKey{spin, k.line}
		if also := c.byLine[to]; also != nil { // it looks at an atomic, too
			l.add(also)
		}
		c.byLine[to] = l
		delete(c.byLine, k)
	}
}

// saysWait reports whether a function's name says that it waits. It begins with the verb, as names of functions do;
// waitTimes and waitingSince are about the waits of others.
func saysWait(name string) bool {
	words := slices.DeleteFunc(nameWords(name), func(w string) bool { return w == "" })
	return known.SaysWait(words)
}

// asking is the share of a function's CPU, with all that it calls, in which it reads the clock or takes a lock itself.
func (v *cpuView) asking(t *stacks.Table, fn stacks.FuncID) float64 {
	var all, asks int64
	for i := range v.set.Samples {
		s := &v.set.Samples[i]
		at := slices.IndexFunc(s.Stack, func(id stacks.FrameID) bool { return t.FuncID(id) == fn })
		if at < 0 {
			continue
		}
		all += v.weight(s)
		if at > 0 && t.Func(s.Stack[at-1]).Does(known.ReadsClock, known.Synchronises, known.Atomics) {
			asks += v.weight(s)
		}
	}
	if all <= 0 {
		return 0
	}
	return float64(asks) / float64(all)
}
