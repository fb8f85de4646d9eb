package prove

import (
	"fmt"
	"os"

	"github.com/gocasebook/casebook/internal/cgroup"
)

// A Throttling counts the CFS periods of the times in which a server is loaded. Our own cgroup is the server's too:
// only these times tell whose throttling it was.
type Throttling struct {
	dir                string // of the group that sets the quota; empty without one
	lastAll, lastThrot float64
	periods, throttled float64
}

// NewThrottling finds the group of a process that sets a CPU quota, if there is one.
func NewThrottling(pid int) Throttling {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/cgroup", pid))
	if err != nil {
		return Throttling{}
	}
	return throttlingBelow("/sys/fs/cgroup", string(data))
}

// throttlingBelow is that of a process with this /proc/PID/cgroup; root is where cgroups are mounted.
func throttlingBelow(root, procCgroup string) Throttling {
	if quota, dir := cgroup.Find(root, procCgroup).Quota(); quota > 0 {
		return Throttling{dir: dir}
	}
	return Throttling{}
}

// Quota says whether there is a quota.
func (t *Throttling) Quota() bool { return t.dir != "" }

func (t *Throttling) read() (all, throttled float64) {
	fields := cgroup.Fields(t.dir, "cpu.stat")
	for i := 0; i+1 < len(fields); i += 2 {
		switch fields[i] {
		case "nr_periods":
			all = cgroup.Number(fields[i+1])
		case "nr_throttled":
			throttled = cgroup.Number(fields[i+1])
		}
	}
	return all, throttled
}

// Begin is called when the load begins.
func (t *Throttling) Begin() {
	if t.Quota() {
		t.lastAll, t.lastThrot = t.read()
	}
}

// End is called when it ends.
func (t *Throttling) End() {
	if t.Quota() {
		all, throttled := t.read()
		t.periods += all - t.lastAll
		t.throttled += throttled - t.lastThrot
	}
}

// Add adds the share of the periods so far that were throttled.
func (t *Throttling) Add(r Round) {
	if t.periods > 0 {
		r[Throttled] = t.throttled / t.periods
	}
}
