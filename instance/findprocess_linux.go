package instance

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// findProcess looks for the process that listens at the target's address, if that is an address of this machine.
func (t *HTTP) findProcess(ctx context.Context) {
	pid, err := t.findListener(ctx)
	if err != nil {
		t.setProcess(nil, err.Error())
		return
	}
	p, err := newProcess(pid)
	if err != nil {
		t.setProcess(nil, err.Error())
		return
	}
	t.setProcess(p, "")
	t.absent.clear(procSignals[:]...)
}

var errElsewhere = errors.New("the target does not run on this machine")

func (t *HTTP) findListener(ctx context.Context) (pid int, err error) {
	if t.options.Gateway != nil {
		return 0, errElsewhere
	}
	u := t.base()
	if socket, _ := splitUnix(u); socket != "" {
		inodes := unixSockets(socket)
		if len(inodes) == 0 {
			return 0, fmt.Errorf("no process listens on %s, as far as this process can see", socket)
		}
		return owner(inodes, "on "+socket)
	}
	o := originOf(u)
	n, _ := strconv.ParseUint(o.port, 10, 16) // url.Parse checked it
	ips := addresses(ctx, o.host)
	if !local(ips) {
		return 0, errElsewhere
	}
	return listener(ips, uint16(n))
}

// unixSockets are the listening sockets of a path, by the names that their file descriptors have. A line of
// /proc/net/unix is "Num: RefCount Protocol Flags Type St Inode Path"; bit 16 of Flags says that the socket listens
// (__SO_ACCEPTCON).
func unixSockets(socket string) map[string]bool {
	found := make(map[string]bool)
	data, _ := os.ReadFile("/proc/net/unix")
	for _, l := range strings.Split(string(data), "\n") {
		f := strings.Fields(l)
		if len(f) < 8 || !strings.HasSuffix(l, " "+socket) {
			continue
		}
		if flags, err := strconv.ParseUint(f[3], 16, 32); err == nil && flags&0x10000 != 0 {
			found["socket:["+f[6]+"]"] = true
		}
	}
	return found
}

func addresses(ctx context.Context, host string) []net.IP {
	if ip := net.ParseIP(host); ip != nil {
		return []net.IP{ip}
	}
	if host == "localhost" {
		return []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback}
	}
	ips, err := net.DefaultResolver.LookupIP(ctx, "ip", host)
	if err != nil {
		return nil
	}
	return ips
}

func local(ips []net.IP) bool {
	own, err := net.InterfaceAddrs()
	if err != nil {
		return false
	}
	for _, ip := range ips {
		if ip.IsLoopback() {
			return true
		}
		for _, a := range own {
			if n, ok := a.(*net.IPNet); ok && n.IP.Equal(ip) {
				return true
			}
		}
	}
	return false
}

// listener is the process that listens on one of the addresses, or on all of them, at a port: the kernel's socket
// tables give the socket's inode, and the owner has a file descriptor of that name.
func listener(ips []net.IP, port uint16) (pid int, err error) {
	var ever time.Time
	if pid, ok := ownerIn(opened.since(ever), listening(ports.since(ever), ips, port)); ok {
		return pid, nil
	}
	for range tableReads {
		if inodes := listening(ports.since(time.Now()), ips, port); len(inodes) > 0 {
			return owner(inodes, fmt.Sprint("on port ", port))
		}
	}
	return 0, fmt.Errorf("no process in this network namespace listens on port %d", port)
}

// owner is the process that has one of the sockets open.
func owner(inodes map[string]bool, where string) (pid int, err error) {
	for _, since := range [...]time.Time{{}, time.Now()} {
		if pid, ok := ownerIn(opened.since(since), inodes); ok {
			return pid, nil
		}
	}
	return 0, fmt.Errorf("the process that listens %s belongs to another user", where)
}

// tableReads is how often the socket tables are read before a listener is believed absent. The kernel gives them piece
// by piece, and may leave out a socket when others come and go between two pieces.
const tableReads = 3

// ports are the sockets that listen, by port; opened are the file descriptors of sockets, by the names that they have.
// All targets share what was read: a watch of a thousand looks for a thousand processes when it begins, and each search
// would read a link for every open file of the machine.
var (
	ports  = table[map[uint16][]listeningSocket]{load: readPorts}
	opened = table[map[string]string]{load: readOpened}
)

// keepTable is for how long a table is kept.
const keepTable = 2 * time.Second

// A table is something that is read once for many. Nobody changes what was read.
type table[T any] struct {
	load func() T

	mu   sync.Mutex // guards what follows
	read time.Time  // when the last reading began
	last T
}

// since returns what was read since a moment; what was read last if that is the zero time. It reads if need be.
func (t *table[T]) since(moment time.Time) T {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.read.Before(moment) {
		t.read = time.Now()
		t.last = t.load()
		time.AfterFunc(keepTable, t.forget)
	}
	return t.last
}

// forget frees what is too old.
func (t *table[T]) forget() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if time.Since(t.read) >= keepTable {
		var none T
		t.last = none
	}
}

// A listeningSocket is a socket that listens.
type listeningSocket struct {
	ip    net.IP
	inode string
}

// listening are the sockets at a port on one of ips or on any address, by the names that their file descriptors have.
func listening(all map[uint16][]listeningSocket, ips []net.IP, port uint16) map[string]bool {
	found := make(map[string]bool)
	for _, l := range all[port] {
		if l.ip.IsUnspecified() || slices.ContainsFunc(ips, l.ip.Equal) {
			found["socket:["+l.inode+"]"] = true
		}
	}
	return found
}

func readPorts() map[uint16][]listeningSocket {
	all := make(map[uint16][]listeningSocket)
	for _, name := range [...]string{"/proc/net/tcp", "/proc/net/tcp6"} {
		data, _ := os.ReadFile(name) // the second is not there without IPv6
		for l := range bytes.Lines(data) {
			f := strings.Fields(string(l)) // sl local rem st tx:rx tr:tm retrnsmt uid timeout inode …
			const listen = "0A"
			if len(f) < 10 || f[3] != listen {
				continue
			}
			if ip, port, ok := parseAddress(f[1]); ok {
				all[port] = append(all[port], listeningSocket{ip, f[9]})
			}
		}
	}
	return all
}

// readOpened finds the sockets of all processes whose files can be read.
func readOpened() map[string]string {
	all := make(map[string]string)
	fds, _ := filepath.Glob("/proc/[0-9]*/fd/[0-9]*") // the pattern is well-formed
	for _, fd := range fds {
		if link, err := os.Readlink(fd); err == nil && strings.HasPrefix(link, "socket:") {
			all[link] = fd
		}
	}
	return all
}

// ownerIn asks the file descriptor again: the process may have ended since, and another may have its number.
func ownerIn(opened map[string]string, inodes map[string]bool) (pid int, ok bool) {
	for inode := range inodes {
		fd := opened[inode]
		if link, err := os.Readlink(fd); err == nil && link == inode {
			pid, err = strconv.Atoi(strings.Split(fd, "/")[2])
			return pid, err == nil
		}
	}
	return 0, false
}

// parseAddress reads "0100007F:17AC": the address in 32-bit words of little-endian byte order, the port as a number.
func parseAddress(s string) (net.IP, uint16, bool) {
	a, p, _ := strings.Cut(s, ":")
	b, err := hex.DecodeString(a)
	port, err2 := strconv.ParseUint(p, 16, 16)
	if err != nil || err2 != nil || len(b)%4 != 0 {
		return nil, 0, false
	}
	for i := 0; i < len(b); i += 4 {
		b[i], b[i+1], b[i+2], b[i+3] = b[i+3], b[i+2], b[i+1], b[i]
	}
	return net.IP(b), uint16(port), true
}
