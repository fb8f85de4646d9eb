package diagnose_test

import (
	"slices"
	"testing"

	"github.com/gocasebook/casebook/casefile"
)

// Requests that wait for an answer while a background goroutine uses the CPU most likely wait for that goroutine.
func TestBusyReader(t *testing.T) {
	const work = "shop/store.(*Store).check shop/store.(*Store).loop"
	asks := crowd{80, "chan receive", "runtime.chanrecv1 main.push:39 " + conn, "net/http.(*Server).Serve:9"}
	loop := crowd{1, "runnable", work, "main.NewStore:7"}
	for _, tt := range []struct {
		name string
		cpu  map[string]int64
		busy crowd
		want bool
	}{
		{"one loop takes most", map[string]int64{work: 800, workStack: 200}, loop, true},
		{"requests take most themselves", map[string]int64{work: 200, "main.push:30 " + conn: 800}, loop, false},
		{"as many workers as waiters", map[string]int64{work: 800, workStack: 200},
			crowd{80, "runnable", work, "main.NewStore:7"}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			in := with(apart(9, dumpOf(asks, tt.busy), dumpOf(asks, tt.busy)), cpuProfile(t, 10, tt.cpu))
			f, score := scoreOf(t, in, "chan-bottleneck")
			if score < worthKnowing {
				t.Fatalf("scores %d, want a finding", score)
			}
			got := slices.ContainsFunc(f.Where,
				func(p casefile.Frame) bool { return p.Function == "shop/store.(*Store).check" && p.Share == 0.8 })
			if got != tt.want {
				t.Errorf("names %v; the loop as what is waited for: %v, want %v", f.Where, got, tt.want)
			}
		})
	}
}
