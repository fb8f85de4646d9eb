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
	"time"

	"github.com/gocasebook/casebook/vitals"
)

// clockTick is the unit of times in /proc/PID/stat. The kernel has reported 100 a second to every Linux user program
// for decades, whatever its own tick is (USER_HZ).
const clockTick = 10 * time.Millisecond

// findProcess looks for the process that listens at the target's address, if that is an address of this machine.
func (t *HTTP) findProcess(ctx context.Context) {
	t.proc, t.noProc = nil, ""
	port := t.base.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[t.base.Scheme]
	}
	n, _ := strconv.ParseUint(port, 10, 16) // url.Parse checked it
	ips := addresses(ctx, t.base.Hostname())
	if !local(ips) {
		t.noProc = "the target does not run on this machine"
		return
	}
	pid, err := listener(ips, uint16(n))
	if err != nil {
		t.noProc = err.Error()
		return
	}
	p, err := newProcess(pid)
	if err != nil {
		t.noProc = err.Error()
		return
	}
	t.proc = p
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
	inodes := make(map[string]bool)
	for _, table := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
		data, err := os.ReadFile(table)
		if err != nil {
			continue // no IPv6
		}
		for _, inode := range listening(data, ips, port) {
			inodes["socket:["+inode+"]"] = true
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

func (p *process) exe() string { return fmt.Sprintf("/proc/%d/exe", p.pid) }

func newProcess(pid int) (*process, error) {
	p := &process{pid: pid}
	ticks, err := p.stat()
	if err != nil {
		return nil, err
	}
	p.start = ticks.start
	up := fields("/proc", "uptime")
	if len(up) == 0 {
		return nil, fmt.Errorf("/proc/uptime cannot be read")
	}
	age := time.Duration(number(up[0])*float64(time.Second)) - time.Duration(ticks.start)*clockTick
	p.started = time.Now().Add(-age)

	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/cgroup", pid))
	if err == nil {
		p.cgroup = findCgroup("/sys/fs/cgroup", string(data))
	}
	p.limits.CPUQuota = p.cgroup.quota()
	p.limits.MemoryBytes = int64(p.cgroup.memoryLimit())
	p.limits.CPUs = allowedCPUs(pid)
	if q := p.limits.CPUQuota; q > 0 && (q < p.limits.CPUs || p.limits.CPUs == 0) {
		p.limits.CPUs = q
	}
	p.limits.OpenFiles = openFilesLimit(pid)
	return p, nil
}

// allowedCPUs counts the CPUs of the process's affinity mask: "Cpus_allowed_list:	0-3,8".
func allowedCPUs(pid int) float64 {
	data, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid)) // unreadable: 0, not known
	for _, l := range strings.Split(string(data), "\n") {
		list, ok := strings.CutPrefix(l, "Cpus_allowed_list:")
		if !ok {
			continue
		}
		n := 0.0
		for _, r := range strings.Split(strings.TrimSpace(list), ",") {
			from, to, isRange := strings.Cut(r, "-")
			if !isRange {
				to = from
			}
			n += number(to) - number(from) + 1
		}
		return n
	}
	return 0
}

func openFilesLimit(pid int) int64 {
	data, _ := os.ReadFile(fmt.Sprintf("/proc/%d/limits", pid))
	for _, l := range strings.Split(string(data), "\n") {
		if rest, ok := strings.CutPrefix(l, "Max open files"); ok {
			if f := strings.Fields(rest); len(f) > 0 {
				return int64(number(f[0])) // "unlimited" is 0
			}
		}
	}
	return 0
}

// procStat is what /proc/PID/stat tells us, in clock ticks and pages.
type procStat struct{ user, system, threads, start, rss uint64 }

func (p *process) stat() (procStat, error) {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.pid))
	if err != nil {
		return procStat{}, fmt.Errorf("process %d is gone", p.pid)
	}
	return parseStat(data)
}

// parseStat reads the fields after the command's name, which may itself hold spaces and parentheses (proc(5)).
func parseStat(data []byte) (procStat, error) {
	i := bytes.LastIndexByte(data, ')')
	f := strings.Fields(string(data[i+1:]))
	if i < 0 || len(f) < 22 {
		return procStat{}, fmt.Errorf("/proc/PID/stat has %d fields after the name, want 22 or more", len(f))
	}
	field := func(n int) uint64 { // numbered as in proc(5), from 1
		v, _ := strconv.ParseUint(f[n-3], 10, 64) // the kernel writes numbers
		return v
	}
	return procStat{user: field(14), system: field(15), threads: field(20), start: field(22), rss: field(24)}, nil
}

// sample reads the process; an error means that it is gone.
func (p *process) sample(s *vitals.Sample, absent *reasons) error {
	st, err := p.stat()
	if err != nil {
		return err
	}
	if st.start != p.start {
		return fmt.Errorf("process %d is gone; its number was given to another", p.pid)
	}
	files := -1.0
	if d, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", p.pid)); err == nil {
		files = float64(len(d))
	}
	p.apply(procReading{
		cpu:     (time.Duration(st.user+st.system) * clockTick).Seconds(),
		rss:     float64(st.rss) * float64(os.Getpagesize()),
		threads: float64(st.threads),
		files:   files,
	}, s, absent)
	return nil
}
