package facts

import (
	"github.com/gocasebook/casebook/diagnose/wait"
	"github.com/gocasebook/casebook/vitals"
)

// addMachine adds what the machine and the runtime leave the program.
func (b *builder) addMachine() {
	b.addQuota()
	b.addNeighbours()
	b.addCollector()
	b.addMemoryLimits()
	b.addScheduler()
}

// A said is a signal with the words around it.
type said struct {
	id    vitals.ID
	words string
	least float64 // below it, it is not said
}

// sayMeans says the means of signals that are as large as they must be; it reports whether there was any.
func (b *builder) sayMeans(t *text, list ...said) (any bool) {
	sep := ""
	for _, l := range list {
		if v, ok := b.r.Mean(l.id); ok && v >= l.least {
			t.say(sep+l.words, b.signalNumber(l.id, "", v))
			sep, any = ", ", true
		}
	}
	if any {
		t.end()
	}
	return any
}

// mean is the mean of a signal; 0 where it is not known.
func (b *builder) mean(id vitals.ID) float64 { v, _ := b.r.Mean(id); return v }

// addQuota adds what a quota of the CPU holds back.
func (b *builder) addQuota() {
	q := b.r.Limits.CPUQuota
	if q <= 0 {
		return
	}
	var t text
	t.say("A quota of %s is set; ", coresOf("cpu quota", q))
	if !b.sayMeans(&t, said{vitals.CPU, "%s are used", 0},
		said{vitals.Throttled, "%s of its periods were throttled", 0},
		said{vitals.ThrottledCores, "%s were held back", 0}, said{vitals.GoMaxProcs, "GOMAXPROCS is %s", 0}) {
		t.say("what it held back is not known.")
	}
	throttled := b.mean(vitals.Throttled)
	if at := b.r.ValueAt(vitals.Throttled, b.r.TroubleAt()); at != nil && *at > throttled {
		t.say(" At the end %s of them were throttled.", b.signalNumber(vitals.Throttled, " at the end", *at))
		throttled = *at
	}
	b.add(Machine, &t, max(b.weight.cpu, b.weight.latency)*throttled)
}

// leastNeighbours is how much of the CPU others take, in cores, for it to be a fact, and how much of the time somebody
// who could run waits for a CPU.
const (
	leastNeighbours = 0.3
	leastPressure   = 0.1
)

// addNeighbours adds who else uses the CPUs.
func (b *builder) addNeighbours() {
	others, pressure, steal := b.mean(vitals.OthersCPU), b.mean(vitals.CPUPressure), b.mean(vitals.MachineSteal)
	if others < leastNeighbours && pressure < leastPressure && steal < leastPressure/2 {
		return
	}
	var t text
	b.sayMeans(&t, said{vitals.OthersCPU, "Other processes use %s of the CPUs that this one may run on", 0},
		said{vitals.SpareCPU, "%s are idle", 0},
		said{vitals.CPUPressure, "for %s of the time some task waited for a CPU", 0},
		said{vitals.MachineSteal, "the hypervisor took %s", 0.01})
	waited, measured := b.r.WaitedForCPU()
	if measured {
		t.say(" The process's own threads waited for a CPU for %s of the time in which they could run.",
			shareOf("own waiting for a CPU", waited))
	}
	if p := b.report.Picture; p != nil && p.Machine != nil && len(p.Machine.Places) > 0 {
		sep := " The machine's CPUs: "
		for i, row := range p.Machine.Places {
			if i == 5 {
				break
			}
			t.say("%s%s %s", sep, shareOf(clean(row.What), row.Share), clean(row.What))
			sep = ", "
		}
		t.end()
	}
	b.add(Machine, upper(&t), neighbourPart*b.starved(waited, measured))
}

// starved is how much of what people feel waiting for a CPU can explain. On a busy machine threads of each process
// wait, of healthy and idle ones, too: it counts for requests that run, and by how near the process is to what it may
// use, and not for those that wait for something else.
func (b *builder) starved(waited float64, measured bool) float64 {
	own := share(b.mean(vitals.CPU) / max(b.r.Limits.CPUs, 1))
	if !measured {
		waited = max(b.mean(vitals.CPUPressure), b.mean(vitals.MachineSteal)) * own
	}
	return waited * max(b.weight.latency*b.wantCPU(), b.weight.cpu*own)
}

// wantCPU is the part of the requests in progress that a processor alone would end: they run, or wait for the
// collector, which does.
func (b *builder) wantCPU() float64 {
	if len(b.graph.Requests) == 0 {
		return 0
	}
	m := b.graph.Fullest()
	want := int64(0)
	for _, p := range b.graph.Piles {
		if p.Request && (p.For == wait.Nothing || p.For == wait.Collector) {
			want += p.N[m]
		}
	}
	return share(float64(want) / float64(max(b.graph.Requests[m], 1)))
}

// neighbourPart is how much of it neighbours explain at most: without them the process's threads still wait for each
// other, and what the program does with its CPU can be changed whoever else is on the machine.
const neighbourPart = 0.5

// addCollector adds what the collector takes.
func (b *builder) addCollector() {
	var t text
	part := b.collector()
	t.say("%s of the CPU is spent in allocating and collecting garbage", shareOf(Collecting, part))
	sep := "; "
	for _, l := range []said{{vitals.GCCPU, "the collector took %s of what the process may use", 0},
		{vitals.GCAssist, "of it %s by goroutines that had to assist", 0.001}, {vitals.GCRate, "%s collections", 0},
		{vitals.AllocRate, "%s allocated", 0}, {vitals.HeapGoal, "the next collection ends at %s of heap", 0},
		{vitals.HeapLive, "%s of it live", 0}, {vitals.GCPause, "the longest stop took %s", 0.001}} {
		if v, ok := b.r.Mean(l.id); ok && v >= l.least {
			t.say(sep+l.words, b.signalNumber(l.id, "", v))
			sep = ", "
		}
	}
	t.end()
	if len(t.numbers) < 2 && part == 0 {
		return
	}
	b.add(Machine, &t, b.weight.cpu*part/2)
}

// addMemoryLimits adds limits of memory, and how near the process is to them.
func (b *builder) addMemoryLimits() {
	var t text
	list := []said{{vitals.MemoryLimit, "The memory limit of its cgroup is %s", 1},
		{vitals.GoMemoryLimit, "GOMEMLIMIT is %s", 1}}
	limits := 0
	sep := ""
	for _, l := range list {
		if v, ok := b.r.Mean(l.id); ok && v >= l.least && v < noLimit {
			t.say(sep+l.words, b.signalNumber(l.id, "", v))
			sep = ", "
			limits++
		}
	}
	if limits == 0 {
		return
	}
	for _, l := range []said{{vitals.MemoryShare, "%s of it is used", 0}, {vitals.GoMemory, "Go holds %s", 0}} {
		if v, ok := b.r.Mean(l.id); ok {
			t.say(sep+l.words, b.signalNumber(l.id, "", v))
		}
	}
	t.end()
	b.add(Machine, &t, b.weight.memory*share(b.mean(vitals.MemoryShare))/2)
}

// noLimit is how large a limit is that is none: GOMEMLIMIT=off is the largest integer.
const noLimit = 1 << 50

// Levels from which on the scheduler's delays are a fact.
const (
	leastSchedLatency = 0.005 // seconds, of 1 in 100
	manyThreads       = 100
)

// addScheduler adds how long goroutines wait for a processor, and how many threads there are.
func (b *builder) addScheduler() {
	late, threads := b.mean(vitals.SchedLatencyP99), b.mean(vitals.Threads)
	if late < leastSchedLatency && threads < manyThreads {
		return
	}
	var t text
	b.sayMeans(&t,
		said{vitals.SchedLatencyP99, "one in a hundred goroutines that could run waited %s or more for a processor", 0},
		said{vitals.GoroutinesRunnable, "%s could run at a time", 0}, said{vitals.GoMaxProcs, "GOMAXPROCS is %s", 0},
		said{vitals.Threads, "there are %s threads", 0})
	b.add(Machine, upper(&t), max(b.weight.cpu, b.weight.latency)/2*level(late, leastSchedLatency, 1))
}
