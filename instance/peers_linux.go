package instance

import (
	"os"
	"strings"
)

// mostSockets limits what is read of a process's descriptors, and mostTable of the kernel's table of connections.
const (
	mostSockets = 10_000
	mostTable   = 4 << 20
)

// peers are the sockets at the other ends of a process's connections on the same machine, by inode: true where the
// process was connected to, so that the other one is its client.
type peers map[string]bool

// peers reads them. A process of another user keeps its descriptors to itself: then there are none.
func (w *machineWatch) peers() peers {
	own, out := w.sockets(w.pid), peers{}
	if len(own) == 0 {
		return out
	}
	for _, table := range []string{"/net/tcp", "/net/tcp6"} {
		data, err := os.ReadFile(w.dir(w.pid) + table)
		if err == nil && len(data) <= mostTable {
			out.add(string(data), own)
		}
	}
	return out
}

// add takes in a table of proc_pid_net(5): a line has a number, the two addresses, the state, six fields, and the inode.
func (p peers) add(table string, own map[string]bool) {
	const established, listens = "01", "0A"
	type pair struct{ local, remote string }
	listening, ends := make(map[string]bool), make(map[pair]string)
	var mine []pair
	for line := range strings.Lines(table) {
		f := strings.Fields(line)
		if len(f) < 10 {
			continue
		}
		at, inode := pair{f[1], f[2]}, f[9]
		switch {
		case f[3] == listens && own[inode]:
			listening[port(at.local)] = true
		case f[3] == established && own[inode]:
			mine = append(mine, at)
		case f[3] == established:
			ends[at] = inode
		}
	}
	for _, at := range mine {
		if inode, here := ends[pair{at.remote, at.local}]; here {
			p[inode] = listening[port(at.local)]
		}
	}
}

func port(address string) string { return address[strings.LastIndexByte(address, ':')+1:] }

// of reports whether a process has one of the sockets: as a server of the process, as a client of it.
func (p peers) of(w *machineWatch, pid int) (server, client bool) {
	if len(p) == 0 {
		return false, false
	}
	for inode := range w.sockets(pid) {
		asks, is := p[inode]
		server, client = server || is && !asks, client || is && asks
	}
	return server, client
}

// sockets are the inodes of a process's sockets; none where they may not be read.
func (w *machineWatch) sockets(pid int) map[string]bool {
	dir := w.dir(pid) + "/fd/"
	names, _ := readNames(dir)
	if len(names) > mostSockets {
		return nil
	}
	out := make(map[string]bool)
	for _, name := range names {
		target, err := os.Readlink(dir + name)
		if inode, ok := strings.CutPrefix(target, "socket:["); ok && err == nil {
			out[strings.TrimSuffix(inode, "]")] = true
		}
	}
	return out
}
