package hold_test

import (
	"bytes"
	"math"
	"testing"

	"github.com/google/pprof/profile"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/hold"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// A line is the objects of one size that main.fn allocated: alive, and in all.
type line struct {
	fn                string
	size, alive, made int64
}

func heap(t *testing.T, table *stacks.Table, lines ...line) *stacks.Set {
	t.Helper()
	return scaledHeap(t, table, func(int64) float64 { return 1 }, lines...)
}

// scaledHeap has numbers and bytes of samples scaled up by the size of their objects, and cut, as Go's profiles do.
func scaledHeap(t *testing.T, table *stacks.Table, scale func(size int64) float64, lines ...line) *stacks.Set {
	t.Helper()
	p := &profile.Profile{SampleType: []*profile.ValueType{{Type: "alloc_objects", Unit: "count"},
		{Type: "alloc_space", Unit: "bytes"}, {Type: "inuse_objects", Unit: "count"},
		{Type: "inuse_space", Unit: "bytes"}},
		PeriodType: &profile.ValueType{Type: "space", Unit: "bytes"}, Period: 512 << 10}
	for i, l := range lines {
		f := &profile.Function{ID: uint64(i + 1), Name: "main." + l.fn, Filename: "/src/main.go"}
		at := &profile.Location{ID: f.ID, Line: []profile.Line{{Function: f, Line: 7}}}
		p.Function, p.Location = append(p.Function, f), append(p.Location, at)
		p.Sample = append(p.Sample, &profile.Sample{Location: []*profile.Location{at},
			Value: []int64{l.made, l.made * l.size, l.alive, l.alive * l.size}})
		for k, v := range p.Sample[i].Value {
			p.Sample[i].Value[k] = int64(float64(v) * scale(l.size))
		}
	}
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	set, err := table.Read(stacks.Source{Name: "heap.pb.gz", Kind: casefile.Heap}, b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// TestScaledSizes: the objects of one size that a stack makes are the same in two profiles, however many are sampled.
func TestScaledSizes(t *testing.T) {
	scale := func(size int64) float64 { return 1 / (1 - math.Exp(-float64(size)/stacks.DefaultRate)) }
	for _, size := range []int64{48, 4 << 10, 100 << 10, 400 << 10, 3 << 20} {
		for n := int64(1); n < 40; n++ {
			table := stacks.NewTable("example.com/app")
			first := scaledHeap(t, table, scale, line{"keeps", size, n, n})
			h := hold.New(scaledHeap(t, table, scale, line{"keeps", size, n + 3, n + 3}), first)
			if len(h.Held) != 1 {
				t.Errorf("%d objects of %d bytes, and %d before, are %d things held, want one", n+3, size, n, len(h.Held))
			}
		}
	}
}

// TestGrowthOfAStack: temporaries of a function do not hide what one of its stacks keeps, and what comes and goes does
// not look like growth.
func TestGrowthOfAStack(t *testing.T) {
	table := stacks.NewTable("example.com/app")
	first := heap(t, table, line{"keeps", 48 << 10, 100, 100}, line{"turns", 512 << 10, 200, 90_000})
	last := heap(t, table, line{"keeps", 48 << 10, 1000, 1000}, line{"turns", 512 << 10, 215, 190_000})
	h := hold.New(last, first)
	of := func(fn string) *hold.Sum {
		return h.Sum(func(b *hold.Held) bool { return table.Func(b.Line).Name == "main."+fn })
	}
	if d := of("keeps").Deviations(); d < 5 {
		t.Errorf("what stays grows by %.1f standard deviations, want 5 or more", d)
	}
	if d := of("turns").Deviations(); d > 2 {
		t.Errorf("what comes and goes grows by %.1f standard deviations, want 2 at most", d)
	}
	if !of("keeps").NeverFreed() || of("turns").NeverFreed() {
		t.Errorf("never freed: keeps %v, turns %v; want true, false", of("keeps").NeverFreed(), of("turns").NeverFreed())
	}
	if got := of("keeps").Size(); got != 48<<10 {
		t.Errorf("the objects have %.0f bytes, want 48 KiB", got)
	}
	if sums := hold.By(h.Held, hold.LineOf).Sorted(hold.AliveBytes); table.Func(sums[0].Held[0].Line).Name != "main.turns" {
		t.Errorf("the largest is at %s, want main.turns", table.Func(sums[0].Held[0].Line).Name)
	}
}

// TestAbout: a sampled number of objects may be another number or not, if the samples can tell.
func TestAbout(t *testing.T) {
	table := stacks.NewTable("example.com/app")
	h := hold.New(heap(t, table, line{"reads", 48 << 10, 1000, 1000}, line{"notes", 64, 1000, 1000}), nil)
	for _, b := range h.Held {
		reads := table.Func(b.Line).Name == "main.reads"
		if b.About(900, 1100) != reads || b.About(2000, 3000) {
			t.Errorf("%s: 1,000 objects of %.0f B are about 900 to 1,100: %v, about 2,000 to 3,000: %v",
				table.Func(b.Line).Name, b.Size, b.About(900, 1100), b.About(2000, 3000))
		}
	}
}
