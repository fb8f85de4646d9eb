// Package leaktest fails a test binary that leaves goroutines behind. It is for the TestMain of packages that start
// some:
//
//	func TestMain(m *testing.M) { os.Exit(leaktest.Check(m.Run(), "casebook/internal/recorder.")) }
//
// A goroutine is identified by its stack, so those of the test framework and of other packages do not count.
package leaktest

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"
)

// patience is how long goroutines that are about to end may take. It is spent only if one stays.
const patience = 10 * time.Second

// Check returns the code of a test run, or 1 when it is 0 and goroutines remain whose stacks have one of words in them.
// It writes these stacks to stderr.
func Check(code int, words ...string) int {
	if code != 0 {
		return code
	}
	left := Left(patience, words...)
	if left == "" {
		return 0
	}
	fmt.Fprintf(os.Stderr, "goroutines are left when the tests have ended:\n%s\n", left)
	return 1
}

// Left returns the stacks of the goroutines, except for the caller's, that have one of words in them and have not ended
// within d.
func Left(d time.Duration, words ...string) string {
	for deadline := time.Now().Add(d); ; time.Sleep(10 * time.Millisecond) {
		left := strings.Join(with(others(), words), "\n\n")
		if left == "" || time.Now().After(deadline) {
			return left
		}
	}
}

// others is the stacks of all goroutines but the caller's, which the runtime puts first.
func others() []string {
	for size := 1 << 20; ; size *= 2 {
		buf := make([]byte, size)
		if n := runtime.Stack(buf, true); n < size {
			return strings.Split(string(buf[:n]), "\n\n")[1:]
		}
	}
}

func with(stacks, words []string) []string {
	var found []string
	for _, stack := range stacks {
		for _, word := range words {
			if strings.Contains(stack, word) {
				found = append(found, stack)
				break
			}
		}
	}
	return found
}
