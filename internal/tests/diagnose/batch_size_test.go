package diagnose_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
)

// TestBatchSizesOfServices: sizes are those of the service, and not fixed ones.
func TestBatchSizesOfServices(t *testing.T) {
	for _, c := range []struct{ name, kind, want string }{
		{"clicks-each", "net-round-trips", "MaxItems: 32"},      // 12 a request, 8,300 writes a second
		{"wishes-redis-each", "net-round-trips", "makes 19 of"}, // 20 of which some have no answer to wait for
		{"letters-pieces", "io-small", "(conn, 4<<10)"},         // pieces of 4.5 bytes
		{"carbon-lines", "io-small", "(conn, 64<<10)"},          // 75 bytes a line, thousands of lines
		{"orders-journal-each", "io-fsync", "has 15 syncs now"}, // one for each position
		{"orders-badger-each", "io-fsync", "has 7 syncs now"},   // half of the requests are the sampler's
	} {
		t.Run(c.name, func(t *testing.T) {
			rep := diagnose.Run(t.Context(), loadCase(t, "modules/"+c.name), diagnose.Options{})
			f := findingOf(rep.Findings, c.kind)
			if f == nil {
				t.Fatalf("no %s", c.kind)
			}
			for _, r := range f.Remedies {
				if strings.Contains(r.Text, c.want) {
					return
				}
			}
			t.Errorf("remedies %+v, want %q in one of them", f.Remedies, c.want)
		})
	}
}

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
