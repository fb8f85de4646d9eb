package diagnose_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/pprof/profile"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/vitals"
)

// TestHeld: what stays is named where no two profiles measure its growth, and what only looks like it is not.
func TestHeld(t *testing.T) {
	base := heapLine{"main.load:3 main.main:9", 100_000, 10 * mib, 0}
	evals := func(n int64) heapLine { // a library that keeps something for each call
		return heapLine{"example.com/vm.(*Node).add:41 example.com/vm.(*Machine).Eval:9 main.(*tariffs).charge:47 " +
			"main.serve:4", n, n * 4096, 0}
	}
	// a library's call that keeps small parts of what it makes, on two stacks; and another for each request
	observe := func(n, samples int64) []heapLine {
		const up = " main.(*api).observe:27 main.serve:4 " + conn
		return []heapLine{{"example.com/metrics.newMeter:20 example.com/metrics.NewTimer:9" + up, n, n * 48, 0},
			{"example.com/metrics.(*arbiter).add:70 example.com/metrics.NewTimer:9" + up, n, n * 1100, 0},
			{"example.com/metrics.newSample:30 example.com/metrics.NewTimer:9" + up, 0, samples * 8192, samples}}
	}
	perRequest := func(n, requests int64) []heapLine {
		return []heapLine{{"example.com/trace.(*set).add:70 example.com/trace.(*Handler).ServeHTTP:9 " + conn, n, n * 1100,
			0},
			{"net/http.readRequest:40 " + conn, 0, requests * 4096, requests}}
	}
	old := func(in diagnose.Input, age time.Duration) diagnose.Input {
		in.Started = in.Evidence[len(in.Evidence)-1].Taken.Add(-age)
		return in
	}
	rises := func(in diagnose.Input, from, to float64) diagnose.Input {
		in.Triggers = []casefile.Trigger{{Rule: "heap-quadruples", Signal: vitals.HeapLive.String(), Unit: "bytes",
			Time: noon, Value: to}}
		return with(in, history(t, noon, map[vitals.ID]func(int) float64{
			vitals.HeapLive: func(i int) float64 { return from + (to-from)*float64(i)/39 }}))
	}
	tests := []struct {
		name  string
		in    diagnose.Input
		place string // of the finding; "": none
		most  int
	}{
		{"never freed, and as fast as ever", old(apart(15, liveHeap(t, base, evals(7500)), liveHeap(t, base, evals(8100))),
			200*time.Second), "main.(*tariffs).charge", capNotice},
		{"never freed, and full", old(apart(15, liveHeap(t, base, evals(8100)), liveHeap(t, base, evals(8100))),
			200*time.Second), "", 0},
		{"never freed, beside what the same call frees, in a young process", old(apart(15, liveHeap(t, observe(17_000,
			60_000)...), liveHeap(t, observe(19_000, 70_000)...)), 140*time.Second), "main.(*api).observe", capNotice},
		{"a store with nothing beside it, in a young process", old(apart(15, liveHeap(t, observe(17_000, 0)...),
			liveHeap(t, observe(19_000, 0)...)), 140*time.Second), "", 0},
		{"one for each request, in a young process", old(apart(15, liveHeap(t, perRequest(17_000, 18_000)...),
			liveHeap(t, perRequest(19_000, 20_000)...)), 140*time.Second), "example.com/trace.(*Handler).ServeHTTP", capNotice},
		{"a store with hits, in a young process", old(apart(15, liveHeap(t, perRequest(17_000, 90_000)...),
			liveHeap(t, perRequest(19_000, 99_000)...)), 140*time.Second), "", 0},
		{"never freed in a young process", old(apart(15, liveHeap(t, base, evals(7500)), liveHeap(t, base, evals(8100))),
			time.Minute), "", 0},
		{"a rule tripped", rises(apart(0, liveHeap(t, base, evals(20_000))), 4*mib, 90*mib), "main.(*tariffs).charge",
			capUnsure},
		{"a rule tripped, of many lines", rises(apart(0, liveHeap(t, heapLine{"main.a:1", 1000, 30 * mib, 0},
			heapLine{"main.b:1", 1000, 30 * mib, 0}, heapLine{"main.c:1", 1000, 30 * mib, 0})), 4*mib, 90*mib), "", 0},
		{"two profiles of few objects, while the heap rose by more than all else", with(old(apart(15, liveHeap(t, base,
			heapLine{"main.page:9 main.serve:4", 20, 120 * mib, 200}), liveHeap(t, base, heapLine{"main.page:9 main.serve:4", 30,
			180 * mib, 300})), 200*time.Second), history(t, noon.Add(20*time.Second), map[vitals.ID]func(int) float64{
			vitals.HeapLive: func(i int) float64 { return float64(60+4*i) * mib }})), "main.page", capNotice},
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
	v := diagnose.Run(t.Context(), apart(0, liveHeap(t, held)), diagnose.Options{}).Verdict
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
	at := func(n int, heap []byte) diagnose.Input {
		in := apart(0, heap)
		in.Evidence = append(in.Evidence, diagnose.Evidence{Name: "goroutines.txt", Taken: noon,
			Data: goroutines(n, "main.(*exports).ServeHTTP")})
		return in
	}
	for _, tt := range []struct {
		name string
		in   diagnose.Input
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

// TestKeptRequests: what hangs on requests that have ended is to be deleted with them; streams that are open, each with
// its request, are no leak.
func TestKeptRequests(t *testing.T) {
	heap := func(n int64) []byte {
		return liveHeap(t, heapLine{"net/http.readRequest:40 " + conn, n, n * 700, 0},
			heapLine{"example.com/sessions.(*Store).Get:9 main.(*shop).cart:35 main.serve:4 " + conn, n, n * 900, 0})
	}
	in := apart(15, heap(17_000), heap(19_000))
	in.Started = in.Evidence[len(in.Evidence)-1].Taken.Add(-140 * time.Second)
	f, score := scoreOf(t, in, memLeakKind)
	if score == 0 || f.Where[0].Function != "main.(*shop).cart" || !strings.Contains(f.Remedies[0].Text, "Clear") {
		t.Errorf("scores %d, %s: %v; want the entry of the ended request deleted at main.(*shop).cart", score, f.Summary,
			f.Remedies)
	}
	open := with(in, diagnose.Evidence{Name: "g.txt", Taken: noon,
		Data: dumpOf(crowd{19_000, "select", "main.wait:3 " + conn, ""})})
	open.Started = in.Started
	if f, score := scoreOf(t, open, memLeakKind); score > 0 {
		t.Errorf("scores %d where as many requests are in progress: %s", score, f.Summary)
	}
}

// TestGiantsInside: blocks of one size that a library makes for each call follow no input, and there are no pieces.
func TestGiantsInside(t *testing.T) {
	other := heapLine{"main.load:3 main.main:1", 100, 100 * 4096, 0}
	const library = "example.com/kdf.Key main.login main.serve"
	const method = "example.com/pack.newTable example.com/pack.(*Writer).Write main.login main.serve"
	made := func(stack string, mibs ...int64) (out []heapLine) {
		stack = strings.ReplaceAll(stack, "main.login", "main.login:1") // as profiletest has it
		for _, m := range mibs {
			out = append(out, heapLine{stack, 0, 300 * m * mib, 300})
		}
		return out
	}
	for _, tt := range []struct {
		name  string
		lines []heapLine
		cpu   string // beside 10 % for the collector
		cure  string
		least int
		most  int
	}{
		{"a key for each login", made(library, 32), "main.other", "Bound how many run at once", 50, capUnsure},
		{"which computes more than it allocates", made(library, 32), library, "Bound how many run at once", 25, 30},
		{"a compressor for each answer", made(method, 32), "main.other", "Keep it and use it again", 50, capUnsure},
		{"pictures of several sizes", made(library, 32, 40, 56), library, "Work on pieces", 50, capUnsure},
		{"the line's own", made("main.login main.serve", 32), "main.other", "Work on pieces", 50, capUnsure},
	} {
		cpu := cpuProfile(t, 10, map[string]int64{gcStack: 100, tt.cpu: 900})
		cpu.Data = inFilesOf(t, cpu.Data)
		in := with(apart(30, liveHeap(t, other), liveHeap(t, append(tt.lines, other)...)), cpu)
		f, score := scoreOf(t, in, "mem-giant")
		if score < tt.least || score > tt.most || f.Where[0].Function != "main.login" || f.Remedies[0].Title != tt.cure {
			t.Errorf("%s: scores %d with %v at %v, want %d to %d at main.login, with %q", tt.name, score, f.Remedies,
				f.Where, tt.least, tt.most, tt.cure)
		}
	}
}

// inFilesOf gives the functions of a profile the files that liveHeap's have.
func inFilesOf(t *testing.T, data []byte) []byte {
	t.Helper()
	p, err := profile.ParseData(data)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range p.Function {
		f.Filename = goFile(f.Name)
	}
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestWhoKeeps: what grows or is gone beside what stays tells who keeps it, and so what to do about it.
func TestWhoKeeps(t *testing.T) {
	const up = " main.(*shop).load:31 main.serve:4 " + conn
	base := heapLine{"main.read:3 main.main:9", 1000, 4 * mib, 0}
	value := func(n int64) heapLine { return heapLine{"main.(*shop).load:31 main.serve:4 " + conn, n, n * 4096, 0} }
	tables := func(n int64) heapLine { // of a map that grew
		return heapLine{"main.(*shop).put:52 main.(*shop).load:31 main.serve:4 " + conn, n, n * 40 << 10, 2*n - 1}
	}
	entry := func(n int64) heapLine {
		return heapLine{"internal/sync.newEntryNode:300 sync.(*Map).Store:40 main.(*shop).load:34 main.serve:4 " + conn, n,
			n * 64, 0}
	}
	result := func(calls int64) []heapLine { // a tree of 2,000 nodes for each document, and what reads it
		return []heapLine{{"example.com/tree.(*node).add:20 example.com/tree.Parse:9" + up, calls * 2000,
			calls * 2000 * 80, 0},
			{"example.com/tree.newReader:30 example.com/tree.Parse:9" + up, 0, calls * 8192, calls}}
	}
	record := func(n, lists int64) []heapLine {
		lines := []heapLine{{"encoding/csv.(*Reader).readRecord:441 encoding/csv.(*Reader).Read:202" + up, n, n * 1200, 0},
			{"encoding/csv.(*Reader).readRecord:450 encoding/csv.(*Reader).Read:202" + up, lists, lists * 900, n}}
		if lists == 0 {
			lines[1].bytes = n * 900
		}
		return lines
	}
	grown := func(first, last []heapLine) diagnose.Input {
		in := apart(20, liveHeap(t, append(first, base)...), liveHeap(t, append(last, base)...))
		in.Started = noon.Add(-40 * time.Second)
		return in
	}
	room := func(n int, size int64) diagnose.Input {
		in := apart(0, liveHeap(t, heapLine{"main.(*hub).subscribe:26 main.(*hub).follow:49 " + conn, 40, 40 * size, 0}))
		in.Evidence = append(in.Evidence, diagnose.Evidence{Name: "goroutines.txt", Taken: noon,
			Data: goroutines(n, "main.(*hub).follow")})
		return in
	}
	resident := func(rss float64) diagnose.Input { // of 64 MiB that Go has
		in := grown([]heapLine{value(5000)}, []heapLine{value(8000)})
		in.Evidence = append(in.Evidence, vitalsOf(t, in.Evidence[1].Taken, map[vitals.ID]float64{vitals.RSS: rss,
			vitals.GoMemory: 64 * mib}))
		return in
	}
	served := func(requests, texts int64) diagnose.Input { // with what was made for 12,000 requests
		line := func(what string, size, live int64) heapLine {
			l := heapLine{what + " net/http.readRequest:1080 net/http.(*conn).readRequest:998 " + conn, live, live * size,
				12_000}
			if live == 0 {
				l.bytes = 12_000 * size
			}
			return l
		}
		return grown(nil, []heapLine{line("net/textproto.(*Reader).ReadLine:45", 3000, texts),
			line("net/http.newHeader:12", 1000, requests), line("net/http.newRequest:14", 700, requests), tables(16)})
	}
	for _, tt := range []struct {
		name  string
		in    diagnose.Input
		kind  string
		title string // of the first remedy; "": no finding
	}{
		{"nothing grows beside it", grown([]heapLine{value(5000)}, []heapLine{value(8000)}), memLeakKind,
			"Delete each where its owner ends, or bound what keeps them"},
		{"most was never written to", resident(20 * mib), memLeakKind, "Make it smaller"},
		{"most is resident", resident(60 * mib), memLeakKind, "Delete each where its owner ends, or bound what keeps them"},
		{"a map grows beside it", grown([]heapLine{value(5000), tables(40)}, []heapLine{value(8000), tables(64)}),
			memLeakKind, "Bound it"},
		{"entries of a sync.Map beside it", grown([]heapLine{value(5000), entry(40_000)},
			[]heapLine{value(8000), entry(64_000)}), memLeakKind, "Bound it"},
		{"a tree of each document", grown(result(400), result(640)), memLeakKind, "Keep what is needed of each result"},
		{"records, and not the lists of their fields", grown(record(20_000, 0), record(32_000, 0)), "mem-subslice-retained",
			"Copy the part that is kept"},
		{"records as they are", grown(record(20_000, 20_000), record(32_000, 32_000)), "mem-subslice-retained", ""},
		{"requests that have ended", served(12_000, 12_000), memLeakKind,
			"Keep what is needed of the request, and not the request"},
		{"the text of requests that have ended", served(0, 12_000), memLeakKind, "Copy the part that is kept"},
		{"requests that are gone", served(0, 0), memLeakKind, ""},
		{"a large channel for each goroutine", room(40, 4*mib), memLeakKind, "Make it smaller"},
		{"a large channel for each, and most are left behind", room(4, 4*mib), memLeakKind, ""},
		{"a small one", room(40, 40<<10), memLeakKind, ""},
	} {
		f, score := scoreOf(t, tt.in, tt.kind)
		if tt.title == "" && score > 0 || tt.title != "" && (score == 0 || f.Remedies[0].Title != tt.title) {
			t.Errorf("%s: scores %d with %v, want %q", tt.name, score, f.Remedies, tt.title)
		}
	}
}
