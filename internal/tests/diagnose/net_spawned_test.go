package diagnose_test

import (
	"bytes"
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

// TestSpawnedQueue: goroutines that queue for connections in front of requests are found without any CPU profile, and
// come before the pile itself. A request that waits for its goroutines is no such case.
func TestSpawnedQueue(t *testing.T) {
	heap := spawningCase(t, 10, "main.handle.func1").Evidence[1]
	queue := crowd{n: 9000, stack: setPool + "main.handle.func1"}
	users := crowd{n: 20, stack: poll + " github.com/redis/go-redis/v9.cmdable.Set main.handle.func1"}
	behind := crowd{n: 900, stack: strings.Replace(setPool, "Set", "Get", 1) + "main.load:5 main.handle:1 " + handled}
	joins := crowd{n: 900, stack: "runtime.gopark sync.runtime_SemacquireWaitGroup sync.(*WaitGroup).Wait " +
		"main.handle:9 " +
		handled}
	for _, tt := range []struct {
		name   string
		crowds []crowd
		found  bool
	}{
		{"requests behind them", []crowd{queue, users, behind}, true},
		{"requests that wait for them", []crowd{queue, users, joins}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			crowds := bytes.ReplaceAll(profileOf("goroutine", tt.crowds...), []byte("/src/app/"),
				[]byte("example.com/app/"))
			in := apart(10, crowds, crowds) // the files as in the heap profile
			in.Build.Module, in.Evidence = "example.com/app", append(in.Evidence, heap)
			fs := diagnose.Run(t.Context(), in, diagnose.Options{}).Findings
			first := len(fs) > 0 && fs[0].Kind == "net-round-trips"
			if first != tt.found {
				t.Fatalf("%v; want net-round-trips first: %v", kinds(fs), tt.found)
			}
			if tt.found && (fs[0].Score < 75 ||
				!strings.Contains(fs[0].Summary, "900 requests behind them, at main.load")) {
				t.Errorf("score %d: %s", fs[0].Score, fs[0].Summary)
			}
		})
	}
}
