package fleet

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// A thousand pods of two hundred services on twenty nodes fall ill at one moment: what is taken at a time stays within
// the limits, no service has two, and what is not taken says why.
func TestTurnsOfAThousand(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		turns, err := NewTurns(TurnLimits{})
		if err != nil {
			t.Fatal(err)
		}
		var taken, declined atomic.Int64
		var mu sync.Mutex
		now, most := make(map[string]int), make(map[string]int)
		count := func(key string, by int) {
			mu.Lock()
			defer mu.Unlock()
			now[key] += by
			most[key] = max(most[key], now[key])
		}
		var pods sync.WaitGroup
		for i := range 1000 {
			pods.Go(func() {
				node, service := fmt.Sprintf("node-%d", i%20), fmt.Sprintf("service-%d", i%200)
				end, err := turns.Take(t.Context(), node, service)
				if err != nil {
					declined.Add(1)
					return
				}
				for _, key := range []string{node, service, "all"} {
					count(key, 1)
				}
				time.Sleep(12 * time.Second)
				for _, key := range []string{node, service, "all"} {
					count(key, -1)
				}
				taken.Add(1)
				end()
				end() // ends once
			})
		}
		pods.Wait()
		for key, n := range most {
			if limit := map[bool]int{true: DefaultTurnsAll, false: 1}[key == "all"]; n > limit {
				t.Errorf("%d cases of %s at a time; want %d at most", n, key, limit)
			}
		}
		// Three rounds of eight begin within 30 s.
		if taken.Load() != 3*DefaultTurnsAll || taken.Load()+declined.Load() != 1000 {
			t.Errorf("%d cases were taken, %d declined", taken.Load(), declined.Load())
		}
		if len(turns.nodes) != 0 || len(turns.services) != 0 || turns.all != 0 {
			t.Errorf("%v, %v and %d are left", turns.nodes, turns.services, turns.all)
		}
	})
}

// A service has so many cases an hour, others have theirs.
func TestTurnsOfAnHour(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		turns, err := NewTurns(TurnLimits{Service: 2})
		if err != nil {
			t.Fatal(err)
		}
		take := func(service string) error {
			end, err := turns.Take(t.Context(), "node", service)
			if err == nil {
				end()
			}
			return err
		}
		for i, want := range []string{"", "", "2 cases of this hour"} {
			if err := take("shop"); fmt.Sprint(err) == "<nil>" != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
				t.Errorf("case %d: %v; want %q", i, err, want)
			}
			time.Sleep(time.Minute)
		}
		if err := take("cart"); err != nil {
			t.Error("another service:", err)
		}
		time.Sleep(time.Hour + time.Second)
		if err := take("shop"); err != nil {
			t.Error("an hour later:", err)
		}
		if len(turns.taken) != 1 {
			t.Errorf("%d services are remembered", len(turns.taken))
		}
	})
}

// Who waits says for what, and stops when the watch ends.
func TestTurnsWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		turns, err := NewTurns(TurnLimits{})
		if err != nil {
			t.Fatal(err)
		}
		end, err := turns.Take(t.Context(), "node-1", "shop")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := turns.Take(t.Context(), "node-1", "cart"); err == nil || !strings.Contains(err.Error(), "node node-1") {
			t.Errorf("the error is %v", err)
		}
		if _, err := turns.Take(t.Context(), "node-2", "shop"); err == nil || !strings.Contains(err.Error(), "being taken") {
			t.Errorf("the error is %v", err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := turns.Take(ctx, "node-1", "cart"); err == nil {
			t.Error("it had a turn after its end")
		}
		time.AfterFunc(5*time.Second, end)
		if _, err := turns.Take(t.Context(), "node-1", "cart"); err != nil {
			t.Error("after the turn before had ended:", err)
		}
	})
	if _, err := NewTurns(TurnLimits{Node: -1}); err == nil {
		t.Error("a negative limit is accepted")
	}
}
