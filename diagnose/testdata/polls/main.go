// Command polls starts one goroutine that never waits, and prints where 40 censuses find it. Some check again and again
// whether there is something to do, in the ways that people write it, and some compute. In diagnose/testdata:
//
//	for way in $(go run ./polls); do go run ./polls $way; done > polls.txt
//
// That file is in the recorded case forms/polls.
package main

import (
	"bytes"
	"compress/flate"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"sort"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

type job struct{ id int }

var (
	sink    any
	stopped atomic.Bool
)

// The polls.

func selectDefault(context.Context) {
	jobs := make(chan job)
	for {
		select {
		case j := <-jobs:
			sink = j
		default:
		}
	}
}

func selectDoneDefault(ctx context.Context) {
	jobs := make(chan job)
	for {
		select {
		case <-ctx.Done():
			return
		case j := <-jobs:
			sink = j
		default:
		}
	}
}

func selectTwoDefault(context.Context) {
	jobs, quit := make(chan job), make(chan struct{})
	for {
		select {
		case j := <-jobs:
			sink = j
		case <-quit:
			return
		default:
			continue
		}
	}
}

func gosched(context.Context) {
	for !stopped.Load() {
		runtime.Gosched()
	}
}

type queue struct {
	mu   sync.Mutex
	jobs []job
}

func (q *queue) pop() (j job, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.jobs) == 0 {
		return j, false
	}
	j, q.jobs = q.jobs[0], q.jobs[1:]
	return j, true
}

func contextAndQueue(ctx context.Context) {
	var q queue
	for ctx.Err() == nil {
		if j, ok := q.pop(); ok {
			sink = j
		}
	}
}

func trySend(context.Context) {
	full := make(chan job, 1)
	full <- job{}
	for done := false; !done; {
		select {
		case full <- job{}:
			done = true
		default:
		}
	}
}

// The computations. Each could be asked to stop, as is good practice.

func stopAsked(ctx context.Context) bool {
	select {
	case <-ctx.Done():
		return true
	default:
		return false
	}
}

func compress(ctx context.Context) {
	w, _ := flate.NewWriter(io.Discard, 6)
	text := []byte(strings.Repeat("a line of a log, and another one ", 300))
	for !stopAsked(ctx) {
		w.Write(text)
	}
}

func hash(ctx context.Context) {
	block := make([]byte, 4096)
	for !stopAsked(ctx) {
		sum := sha256.Sum256(block)
		block[0] = sum[0]
	}
}

func multiply(context.Context) {
	var a, b, c [200][200]float64
	for {
		for i := range a {
			for j := range b {
				for k := range c {
					c[i][j] += a[i][k] * b[k][j]
				}
			}
		}
	}
}

func sortNumbers(ctx context.Context) {
	numbers := make([]int, 1000)
	for ctx.Err() == nil {
		for i := range numbers {
			numbers[i] = rand.Int()
		}
		sort.Ints(numbers)
	}
}

func marshal(ctx context.Context) {
	value := map[string]any{"id": 1, "lines": []int{1, 2, 3}}
	for !stopAsked(ctx) {
		data, _ := json.Marshal(value)
		sink = data
	}
}

func scan(ctx context.Context) {
	text := bytes.Repeat([]byte("GET /index.html 200\n"), 1000)
	for found := 0; !stopAsked(ctx); sink = found {
		for line := range bytes.Lines(text) {
			if bytes.Contains(line, []byte("500")) {
				found++
			}
		}
	}
}

// dropEvents writes events, and drops those that nobody reads.
func dropEvents(ctx context.Context) {
	events := make(chan []byte, 1)
	for i := 0; ctx.Err() == nil; i++ {
		event := fmt.Appendf(nil, "event %d of %s", i, time.Now())
		select {
		case events <- event:
		default:
		}
	}
}

// drain takes what there is, in rounds, and sums it up.
func drain(ctx context.Context) {
	samples := make(chan [16]float64, 100)
	go func() {
		for i := 0.0; ; i++ {
			samples <- [16]float64{i}
		}
	}()
	for sum := 0.0; ; sink = sum {
		select {
		case <-ctx.Done():
			return
		case s := <-samples:
			for _, x := range s {
				sum += math.Sqrt(x)
			}
		default:
			runtime.Gosched()
		}
	}
}

var ways = map[string]func(context.Context){
	"selectDefault": selectDefault, "selectDoneDefault": selectDoneDefault, "selectTwoDefault": selectTwoDefault,
	"gosched":         gosched,
	"contextAndQueue": contextAndQueue, "trySend": trySend,
	"compress": compress, "hash": hash, "multiply": multiply, "sortNumbers": sortNumbers, "marshal": marshal,
	"scan":       scan,
	"dropEvents": dropEvents, "drain": drain,
}

func main() {
	if len(os.Args) < 2 {
		fmt.Println(strings.Join(slices.Sorted(maps.Keys(ways)), "\n"))
		return
	}
	way := os.Args[1]
	go ways[way](context.WithValue(withCancel(), &sink, 1))
	for range 40 {
		time.Sleep(20*time.Millisecond + rand.N(10*time.Millisecond))
		fmt.Println(way, strings.Join(standing(way), " "))
	}
}

func withCancel() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(time.Hour, cancel)
	return ctx
}

// standing is the stack of the goroutine that a function of main runs in, from the top.
func standing(way string) []string {
	records := make([]runtime.StackRecord, 100)
	n, _ := runtime.GoroutineProfile(records)
	for _, r := range records[:n] {
		var functions []string
		for frames, more := runtime.CallersFrames(r.Stack()), true; more; {
			var f runtime.Frame
			f, more = frames.Next()
			functions = append(functions, f.Function)
		}
		if slices.Contains(functions, "main."+way) {
			return functions
		}
	}
	return nil
}
