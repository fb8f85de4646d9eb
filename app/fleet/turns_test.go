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
				end, err := turns.Take(t.Context(), Turn{Node: node, Service: service})
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

// Three replicas share 21 nodes, and 5 services fall ill on all of them every 5 minutes of an hour: together the
// replicas stay within the limits of one, and use up what a service may have.
func TestTurnsOfReplicas(t *testing.T) {
	const replicas, nodes, services = 3, 21, 5
	synctest.Test(t, func(t *testing.T) {
		var turns [replicas]*Turns
		for i := range turns {
			var err error
			if turns[i], err = NewTurns(TurnLimits{}); err != nil {
				t.Fatal(err)
			}
		}
		var mu sync.Mutex
		now, most, taken := make(map[string]int), make(map[string]int), make(map[string]int)
		count := func(by int, keys ...string) {
			mu.Lock()
			defer mu.Unlock()
			for _, key := range keys {
				now[key] += by
				most[key] = max(most[key], now[key])
			}
		}
		for range 12 {
			var pods sync.WaitGroup
			for i := range nodes * services {
				pods.Go(func() {
					node, service, replica := i%nodes, fmt.Sprintf("service-%d", i/nodes), i%nodes%replicas
					of := Turn{Node: fmt.Sprintf("node-%d", node), Service: service, All: Share{replica, replicas},
						Same: Share{(replica + i/nodes) % replicas, replicas}}
					end, err := turns[replica].Take(t.Context(), of)
					if err != nil {
						return
					}
					count(1, of.Node, "all")
					time.Sleep(12 * time.Second)
					count(-1, of.Node, "all")
					end()
					mu.Lock()
					defer mu.Unlock()
					taken[service]++
				})
			}
			pods.Wait()
			time.Sleep(4 * time.Minute)
		}
		for key, n := range most {
			if limit := map[bool]int{true: DefaultTurnsAll, false: DefaultTurnsNode}[key == "all"]; n > limit {
				t.Errorf("%d cases of %s at a time; want %d at most", n, key, limit)
			}
		}
		for i := range services {
			if key := fmt.Sprintf("service-%d", i); taken[key] != DefaultTurnsService {
				t.Errorf("%s had %d cases; want %d", key, taken[key], DefaultTurnsService)
			}
		}
	})
}

// The parts of a limit are the limit, and a replica without a part says so.
func TestShare(t *testing.T) {
	for limit := range 10 {
		for of := 1; of <= 8; of++ {
			sum := 0
			for rank := range of {
				sum += Share{rank, of}.part(limit)
			}
			if sum != limit {
				t.Errorf("%d replicas have %d of %d", of, sum, limit)
			}
		}
	}
	turns, err := NewTurns(TurnLimits{Service: 1})
	if err != nil {
		t.Fatal(err)
	}
	_, err = turns.Take(t.Context(), Turn{Node: "node", Service: "shop", Same: Share{1, 2}})
	if err == nil || !strings.Contains(err.Error(), "2 replicas that watch it share 1") {
		t.Errorf("the error is %v", err)
	}
}

// A service has so many cases an hour, others have theirs.
func TestTurnsOfAnHour(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		turns, err := NewTurns(TurnLimits{Service: 2})
		if err != nil {
			t.Fatal(err)
		}
		take := func(service string) error {
			end, err := turns.Take(t.Context(), Turn{Node: "node", Service: service})
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
		end, err := turns.Take(t.Context(), Turn{Node: "node-1", Service: "shop"})
		if err != nil {
			t.Fatal(err)
		}
		_, err = turns.Take(t.Context(), Turn{Node: "node-1", Service: "cart"})
		if err == nil || !strings.Contains(err.Error(), "node node-1") {
			t.Errorf("the error is %v", err)
		}
		_, err = turns.Take(t.Context(), Turn{Node: "node-2", Service: "shop"})
		if err == nil || !strings.Contains(err.Error(), "being taken") {
			t.Errorf("the error is %v", err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := turns.Take(ctx, Turn{Node: "node-1", Service: "cart"}); err == nil {
			t.Error("it had a turn after its end")
		}
		time.AfterFunc(5*time.Second, end)
		if _, err := turns.Take(t.Context(), Turn{Node: "node-1", Service: "cart"}); err != nil {
			t.Error("after the turn before had ended:", err)
		}
	})
	if _, err := NewTurns(TurnLimits{Node: -1}); err == nil {
		t.Error("a negative limit is accepted")
	}
}
