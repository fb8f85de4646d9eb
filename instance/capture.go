package instance

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/gocasebook/casebook/casefile"
)

// What a capture may weigh, here and from outside.
const (
	// DefaultTraceBytes is when a trace is ended, however few seconds it spans: what a trace costs the target, and who
	// reads it, goes by its bytes. 32 MiB are a second of two cores at their worst (35 MB/s), a minute of most
	// services, and what `go tool trace` reads in 30 s with 2.4 GB. One generation of a trace, a second, is the least
	// that can be read.
	DefaultTraceBytes = 32 << 20
	maxDump           = 64 << 20 // bytes of a goroutine dump; runtime/pprof cuts there, too
	maxPage           = 16 << 20 // bytes of expvar's or a Prometheus page
)

// maxDumped is the most goroutines whose stacks are written as text, whatever a budget allows. The world stands still
// meanwhile, 6 µs a goroutine with 20 frames (measured with Go 1.26, with runtime.Stack as with debug=2) and more with
// deeper stacks: up to about 60 ms for 4,000 (budget.DearLongest).
const maxDumped = 4000

// Waits between attempts for a profiler that is in use: 15 s in total, longer than most people profile.
var busyWaits = [...]time.Duration{time.Second, 2 * time.Second, 4 * time.Second, 8 * time.Second}

// waited is the total time for which a profiler is waited for.
func waited() (sum time.Duration) {
	for _, d := range busyWaits {
		sum += d
	}
	return sum
}

// isBusy reports whether an error of the runtime says that somebody else profiles or traces.
func isBusy(text string) bool {
	return strings.Contains(text, "already in use") || strings.Contains(text, "already enabled")
}

// profiler is something that a kind of evidence needs and a process has only once.
func profiler(kind string) string {
	if kind == casefile.Trace {
		return "execution tracer"
	}
	return "CPU profiler"
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// notArmed says why a mutex or block profile is empty.
func notArmed(kind string) error {
	call := "runtime.SetMutexProfileFraction"
	if kind == casefile.Block {
		call = "runtime.SetBlockProfileRate"
	}
	return &EmptyError{"the target does not record it (" + call + " is not called), or no one has waited yet"}
}

// tooMany refuses a goroutine dump that would stop the target for too long.
func tooMany(goroutines int) error {
	return &EmptyError{fmt.Sprintf("there are %d goroutines: writing their stacks as text would stop the process for "+
		"too long; at most %d are dumped (the goroutine profile has the same stacks, without the waiting times)",
		goroutines, maxDumped)}
}

// check refuses evidence that is not whole or not what it should be, so that a case never holds an empty or cut file.
// What it says is for package diagnose to judge.
func check(kind string, data []byte) error {
	if len(data) == 0 {
		return errEmpty
	}
	switch kind {
	case casefile.Trace:
		if !bytes.HasPrefix(data, []byte("go 1.")) || !bytes.HasPrefix(data[min(len(data), 7):], []byte(" trace\x00")) {
			return errors.New("the answer is not a Go execution trace; is the URL that of net/http/pprof?")
		}
	case casefile.GoroutineDump:
		if !bytes.HasPrefix(data, []byte("goroutine ")) {
			return errors.New("the answer is not a goroutine dump; is the URL that of net/http/pprof?")
		}
	case casefile.Metrics, casefile.Runtime:
		if !json.Valid(data) {
			return errors.New("the answer is not JSON")
		}
	case casefile.Prometheus:
		if isHTML(data) || bytes.IndexByte(data, 0) >= 0 {
			return errors.New("the answer is not a page of metrics as text; is the URL right?")
		}
	default:
		return checkProfile(data)
	}
	return nil
}

var errEmpty = errors.New("the answer is empty; is the URL that of net/http/pprof, and no proxy in between?")

func isHTML(data []byte) bool {
	return data[0] == '<' || strings.HasPrefix(http.DetectContentType(data), "text/html")
}

// checkProfile refuses what is not a whole gzipped profile.
func checkProfile(data []byte) error {
	if err := checkZipped(data); err != nil {
		return err
	}
	size, err := inflatedSize(data, maxUnpacked)
	switch {
	case err != nil:
		return cutProfile(err)
	case size > maxUnpacked:
		return fmt.Errorf("the profile unpacks to more than %d MiB, which no profile of net/http/pprof does; is that "+
			"the service?",
			maxUnpacked>>20)
	}
	return nil
}

func cutProfile(err error) error {
	return fmt.Errorf("the profile is cut or damaged (%w): does a proxy change the data?", err)
}

// checkZipped refuses what does not begin as a gzipped profile.
func checkZipped(data []byte) error {
	switch {
	case len(data) == 0:
		return errEmpty
	case len(data) > maxProfile:
		return fmt.Errorf("the profile is larger than %d MiB", maxProfile>>20)
	case isHTML(data):
		return errors.New("the answer is an HTML page, not a profile; is the URL that of net/http/pprof?")
	case !bytes.HasPrefix(data, []byte{0x1f, 0x8b}):
		return errors.New("the answer is not a gzipped pprof profile; is the URL that of net/http/pprof?")
	}
	return nil
}
