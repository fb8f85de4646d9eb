package target

import (
	"bytes"
	"context"
	"encoding/hex"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// findProcess looks for the process that listens at the target's address, if that is an address of this machine.
func (t *HTTP) findProcess(ctx context.Context) {
	port := t.base.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[t.base.Scheme]
	}
	n, _ := strconv.ParseUint(port, 10, 16) // url.Parse checked it
	ips := addresses(ctx, t.base.Hostname())
	if !local(ips) {
		t.setProcess(nil, "the target does not run on this machine")
		return
	}
	pid, err := listener(ips, uint16(n))
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
	fds, _ := filepath.Glob("/proc/[0-9]*/fd/[0-9]*") // the pattern is well-formed
	for _, fd := range fds {
		if link, err := os.Readlink(fd); err == nil && inodes[link] {
			return strconv.Atoi(strings.Split(fd, "/")[2])
		}
	}
	return 0, fmt.Errorf("the process that listens on port %d belongs to another user", port)
}

// tableReads is how often the socket tables are read before a listener is believed absent. The kernel gives them piece by piece,
// and may leave out a socket when others come and go between two pieces.
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
