package instance

import (
	"context"
	"errors"
	"path"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/vitals"
)

// A process is what this machine knows of a local process.
type process struct {
	pid     int
	start   uint64    // clock ticks from the boot to its start: with the pid its identity
	started time.Time // to 10 ms
	limits  casefile.Limits
	machine float64 // bytes of memory; 0 if unknown
	procs   float64 // GOMAXPROCS of its environment; 0 if that sets none
	files   procFiles
	image   string // of its build: size and time of its file
	exit    exitWatch
	oom     oomCounts
	busy    atomic.Pointer[busyCount] // by the last census; nil before

	user, system float64 // seconds used, at the last sample
	at           time.Time
	host         machineCounts // at the last sample
	throttling   throttling
	calls        ioCalls
	counted      time.Time // of calls; zero before the first
}

// procSignals are the signals that come from /proc and from the cgroup.
var procSignals = [...]vitals.ID{
	vitals.CPU, vitals.CPUShare, vitals.CPULimit, vitals.Throttled, vitals.ThrottledCores, vitals.CPUPressure,
	vitals.RSS, vitals.RSSAnon,
	vitals.OffHeap, vitals.OffHeapAnon,
	vitals.MemoryLimit,
	vitals.MachineMemory, vitals.MemoryShare, vitals.MemoryHeadroom, vitals.MemoryPressure, vitals.Threads,
	vitals.OpenFiles, vitals.OpenFilesShare, vitals.ReadCalls, vitals.WriteCalls, vitals.ReadRate, vitals.WriteRate,
	vitals.DiskWrites, vitals.CPUSystem,
	vitals.OthersCPU, vitals.SpareCPU, vitals.MachineCPU, vitals.MachineSystem, vitals.MachineSoftIRQ,
	vitals.MachineIOWait, vitals.MachineSteal,
	vitals.DiskBusy, vitals.DiskAwait, vitals.DiskRate,
	vitals.TCPEstablished, vitals.TCPAccepted, vitals.TCPAbandoned, vitals.TCPQueued, vitals.TCPUnanswered,
	vitals.TCPWaiting, vitals.TCPTimeWait, vitals.TCPRetransmits,
}

// describe fills in what the kernel knows.
func (p *process) describe(d *casefile.Target) {
	d.PID, d.Started, d.Limits = p.pid, p.started.UTC(), p.limits
}

// describeBuild fills in what the binary says of itself; nil leaves it as it is.
func describeBuild(d *casefile.Target, info *debug.BuildInfo) {
	if info == nil {
		return
	}
	d.Build = build(info)
	if n := buildName(info); n != "" {
		d.Name = n
	}
}

func build(info *debug.BuildInfo) casefile.Build {
	b := casefile.Build{Path: info.Path, Module: info.Main.Path, Version: info.Main.Version, GoVersion: info.GoVersion}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Revision = s.Value
		case "vcs.modified":
			b.Modified = s.Value == "true"
		}
	}
	return b
}

// buildName is what people call the binary: the last element of its main package's path that is not a major version, as
// go install names it; "" for `go run file.go`.
func buildName(info *debug.BuildInfo) string {
	if info.Path == "" || info.Path == "command-line-arguments" {
		return ""
	}
	name := path.Base(info.Path)
	if n, isVersion := strings.CutPrefix(name, "v"); isVersion && n != "" && strings.Trim(n, "0123456789") == "" {
		if parent := path.Base(path.Dir(info.Path)); parent != "." && parent != "/" {
			return parent
		}
	}
	return name
}

// refind is how long after a failed search for the local process the next one may come.
const refind = 10 * time.Second

// sampleProcess fills in the signals of the local process. When the process is gone, another that listens at the same
// address takes its place. began is when the sample was: what a target that is short of CPU needed to answer since then
// must not count as nothing, or the next sample's CPU is spread over too long a time and this one's over too short a
// one.
func (t *HTTP) sampleProcess(ctx context.Context, s *vitals.Sample, began time.Time) {
	had := t.proc.Load()
	if had != nil && had.sample(s, s.Time.Add(time.Since(began)), &t.absent) == nil {
		had.setProcs(s)
		return
	}
	if had == nil && s.Time.Before(t.refind) {
		return
	}
	if had != nil {
		t.missed(had)
		had.close()
	}
	t.findProcess(ctx)
	t.replaced(t.proc.Load())
	t.refind = s.Time.Add(refind)
	if had != nil {
		t.reset = true
		t.mem, t.gc = memReader{}, gcBound{}
		t.account.Store(nil)
	}
	if t.proc.Load() == nil {
		t.absent.set(t.whyNoProcess(), procSignals[:]...)
	}
}

// connCounts are the connections to the ports on which a process listens.
type connCounts struct {
	served    float64 // accepted, and the client is there
	abandoned float64 // accepted, and the client has closed it
	queued    float64 // not accepted, and one of them has not been since the count before
}

// A busyCount is the HTTP/1 requests in progress that a census found.
type busyCount struct {
	n  float64
	at time.Time
}

// busyFor is how long a census says how many requests are in progress: one may be missed of those 15 s apart.
const busyFor = 35 * time.Second

var errNoRequests = errors.New("the goroutines were not counted lately, so that it is not known how many requests are in " +
	"progress")

// serves notes what a census found. p may be nil.
func (p *process) serves(places placeSet) {
	if p != nil {
		p.busy.Store(&busyCount{float64(places.requests()), time.Now()})
	}
}

// waits is how many of the connections that are owed an answer belong to requests in progress.
func (p *process) waits(owed float64, now time.Time) (float64, error) {
	b := p.busy.Load()
	if b == nil || now.Sub(b.at) > busyFor {
		return 0, errNoRequests
	}
	return min(owed, b.n), nil
}

// A procReading is one reading of /proc/PID and the cgroup. Each error says why the number before it is missing.
type procReading struct {
	at           time.Time
	user, system float64 // seconds
	rss          float64 // bytes
	anon         float64 // of it, no page of a file
	noAnon       error
	threads      float64

	files            float64
	noFiles          error
	conns            connCounts
	noConns          error
	unanswered       float64 // connections
	noUnanswered     error
	waiting          float64 // connections
	noWaiting        error
	calls            ioCalls
	noCalls          error
	throttling       throttling
	noThrottling     error
	cpuPressure      float64 // share of the last 10 s
	noCPUPressure    error
	memoryPressure   float64 // share of the last 10 s
	noMemoryPressure error
	machine          machineCounts
}

// Reasons that are known beforehand.
var (
	errNoQuota    = errors.New("its cgroup sets no CPU quota")
	errNoPressure = errors.New("this kernel gives no pressure stall information; it needs Linux 4.20 with " +
		"CONFIG_PSI, and psi=1 at boot where that is off by default")
	errFilesHidden = errors.New("its file descriptors may not be counted by this user")
	errCallsHidden = errors.New("its system calls may not be counted by this user (/proc/PID/io); the same user " +
		"and root may")
	errCountedRarely = errors.New("counted only every 10 s: before Linux 6.2 they must be listed")
)

// apply sets the signals of one reading.
func (p *process) apply(r *procReading, s *vitals.Sample, absent *reasons) {
	s.Set(vitals.RSS, r.rss)
	s.Set(vitals.Threads, r.threads)
	absent.give(s, vitals.RSSAnon, r.anon, r.noAnon)
	absent.give(s, vitals.TCPAccepted, r.conns.served, r.noConns)
	absent.give(s, vitals.TCPAbandoned, r.conns.abandoned, r.noConns)
	absent.give(s, vitals.TCPQueued, r.conns.queued, r.noConns)
	absent.give(s, vitals.TCPUnanswered, r.unanswered, r.noUnanswered)
	absent.give(s, vitals.TCPWaiting, r.waiting, r.noWaiting)
	absent.give(s, vitals.CPUPressure, r.cpuPressure, r.noCPUPressure)
	absent.give(s, vitals.MemoryPressure, r.memoryPressure, r.noMemoryPressure)
	absent.give(s, vitals.OpenFiles, r.files, r.noFiles)
	p.applyFilesShare(r, s, absent)
	p.applyMemoryLimit(r, s, absent)
	p.applyThrottling(r, s, absent)
	p.applyCalls(r, s, absent)
	if p.limits.CPUs > 0 {
		s.Set(vitals.CPULimit, p.limits.CPUs)
	} else {
		absent.set("neither its cgroup nor its CPU mask shows how many cores it may use", vitals.CPULimit,
			vitals.CPUShare)
	}
	if !p.at.IsZero() {
		if dt := r.at.Sub(p.at).Seconds(); dt > 0 {
			cores := max(r.user+r.system-p.user-p.system, 0) / dt
			s.Set(vitals.CPU, cores)
			s.Set(vitals.CPUSystem, max(r.system-p.system, 0)/dt)
			if p.limits.CPUs > 0 {
				s.Set(vitals.CPUShare, cores/p.limits.CPUs)
			}
			r.machine.apply(&p.host, dt, s, absent)
			if busy, ok := r.machine.allowed.busySince(&p.host.allowed, dt); ok {
				s.Set(vitals.OthersCPU, max(busy-cores, 0))
			}
		}
	}
	p.user, p.system, p.at, p.host = r.user, r.system, r.at, r.machine
}

// tickCPU is the unit of the kernel's account: as much work may hide between two readings that are equal.
const tickCPU = 10 * time.Millisecond

// usedSince starts to count the CPU time of a process, nil for one that cannot be seen. What it returns tells the time
// since then, rounded up; 0 when it is not known.
func usedSince(p *process) func() time.Duration {
	if p == nil {
		return func() time.Duration { return 0 }
	}
	before, known := p.cpuTime()
	return func() time.Duration {
		after, still := p.cpuTime()
		if !known || !still || after < before {
			return 0
		}
		return after - before + tickCPU
	}
}

func (p *process) applyFilesShare(r *procReading, s *vitals.Sample, absent *reasons) {
	switch {
	case r.noFiles != nil:
		absent.set(r.noFiles.Error(), vitals.OpenFilesShare)
	case p.limits.OpenFiles <= 0:
		absent.set("the process has no limit of open files", vitals.OpenFilesShare)
	default:
		s.Set(vitals.OpenFilesShare, r.files/float64(p.limits.OpenFiles))
	}
}

func (p *process) applyMemoryLimit(r *procReading, s *vitals.Sample, absent *reasons) {
	if p.machine > 0 {
		s.Set(vitals.MachineMemory, p.machine)
	} else {
		absent.set("/proc/meminfo does not say", vitals.MachineMemory)
	}
	if p.limits.MemoryBytes <= 0 {
		absent.set("its cgroup sets no memory limit", vitals.MemoryLimit, vitals.MemoryShare, vitals.MemoryHeadroom)
		return
	}
	s.Set(vitals.MemoryLimit, float64(p.limits.MemoryBytes))
	s.Set(vitals.MemoryShare, r.rss/float64(p.limits.MemoryBytes))
	s.Set(vitals.MemoryHeadroom, max(float64(p.limits.MemoryBytes)-r.rss, 0))
}

func (p *process) applyThrottling(r *procReading, s *vitals.Sample, absent *reasons) {
	if r.noThrottling != nil {
		absent.set(r.noThrottling.Error(), vitals.Throttled, vitals.ThrottledCores)
		return
	}
	if dt := r.at.Sub(p.at).Seconds(); !p.at.IsZero() && dt > 0 {
		s.Set(vitals.ThrottledCores, max(r.throttling.held-p.throttling.held, 0)/dt)
	}
	if periods := r.throttling.periods - p.throttling.periods; !p.at.IsZero() && periods > 0 {
		s.Set(vitals.Throttled, (r.throttling.throttled-p.throttling.throttled)/periods)
	}
	p.throttling = r.throttling
}

// applyCalls sets the rates of system calls. The kernel's counts only grow; where they are smaller than before they are
// of another time, and are left out.
func (p *process) applyCalls(r *procReading, s *vitals.Sample, absent *reasons) {
	if r.noCalls != nil {
		absent.set(r.noCalls.Error(), vitals.ReadCalls, vitals.WriteCalls, vitals.ReadRate, vitals.WriteRate,
			vitals.DiskWrites)
		return
	}
	dt, was, is := r.at.Sub(p.counted).Seconds(), p.calls, r.calls
	if !p.counted.IsZero() && dt > 0 && is.reads >= was.reads && is.writes >= was.writes {
		s.Set(vitals.ReadCalls, float64(is.reads-was.reads)/dt)
		s.Set(vitals.WriteCalls, float64(is.writes-was.writes)/dt)
		s.Set(vitals.ReadRate, float64(is.bytesRead-min(was.bytesRead, is.bytesRead))/dt)
		s.Set(vitals.WriteRate, float64(is.bytesWritten-min(was.bytesWritten, is.bytesWritten))/dt)
		if is.disks && was.disks {
			s.Set(vitals.DiskWrites, float64(is.toDisks-min(was.toDisks, is.toDisks))/dt)
		}
	}
	p.calls, p.counted = r.calls, r.at
}
