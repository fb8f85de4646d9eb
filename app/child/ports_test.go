package child

import (
	"runtime"
	"testing"
)

// TestLeasedPorts: a port that one server will listen on is given to no other server, although nobody listens yet.
func TestLeasedPorts(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("ports are marked on Linux only")
	}
	l, err := leasePorts(2)
	if err != nil {
		t.Fatal(err)
	}
	if l.ports[0] == l.ports[1] {
		t.Errorf("both ports are %d", l.ports[0])
	}
	if mark, err := markPort(l.ports[0]); err == nil {
		mark.Close()
		t.Errorf("port %d was given twice", l.ports[0])
	}
	l.release()
	mark, err := markPort(l.ports[0])
	if err != nil {
		t.Fatalf("port %d is not free after its release: %v", l.ports[0], err)
	}
	mark.Close()
}
