package trial

import (
	"fmt"
	"os"

	"github.com/gocasebook/casebook/app/prove"
	"github.com/gocasebook/casebook/internal/cgroup"
)

// throttling counts the CFS periods of a server's slices. Our own cgroup is the server's too: only the time of its slices
// tells whose throttling it was.
type throttling struct {
	dir                string // of the group that sets the quota; empty without one
	lastAll, lastThrot float64
	periods, throttled float64
}

func newThrottling(pid int) throttling {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/cgroup", pid))
	if err != nil {
		return throttling{}
	}
	if quota, dir := cgroup.Find("/sys/fs/cgroup", string(data)).Quota(); quota > 0 {
		return throttling{dir: dir}
	}
	return throttling{}
}

func (t *throttling) read() (all, throttled float64) {
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

func (t *throttling) begin() {
	if t.dir != "" {
		t.lastAll, t.lastThrot = t.read()
	}
}

func (t *throttling) end() {
	if t.dir != "" {
		all, throttled := t.read()
		t.periods += all - t.lastAll
		t.throttled += throttled - t.lastThrot
	}
}

func (t *throttling) add(r prove.Round) {
	if t.periods > 0 {
		r[prove.Throttled] = t.throttled / t.periods
	}
}
