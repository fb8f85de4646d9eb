//go:build ignore

// Command bound records execution traces of services that hand work to a goroutine bound to a thread, and of others
// that look like them. The services are ours; the two libraries that bind the thread are other people's. Run it outside
// of the repository, where it finds these, and make summaries with casebook trace:
//
//	mkdir /tmp/bound && cp main.go /tmp/bound && cd /tmp/bound && go mod init bound && go mod tidy && go build -o bound
//	for form in $(./bound); do ./bound $form $form.trace; casebook trace --json $form.trace | gzip -9 >$form.json.gz; done
package main

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"runtime"
	"runtime/trace"
	"sync"
	"time"

	"github.com/go-delve/delve/pkg/proc"
	"github.com/go-delve/delve/pkg/proc/native"
)

// A form is one way to serve a request.
type form struct {
	name  string
	pause time.Duration // of a client between two requests
	make  func() http.HandlerFunc
}

func forms() []form {
	const ms = time.Millisecond
	return []form{
		// bound, and handed over to in small steps
		{"glyphs", 2 * ms, glyphs}, {"debugger", 2 * ms, debugger}, {"session", 2 * ms, session},
		{"wallet", 2 * ms, wallet}, {"handler", 2 * ms, handler},
		// not bound, or not in small steps
		{"session-free", 2 * ms, sessionFree}, {"glyphs-whole", 2 * ms, glyphsWhole}, {"session-rare", 300 * ms, session},
		{"session-long", 2 * ms, sessionLong}, {"pipeline", 2 * ms, pipeline}, {"pair", 2 * ms, pair},
	}
}

func main() {
	if len(os.Args) == 3 && os.Args[1] == "load" {
		load(os.Args[2])
	}
	for _, f := range forms() {
		if len(os.Args) < 2 {
			fmt.Println(f.name)
		} else if os.Args[1] == f.name {
			onMain(func() { record(f, os.Args[2]) })
		}
	}
}

func record(f form, file string) {
	srv := httptest.NewServer(f.make())
	load := exec.Command("/proc/self/exe", "load", srv.URL)
	load.Env = append(os.Environ(), "PAUSE="+f.pause.String())
	check(load.Start())
	time.Sleep(500 * time.Millisecond)
	out, err := os.Create(file)
	check(err)
	check(trace.Start(out))
	time.Sleep(2 * time.Second)
	trace.Stop()
	check(out.Close())
	check(load.Process.Kill())
}

// load asks two at a time.
func load(url string) {
	pause, err := time.ParseDuration(os.Getenv("PAUSE"))
	check(err)
	for range 2 {
		go func() {
			for {
				resp, err := http.Get(url)
				check(err)
				io.Copy(io.Discard, resp.Body)
				resp.Body.Close()
				time.Sleep(pause)
			}
		}()
	}
	select {}
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

const steps = 40 // of a request

// work is what a step does: some microseconds.
func work(n int) (sum int) {
	for i := range n {
		sum += i ^ sum<<1
	}
	return sum
}

func init() { runtime.LockOSThread() } // main's goroutine stays on the main thread, as GL and GTK want it

var mainCalls = make(chan func())

// onMain does what mainCall hands over while run runs.
func onMain(run func()) {
	ended := make(chan bool)
	go func() { run(); close(ended) }()
	for {
		select {
		case f := <-mainCalls:
			f()
		case <-ended:
			return
		}
	}
}

func mainCall(f func()) {
	done := make(chan bool)
	mainCalls <- func() { f(); done <- true }
	<-done
}

// glyphs draws each glyph on the main thread.
func glyphs() http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		for range steps {
			mainCall(func() { work(500) })
		}
	}
}

// glyphsWhole draws the whole text there.
func glyphsWhole() http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		mainCall(func() {
			for range steps {
				work(500)
			}
		})
	}
}

// debugger steps through a program with Delve, whose goroutine that calls ptrace must stay on one thread.
func debugger() http.HandlerFunc {
	debugged, err := native.Launch([]string{"/proc/self/exe"}, "", 0, nil, "", "", proc.OutputRedirect{},
		proc.OutputRedirect{})
	check(err)
	var mu sync.Mutex
	return func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		for range 10 {
			check(debugged.StepInstruction(false))
		}
	}
}

// A call is a step that somebody waits for.
type call struct {
	n    int
	done chan int
}

func worker(calls chan call, bound bool) {
	if bound {
		runtime.LockOSThread()
	}
	for c := range calls {
		c.done <- work(c.n)
	}
}

func calls(n int, bound bool) http.HandlerFunc {
	to := make(chan call)
	go worker(to, bound)
	return func(w http.ResponseWriter, r *http.Request) {
		done := make(chan int)
		for range steps {
			to <- call{n, done}
			<-done
		}
	}
}

func session() http.HandlerFunc     { return calls(500, true) }
func sessionFree() http.HandlerFunc { return calls(500, false) }

// sessionLong hands over one step of some milliseconds.
func sessionLong() http.HandlerFunc {
	to := make(chan call)
	go worker(to, true)
	return func(w http.ResponseWriter, r *http.Request) {
		done := make(chan int)
		to <- call{3_000_000, done}
		<-done
	}
}

// wallet is asked under a lock, with a sync.Cond.
func wallet() http.HandlerFunc {
	var mu sync.Mutex
	changed := sync.NewCond(&mu)
	asked, answered := 0, 0
	go func() {
		runtime.LockOSThread()
		mu.Lock()
		for {
			for asked == answered {
				changed.Wait()
			}
			work(500)
			answered++
			changed.Broadcast()
		}
	}()
	return func(w http.ResponseWriter, r *http.Request) {
		for range steps {
			mu.Lock()
			asked++
			mine := asked
			changed.Broadcast()
			for answered < mine {
				changed.Wait()
			}
			mu.Unlock()
		}
	}
}

// handler binds the goroutine of the request, which asks one that is not bound.
func handler() http.HandlerFunc {
	to := make(chan call)
	go worker(to, false)
	return func(w http.ResponseWriter, r *http.Request) {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		done := make(chan int)
		for range 3 * steps {
			to <- call{500, done}
			<-done
		}
	}
}

// pipeline hands items on, and waits at the end.
func pipeline() http.HandlerFunc {
	items, sums := make(chan int, 16), make(chan int)
	go func() {
		sum, n := 0, 0
		for i := range items {
			sum += work(i)
			if n++; n%steps == 0 {
				sums <- sum
			}
		}
	}()
	var mu sync.Mutex
	return func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		for range steps {
			work(2000)
			items <- 500
		}
		<-sums
	}
}

// pair is two goroutines that wake each other all the time, beside requests that do little.
func pair() http.HandlerFunc {
	a, b := make(chan int), make(chan int)
	go func() {
		for {
			a <- work(2000)
			<-b
		}
	}()
	go func() {
		for {
			<-a
			b <- work(2000)
		}
	}()
	return func(w http.ResponseWriter, r *http.Request) { work(5000) }
}
