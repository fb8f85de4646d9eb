package facts

import (
	"github.com/gocasebook/casebook/diagnose/traces"
	"github.com/gocasebook/casebook/vitals"
)

// leastQueue is how many goroutines wait for a processor on average, from where on it is a fact: one for each.
const leastQueue = 1.0

// addProcessors adds who has the processors while others wait for one, from a trace.
func (b *builder) addProcessors() {
	u := &b.trace.Use
	queue := float64(u.Waited) / float64(max(b.trace.Span, 1))
	if b.trace.Procs == 0 || queue < leastQueue*float64(b.trace.Procs) {
		return
	}
	var t text
	took := &b.trace.Scheduler.Latency
	t.say("In a trace of %s, %s goroutines on average waited for one of %s", secondsOf("trace", b.trace.Span.Seconds()),
		Number{Name: "waiting for a processor", Value: queue, Unit: string(vitals.Count)},
		things(int64(b.trace.Procs), "processors"))
	t.say(": it took %s from a wake-up to running, one in a hundred times %s or more",
		secondsOf("mean time to run", took.Mean().Seconds()), secondsOf("p99 of the time to run", took.P99.Seconds()))
	t.end()
	late := float64(u.Waited) / float64(max(b.served(), u.Waited, 1))
	var on []Stack
	for i := range b.trace.Goroutines {
		if g := &b.trace.Goroutines[i]; g.Delayed > 0 && 2*g.Delayed >= u.Waited {
			b.sayDelays(&t, g)
			on = append(on, b.traced(g.RunsStack, float64(g.Delayed)/float64(u.Waited)))
			break
		}
	}
	if p := b.trace.Preempted; len(p) > 0 {
		if at, ok := b.r.TracedLine(p[0].Stack); ok {
			t.say(" Who had run for a whole time slice was most often at %s.", tracedPlace(at))
			on = append(on, b.traced(p[0].Stack, 0))
		}
	}
	d := b.add(Cost, &t, max(b.weight.latency, b.weight.cpu)*share(late))
	for _, s := range on {
		if len(s.Frames) > 0 {
			d.Stacks = append(d.Stacks, s)
		}
	}
	d.Bounds = []Bound{{"latency", share(late)}}
}

// sayDelays says that others wait while goroutines of one function run.
func (b *builder) sayDelays(t *text, g *traces.GoroutineType) {
	t.say(" %s of that while goroutines of %s ran, up to %s at a time.",
		shareOf("while these ran", float64(g.Delayed)/float64(max(b.trace.Use.Waited, 1))), shortName(g.Name),
		secondsOf("longest run", g.Runs.Max.Seconds()))
}
