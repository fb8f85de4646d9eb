package diagnose_test

import (
	"testing"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
)

// TestBacklog: work that waits for few who are all busy is bounded or refused; what nobody works on, or somebody waits
// to work on, is no backlog.
func TestBacklog(t *testing.T) {
	const (
		sleep = "runtime.gopark time.Sleep "
		chanr = "runtime.gopark runtime.chanrecv "
		body  = "io.ReadAll main.(*API).put:41 main.serve:9"
		ants  = "github.com/panjf2000/ants."
	)
	for _, tt := range []struct {
		name                         string
		stack                        string // that allocates what is alive
		before, made, now, madeSince int64  // objects of 64 KiB
		workers                      []crowd
		want                         bool
	}{
		{"a pool whose queue has no bound", body, 500, 800, 1000, 1500, []crowd{
			{n: 4, stack: sleep + "main.(*API).resize:20 main.(*API).put.func1:47 " + ants + "(*goWorker).run.func1"}}, true},
		{"workers of its own, of the same type", body, 500, 800, 1000, 1500, []crowd{
			{n: 3, stack: sleep + "main.(*API).store:70 main.(*API).work:60"}}, true},
		{"a group with a limit, from a literal", "bytes.Clone main.main.func2:30 main.serve:9", 500, 500, 1000, 1000, []crowd{
			{n: 8, stack: sleep + "main.send:12 main.main.func2.1:33 golang.com/x/errgroup.(*Group).run"}}, true},
		{"one of the pool waits for work", body, 500, 800, 1000, 1500, []crowd{
			{n: 3, stack: sleep + "main.(*API).resize:20 main.(*API).put.func1:47 " + ants + "(*goWorker).run"},
			{n: 1, stack: chanr + ants + "(*goWorker).run"}}, false},
		{"workers that wait for work, beside an index", body, 500, 800, 1000, 1500, []crowd{
			{n: 3, stack: chanr + "main.(*API).work:60"}}, false},
		{"nothing goes: somebody keeps it", body, 500, 500, 1000, 1000, []crowd{
			{n: 3, stack: sleep + "main.(*API).store:70 main.(*API).work:60"}}, false},
		{"requests in progress", body, 500, 800, 1000, 1500, []crowd{
			{n: 900, stack: sleep + "main.(*API).put:44 main.serve:9 net/http.(*conn).serve"},
			{n: 4, stack: sleep + "main.(*API).put.func1:47 " + ants + "(*goWorker).run"}}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			heap := func(now, made int64) []byte {
				return liveHeap(t, heapLine{tt.stack, now, now * 64 << 10, made})
			}
			in := apart(60, profileOf("goroutine", tt.workers...), profileOf("goroutine", tt.workers...))
			in.Evidence = append(in.Evidence,
				diagnose.Evidence{Name: "1.pb.gz", Kind: casefile.Heap, Taken: noon, Data: heap(tt.before, tt.made)},
				diagnose.Evidence{Name: "2.pb.gz", Kind: casefile.Heap, Taken: in.Evidence[1].Taken, Data: heap(tt.now, tt.madeSince)})
			fs := diagnose.Run(t.Context(), in, diagnose.Options{}).Findings
			got := len(fs) > 0 && fs[0].Kind == "mem-leak" && fs[0].Remedies[0].Name == "bound" &&
				len(fs[0].Where) > 1 && fs[0].Where[1].Part == "works"
			if got != tt.want {
				t.Errorf("a backlog is found: %v, want %v (%v)", got, tt.want, fs)
			}
		})
	}
}
