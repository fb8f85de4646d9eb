package instance

import (
	"net"
	"os"
	"path/filepath"
	"testing"

	"github.com/gocasebook/casebook/internal/cgroup"
)

func TestCgroup(t *testing.T) {
	for _, c := range []struct {
		name       string
		files      map[string]string
		procCgroup string
		quota      float64
		memory     float64
		throttled  throttling
	}{
		{
			"v2", map[string]string{
				"cgroup.procs": "", "app/cgroup.procs": "",
				"app/cpu.max": "150000 100000\n", "app/memory.max": "536870912\n",
				"app/cpu.stat": "usage_usec 1\nnr_periods 200\nnr_throttled 50\n",
			}, "0::/app\n", 1.5, 512 << 20, throttling{200, 50, 0},
		},
		{
			"v2 without limits", map[string]string{
				"cgroup.procs": "", "app/cgroup.procs": "", "app/cpu.max": "max 100000\n", "app/memory.max": "max\n",
				"app/cpu.stat": "usage_usec 1\n",
			}, "0::/app\n", 0, 0, throttling{},
		},
		{
			"v2, the parent limits", map[string]string{
				"cgroup.procs": "", "pod/cgroup.procs": "", "pod/app/cgroup.procs": "",
				"pod/cpu.max": "50000 100000\n", "pod/memory.max": "1000000\n",
				"pod/cpu.stat":    "nr_periods 3\nnr_throttled 1\n",
				"pod/app/cpu.max": "max 100000\n", "pod/app/memory.max": "max\n",
				"pod/app/cpu.stat": "nr_periods 0\nnr_throttled 0\n",
			}, "0::/pod/app\n", 0.5, 1e6, throttling{3, 1, 0},
		},
		{
			"v2 in a container, whose own group is the root", map[string]string{
				"cgroup.procs": "", "cpu.max": "200000 100000\n", "memory.max": "1000\n",
				"cpu.stat": "nr_periods 9\nnr_throttled 4\n",
			}, "0::/../pod/app\n", 2, 1000, throttling{9, 4, 0},
		},
		{
			"v1", map[string]string{
				"cpu,cpuacct/cgroup.procs": "", "cpu,cpuacct/app/cgroup.procs": "", "memory/cgroup.procs": "",
				"memory/app/cgroup.procs":          "",
				"cpu,cpuacct/app/cpu.cfs_quota_us": "25000\n", "cpu,cpuacct/app/cpu.cfs_period_us": "100000\n",
				"cpu,cpuacct/app/cpu.stat":         "nr_periods 10\nnr_throttled 10\nthrottled_time 5\n",
				"memory/app/memory.limit_in_bytes": "9223372036854771712\n",
			}, "4:memory:/app\n2:cpu,cpuacct:/app\n0::/\n", 0.25, 0, throttling{10, 10, 5e-9},
		},
		{"nothing mounted", nil, "0::/app\n", 0, 0, throttling{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			cg := cgroup.Find(tree(t, c.files), c.procCgroup)
			quota, dir := cg.Quota()
			if quota != c.quota {
				t.Errorf("quota is %g cores, want %g", quota, c.quota)
			}
			if got := cg.MemoryLimit(); got != c.memory {
				t.Errorf("memory limit is %g, want %g", got, c.memory)
			}
			got, err := keepOpen(filepath.Join(dir, "cpu.stat")).throttling()
			if got != c.throttled || (err == nil) != (c.quota > 0) {
				t.Errorf("throttling is %+v (%v), want %+v", got, err, c.throttled)
			}
		})
	}
}

func TestListening(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	port := uint16(l.Addr().(*net.TCPAddr).Port)
	pid, err := listener([]net.IP{net.IPv4(127, 0, 0, 1)}, port)
	if err != nil || pid != os.Getpid() {
		t.Errorf("the listener is process %d (%v), want this one, %d", pid, err, os.Getpid())
	}
	if _, err := listener([]net.IP{net.IPv4(127, 0, 0, 77)}, port); err == nil {
		t.Error("found a listener at an address where there is none")
	}
	// what was read for an earlier question must not answer for a socket that is closed, or for another one
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if pid, err := listener([]net.IP{net.IPv4(127, 0, 0, 1)}, port); err == nil {
		t.Errorf("process %d listens at a closed socket", pid)
	}
	again, err := net.Listen("tcp", l.Addr().String())
	if err != nil {
		t.Skip("the port was taken by somebody else: ", err)
	}
	defer again.Close()
	if pid, err := listener([]net.IP{net.IPv4(127, 0, 0, 1)}, port); err != nil || pid != os.Getpid() {
		t.Errorf("at the reopened port it is process %d (%v), want this one", pid, err)
	}
}
