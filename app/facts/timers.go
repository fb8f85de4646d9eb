package facts

import (
	"github.com/gocasebook/casebook/diagnose/hold"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// addTimers adds timers and contexts that are alive.
func (b *builder) addTimers() {
	if b.heap == nil {
		return
	}
	n := 0
	for _, tm := range b.heap.Timers() {
		fire := tm.Ticks && tm.Samples >= leastTicking && tm.Now.Objects > leastTimers && b.firing() >= leastFiring
		if n < mostTimers && (fire || tm.MoreThan(leastTimers)) {
			n++
			b.addTimer(tm)
		}
	}
}

// mostTimers is how many places that make timers are facts.
const mostTimers = 2

// leastTimers is from how many timers of one place on they are a fact: a hundred that fire every few milliseconds take
// CPU.
const leastTimers = 100

// Tickers of which few were sampled are a fact if running timers takes CPU: two samples are no chance then.
const (
	leastTicking = 2
	leastFiring  = 0.1 // of the CPU
)

// firing is the part of the CPU below the runtime's function that runs timers whose time has come.
func (b *builder) firing() float64 {
	return b.cpu.part(func(s *stacks.Sample) bool {
		return b.r.Table.Has(s.Stack, func(f *stacks.Func) bool { return f.Is(known.RunsTimers) })
	})
}

// addTimer adds the timers, or contexts, of one place.
func (b *builder) addTimer(tm *hold.Timers) {
	what := "timers"
	switch {
	case tm.Contexts:
		what = "contexts with a parent that keeps them until they are cancelled"
	case tm.Ticks:
		what = "tickers, which fire until they are stopped,"
	}
	var t text
	t.say("%s %s are alive, made in %s",
		doubted(count("timers alive", tm.Now.Objects), sampled(tm.Now.Objects, tm.Samples)), what, b.place(tm.Maker))
	if tm.Line != stacks.NoFrame && tm.Line != tm.Maker {
		t.say(" below %s", b.place(tm.Line))
	}
	t.say(": %s with all that belongs to them", bytesOf("bytes", tm.Bytes))
	if kept := tm.Kept; kept != nil {
		t.say(", %s with what the same calls keep", bytesOf("kept bytes", kept.Now.Bytes))
	}
	t.end()
	if f := b.firing(); tm.Ticks && f >= leastFiring {
		t.say(" %s of the CPU is spent in running timers.", shareOf("cpu in timers", f))
	}
	if tm.Made.Objects > 0 {
		t.say(" %s were made since the start.", count("timers made", tm.Made.Objects))
	}
	b.sayGrowth(&t, &tm.Sum, share(tm.Grown().Bytes/max(b.heap.Grown().Bytes, tm.Grown().Bytes, 1)))
	part := share(max(tm.Bytes, keptBytes(tm)) / b.heap.Now.Bytes)
	harm := b.weight.memory * part * b.heapPart()
	if tm.Ticks {
		harm = max(harm, b.weight.cpu*b.firing())
	}
	d := b.add(Hold, &t, harm)
	for _, h := range b.heaviest(&tm.Sum) {
		d.Stacks = append(d.Stacks, b.stack(h.Stack, h.Now.Objects/max(tm.Now.Objects, 1)))
	}
	d.Bounds = []Bound{{"memory", part}}
	if tm.Ticks {
		d.Bounds = append(d.Bounds, Bound{"cpu", b.firing()})
	}
}

func keptBytes(tm *hold.Timers) float64 {
	if tm.Kept == nil {
		return 0
	}
	return tm.Kept.Now.Bytes
}
