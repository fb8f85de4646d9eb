package diagnose

import (
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/diagnose/view"
)

// For every process, sick or well, the picture says what is on the heap, what uses the CPU and where goroutines are.
// What the runtime, the standard library and the capture do on their own is left out: nobody can change it, and every
// process has it.

// How much evidence is needed before its places are shown: with 50 samples a share of a half has an error of ±14 points
// at 95 %, with 8 of ±35, which still shows what is largest.
const (
	pictureTicks   = 50 // of the CPU profiler: half a second of CPU
	pictureObjects = 8  // sampled objects that are alive: about 4 MiB of small ones
	// Times the sampling rate: of objects that large, 98 in 100 are in the profile (1 − exp(−size/rate), runtime/pprof
	// scaleHeapSample), so that even one tells where it is from.
	pictureLarge = 4
)

// tooFew reports whether so few sampled objects stand for some bytes that their places mean nothing.
func tooFew(bytes, objects, rate float64) bool {
	large := objects > 0 && bytes >= pictureLarge*rate*objects
	return !large && sampled(bytes, objects, rate) < pictureObjects
}

// tooLittle ends the head of a line that is few.
const tooLittle = ", too little to show where"

// picture is nil if no evidence shows any of the three.
func picture(r *Reading) *casefile.Picture {
	p := casefile.Picture{Heap: heapPictureLine(r), CPU: cpuLine(r), Goroutines: goroutineLine(r), Tripped: tripped(r),
		Answers: answersLine(r), Machine: machineLine(r), Memory: r.memoryTable(), Ages: objectAges(r)}
	if len(p.Lines()) == 0 && p.Memory == nil {
		return nil
	}
	return &p
}

// heapPictureLine is what is alive, by the line that allocated it.
func heapPictureLine(r *Reading) *casefile.PictureLine {
	v := r.heap()
	if v == nil || v.set.Seconds > 0 || v.set.Value("inuse_space", "bytes") < 0 {
		return nil
	}
	l := pictureLine{r: r, total: v.liveBytes, libraries: "Go's own libraries"}
	head := size(v.liveBytes) + " live"
	if v.set.Value("inuse_objects", "count") >= 0 && tooFew(v.liveBytes, v.liveObjects, v.rate) {
		l.few = true
		return l.finish(head, v.liveBytes, "bytes", v.set)
	}
	for _, e := range stacks.SumBy(v.set, v.space, r.OwnLine) {
		l.add(pictured{at: e.Key, amount: float64(e.Value)})
	}
	l.restOfAll()
	return l.finish(head, v.liveBytes, "bytes", v.set)
}

// cpuLine is what uses the CPU, by function with its heaviest line: a profile spreads a function's time over its lines.
func cpuLine(r *Reading) *casefile.PictureLine {
	v := r.cpu()
	if v == nil {
		return nil
	}
	l := pictureLine{r: r, total: v.total, libraries: "Go's own libraries and runtime"}
	head := cores(v.level.cores)
	switch {
	case v.samples >= pictureTicks:
		addBusy(r, &l, v)
	case v.level.known:
		l.few = true
	}
	if !v.level.known {
		head = things(v.samples, "sample")
	}
	return l.finish(head, v.level.cores, "cores", v.set)
}

// addBusy adds the functions of a CPU profile, and the collector.
func addBusy(r *Reading, l *pictureLine, v *cpuView) {
	working := func(s *stacks.Sample) int64 {
		if s.Class.GC() {
			return 0
		}
		return v.weight(s)
	}
	heaviest, sum := make(map[stacks.FuncID]stacks.FrameID), make(map[stacks.FuncID]int64)
	for _, e := range stacks.SumBy(v.set, working, r.OwnLine) { // in falling order
		f := r.Table.FuncID(e.Key)
		if _, seen := heaviest[f]; !seen {
			heaviest[f] = e.Key
		}
		sum[f] += e.Value
	}
	for f, at := range heaviest {
		l.add(pictured{at: at, amount: float64(sum[f])})
	}
	l.add(pictured{at: stacks.NoFrame, what: "the garbage collector", amount: v.gcShare() * v.total})
	l.restOfAll()
}

// goroutineLine is where goroutines are, and what they wait for.
func goroutineLine(r *Reading) *casefile.PictureLine {
	return goroutinesThat(r, func(*view.Pile) bool { return true })
}

// goroutinesThat is where those goroutines stand that are wanted.
func goroutinesThat(r *Reading, wanted func(*view.Pile) bool) *casefile.PictureLine {
	set := r.MostGoroutines()
	if set == nil {
		return nil
	}
	total := float64(set.Total(set.Count()))
	if total == 0 && len(set.Crashes) > 0 { // the text of a crash that ends before them
		return nil
	}
	l := pictureLine{r: r, total: total, numbers: true,
		libraries: "in the standard library, idle connections and the like"}
	for _, p := range r.Piles(set) {
		at, does := p.At, doing(r, p)
		if !p.User {
			at = r.Table.Entered(p.Stack)
		}
		if _, ends := endKnown(r, p); ends && at == stacks.NoFrame {
			if b, ok := begunBy(r, p); ok {
				at, does = b.Line, does+", begun"
			}
		}
		switch {
		case !wanted(p):
		case at == stacks.NoFrame:
			l.rest += float64(p.N)
		// those that any process has
		case p.N > 1 && !awaitsToBeAsked(r.Table, p.Stack):
			l.add(pictured{at: at, what: does, amount: float64(p.N)})
		}
	}
	head := count(total)
	if len(l.largest()) == 0 {
		head += ", no two at the same place in the program"
	}
	return l.finish(head, total, "count", set)
}

// doing says what the goroutines of a pile do.
func doing(r *Reading, p *view.Pile) string {
	if what := callsWhat(r, p.Stack); what != "" {
		return "wait for " + what
	}
	return p.Wait.Does()
}
