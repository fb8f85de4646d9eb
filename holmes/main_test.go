package holmes

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"
)

// TestMain fails when a test leaves a goroutine of this module behind.
func TestMain(m *testing.M) {
	code := m.Run()
	if code == 0 {
		if left := leaked(10 * time.Second); left != "" {
			fmt.Fprintf(os.Stderr, "goroutines are left:\n%s\n", left)
			code = 1
		}
	}
	os.Exit(code)
}

// leaked returns the stacks of our goroutines that have not ended within d.
func leaked(d time.Duration) string {
	buf := make([]byte, 1<<20)
	for deadline := time.Now().Add(d); ; runtime.Gosched() {
		var ours []string
		for i, stack := range strings.Split(string(buf[:runtime.Stack(buf, true)]), "\n\n") {
			if i > 0 && strings.Contains(stack, "github.com/gocasebook/") {
				ours = append(ours, stack)
			}
		}
		if len(ours) == 0 || time.Now().After(deadline) {
			return strings.Join(ours, "\n\n")
		}
	}
}
