package instance

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"unsafe"
)

// An exitWatch reports how a process ended that is not our child: an open pidfd keeps its exit status (Linux 6.15,
// PIDFD_GET_INFO with PIDFD_INFO_EXIT, include/uapi/linux/pidfd.h); before that, /proc shows it while its parent has
// not collected it. Nil is none.
type exitWatch = *os.File

const (
	sysPidfdOpen = 434 // on every architecture of Go's; package syscall lacks it
	pidfdGetInfo = 3<<30 | pidfdInfoSize<<16 | 0xff<<8 | 11
	// pidfdInfoSize is that of the first version of struct pidfd_info: a mask, the cgroup's id, 12 numbers of 32 bits,
	// the last of which is the exit status as wait(2) has it.
	pidfdInfoSize   = 64
	pidfdInfoExit   = 1 << 3
	pidfdStatusAt   = 60
	pidfdOpenedWith = 0
)

func watchExit(pid int) exitWatch {
	fd, _, errno := syscall.Syscall(sysPidfdOpen, uintptr(pid), pidfdOpenedWith, 0)
	if errno != 0 {
		return nil
	}
	return os.NewFile(fd, "pidfd") // close-on-exec on its own
}

// exitStatus is false while the process lives, and where the kernel does not tell.
func exitStatus(e exitWatch) (status syscall.WaitStatus, ok bool) {
	if e == nil {
		return 0, false
	}
	conn, err := e.SyscallConn()
	if err != nil {
		return 0, false
	}
	err = conn.Control(func(fd uintptr) {
		var info [pidfdInfoSize]byte
		binary.NativeEndian.PutUint64(info[:], pidfdInfoExit)
		_, _, errno := syscall.Syscall(syscall.SYS_IOCTL, fd, pidfdGetInfo, uintptr(unsafe.Pointer(&info[0])))
		ok = errno == 0 && binary.NativeEndian.Uint64(info[:])&pidfdInfoExit != 0
		status = syscall.WaitStatus(binary.NativeEndian.Uint32(info[pidfdStatusAt:]))
	})
	return status, ok && err == nil
}

// zombie reports whether a process has ended and waits to be collected, and its status, which is the last field of its
// stat file (proc(5), 52) where it may be seen.
func zombie(stat []byte) (status syscall.WaitStatus, is bool) {
	i := bytes.LastIndexByte(stat, ')')
	if i < 0 || len(stat) < i+3 || stat[i+2] != 'Z' && stat[i+2] != 'X' {
		return 0, false
	}
	fields := bytes.Fields(stat[i+1:])
	if len(fields) < 50 {
		return 0, true
	}
	n, _ := strconv.ParseUint(string(fields[49]), 10, 32) // the 52nd, counted from the third
	return syscall.WaitStatus(n), true
}

// ended says all that is known of how the process ended; it is called by Sample once that is certain.
func (p *process) ended() End {
	e := p.howEnded()
	e.OOMKills = p.oom.since()
	return e
}

// howEnded is the status alone. It may run concurrently with Sample.
func (p *process) howEnded() End {
	e := End{PID: p.pid, OOMKills: -1}
	status, known := exitStatus(p.exit)
	if data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.pid)); err == nil && !known {
		status, known = zombie(data)
	}
	if known {
		e.setStatus(status)
	}
	return e
}

func (e *End) setStatus(s syscall.WaitStatus) {
	e.Known = true
	if s.Signaled() {
		e.Signal = s.Signal()
		return
	}
	e.Code = s.ExitStatus()
}

// imageOf tells one build of a program from another by the size and the time of its file.
func imageOf(exe string) string {
	info, err := os.Stat(exe)
	if err != nil {
		return ""
	}
	return fmt.Sprint(info.Size(), info.ModTime().UnixNano())
}

// oomCounts are the kernel's counts of processes that its OOM killer ended: of the process's cgroup and those above it,
// and of the machine, by file.
type oomCounts struct {
	files []*keptFile // the nearest first; the machine's last
	last  []int64     // −1 for none
}

// maxOOMLevels bounds how deeply nested groups are followed, as internal/cgroup does it.
const maxOOMLevels = 16

func newOOMCounts(proc, memoryGroup string) oomCounts {
	c := oomCounts{}
	for dir := memoryGroup; dir != "" && dir != "/" && dir != "." &&
		len(c.files) < maxOOMLevels; dir = filepath.Dir(dir) {
		for _, name := range []string{"memory.events", "memory.oom_control"} {
			c.add(filepath.Join(dir, name))
		}
	}
	c.add(filepath.Join(proc, "vmstat")) // its line is within the first 4 kB of 5
	return c
}

// add keeps a file if it has a count.
func (c *oomCounts) add(file string) {
	k := keepOpen(file)
	n := oomKills(k)
	if n < 0 {
		k.close()
		return
	}
	c.files, c.last = append(c.files, k), append(c.last, n)
}

func (c *oomCounts) read() {
	for i, file := range c.files {
		c.last[i] = oomKills(file)
	}
}

func (c *oomCounts) close() {
	for _, file := range c.files {
		file.close()
	}
}

// since is how many more there are since the last reading, in the nearest group that still tells, −1 if none does. The
// kernel counts each in the victim's own group (mm/oom_kill.c), so that a group which counts none rules it out.
func (c *oomCounts) since() int64 {
	for i, file := range c.files {
		if now := oomKills(file); now >= 0 && c.last[i] >= 0 {
			return max(now-c.last[i], 0)
		}
	}
	return -1
}

var oomKillLine = []byte("oom_kill ")

// oomKills reads the line "oom_kill N"; −1 without one. It allocates nothing.
func oomKills(file *keptFile) int64 {
	data, err := file.read()
	if err != nil {
		return -1
	}
	for len(data) > 0 {
		var line []byte
		line, data, _ = bytes.Cut(data, newline)
		if n, ok := bytes.CutPrefix(line, oomKillLine); ok {
			value, _ := word(n)
			return int64(unsigned(value))
		}
	}
	return -1
}
