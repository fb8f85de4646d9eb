package instance

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/gocasebook/casebook/internal/cgroup"
	"github.com/gocasebook/casebook/vitals"
)

// procFiles are the files that a sample of a process is read from, kept open.
type procFiles struct {
	own      bool // it is the calling process
	stat     *keptFile
	statm    *keptFile
	io       *keptFile // only the same user and root may read it
	fds      *fdDir
	accepted acceptedConns

	cpuStat                     *keptFile // nil without a CPU quota
	cpuPressure, memoryPressure *keptFile // nil where the kernel gives none

	machine machineFiles
}

func (p *process) exe() string { return fmt.Sprintf("/proc/%d/exe", p.pid) }

func newProcess(pid int) (*process, error) {
	return openProcess(mounts{proc: "/proc", sys: "/sys", cgroups: "/sys/fs/cgroup"}, pid)
}

// mounts are where the kernel's file systems are mounted, or recorded trees.
type mounts struct{ proc, sys, cgroups string }

// openProcess opens a process's files.
func openProcess(m mounts, pid int) (*process, error) {
	proc := m.proc
	dir := fmt.Sprintf("%s/%d", proc, pid)
	p := &process{pid: pid}
	p.files = procFiles{own: pid == os.Getpid(), stat: keepOpen(dir + "/stat"),
		statm: keepOpen(dir + "/statm"), accepted: newAccepted(dir),
		io: keepOpen(dir + "/io"), fds: keepFDs(dir + "/fd")}
	data, err := p.files.stat.read()
	if err != nil {
		p.close()
		return nil, p.gone()
	}
	st, err := parseStat(data)
	if err != nil {
		p.close()
		return nil, err
	}
	up := cgroup.Fields(proc, "uptime")
	if len(up) == 0 {
		p.close()
		return nil, errors.New("/proc/uptime cannot be read")
	}
	age := time.Duration(cgroup.Number(up[0])*float64(time.Second)) - time.Duration(st.start)*clockTick
	p.start, p.started = st.start, time.Now().Add(-age)
	p.openCgroup(proc, m.cgroups)
	if cpus := allowedCPUs(dir); p.limits.CPUs == 0 || cpus > 0 && cpus < p.limits.CPUs {
		p.limits.CPUs = cpus
	}
	p.limits.OpenFiles = openFilesLimit(dir)
	if p.image = imageOf(dir + "/exe"); !p.files.own {
		p.exit, p.procs = watchExit(pid), procsOf(dir)
	}
	p.machine = machineMemory(proc)
	p.files.machine = openMachine(proc, m.sys, dir)
	return p, nil
}

// openCgroup reads the limits of the process's cgroup, and opens what tells how it fares within them. The path of a
// cgroup outside of this process's cgroup namespace begins with /.. (man 7 cgroup_namespaces), and nothing is there in
// this process's mount of cgroups, whose root is its own group: that of the other process has the other group.
func (p *process) openCgroup(proc, cgroups string) {
	var cg cgroup.Group
	if data, err := os.ReadFile(fmt.Sprintf("%s/%d/cgroup", proc, p.pid)); err == nil {
		if strings.Contains(string(data), ":/..") { // of a neighbour: a sidecar sees the service of its pod so
			cgroups = fmt.Sprintf("%s/%d/root/sys/fs/cgroup", proc, p.pid)
		}
		cg = cgroup.Find(cgroups, string(data))
	}
	quota, dir := cg.Quota()
	if quota > 0 {
		p.files.cpuStat = keepOpen(filepath.Join(dir, "cpu.stat"))
	}
	p.limits.CPUQuota, p.limits.CPUs = quota, quota
	p.limits.MemoryBytes = int64(cg.MemoryLimit())
	if !p.files.own {
		p.oom = newOOMCounts(proc, cg.Memory)
	}
	p.files.cpuPressure = keepPressure(cg.Pressure, proc, "cpu")
	p.files.memoryPressure = keepPressure(cg.Pressure, proc, "memory")
}

// keepPressure opens the pressure stall information of a resource: the cgroup's, otherwise the machine's; nil if
// neither can be read. A kernel booted with psi=0 has the machine's files but does not let them be read.
func keepPressure(group, proc, resource string) *keptFile {
	paths := []string{filepath.Join(proc, "pressure", resource)}
	if group != "" {
		paths = []string{filepath.Join(group, resource+".pressure"), paths[0]}
	}
	for _, path := range paths {
		k := keepOpen(path)
		if _, err := k.pressure(); err == nil {
			return k
		}
		k.close()
	}
	return nil
}

func (k *keptFile) pressure() (float64, error) {
	if k == nil {
		return 0, errNoPressure
	}
	data, err := k.read()
	if err != nil {
		return 0, err
	}
	return parsePressure(data)
}

func (k *keptFile) throttling() (throttling, error) {
	if k == nil {
		return throttling{}, errNoQuota
	}
	data, err := k.read()
	return parseThrottling(data), err
}

// anonymous is the resident memory that is no page of a file, in bytes.
func (k *keptFile) anonymous() (float64, error) {
	data, err := k.read()
	if err != nil {
		return 0, errNoStatm
	}
	_, rest := word(data)
	resident, rest := word(rest)
	shared, _ := word(rest)
	if len(shared) == 0 {
		return 0, errNoStatm
	}
	pages := float64(unsigned(resident)) - float64(unsigned(shared))
	return max(pages, 0) * float64(os.Getpagesize()), nil
}

var errNoStatm = errors.New("/proc/PID/statm cannot be read")

func (k *keptFile) calls() (ioCalls, error) {
	data, err := k.read()
	if err != nil {
		return ioCalls{}, errCallsHidden
	}
	return parseIO(data)
}

// sample reads the process at a time that is the sample's or a little later; an error means that it is gone.
func (p *process) sample(s *vitals.Sample, at time.Time, absent *reasons) error {
	data, err := p.files.stat.read()
	if err != nil {
		return p.gone()
	}
	if _, is := zombie(data); is {
		return p.gone()
	}
	st, err := parseStat(data)
	if err != nil {
		return err
	}
	p.oom.read()
	r := procReading{
		at:      at,
		user:    float64(st.user) * clockTick.Seconds(),
		system:  float64(st.system) * clockTick.Seconds(),
		rss:     float64(st.rss) * float64(os.Getpagesize()),
		threads: float64(st.threads),
	}
	if p.files.own {
		r.user, r.system = ownCPU(r.user, r.system)
	}
	r.files, r.noFiles = p.files.fds.count(s.Time)
	r.anon, r.noAnon = p.files.statm.anonymous()
	r.conns, r.noConns = p.files.accepted.count(s.Time)
	owed, err := p.files.accepted.owed(s.Time)
	r.unanswered, r.noUnanswered, r.noWaiting = owed.first, err, err
	if err == nil {
		r.waiting, r.noWaiting = p.waits(owed.all, s.Time)
	}
	r.calls, r.noCalls = p.files.io.calls()
	r.throttling, r.noThrottling = p.files.cpuStat.throttling()
	r.cpuPressure, r.noCPUPressure = p.files.cpuPressure.pressure()
	r.memoryPressure, r.noMemoryPressure = p.files.memoryPressure.pressure()
	p.files.machine.read(&r.machine)
	p.apply(&r, s, absent)
	return nil
}

// ownCPU is the CPU time of the calling process in seconds, to the microsecond, where /proc knows it to 10 ms only.
func ownCPU(otherUser, otherSystem float64) (user, system float64) {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return otherUser, otherSystem
	}
	return time.Duration(u.Utime.Nano()).Seconds(), time.Duration(u.Stime.Nano()).Seconds()
}

func (p *process) gone() error { return fmt.Errorf("process %d is gone", p.pid) }

// lives reports whether the process has not ended. It may run beside sample.
func (p *process) lives() bool {
	dir := fmt.Sprintf("/proc/%d", p.pid)
	state := taskState(dir)
	return state != "" && state != "Z" && state != "X" && p.still(dir)
}

// cpuTime is the CPU time that the process has used since its start; false when it is gone. It may run beside sample.
func (p *process) cpuTime() (time.Duration, bool) {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.pid))
	if err != nil {
		return 0, false
	}
	st, err := parseStat(bytes.TrimSpace(data))
	return time.Duration(st.user+st.system) * clockTick, err == nil && st.start == p.start
}

// counts opens what a course reads; end closes it. It may run beside sample, which has files of its own.
func (p *process) counts() (read func() (processCounts, bool), end func()) {
	dir := fmt.Sprintf("/proc/%d", p.pid)
	stat, calls := keepOpen(dir+"/stat"), keepOpen(dir+"/io")
	return func() (c processCounts, ok bool) {
			data, err := stat.read()
			if err != nil {
				return c, false
			}
			st, err := parseStat(data)
			if err != nil || st.start != p.start {
				return c, false
			}
			user, system := float64(st.user)*clockTick.Seconds(), float64(st.system)*clockTick.Seconds()
			if p.files.own {
				user, system = ownCPU(user, system)
			}
			c = processCounts{at: time.Now(), cpu: user + system}
			io, err := calls.calls()
			c.reads, c.writes, c.calls = uint64(io.reads), uint64(io.writes), err == nil
			return c, true
		}, func() {
			stat.close()
			calls.close()
		}
}

func (p *process) close() {
	p.oom.close()
	if p.exit != nil {
		_ = p.exit.Close() // nothing was written
	}
	p.files.fds.close()
	p.files.machine.close()
	for _, k := range []*keptFile{p.files.stat, p.files.statm, p.files.io, p.files.cpuStat, p.files.cpuPressure,
		p.files.memoryPressure} {
		if k != nil {
			k.close()
		}
	}
}

func openFilesLimit(dir string) int64 {
	data, _ := os.ReadFile(dir + "/limits")
	for _, l := range strings.Split(string(data), "\n") {
		if rest, ok := strings.CutPrefix(l, "Max open files"); ok {
			if f := strings.Fields(rest); len(f) > 0 {
				return int64(cgroup.Number(f[0])) // "unlimited" is 0
			}
		}
	}
	return 0
}
