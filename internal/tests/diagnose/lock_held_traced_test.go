package diagnose_test

import (
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/diagnose/traces"
)

// TestTracedCall: a call between the lines that take a lock and give it back is made with the lock; others are not.
func TestTracedCall(t *testing.T) {
	const (
		get   = "main.(*tokens).get"
		fetch = client + " main.(*tokens).fetch:63 " + get
	)
	lock := func(of, at, back string, n int64, ms float64) traces.Wait {
		w := waited("lock", "sync.(*"+of+").Lock "+at+belowServer, n, ms)
		w.Holders = []traces.Holder{{Stack: stackOf("sync.(*" + of + ").Unlock " + back + belowServer), Count: n,
			Waited: w.Times.Total, Longest: time.Duration(ms * float64(time.Millisecond))}}
		return w
	}
	queue := lock("Mutex", get+":44", get+":54", 100, 30)
	for _, tt := range []struct {
		name   string
		waits  []traces.Wait
		remedy string // a part of the first; "" for no finding
	}{
		{"a request in a function below", []traces.Wait{queue, waited("select", fetch+":49"+belowServer, 40, 20)},
			"out of the lock"},
		{"Redis", []traces.Wait{queue, waited("network", tracedRead+redisCall+get+":49"+belowServer, 40, 20)},
			"out of the lock"},
		{"a sleep", []traces.Wait{queue, waited("sleep", "time.Sleep "+get+":49"+belowServer, 40, 20)},
			"out of the lock"},
		{"the last line", []traces.Wait{queue, waited("select", fetch+":54"+belowServer, 40, 20)}, "out of the lock"},
		{"a slow client, and nobody waits there", []traces.Wait{
			lock("RWMutex", "main.(*stock).item:53", "main.(*stock).write:99", 100, 30),
			waited("network", tracedWrite+"net/http.(*response).Write main.(*stock).write:90"+belowServer, 3, 200)},
			"Write after the lock"},

		{"after the lock", []traces.Wait{queue, waited("select", fetch+":59"+belowServer, 40, 20)}, ""},
		{"before the lock", []traces.Wait{queue, waited("select", fetch+":40"+belowServer, 40, 20)}, ""},
		{"between two locks", []traces.Wait{queue, lock("Mutex", get+":52", get+":54", 9, 1),
			waited("select", fetch+":49"+belowServer, 40, 20)}, ""},
		{"many at once", []traces.Wait{queue, waited("select", fetch+":49"+belowServer, 40, 100)}, ""},
		{"seldom", []traces.Wait{queue, waited("select", fetch+":49"+belowServer, 2, 20)}, ""},
		{"the connection that it guards", []traces.Wait{queue,
			waited("network", tracedRead+get+":49"+belowServer, 40, 20)}, ""},
		{"another goroutine", []traces.Wait{queue, waited("channel", "runtime.chanrecv1 "+get+":49"+belowServer, 40, 20)},
			""},
		{"a library's lock", []traces.Wait{lock("Mutex", "go.uber.org/zap.(*l).Write "+get+":49",
			"go.uber.org/zap.(*l).Write "+get+":49", 100, 30), waited("select", fetch+":49"+belowServer, 40, 20)}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f, score := scoreOf(t, tracedInput(t, servedOf(40, tt.waits)), "lock-held-io")
			if score > 0 != (tt.remedy != "") {
				t.Fatalf("scores %d: %s", score, f.Title)
			}
			if tt.remedy != "" && !strings.Contains(f.Remedies[0].Title, tt.remedy) {
				t.Errorf("says first: %s", f.Remedies[0].Title)
			}
		})
	}
}
