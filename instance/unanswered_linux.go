package instance

import (
	"encoding/binary"
	"errors"
	"os"
	"runtime"
	"syscall"
	"time"
)

var errNoDiag = errors.New("the kernel tells what was sent over connections of the watch's own network namespace " +
	"only, where netlink is allowed")

// From linux/sock_diag.h, inet_diag.h and tcp.h.
const (
	netlinkSockDiag  = 4
	sockDiagByFamily = 20
	inetDiagInfo     = 2  // attribute: struct tcp_info
	sizeDiag         = 72 // struct inet_diag_msg; the request, with a head, is as long
	lastDataSent     = 44 // in tcp_info: ms ago
	lastDataRecv     = 52
	bytesAcked       = 120 // since Linux 4.1
)

// unansweredFor is how long ago a request came at least, in ms, and unansweredOldest how long ago one of them must have
// come for any to count: while none stays that long, they are requests that take some seconds, and are answered.
const (
	unansweredFor    = 5_000
	unansweredOldest = 10_000
)

// answersWithin bounds the wait for a kernel that says nothing: a sample is not kept waiting.
var answersWithin = syscall.Timeval{Usec: 200_000}

// owedConns are the connections over which a request came, and since then not a byte went back.
type owedConns struct {
	first  float64 // of these, the ones over which nothing ever went back
	all    float64
	oldest uint32 // ms ago, the first of the requests
}

// owedEvery is how often they are counted. Asking takes the kernel a walk over its table of connections: 0.2 ms of CPU on
// a machine of 24 GiB, and 1 µs for each connection of the process (BenchmarkOwed: 0.2, 1 and 10 ms for 10, 1,000 and
// 9,500), 6 ms among some ten thousand of others. So with few connections it takes 12 µs a second. Whether what waits
// goes on waiting, only the next counts say.
const (
	owedEvery = 15 * time.Second
	owedPrice = 2_000 // how many times as long as it takes nobody asks
	owedAgain = 5 * time.Second
	owedSoon  = 500             // while something waits
	owedYoung = 2 * time.Minute // of the watch: so that its short past has as many counts as what follows
)

var errOwedRarely = errors.New("counted only every 15 s, or 5 s while some wait: the kernel must be asked for it")

// owed counts them when they are due. errOwedRarely is no fault.
func (a *acceptedConns) owed(now time.Time) (owedConns, error) {
	if now.Before(a.owedDue) {
		return owedConns{}, errOwedRarely
	}
	runtime.LockOSThread() // for its CPU time
	defer runtime.UnlockOSThread()
	began := threadCPU()
	n, err := a.countOwed()
	took, rest := threadCPU()-began, owedAgain
	if a.owedFrom.IsZero() {
		a.owedFrom = now
	}
	if rest = max(rest, owedSoon*took); n.all == 0 && now.Sub(a.owedFrom) > owedYoung {
		rest = max(owedEvery, owedPrice*took)
	}
	a.owedDue = now.Add(rest - 10*time.Millisecond) // ticks jitter
	if n.oldest < unansweredOldest {
		return owedConns{}, err
	}
	return n, err
}

// countOwed asks the kernel. Who greets first, answers a handshake or sends the head of a stream has sent something. Over
// a connection that had earlier answers what came last may want none: a message of a WebSocket, a frame of HTTP/2.
func (a *acceptedConns) countOwed() (n owedConns, err error) {
	if !a.known {
		own, err := os.Readlink("/proc/self/ns/net")
		theirs, e := os.Readlink(a.dir + "/ns/net")
		a.known, a.ours = true, err == nil && e == nil && own == theirs
	}
	if !a.ours {
		return owedConns{}, errNoDiag
	}
	s, err := syscall.Socket(syscall.AF_NETLINK, syscall.SOCK_RAW|syscall.SOCK_CLOEXEC, netlinkSockDiag)
	if err != nil {
		return owedConns{}, errNoDiag
	}
	defer syscall.Close(s)
	if err := syscall.SetsockoptTimeval(s, syscall.SOL_SOCKET, syscall.SO_RCVTIMEO, &answersWithin); err != nil {
		return owedConns{}, errNoDiag
	}
	for i, family := range [...]byte{syscall.AF_INET, syscall.AF_INET6} {
		for _, port := range a.tcp[i].ports {
			if a.diagnose(s, family, port, &n) != nil {
				return owedConns{}, errNoDiag
			}
		}
	}
	return n, nil
}

// diagnose counts the established connections of a family to a port: each is a struct inet_diag_msg and attributes. What
// is written to a netlink socket goes to the kernel.
func (a *acceptedConns) diagnose(s int, family byte, port uint16, n *owedConns) error {
	ask := a.buf[:sizeDiag]
	clear(ask)
	binary.NativeEndian.PutUint32(ask[0:], sizeDiag)
	binary.NativeEndian.PutUint16(ask[4:], sockDiagByFamily)
	binary.NativeEndian.PutUint16(ask[6:], syscall.NLM_F_REQUEST|syscall.NLM_F_DUMP)
	ask[16], ask[17], ask[18] = family, syscall.IPPROTO_TCP, 1<<(inetDiagInfo-1)
	binary.NativeEndian.PutUint32(ask[20:], 1<<tcpEstablished)
	binary.BigEndian.PutUint16(ask[24:], port) // of a dump the kernel leaves others out (net/ipv4/inet_diag.c)
	if _, err := syscall.Write(s, ask); err != nil {
		return err
	}
	for {
		size, err := syscall.Read(s, a.buf)
		if err != nil {
			return err
		}
		if done, err := n.take(a.buf[:size]); done || err != nil {
			return err
		}
	}
}

// take reads messages of the kernel; done says that there are no more.
func (n *owedConns) take(messages []byte) (done bool, err error) {
	for len(messages) >= syscall.NLMSG_HDRLEN {
		size, kind := int(binary.NativeEndian.Uint32(messages)), binary.NativeEndian.Uint16(messages[4:])
		switch {
		case kind == syscall.NLMSG_DONE:
			return true, nil
		case kind != sockDiagByFamily || size < syscall.NLMSG_HDRLEN+sizeDiag || size > len(messages):
			return false, errNoDiag
		}
		n.add(messages[syscall.NLMSG_HDRLEN:size])
		messages = messages[min((size+3)&^3, len(messages)):]
	}
	return false, nil
}

// add counts a connection, if the process accepted it and owes its client an answer.
func (n *owedConns) add(conn []byte) {
	info := tcpInfo(conn)
	if binary.NativeEndian.Uint32(conn[68:]) == 0 || info == nil { // the inode: it is not accepted yet
		return
	}
	sent, received := binary.NativeEndian.Uint32(info[lastDataSent:]), binary.NativeEndian.Uint32(info[lastDataRecv:])
	if binary.NativeEndian.Uint64(info[bytesAcked+8:]) == 0 || received < unansweredFor { // bytes received
		return
	}
	first := binary.NativeEndian.Uint64(info[bytesAcked:]) == 0
	if first {
		n.first++
	}
	if first || sent > received {
		n.all, n.oldest = n.all+1, max(n.oldest, received)
	}
}

// tcpInfo is what the kernel says of a connection; nil if it is too old to say it.
func tcpInfo(conn []byte) []byte {
	for rest := conn[sizeDiag:]; len(rest) >= 4; {
		size := int(binary.NativeEndian.Uint16(rest))
		if size < 4 || size > len(rest) {
			return nil
		}
		if info := rest[4:size]; binary.NativeEndian.Uint16(rest[2:]) == inetDiagInfo && len(info) >= bytesAcked+16 {
			return info
		}
		rest = rest[min((size+3)&^3, len(rest)):]
	}
	return nil
}
