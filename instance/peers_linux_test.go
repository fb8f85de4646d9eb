package instance

import (
	"net"
	"os"
	"strconv"
	"syscall"
	"testing"
)

// TestPeers: of a connection of this machine, who has called whom. The table is the kernel's, of sockets of this test; to
// which process each belongs is said by it.
func TestPeers(t *testing.T) {
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	called, err := net.Dial("tcp4", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer called.Close()
	accepted, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer accepted.Close()
	table, err := os.ReadFile("/proc/self/net/tcp")
	if err != nil {
		t.Skip("the kernel shows no table of connections: ", err)
	}
	server := map[string]bool{inode(t, l): true, inode(t, accepted): true}
	client := map[string]bool{inode(t, called): true}
	ofServer, ofClient := peers{}, peers{}
	ofServer.add(string(table), server)
	ofClient.add(string(table), client)
	if asks, ok := ofServer[inode(t, called)]; !ok || !asks {
		t.Errorf("the caller's socket is known: %v, as a client's: %v; want both", ok, asks)
	}
	if asks, ok := ofClient[inode(t, accepted)]; !ok || asks {
		t.Errorf("the listener's socket is known: %v, as a client's: %v; want known, and none", ok, asks)
	}
	w := machineWatch{proc: "/proc"}
	if s, c := ofServer.of(&w, os.Getpid()); s || !c {
		t.Errorf("a process with the caller's socket is a server: %v, a client: %v; want a client", s, c)
	}
}

func inode(t *testing.T, c any) string {
	t.Helper()
	raw, err := c.(syscall.Conn).SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	var st syscall.Stat_t
	if err := raw.Control(func(fd uintptr) { err = syscall.Fstat(int(fd), &st) }); err != nil {
		t.Fatal(err)
	}
	return strconv.FormatUint(st.Ino, 10)
}
