package target

import (
	"context"
	"debug/buildinfo"
	"path"
	"runtime/debug"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/vitals"
)

// A process is what this machine knows of a local process.
type process struct {
	pid     int
	start   uint64    // in clock ticks since boot: with pid, the process's identity
	started time.Time // to 10 ms
	cgroup  cgroup
	limits  casefile.Limits

	cpu        float64 // seconds used, at the last sample
	at         time.Time
	throttling throttling
}

// procSignals are the signals that come from /proc.
var procSignals = [...]vitals.ID{
	vitals.CPU, vitals.CPUShare, vitals.RSS, vitals.Threads, vitals.OpenFiles, vitals.OpenFilesShare,
	vitals.Throttled, vitals.MemoryLimit, vitals.MemoryShare, vitals.OffHeap,
}

// describe fills in what the binary and the kernel know. What cannot be read stays empty.
func (p *process) describe(d *casefile.Target) {
	d.PID, d.Started, d.Limits = p.pid, p.started.UTC(), p.limits
	info, err := buildinfo.ReadFile(p.exe())
	if err != nil {
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
		if s.Key == "vcs.revision" {
			b.Revision = s.Value
		}
	}
	return b
}

// buildName is what people call the binary: the last element of its main package's path; "" for `go run file.go`.
func buildName(info *debug.BuildInfo) string {
	if info.Path == "" || info.Path == "command-line-arguments" {
		return ""
	}
	return path.Base(info.Path)
}

// refind is how long after a failed search for the local process the next one may come.
const refind = 10 * time.Second

// sampleProcess fills in the signals of the local process. When the process is gone, another that listens at the same
// address takes its place.
func (t *HTTP) sampleProcess(ctx context.Context, s *vitals.Sample) {
	if t.proc != nil && t.proc.sample(s, &t.absent) == nil {
		return
	}
	if t.proc == nil && s.Time.Before(t.refind) {
		return
	}
	gone := t.proc != nil
	t.findProcess(ctx)
	t.refind = s.Time.Add(refind)
	if gone {
		t.reset = true
		t.mem = memReader{}
	}
	if t.proc == nil {
		t.absent.set(t.noProc, procSignals[:]...)
	}
}

// apply sets the signals of one reading.
func (p *process) apply(r procReading, s *vitals.Sample, absent *reasons) {
	s.Set(vitals.RSS, r.rss)
	s.Set(vitals.Threads, r.threads)
	p.applyFiles(r, s, absent)
	p.applyMemoryLimit(r, s, absent)
	p.applyThrottling(s, absent)
	if !p.at.IsZero() {
		if dt := s.Time.Sub(p.at).Seconds(); dt > 0 {
			cores := max(r.cpu-p.cpu, 0) / dt
			s.Set(vitals.CPU, cores)
			if p.limits.CPUs > 0 {
				s.Set(vitals.CPUShare, cores/p.limits.CPUs)
			}
		}
	}
	p.cpu, p.at = r.cpu, s.Time
}

func (p *process) applyFiles(r procReading, s *vitals.Sample, absent *reasons) {
	if r.files < 0 {
		absent.set("its file descriptors may not be read by this user", vitals.OpenFiles, vitals.OpenFilesShare)
		return
	}
	s.Set(vitals.OpenFiles, r.files)
	if p.limits.OpenFiles > 0 {
		s.Set(vitals.OpenFilesShare, r.files/float64(p.limits.OpenFiles))
	}
}

func (p *process) applyMemoryLimit(r procReading, s *vitals.Sample, absent *reasons) {
	if p.limits.MemoryBytes <= 0 {
		absent.set("its cgroup sets no memory limit", vitals.MemoryLimit, vitals.MemoryShare)
		return
	}
	s.Set(vitals.MemoryLimit, float64(p.limits.MemoryBytes))
	s.Set(vitals.MemoryShare, r.rss/float64(p.limits.MemoryBytes))
}

func (p *process) applyThrottling(s *vitals.Sample, absent *reasons) {
	if p.limits.CPUQuota <= 0 {
		absent.set("its cgroup sets no CPU quota", vitals.Throttled)
		return
	}
	now, err := p.cgroup.throttling()
	if err != nil {
		absent.set(err.Error(), vitals.Throttled)
		return
	}
	if periods := now.periods - p.throttling.periods; !p.at.IsZero() && periods > 0 {
		s.Set(vitals.Throttled, (now.throttled-p.throttling.throttled)/periods)
	}
	p.throttling = now
}

// A procReading is one reading of /proc/PID.
type procReading struct {
	cpu     float64 // seconds, user and system
	rss     float64 // bytes
	threads float64
	files   float64 // -1 when it may not be read
}
