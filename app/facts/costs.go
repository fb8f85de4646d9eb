package facts

import (
	"cmp"
	"slices"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/cost"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

const (
	mostCosts = 8
	leastCost = 0.02 // of all CPU, or of all garbage
)

// addCosts adds what lines cost of CPU and of garbage.
func (b *builder) addCosts() {
	if b.costs == nil {
		b.addPlainCosts()
		return
	}
	for _, k := range b.costs.All[:min(len(b.costs.All), mostCosts)] {
		if k.Share >= leastCost {
			b.addCost(k)
		}
	}
}

// addCost adds what one line costs.
func (b *builder) addCost(k *cost.Cost) {
	var t text
	t.say("%s of the CPU is spent at %s", shareOf("share of cpu", k.Share), b.place(k.Line))
	if k.Enter != stacks.NoFrame {
		t.say(", in %s", shortName(b.r.Table.Func(k.Enter).Name))
	}
	if k.Garbage > 0 {
		t.say(" (%s in computing, and %s of all garbage)", shareOf("share of cpu in computing", k.CPU),
			shareOf("share of garbage", k.Garbage))
	}
	t.end()
	b.sayWay(&t, k)
	b.sayParts(&t, k)
	if !k.Enough() {
		t.say(" These are few samples.")
	}
	d := b.add(Cost, &t, b.weight.cpu*k.Share)
	d.line, d.Stacks = k.Line, b.costStacks(k)
	d.Bounds = []Bound{{"cpu", share(k.Share)}}
}

// sayWay says where on the way down the work splits.
func (b *builder) sayWay(t *text, k *cost.Cost) {
	if len(k.Way) < 2 {
		return
	}
	t.say(" Half of that or more is below %s", b.place(k.Way[len(k.Way)-1]))
	t.end()
}

// sayParts says how the work of a line is made up, as far as it is known.
func (b *builder) sayParts(t *text, k *cost.Cost) {
	parts := []struct {
		part  float64
		name  string
		words string
	}{
		{k.First, "first use", " %s of it is work that a value does at its first use, thrown away with it."},
		{k.Callers, "asks callers", " In %s of it a dependency asks who called it."},
		{k.Sorting, "in sorting", " %s of it is called back by a sort, and makes something of an element each time."},
		{k.Errors, "errors", " %s of its garbage is made in making errors."},
	}
	for _, p := range parts {
		if p.part >= leastPart {
			t.say(p.words, shareOf(p.name, p.part))
		}
	}
	if s := k.Step; s != nil {
		t.say(" %s of it is %s, which a caller could call once and keep for %s.", shareOf("step", s.Part),
			shortName(b.r.Table.Func(s.Does).Name), shortName(b.r.Table.Func(s.Uses).Name))
	}
	if w := k.Whole; w != nil {
		t.say(" Each request makes the whole of an object anew %s times at least, up to %s large, %s on average: "+
			"%s of the bytes below it.", count("times", w.Times), bytesOf("largest whole", w.Size),
			bytesOf("mean whole", w.Mean), shareOf("part of whole", w.Part))
	}
}

// leastPart is from which part of a line on it is said what it is.
const leastPart = 0.1

// costStacks are the heaviest stacks of a line.
func (b *builder) costStacks(k *cost.Cost) (out []Stack) {
	type weighed struct {
		stack       []stacks.FrameID
		most, share float64 // of the stack, and of all like it
	}
	index := make(map[[nearLine]stacks.FuncID]*weighed)
	var all []*weighed
	b.costs.Each(k, func(stack []stacks.FrameID, share float64) {
		key := b.nextToLine(stack)
		w := index[key]
		if w == nil {
			w = new(weighed)
			index[key], all = w, append(all, w)
		}
		if w.share += share; w.stack == nil || share > w.most {
			w.stack, w.most = stack, share
		}
	})
	slices.SortStableFunc(all, func(x, y *weighed) int { return cmp.Compare(y.share, x.share) })
	for _, w := range all[:min(len(all), mostStacks)] {
		out = append(out, b.stack(w.stack, w.share/max(k.Share, 1e-9)))
	}
	return out
}

// nearLine is how many functions next to its line tell stacks of a cost apart.
const nearLine = 5

// nextToLine are the functions of a stack next to the line that it ends with.
func (b *builder) nextToLine(stack []stacks.FrameID) (key [nearLine]stacks.FuncID) {
	for i := range key {
		key[i] = stacks.NoFunc
		if at := len(stack) - 1 - i; at >= 0 {
			key[i] = b.funcOf(stack[at])
		}
	}
	return key
}

// A profiled is the CPU profile of the trouble; its set is nil without one.
type profiled struct {
	set    *stacks.Set
	weight stacks.Weight // ns, without the marking on CPUs that nobody else wanted
	total  float64
}

// profile merges the CPU profiles of the trouble.
func (b *builder) profile() (p profiled) {
	if p.set = stacks.Merge(b.r.Best(casefile.CPU)); p.set == nil {
		return p
	}
	ns := stacks.ByValue(p.set.Value("cpu", "nanoseconds"))
	p.weight = func(s *stacks.Sample) int64 {
		if s.Class == stacks.GCIdle {
			return 0
		}
		return ns(s)
	}
	p.total = float64(p.set.Total(p.weight))
	return p
}

// part is the part of the CPU in samples for which match is true.
func (p *profiled) part(match func(*stacks.Sample) bool) float64 {
	if p.set == nil || p.total <= 0 {
		return 0
	}
	return share(float64(p.set.Total(func(s *stacks.Sample) int64 {
		if !match(s) {
			return 0
		}
		return p.weight(s)
	})) / p.total)
}

// addPlainCosts adds what lines take of a CPU profile that is too short to be judged.
func (b *builder) addPlainCosts() {
	set, weight, total := b.cpu.set, b.cpu.weight, b.cpu.total
	if set == nil || total <= 0 {
		return
	}
	const most = 4
	lines := stacks.SumBy(set, weight, b.r.OwnLine)
	for _, e := range lines[:min(len(lines), most)] {
		part := share(float64(e.Value) / total)
		if part < leastPlain || e.Value < leastTicks {
			return
		}
		var t text
		t.say("%s of the CPU is spent at %s, in a profile with little in it: %s", shareOf("share of cpu", part),
			b.place(e.Key), secondsOf("cpu in the profile", total/1e9))
		t.end()
		d := b.add(Cost, &t, b.weight.cpu*part)
		d.line = e.Key
		d.Stacks = []Stack{b.stack(set.Heaviest(weight, func(s *stacks.Sample) bool {
			at, ok := b.r.OwnLine(s)
			return ok && at == e.Key
		}), part)}
		d.Bounds = []Bound{{"cpu", part}}
	}
}

const (
	leastPlain = 0.1
	leastTicks = 5e7 // ns: five ticks of 100 Hz, which are known within a factor of two
)
