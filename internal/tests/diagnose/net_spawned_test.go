package diagnose_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
)

// Stacks of a service whose requests start goroutines that ask Redis.
const (
	handled   = "net/http.HandlerFunc.ServeHTTP net/http.(*conn).serve"
	setClient = "bufio.(*Writer).Flush github.com/redis/go-redis/v9.(*baseClient).process " +
		"github.com/redis/go-redis/v9.cmdable.Set "
	setPool = "runtime.gopark runtime.selectgo github.com/redis/go-redis/v9/internal/pool.(*ConnPool).waitTurn " +
		"github.com/redis/go-redis/v9.(*baseClient).getConn github.com/redis/go-redis/v9.cmdable.Set "
	ended = "runtime.gdestroy runtime.goexit0 runtime.mcall"
)

// spawning is evidence of a service whose requests start so many goroutines each, with this root, beside a share of CPU
// that is theirs.
func spawningCase(t *testing.T, each float64, root string) diagnose.Input {
	t.Helper()
	const requests = 1_000_000
	cpu := map[string]int64{serverAnswer: 100, kernelWrite + setClient + root: 300, kernelRead + setClient + root: 100,
		"runtime.newproc1 runtime.newproc main.handle " + handled: 20, ended: 20, "main.rest main.main": 460}
	heap := map[string]made{
		"net/http.readRequest net/http.(*conn).readRequest net/http.(*conn).serve": {requests, 320 * requests},
		"net/http.(*conn).readRequest net/http.(*conn).serve":                      {requests, 240 * requests},
		"main.handle " + handled: {int64(each * requests), int64(each * 48 * requests)},
	}
	return diagnose.Input{Evidence: []diagnose.Evidence{cpuProfile(t, 10, cpu), heapProfile(t, heap)},
		Build: casefile.Build{Module: "example.com/app"}}
}

// TestSpawnedQueries: a goroutine for each query of a request is found at its go statement, and what only looks like it
// is not.
func TestSpawnedQueries(t *testing.T) {
	group := "main.handle.func1 golang.org/x/sync/errgroup.(*Group).Go.func1"
	for _, tt := range []struct {
		name  string
		each  float64
		root  string
		found bool
	}{
		{"ten in closures", 10, "main.handle.func1", true},
		{"ten of a method", 10, "main.(*store).set", true},
		{"ten that a WaitGroup counts", 10, "main.handle.func1 sync.(*WaitGroup).Go.func1", true},
		{"two", 2, "main.handle.func1", false},
		{"one with a pipeline", 1, "main.(*store).flush", false},
		{"a group that is waited for", 10, group, false},
		{"workers that none of the requests starts", 0, "main.(*pool).work", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := findingOf(diagnose.Run(t.Context(), spawningCase(t, tt.each, tt.root), diagnose.Options{}).Findings,
				"net-round-trips")
			if spawned := got != nil && strings.Contains(got.Title,
				"starts a goroutine for each query"); spawned != tt.found {
				t.Fatalf("found: %v, want %v (%+v)", spawned, tt.found, got)
			}
			if !tt.found {
				return
			}
			if got.Score < 50 || got.Where[0].Function != "main.handle" || got.Impact.Gain.High < 0.3 ||
				!strings.Contains(got.Title, "about 10 per request") ||
				!strings.Contains(got.Remedies[0].Text, "remedy/batch") {
				t.Errorf("%+v; want a warning at main.handle, ten a request, remedy/batch, a gain of 30 %% or more",
					got)
			}
		})
	}
}

// TestSpawnedArguments: arguments that are allocated where the goroutine is started do not count as goroutines.
func TestSpawnedArguments(t *testing.T) {
	in := spawningCase(t, 9, "main.handle.func1")
	runs := map[string]made{
		"net/http.readRequest net/http.(*conn).readRequest net/http.(*conn).serve": {1e6, 320e6},
		"main.handle " + handled: {9e6, 9 * 48e6},
	}
	for i := range 3 { // each goroutine allocates at three places
		runs[fmt.Sprintf("github.com/redis/go-redis/v9.set%d main.handle.func1", i)] = made{2e6, 2 * 48e6}
	}
	in.Evidence[1] = heapProfile(t, runs)
	if got := findingOf(diagnose.Run(t.Context(), in, diagnose.Options{}).Findings, "net-round-trips"); got != nil &&
		strings.Contains(got.Title, "starts a goroutine") {
		t.Errorf("two goroutines a request with arguments: %s", got.Title)
	}
}
