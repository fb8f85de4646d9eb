package instance

import (
	"os"
	"path/filepath"
	"testing"
)

// A sidecar in the pod of a service (shareProcessNamespace) gets the limits of the service's container, not its own.
func TestCgroupOfANeighbour(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{
		"proc/7/cgroup":                          "0::/../cri-containerd-0a1b.scope\n",
		"proc/7/root/sys/fs/cgroup/cgroup.procs": "7\n",
		"proc/7/root/sys/fs/cgroup/cpu.max":      "150000 100000\n",
		"proc/7/root/sys/fs/cgroup/memory.max":   "536870912\n",
		"sys/fs/cgroup/cgroup.procs":             "1\n",
		"sys/fs/cgroup/cpu.max":                  "10000 100000\n", // the sidecar's
		"sys/fs/cgroup/memory.max":               "67108864\n",
		"proc/8/cgroup":                          "0::/../cri-containerd-2c3d.scope\n", // of another user
	} {
		file := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for pid, want := range map[int]struct {
		cpus   float64
		memory int64
	}{7: {1.5, 512 << 20}, 8: {}} {
		p := &process{pid: pid}
		p.openCgroup(filepath.Join(root, "proc"), filepath.Join(root, "sys/fs/cgroup"))
		if p.limits.CPUQuota != want.cpus || p.limits.MemoryBytes != want.memory {
			t.Errorf("process %d: %g CPUs and %d bytes; want %g and %d", pid, p.limits.CPUQuota, p.limits.MemoryBytes, want.cpus,
				want.memory)
		}
		for _, f := range []*keptFile{p.files.cpuStat, p.files.cpuPressure, p.files.memoryPressure} {
			if f != nil {
				f.close()
			}
		}
	}
}
