package instance

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Accepted connections are what clients ask of a process, those that it opened are its own doing: a pile of goroutines
// that grows with the first is load, one that grows with the second may be a leak. The kernel's table of connections
// (/proc/PID/net/tcp) does not say who accepted one, but a connection whose local port is one on which the process
// listens was accepted there, or will be: until then it waits in the listen queue and has no inode. One whose client
// has closed it and the process has not (CLOSE_WAIT) is work for nobody.
//
// The table is the one of the network namespace, in which others may listen, too. Which of the listening sockets are
// the process's own, its file descriptors tell; they are searched when the listening sockets have changed.
type acceptedConns struct {
	dir  string      // /proc/PID
	tcp  [2]tcpTable // IPv4 and IPv6, the latter with what is mapped to it
	buf  []byte
	due  time.Time // when the table may be read again
	last error

	known    bool      // whether ours is known: a process stays where it is
	ours     bool      // the network namespace is the watch's own
	owedDue  time.Time // when the kernel may be asked again which of them are owed an answer
	owedFrom time.Time // when it was asked first
}

// A tcpTable is what is known of the listening sockets of one table.
type tcpTable struct {
	name  string
	was   uint64            // a hash of the listening sockets when they were searched last
	ports []uint16          // on which the process listens
	queue [maxQueued]uint64 // hashes of connections that waited in its listen queues at the last count, 0 for none
}

// maxQueued bounds the connections in listen queues that are recognised at the next count. The kernel lists what stays
// in the same order.
const maxQueued = 16

// acceptedEvery is how often the table is read: a line of it costs half a microsecond, and a large machine's empty
// table some milliseconds. Where it costs more than a thousandth of that, it is read less often, but as long as
// something waits in a listen queue a hundredth: only the next counts say whether it stays there. With four thousand
// connections in TIME_WAIT the three counts that this takes were 22 s apart.
const (
	acceptedEvery  = 15 * time.Second
	acceptedPrice  = 1000 // how many times as long as it takes the table rests
	acceptedQueued = 100  // while something waits
)

const (
	maxListeners = 256  // of a namespace
	maxLinks     = 4096 // file descriptors that are searched: what listens is opened early
)

var (
	errAcceptedRarely = errors.New("counted only every 15 s: the kernel's table of connections must be read for it")
	errNoTable        = errors.New("/proc/PID/net/tcp cannot be read")
	errNoListeners    = errors.New("its file descriptors may not be read by this user, so that it is not known which " +
		"listening sockets are its own")
)

func newAccepted(dir string) acceptedConns {
	return acceptedConns{dir: dir, tcp: [2]tcpTable{{name: "tcp"}, {name: "tcp6"}}}
}

// count counts the connections. errAcceptedRarely is no fault.
func (a *acceptedConns) count(now time.Time) (n connCounts, err error) {
	if now.Before(a.due) {
		return n, errAcceptedRarely
	}
	runtime.LockOSThread() // for its CPU time
	defer runtime.UnlockOSThread()
	began := threadCPU()
	a.last = nil
	for i := range a.tcp {
		if err := a.table(&a.tcp[i], &n); err != nil && (i == 0 || !errors.Is(err, os.ErrNotExist)) {
			a.last = err // without IPv6 there is no second one
		}
	}
	a.due = now.Add(a.rest(threadCPU()-began) - 10*time.Millisecond) // ticks jitter
	return n, a.last
}

// rest is how long the table rests that took so much CPU to read.
func (a *acceptedConns) rest(took time.Duration) time.Duration {
	price := time.Duration(acceptedPrice)
	if a.tcp[0].queue[0] != 0 || a.tcp[1].queue[0] != 0 {
		price = acceptedQueued
	}
	return max(acceptedEvery, price*took)
}

// threadCPU is the CPU that the thread has used. On a busy machine the time on the clock is that of the others.
func threadCPU() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_THREAD, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// table adds what one table has. The kernel lists the listening sockets first (net/ipv4/tcp_ipv4.c, tcp_get_idx).
func (a *acceptedConns) table(t *tcpTable, n *connCounts) error {
	f, err := os.Open(a.dir + "/net/" + t.name)
	if err != nil {
		if errors.Is(err, os.ErrNotExist) {
			return os.ErrNotExist
		}
		return errNoTable
	}
	defer f.Close()
	var listening [maxListeners]listenSocket
	var queue connQueue
	listeners, settled := 0, false
	err = a.lines(f, func(line []byte) error {
		c, ok := parseConn(line)
		switch {
		case !ok:
		case c.state == tcpListen && listeners < maxListeners:
			listening[listeners] = listenSocket{c.inode, c.port}
			listeners++
		case c.state == tcpEstablished || c.state == tcpCloseWait:
			if !settled {
				settled = true
				if err := a.own(t, listening[:listeners]); err != nil {
					return err
				}
			}
			switch {
			case !slices.Contains(t.ports, c.port):
			case c.inode == 0:
				queue.add(&c, &t.queue)
			case c.state == tcpCloseWait:
				n.abandoned++
			default:
				n.served++
			}
		}
		return nil
	})
	if t.queue = queue.first; queue.stayed {
		n.queued += float64(queue.n)
	}
	return err
}

// A connQueue is the connections that wait to be accepted. A busy server has some whenever somebody looks, but none for
// long.
type connQueue struct {
	n      int
	first  [maxQueued]uint64 // hashes
	stayed bool              // one of these was there at the last count
}

func (q *connQueue) add(c *tcpConn, before *[maxQueued]uint64) {
	if q.n++; q.n > maxQueued {
		return
	}
	hash := uint64(c.port) + 1
	for _, b := range c.remote {
		hash = hash*1099511628211 ^ uint64(b)
	}
	q.first[q.n-1] = hash
	q.stayed = q.stayed || slices.Contains(before[:], hash)
}

// lines calls visit for each line of a file but the first, which is a head.
func (a *acceptedConns) lines(f io.Reader, visit func([]byte) error) error {
	if a.buf == nil {
		a.buf = make([]byte, 8<<10)
	}
	head, have := true, 0
	for {
		n, err := f.Read(a.buf[have:])
		data := a.buf[:have+n]
		for {
			line, rest, whole := bytes.Cut(data, newline)
			if !whole {
				break
			}
			if !head {
				if err := visit(line); err != nil {
					return err
				}
			}
			head, data = false, rest
		}
		have = copy(a.buf, data)
		switch {
		case err == io.EOF:
			return nil
		case err != nil || have == len(a.buf):
			return errNoTable
		}
	}
}

// A listenSocket is a socket that listens.
type listenSocket struct {
	inode uint64
	port  uint16
}

// own finds out on which ports the process listens, if others listen than at the last search.
func (a *acceptedConns) own(t *tcpTable, listening []listenSocket) error {
	hash := uint64(len(listening)) + 1
	for _, l := range listening {
		hash = hash*1099511628211 ^ l.inode
	}
	if hash == t.was {
		return nil
	}
	t.ports = t.ports[:0]
	dir, err := os.Open(a.dir + "/fd")
	if err != nil {
		return errNoListeners
	}
	defer dir.Close()
	for links := 0; links < maxLinks; {
		names, err := dir.Readdirnames(256)
		for _, name := range names {
			if inode, ok := socketOf(a.dir + "/fd/" + name); ok {
				for _, l := range listening {
					if l.inode == inode {
						t.ports = append(t.ports, l.port)
					}
				}
			}
		}
		links += len(names)
		if err == io.EOF {
			break
		}
		if err != nil {
			return fmt.Errorf("looking for its listening sockets: %w", err)
		}
	}
	t.was = hash
	return nil
}

// socketOf is the inode of the socket that a file descriptor is: its link is "socket:[12345]".
func socketOf(link string) (inode uint64, ok bool) {
	to, err := os.Readlink(link)
	if err != nil {
		return 0, false
	}
	number, ok := strings.CutPrefix(to, "socket:[")
	if !ok {
		return 0, false
	}
	inode, err = strconv.ParseUint(strings.TrimSuffix(number, "]"), 10, 64)
	return inode, err == nil
}

// A tcpConn is a line of the table.
type tcpConn struct {
	port   uint16 // the local one
	remote []byte // address and port, a part of the line
	state  uint64
	inode  uint64 // 0 until it is accepted
}

// The states of include/net/tcp_states.h that are looked for.
const (
	tcpEstablished = 0x01
	tcpCloseWait   = 0x08 // the client has left, the process has not closed it yet
	tcpListen      = 0x0A
)

// parseConn reads "0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000 1000 0 12345 1 …"
// (Documentation/networking/proc_net_tcp.rst).
func parseConn(line []byte) (c tcpConn, ok bool) {
	var local, w []byte
	for i := range 10 {
		w, line = word(line)
		switch i {
		case 1:
			local = w
		case 2:
			c.remote = w
		case 3:
			c.state = hexNumber(w)
		case 9:
			c.inode = unsigned(w)
		}
	}
	colon := bytes.LastIndexByte(local, ':')
	if colon < 0 || len(w) == 0 {
		return c, false
	}
	c.port = uint16(hexNumber(local[colon+1:]))
	return c, true
}

// hexNumber is 0 for what is not a number.
func hexNumber(b []byte) uint64 {
	v, err := strconv.ParseUint(string(b), 16, 64)
	if err != nil {
		return 0
	}
	return v
}
