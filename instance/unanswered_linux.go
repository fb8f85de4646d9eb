package instance

import (
	"encoding/binary"
	"errors"
	"os"
	"slices"
	"syscall"
)

var errNoDiag = errors.New("the kernel tells what was sent over connections of the watch's own network namespace " +
	"only, where netlink is allowed")

// From linux/sock_diag.h, inet_diag.h and tcp.h.
const (
	netlinkSockDiag  = 4
	sockDiagByFamily = 20
	inetDiagInfo     = 2   // attribute: struct tcp_info
	sizeDiag         = 72  // struct inet_diag_msg; the request, with a head, is as long
	lastDataRecv     = 52  // in tcp_info: ms ago
	bytesAcked       = 120 // since Linux 4.1
)

// unansweredFor is how long ago a request came at least, in ms.
const unansweredFor = 5000

// answersWithin bounds the wait for a kernel that says nothing: a sample is not kept waiting.
var answersWithin = syscall.Timeval{Usec: 200_000}

// countUnanswered counts the connections over which a request came and not a byte went back. Who greets first, answers
// a handshake or sends the head of a stream has sent something; a request over a connection of earlier ones is not
// seen, but where requests pile up their clients run out of such connections.
func (a *acceptedConns) countUnanswered() (n float64, err error) {
	own, err := os.Readlink("/proc/self/ns/net")
	if theirs, e := os.Readlink(a.dir + "/ns/net"); err != nil || e != nil || own != theirs {
		return 0, errNoDiag
	}
	s, err := syscall.Socket(syscall.AF_NETLINK, syscall.SOCK_RAW|syscall.SOCK_CLOEXEC, netlinkSockDiag)
	if err != nil {
		return 0, errNoDiag
	}
	defer syscall.Close(s)
	if err := syscall.SetsockoptTimeval(s, syscall.SOL_SOCKET, syscall.SO_RCVTIMEO, &answersWithin); err != nil {
		return 0, errNoDiag
	}
	for i, family := range []byte{syscall.AF_INET, syscall.AF_INET6} {
		if len(a.tcp[i].ports) == 0 {
			continue
		}
		err := a.diagnose(s, family, func(conn []byte) {
			if slices.Contains(a.tcp[i].ports, binary.BigEndian.Uint16(conn[4:])) && isUnanswered(conn) {
				n++
			}
		})
		if err != nil {
			return 0, errNoDiag
		}
	}
	return n, nil
}

// diagnose calls visit for each established connection of a family: a struct inet_diag_msg and attributes.
func (a *acceptedConns) diagnose(s int, family byte, visit func(conn []byte)) error {
	var ask [sizeDiag]byte
	binary.NativeEndian.PutUint32(ask[0:], sizeDiag)
	binary.NativeEndian.PutUint16(ask[4:], sockDiagByFamily)
	binary.NativeEndian.PutUint16(ask[6:], syscall.NLM_F_REQUEST|syscall.NLM_F_DUMP)
	ask[16], ask[17], ask[18] = family, syscall.IPPROTO_TCP, 1<<(inetDiagInfo-1)
	binary.NativeEndian.PutUint32(ask[20:], 1<<tcpEstablished)
	if err := syscall.Sendto(s, ask[:], 0, &syscall.SockaddrNetlink{Family: syscall.AF_NETLINK}); err != nil {
		return err
	}
	for {
		n, _, err := syscall.Recvfrom(s, a.buf, 0)
		if err != nil {
			return err
		}
		messages, err := syscall.ParseNetlinkMessage(a.buf[:n])
		if err != nil {
			return err
		}
		for _, m := range messages {
			switch {
			case m.Header.Type == syscall.NLMSG_DONE:
				return nil
			case m.Header.Type != sockDiagByFamily || len(m.Data) < sizeDiag:
				return errNoDiag
			}
			visit(m.Data)
		}
	}
}

// isUnanswered reports whether the process accepted a connection, and owes its client the first byte.
func isUnanswered(conn []byte) bool {
	if binary.NativeEndian.Uint32(conn[68:]) == 0 { // the inode: it is not accepted yet
		return false
	}
	for rest := conn[sizeDiag:]; len(rest) >= 4; {
		size := int(binary.NativeEndian.Uint16(rest))
		if size < 4 || size > len(rest) {
			return false
		}
		if info := rest[4:size]; binary.NativeEndian.Uint16(rest[2:]) == inetDiagInfo && len(info) >= bytesAcked+16 {
			return binary.NativeEndian.Uint64(info[bytesAcked:]) == 0 &&
				binary.NativeEndian.Uint64(info[bytesAcked+8:]) > 0 && // received
				binary.NativeEndian.Uint32(info[lastDataRecv:]) >= unansweredFor
		}
		rest = rest[min((size+3)&^3, len(rest)):]
	}
	return false
}
