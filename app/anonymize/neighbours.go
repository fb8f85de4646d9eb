package anonymize

import (
	"encoding/json"
	"slices"

	"github.com/gocasebook/casebook/casefile"
)

// publicPrograms are names of processes that say nothing of who runs them: kernel threads, and what every machine has.
var publicPrograms = [...]string{"kworker", "ksoftirqd", "kswapd0", "migration", "rcu_preempt", "casebook", "systemd",
	"bash", "sh", "gzip", "xz", "tar", "ffmpeg", "go", "compile", "link", "postgres", "redis-server", "mysqld", "java",
	"python3", "node", "nginx", "containerd", "dockerd", "kubelet", "stress-ng"}

// neighbours rewrites what the machine did and for whom: numbers, and stand-ins of names.
func (n *names) neighbours(data []byte) ([]byte, error) {
	var use casefile.MachineUse
	if err := json.Unmarshal(data, &use); err != nil {
		return nil, errUnknown
	}
	program := func(name string) string {
		if slices.Contains(publicPrograms[:], name) {
			return name
		}
		return n.word(name)
	}
	process := func(p *casefile.ProcessUse) {
		p.Name, p.Job, p.Unit, p.Container = program(p.Name), program(p.Job), n.word(p.Unit), n.word(p.Container)
	}
	process(&use.Own)
	for i := range use.Others {
		process(&use.Others[i])
	}
	return json.MarshalIndent(use, "", " ")
}
