package instance

import (
	"bytes"
	"debug/buildinfo"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/gocasebook/casebook/casefile"
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

// captureRuntime reads what a process of this machine runs as and under. Variables are those it was started with; how
// the runtime is set now is known to the process alone.
func (t *HTTP) captureRuntime() (Profile, error) {
	p := Profile{Kind: casefile.Runtime, Taken: time.Now()}
	proc := t.proc.Load()
	if proc == nil {
		return p, &EmptyError{"needs the process's files: " + t.whyNoProcess()}
	}
	var e environment
	dir := fmt.Sprintf("/proc/%d", proc.pid)
	if info, err := buildinfo.ReadFile(proc.exe()); err == nil {
		e.setBuild(info)
	} else {
		e.absent("build", err)
	}
	if pairs, err := os.ReadFile(dir + "/environ"); err == nil {
		e.setVariables(strings.Split(string(pairs), "\x00"))
	} else {
		e.absent("environment", err)
	}
	e.absent("effective", errors.New("only the process itself knows"))
	e.Limits = proc.limits
	e.setRlimits(dir + "/limits")
	e.System = readSystem("/", strconv.Itoa(proc.pid))
	e.System.CPUs = int(allowedCPUs(dir))
	if s, err := proc.standing(); err == nil {
		e.Process = &s
	} else {
		e.absent("process", err)
	}
	e.setMemory("", strconv.Itoa(proc.pid))
	if read := t.account.Load(); read != nil {
		e.MemStats, e.MemStatsAt = &read.accounts, &read.at
	} else {
		e.absent("memstats", errors.New("not read yet"))
	}
	if !proc.still(dir) {
		return p, fmt.Errorf("reading %s: process %d was replaced meanwhile", dir, proc.pid)
	}
	var err error
	p.Data, err = e.encode()
	return p, err
}

// still reports whether the process's folder is still that of the process: numbers are given again.
func (p *process) still(dir string) bool {
	data, err := os.ReadFile(dir + "/stat")
	if err != nil {
		return false
	}
	st, err := parseStat(bytes.TrimSpace(data))
	return err == nil && st.start == p.start
}
