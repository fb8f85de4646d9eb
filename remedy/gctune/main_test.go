package gctune

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"
)

func TestMain(m *testing.M) {
	beChild()
	code := m.Run()
	if left := leaked(10 * time.Second); left != "" && code == 0 {
		fmt.Fprintln(os.Stderr, "goroutines of this package are left:\n"+left)
		code = 1
	}
	os.Exit(code)
}

// leaked returns the stacks of goroutines of this package that have not ended within d.
func leaked(d time.Duration) string {
	buf := make([]byte, 1<<20)
	for deadline := time.Now().Add(d); ; runtime.Gosched() {
		var ours []string
		all := strings.Split(string(buf[:runtime.Stack(buf, true)]), "\n\n")
		for _, stack := range all[1:] { // the first is this one
			if strings.Contains(stack, "casebook/remedy/gctune.") {
				ours = append(ours, stack)
			}
		}
		if len(ours) == 0 || time.Now().After(deadline) {
			return strings.Join(ours, "\n\n")
		}
	}
}
