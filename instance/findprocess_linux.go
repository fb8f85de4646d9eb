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
	"strconv"
	"strings"
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
	var inodes map[string]bool
	for range tableReads {
		if inodes = sockets(ips, port); len(inodes) > 0 {
			break
		}
	}
	if len(inodes) == 0 {
		return 0, fmt.Errorf("no process in this network namespace listens on port %d", port)
	}
	return owner(inodes, fmt.Sprint("on port ", port))
}

// owner is the process that has one of the sockets open.
func owner(inodes map[string]bool, where string) (pid int, err error) {
	fds, _ := filepath.Glob("/proc/[0-9]*/fd/[0-9]*") // the pattern is well-formed
	for _, fd := range fds {
		if link, err := os.Readlink(fd); err == nil && inodes[link] {
			return strconv.Atoi(strings.Split(fd, "/")[2])
		}
	}
	return 0, fmt.Errorf("the process that listens %s belongs to another user", where)
}

// tableReads is how often the socket tables are read before a listener is believed absent. The kernel gives them piece
// by piece, and may leave out a socket when others come and go between two pieces.
const tableReads = 3

// sockets are the listening sockets, by the names that their file descriptors have.
func sockets(ips []net.IP, port uint16) map[string]bool {
	found := make(map[string]bool)
	for _, table := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
		data, err := os.ReadFile(table)
		if err != nil {
			continue // no IPv6
		}
		for _, inode := range listening(data, ips, port) {
			found["socket:["+inode+"]"] = true
		}
	}
	return found
}

// listening are the inodes of the sockets in a /proc/net/tcp table that listen at a port on one of ips or on any
// address.
func listening(table []byte, ips []net.IP, port uint16) []string {
	var inodes []string
	for _, l := range bytes.Split(table, []byte("\n")) {
		f := strings.Fields(string(l)) // sl local rem st tx:rx tr:tm retrnsmt uid timeout inode …
		const listen = "0A"
		if len(f) < 10 || f[3] != listen {
			continue
		}
		ip, p, ok := parseAddress(f[1])
		if !ok || p != port {
			continue
		}
		for _, want := range ips {
			if ip.IsUnspecified() || ip.Equal(want) {
				inodes = append(inodes, f[9])
				break
			}
		}
	}
	return inodes
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
