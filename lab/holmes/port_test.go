package holmes

import (
	"net"
	"sync"
	"testing"
)

var port sync.Mutex // held by the command that has port 8080

// takePort waits for the turn, and skips the test where another program has the port.
func takePort(t *testing.T) (done func()) {
	t.Helper()
	port.Lock()
	l, err := net.Listen("tcp", ":8080")
	if err != nil {
		port.Unlock()
		t.Skipf("holmes' test wants port 8080, and another program has it: %v", err)
	}
	_ = l.Close()
	return port.Unlock
}
