package diagnose

import (
	"slices"
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/vitals"
)

// TestHeld: what stays is named where no two profiles measure its growth, and what only looks like it is not.
func TestHeld(t *testing.T) {
	base := heapLine{"main.load:3 main.main:9", 100_000, 10 * mib, 0}
	evals := func(n int64) heapLine { // a library that keeps something for each call
		return heapLine{"example.com/vm.(*Node).add:41 example.com/vm.(*Machine).Eval:9 main.(*tariffs).charge:47 " +
			"main.serve:4", n, n * 4096, 0}
	}
	old := func(in Input, age time.Duration) Input {
		in.Started = in.Evidence[len(in.Evidence)-1].Taken.Add(-age)
		return in
	}
	rises := func(in Input, from, to float64) Input {
		in.Triggers = []casefile.Trigger{{Rule: "heap-quadruples", Signal: vitals.HeapLive.String(), Unit: "bytes",
			Time: noon, Value: to}}
		return with(in, history(t, noon, map[vitals.ID]func(int) float64{
			vitals.HeapLive: func(i int) float64 { return from + (to-from)*float64(i)/39 }}))
	}
	tests := []struct {
		name  string
		in    Input
		place string // of the finding; "": none
		most  int
	}{
		{"never freed, and as fast as ever", old(apart(15, liveHeap(t, base, evals(7500)), liveHeap(t, base, evals(8100))),
			200*time.Second), "main.(*tariffs).charge", capNotice},
		{"never freed, and full", old(apart(15, liveHeap(t, base, evals(8100)), liveHeap(t, base, evals(8100))),
			200*time.Second), "", 0},
		{"never freed in a young process", old(apart(15, liveHeap(t, base, evals(7500)), liveHeap(t, base, evals(8100))),
			time.Minute), "", 0},
		{"a rule tripped", rises(apart(0, liveHeap(t, base, evals(20_000))), 4*mib, 90*mib), "main.(*tariffs).charge",
			capUnsure},
		{"a rule tripped, of many lines", rises(apart(0, liveHeap(t, heapLine{"main.a:1", 1000, 30 * mib, 0},
			heapLine{"main.b:1", 1000, 30 * mib, 0}, heapLine{"main.c:1", 1000, 30 * mib, 0})), 4*mib, 90*mib), "", 0},
		{"a large heap, and nothing that moves", apart(0, liveHeap(t, base, evals(60_000))), "", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f, score := scoreOf(t, tt.in, memLeakKind)
			if (score > 0) != (tt.place != "") || score > tt.most {
				t.Fatalf("scores %d (%s), want %d at most", score, f.Summary, tt.most)
			}
			if score > 0 && (f.Where[0].Function != tt.place || f.Impact.Share > 1 || f.Where[0].Share > 1) {
				t.Errorf("names %s with %v of the heap, want %s with no more than all", f.Where[0].Function,
					f.Impact.Share, tt.place)
			}
		})
	}
}

// TestUndecidedHeadline: much that one line holds is said although nothing tells whether it grows.
func TestUndecidedHeadline(t *testing.T) {
	held := heapLine{"main.(*index).add:31 main.serve:4", 3000, 300 * mib, 0}
	v := Run(t.Context(), apart(0, liveHeap(t, held)), Options{}).Verdict
	if v == nil || v.Answer != casefile.AnswerUndecided || v.Settle == "" {
		t.Errorf("the verdict is %+v, want undecided with a capture", v)
	}
}

// TestPooledGiants: buffers that grew large and come back are found; those that somebody needs are not.
func TestPooledGiants(t *testing.T) {
	step := func(size, live, made int64) heapLine {
		l := heapLine{"bytes.growSlice:267 main.render:39 main.(*exports).ServeHTTP:29 " + conn, live, live * size, made}
		if live == 0 {
			l.bytes = made * size
		}
		return l
	}
	heap := func(live, made int64) []byte {
		return liveHeap(t, step(4*mib, live, made), step(2*mib, 0, made), step(mib, 0, made), step(mib/2, 0, made))
	}
	at := func(n int, heap []byte) Input {
		in := apart(0, heap)
		in.Evidence = append(in.Evidence, Evidence{Name: "goroutines.txt", Taken: noon,
			Data: goroutines(n, "main.(*exports).ServeHTTP")})
		return in
	}
	for _, tt := range []struct {
		name string
		in   Input
		want bool
	}{
		{"they come back", at(14, heap(28, 39)), true},
		{"each is made and dropped", at(14, heap(14, 900)), false},
		{"more than anybody uses at once", at(14, heap(300, 300)), false},
		{"few", at(14, heap(3, 3)), false},
	} {
		f, score := scoreOf(t, tt.in, "mem-giant")
		cures := slices.ContainsFunc(f.Remedies, func(r casefile.Remedy) bool { return r.Title == putBackTitle })
		if (score >= 50 && cures && f.Where[0].Function == "main.render") != tt.want {
			t.Errorf("%s: scores %d with %v at %v, want a bound before Put: %v", tt.name, score, f.Remedies, f.Where,
				tt.want)
		}
	}
}

// TestInputsOfAParser: a library's copies of what a function has read are whole inputs; what it makes more of is not.
func TestInputsOfAParser(t *testing.T) {
	kept := heapLine{"example.com/parse.Bytes:514 main.(*index).ingest:31 main.serve:4", 2000, 2000 * 48 << 10, 0}
	read := func(n int64) heapLine {
		return heapLine{"io.ReadAll:746 main.(*index).ingest:27 main.serve:4", 0, n * 64 << 10, n}
	}
	if f, score := scoreOf(t, apart(0, liveHeap(t, kept, read(2000))), "mem-subslice-retained"); score == 0 ||
		f.Where[0].Function != "main.(*index).ingest" {
		t.Errorf("scores %d at %v, want the parser's copies at main.(*index).ingest", score, f.Where)
	}
	if f, score := scoreOf(t, apart(0, liveHeap(t, kept, read(100))), "mem-subslice-retained"); score != 0 {
		t.Errorf("scores %d: %s; want nothing of what is more than was read", score, f.Summary)
	}
}

// TestGrowingPointers: where small objects grow, the growth is the fault.
func TestGrowingPointers(t *testing.T) {
	nodes := func(n int64) []byte {
		return liveHeap(t, heapLine{"main.(*tree).put:7 main.serve:4", n, n * 80, 0})
	}
	if _, score := scoreOf(t, apart(20, nodes(2_000_000), nodes(2_400_000)), "gc-pointer-heap"); score != 0 {
		t.Errorf("scores %d, want nothing of what grows", score)
	}
	if _, score := scoreOf(t, apart(20, nodes(2_400_000), nodes(2_400_000)), "gc-pointer-heap"); score == 0 {
		t.Error("finds nothing in two million objects that stay")
	}
}
