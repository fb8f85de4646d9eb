package instance

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/gocasebook/casebook/internal/cgroup"
)

// A system is the machine and the container that a process runs in, as far as this process sees them.
type system struct {
	Kernel      string `json:"kernel,omitempty"` // release: "6.1.0-18-amd64"
	CPUs        int    `json:"cpus,omitempty"`   // that the process may run on
	CPUModel    string `json:"cpu_model,omitempty"`
	MemoryBytes int64  `json:"memory_bytes,omitempty"`           // of the machine
	HugePages   string `json:"transparent_huge_pages,omitempty"` // always, madvise or never
	// "v1" or "v2"; the one that controls memory, otherwise CPU
	Cgroup    string   `json:"cgroup,omitempty"`
	Container []string `json:"container,omitempty"` // hints: "docker", "kubernetes", "podman" …
}

// readSystem reads what /proc and /sys below root tell; pid is a number or "self". What is not there stays empty.
func readSystem(root, pid string) system {
	proc := filepath.Join(root, "proc")
	groups, _ := os.ReadFile(filepath.Join(proc, pid, "cgroup")) // none: no hints
	cg := cgroup.Find(filepath.Join(root, "sys/fs/cgroup"), string(groups))
	return system{
		Kernel:   first(cgroup.Fields(filepath.Join(proc, "sys/kernel"), "osrelease")),
		CPUModel: colonValue(filepath.Join(proc, "cpuinfo"), "model name"),
		MemoryBytes: 1024 * int64(cgroup.Number(first(strings.Fields(colonValue(filepath.Join(proc, "meminfo"),
			"MemTotal"))))),
		HugePages: chosen(cgroup.Fields(filepath.Join(root, "sys/kernel/mm/transparent_hugepage"), "enabled")),
		Cgroup:    cg.Version(),
		Container: containerHints(filepath.Join(proc, pid, "root"), string(groups)),
	}
}

func first(words []string) string {
	if len(words) == 0 {
		return ""
	}
	return words[0]
}

// chosen is the word in brackets of "always [madvise] never".
func chosen(words []string) string {
	for _, w := range words {
		if inner, ok := strings.CutPrefix(w, "["); ok {
			return strings.TrimSuffix(inner, "]")
		}
	}
	return ""
}

// colonValue is the value of the first line "name : value" of a file.
func colonValue(path, name string) string {
	data, _ := os.ReadFile(path) // not there: not known
	for line := range strings.Lines(string(data)) {
		if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == name {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// containerHints names what suggests a container: files that container engines leave in the process's root, and their
// names in the paths of its cgroups. The paths themselves are not kept: they name pods and users.
func containerHints(root, groups string) []string {
	var hints []string
	for _, f := range [...]struct{ path, name string }{
		{".dockerenv", "docker"}, {"run/.containerenv", "podman"}, {"run/secrets/kubernetes.io", "kubernetes"},
	} {
		if _, err := os.Stat(filepath.Join(root, f.path)); err == nil {
			hints = append(hints, f.name)
		}
	}
	for _, name := range [...]string{"kubepods", "docker", "containerd", "crio", "libpod", "lxc", "ecs"} {
		if strings.Contains(groups, name) {
			hints = append(hints, "cgroup "+name)
		}
	}
	return hints
}
