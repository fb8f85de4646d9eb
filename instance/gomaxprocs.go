package instance

import (
	"bytes"
	"os"
	"strconv"

	"github.com/gocasebook/casebook/vitals"
)

// procsOf is the GOMAXPROCS that a process was started with by its environment; 0 where that sets none. A process
// cannot be asked for it from outside. Without the variable the runtime takes what it may use (the cgroup's quota and
// the CPU mask, since Go 1.25), which cpu_limit tells.
func procsOf(dir string) float64 {
	data, err := os.ReadFile(dir + "/environ")
	if err != nil {
		return 0 // another user's process
	}
	for pair := range bytes.SplitSeq(data, []byte{0}) {
		if value, ok := bytes.CutPrefix(pair, []byte("GOMAXPROCS=")); ok {
			n, err := strconv.Atoi(string(value))
			if err != nil || n <= 0 {
				return 0 // the runtime ignores it
			}
			return float64(n)
		}
	}
	return 0
}

// setProcs sets gomaxprocs. A process that uses half more than that has called runtime.GOMAXPROCS, or runs C: then it
// is not known.
func (p *process) setProcs(s *vitals.Sample) {
	if used, ok := s.Get(vitals.CPU); ok && used > 1.5*p.procs {
		p.procs = 0
	}
	if p.procs > 0 {
		s.Set(vitals.GoMaxProcs, p.procs)
	}
}

// A gcBound holds gc_cpu to what the process used. The runtime counts a worker of the collector from when it began to
// when it stopped, and where no CPU is to spare it waits for one most of that time: 55 % of two cores were seen of a
// process that used 0.01 cores.
type gcBound struct {
	most float64 // cores used in one sample, of those since the last cycle that was seen began
}

// apply is called for each sample when its gc_cpu and cpu are set.
func (b *gcBound) apply(s *vitals.Sample) {
	cores, ok := s.Get(vitals.CPU)
	if !ok {
		return
	}
	b.most = max(b.most, cores)
	if _, ok := s.Get(vitals.GCCPU); !ok {
		return
	}
	procs, ok := s.Get(vitals.GoMaxProcs)
	if !ok {
		procs, ok = s.Get(vitals.CPULimit)
	}
	if ok && procs > 0 {
		for _, id := range [...]vitals.ID{vitals.GCCPU, vitals.GCAssist} {
			if share, ok := s.Get(id); ok {
				s.Set(id, min(share, b.most/procs))
			}
		}
	}
	b.most = cores
}
