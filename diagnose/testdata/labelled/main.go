// Labelled is what Go 1.27 writes of goroutines that have labels, some of which can never run again. It serves
// net/http/pprof to itself and keeps what that answers in the folder given:
//
//	GOTOOLCHAIN=go1.27.0 GODEBUG=tracebacklabels=1 go run ./labelled labelled
//
// runs for 70 seconds, so that goroutines have waited for a minute. GODEBUG is what a go.mod of Go 1.27 sets.
package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	_ "net/http/pprof"
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"time"
)

// label starts n goroutines with labels.
func label(n int, f func(context.Context), pairs ...string) {
	for range n {
		go pprof.Do(context.Background(), pprof.Labels(pairs...), f)
	}
}

// orphan sends an answer that nobody can receive.
func orphan(context.Context) { make(chan int) <- 1 }

// patient waits for a timer, and so runs again.
func patient(context.Context) { time.Sleep(time.Hour) }

var held = make(chan struct{})

// reader waits for what somebody may still send.
func reader(context.Context) {
	select {
	case <-held:
	case <-time.After(time.Hour):
	}
}

func plain() { <-held }

func main() {
	label(3, orphan, "tenant", "acme", "path", "/items/{id}")
	label(2, patient, "user", "Zoë \"quoted\"\nand a second line]: [running]:")
	label(4, reader, "kind", "list, sorted: yes")
	go plain()
	time.Sleep(time.Second)
	runtime.GC() // which notes since when they wait: a collection writes the start of the one before
	runtime.GC()
	time.Sleep(70 * time.Second)
	server := httptest.NewServer(http.DefaultServeMux)
	defer server.Close()
	for _, f := range []struct{ name, query string }{
		{"goroutine.2.txt", "goroutine?debug=2"},
		{"goroutine.1.txt", "goroutine?debug=1"},
		{"goroutineleak.pb.gz", "goroutineleak"},
		{"after.2.txt", "goroutine?debug=2"}, // those that were found leaked are marked
	} {
		file := filepath.Join(os.Args[1], runtime.Version()+"."+f.name)
		if err := keep(server.URL+"/debug/pprof/"+f.query, file); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

func keep(url, file string) error {
	answer, err := http.Get(url)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", url, answer.Status)
	}
	data, err := io.ReadAll(answer.Body)
	if err != nil {
		return err
	}
	return os.WriteFile(file, data, 0o644)
}
