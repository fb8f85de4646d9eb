package instance

import (
	"net"
	"os"
	"strings"
	"testing"
	"time"
)

// TestAccepted: of the connections between a process and itself half were accepted by it; those to another one's port
// are none of them, and the number is not counted again before it is due.
func TestAccepted(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	now := time.Now()
	before, err := counted(now)
	if err != nil {
		t.Fatal(err)
	}
	for range 5 {
		c, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		a, err := l.Accept()
		if err != nil {
			t.Fatal(err)
		}
		defer a.Close()
	}
	a := newAccepted("/proc/self")
	after, err := a.count(now)
	if err != nil || after.served-before.served != 5 {
		t.Errorf("5 connections were accepted, and the count went from %v to %v (%v)", before, after, err)
	}
	if _, err := a.count(now.Add(time.Second)); err != errAcceptedRarely {
		t.Errorf("a second later it is counted again: %v", err)
	}
	if again, err := a.count(now.Add(time.Hour)); err != nil || again != after {
		t.Errorf("an hour later it is %v, %v, want %v", again, err, after)
	}
}

func counted(now time.Time) (connCounts, error) {
	a := newAccepted("/proc/self")
	return a.count(now)
}

// TestQueued: connections that nobody accepts are queued when one of them has been so since the count before, and are
// not accepted.
func TestQueued(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	a, now := newAccepted("/proc/self"), time.Now()
	before, err := a.count(now)
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		c, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
	}
	now = now.Add(time.Hour)
	if n, err := a.count(now); err != nil || n != before {
		t.Errorf("connections that have just come: %+v, %v; want %+v", n, err, before)
	}
	now = now.Add(time.Hour)
	if n, err := a.count(now); err != nil || n.queued-before.queued != 3 || n.served != before.served {
		t.Errorf("at the next count %+v, %v; want three queued", n, err)
	}
	if c, err := l.Accept(); err != nil {
		t.Fatal(err)
	} else {
		defer c.Close()
	}
	now = now.Add(time.Hour)
	if n, err := a.count(now); err != nil || n.queued-before.queued != 2 || n.served-before.served != 1 {
		t.Errorf("after one was accepted %+v, %v; want two queued", n, err)
	}
}

// TestAcceptedOfOthers: the socket that listens belongs to somebody else, and a connection that the process opened to a
// port of the same number elsewhere does not count.
func TestAcceptedOfOthers(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(dir+"/net", 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(dir+"/fd", 0o700); err != nil {
		t.Fatal(err)
	}
	line := func(local, remote, state, inode string) string {
		return "   0: " + local + " " + remote + " " + state + " 00000000:00000000 00:00000000 00000000  1000        0 " +
			inode + " 1 0000000000000000 100 0 0 10 0\n"
	}
	table := "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n" +
		line("0100007F:1F90", "00000000:0000", "0A", "11") + line("0100007F:2328", "00000000:0000", "0A", "22") +
		line("0100007F:1F90", "0100007F:9C40", "01", "33") + // accepted
		line("0100007F:1F90", "0100007F:9C41", "08", "34") + // the client has left
		line("0100007F:1F90", "0100007F:9C42", "06", "0") + // TIME_WAIT
		line("0100007F:1F90", "0100007F:9C44", "01", "0") + // not accepted yet
		line("0100007F:1F90", "0100007F:9C45", "08", "0") + // likewise, and the client has left
		line("0100007F:2328", "0100007F:9C43", "01", "35") + // another one's
		line("0100007F:9C40", "0100007F:1F90", "01", "36") // opened
	if err := os.WriteFile(dir+"/net/tcp", []byte(table), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, to := range map[string]string{"3": "socket:[11]", "4": "/dev/null", "5": "socket:[36]"} {
		if err := os.Symlink(to, dir+"/fd/"+name); err != nil {
			t.Fatal(err)
		}
	}
	a := newAccepted(dir)
	now := time.Now()
	if n, err := a.count(now); err != nil || n != (connCounts{served: 1, abandoned: 1}) {
		t.Errorf("%+v, %v; want one served and one abandoned", n, err)
	}
	if n, err := a.count(now.Add(time.Minute)); err != nil || n.queued != 2 {
		t.Errorf("a minute later %+v, %v; want two queued, because they were before", n, err)
	}
	// What waits now has come since.
	table = strings.NewReplacer("0100007F:9C44", "0100007F:9C54", "0100007F:9C45", "0100007F:9C55").Replace(table)
	if err := os.WriteFile(dir+"/net/tcp", []byte(table), 0o600); err != nil {
		t.Fatal(err)
	}
	if n, err := a.count(now.Add(2 * time.Minute)); err != nil || n.queued != 0 {
		t.Errorf("with other connections in the queue %+v, %v; want none", n, err)
	}
	if err := a.lines(strings.NewReader(strings.Repeat("x", 20<<10)), nil); err == nil {
		t.Error("a line without an end is no error")
	}
}
