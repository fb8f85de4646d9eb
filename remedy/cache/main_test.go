package cache

import (
	"bytes"
	"fmt"
	"os"
	"runtime/pprof"
	"testing"
	"time"
)

// TestMain fails the run when goroutines of this package are left over once all tests have ended.
func TestMain(m *testing.M) {
	code := m.Run()
	var left []byte
	for range 50 { // a goroutine that was told to end needs a moment
		if left = leftOver(); left == nil {
			os.Exit(code)
		}
		time.Sleep(20 * time.Millisecond)
	}
	fmt.Fprintf(os.Stderr, "goroutines are left over:\n%s\n", left)
	os.Exit(1)
}

// leftOver is the stack of a goroutine that runs code of this package, but for the one that asks. It is nil without any.
func leftOver() []byte {
	var b bytes.Buffer
	if err := pprof.Lookup("goroutine").WriteTo(&b, 2); err != nil {
		return []byte(err.Error())
	}
	for i, stack := range bytes.Split(b.Bytes(), []byte("\n\n")) {
		if i > 0 && bytes.Contains(stack, []byte("remedy/cache.")) {
			return stack
		}
	}
	return nil
}
