package rpc_test

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"
)

func TestMain(m *testing.M) {
	code := m.Run()
	if leak := leaked(); code == 0 && leak != "" {
		fmt.Fprintln(os.Stderr, "goroutines of connections are left:\n"+leak)
		code = 1
	}
	os.Exit(code)
}

// leaked is the stacks of goroutines that belong to a connection, once those that are on their way out had time to end.
func leaked() string {
	var left string
	for deadline := time.Now().Add(5 * time.Second); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		buf := make([]byte, 1<<20)
		left = ""
		for stack := range strings.SplitSeq(string(buf[:runtime.Stack(buf, true)]), "\n\n") {
			if strings.Contains(stack, "google.golang.org/grpc/internal/transport") || strings.Contains(stack, "app/load/rpc.(*") {
				left += stack + "\n\n"
			}
		}
		if left == "" {
			break
		}
	}
	return left
}
