package instance

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/casefile"
)

// Who else used the machine for a while follows from readings of /proc/PID/stat of all processes: what each used
// between the first and the last in which it was seen. Children that came and went between two readings are in the
// account of the parent that waited for them. Processes of one job, which share a process group, count together: a
// build is a hundred compilers, and what somebody can move or stop is the build.

// neighbours lists at most so many, by CPU and by bytes.
const (
	mostByCPU   = 10
	leastCPU    = 0.01 // cores
	mostByBytes = 3
	leastBytes  = 64 << 10 // a second
)

// An entry is what one reading says of a process. CPU is in the kernel's ticks.
type entry struct {
	pid, parent, group, session int
	name                        string
	start                       uint64
	user, system                float64
	children                    float64 // user and system of children that it has waited for
	nice                        int
	kernel                      bool
	zombie                      bool // it has ended, and its parent has not waited for it
}

// A neighbour is a process while a machine is watched.
type neighbour struct {
	entry         // the last reading
	first   entry // zero of a process that was not there at the first reading: all that it used counts
	lives   bool  // it was there at the last reading
	read    float64
	written float64 // bytes
}

// parseEntry reads /proc/PID/stat (proc_pid_stat(5)); ok is false if it is cut.
func parseEntry(data []byte) (e entry, ok bool) {
	open, end := strings.IndexByte(string(data), '('), strings.LastIndexByte(string(data), ')')
	if open < 0 || end < open {
		return e, false
	}
	pid, _ := word(data)
	e.pid, e.name = int(unsigned(pid)), string(data[open+1:end])
	rest := data[end+1:]
	for n := 3; n <= 22; n++ { // numbered as in the manual
		var w []byte
		if w, rest = word(rest); len(w) == 0 {
			return e, false
		}
		switch n {
		case 3:
			e.zombie = string(w) == "Z"
		case 4:
			e.parent = int(unsigned(w))
		case 5:
			e.group = int(unsigned(w))
		case 6:
			e.session = int(unsigned(w))
		case 9:
			e.kernel = unsigned(w)&kernelThread != 0
		case 14:
			e.user = float64(unsigned(w))
		case 15:
			e.system = float64(unsigned(w))
		case 16, 17:
			e.children += float64(unsigned(w))
		case 19:
			e.nice = signed(w)
		case 22:
			e.start = unsigned(w)
		}
	}
	return e, e.pid > 0
}

// kernelThread is PF_KTHREAD of include/linux/sched.h, among a process's flags.
const kernelThread = 0x00200000

func signed(w []byte) int {
	if len(w) > 0 && w[0] == '-' {
		return -int(unsigned(w[1:]))
	}
	return int(unsigned(w))
}

// A census of the machine's processes; the zero value is empty.
type machineCensus struct {
	all    map[int]*neighbour
	rounds int
}

// round takes in one reading of all processes.
func (c *machineCensus) round(entries []entry) {
	if c.all == nil {
		c.all = make(map[int]*neighbour)
	}
	for _, n := range c.all {
		n.lives = false
	}
	for _, e := range entries {
		n := c.all[e.pid]
		switch {
		case n == nil && c.rounds == 0:
			n = &neighbour{first: e}
		case n == nil || n.start != e.start: // it is new; if its number was another's, what that used is lost
			n = &neighbour{}
		}
		n.entry, n.lives = e, true
		c.all[e.pid] = n
	}
	c.rounds++
}

// ended is what children of a process used that are not in the account by themselves, in ticks: those that came and
// went between readings, and what those that ended used after their last.
func (c *machineCensus) ended() map[int]float64 {
	out := make(map[int]float64)
	for pid, n := range c.all {
		out[pid] += n.children - n.first.children
	}
	for _, n := range c.dead() {
		out[n.parent] -= n.user + n.system + n.children
		// What its own children used came into its account after its last reading, and went up with it.
		out[n.parent] += min(out[n.pid], 0)
	}
	return out
}

// dead are the processes that were gone at the last reading, children before their parents.
func (c *machineCensus) dead() (out []*neighbour) {
	for _, n := range c.all {
		if !n.lives {
			out = append(out, n)
		}
	}
	slices.SortFunc(out, func(a, b *neighbour) int {
		return cmp.Or(cmp.Compare(b.start, a.start), cmp.Compare(b.pid, a.pid))
	})
	return out
}

// zombies is how many children of a process have ended by the last reading without its having waited for them.
func (c *machineCensus) zombies(pid int) (count int) {
	for _, n := range c.all {
		if n.lives && n.zombie && n.parent == pid {
			count++
		}
	}
	return count
}

// jobOf is the process that stands for the job of another: the outermost ancestor in its process group, or of its name,
// as a server has that starts a process for each connection. Ancestors of the watched process and of Casebook are none:
// their other children have nothing to do with it.
func (c *machineCensus) jobOf(n *neighbour, apart map[int]bool) *neighbour {
	for range len(c.all) {
		up := c.all[n.parent]
		if up == nil || up.pid <= 1 || up.kernel || apart[up.pid] || up.group != n.group && up.name != n.name {
			break
		}
		n = up
	}
	return n
}

// ancestors are a process and all above it.
func (c *machineCensus) ancestors(pid int, into map[int]bool) {
	for n := c.all[pid]; n != nil && !into[n.pid]; n = c.all[n.parent] {
		into[n.pid] = true
	}
}

// below reports whether a process was started by another, or by what that has started.
func (c *machineCensus) below(n *neighbour, pid int) bool {
	for range len(c.all) {
		if n = c.all[n.parent]; n == nil || n.pid == pid {
			break
		}
	}
	return n != nil && n.pid == pid
}

// A job is processes that count together.
type job struct {
	use     casefile.ProcessUse
	root    *neighbour
	largest *neighbour
	most    float64            // ticks of the largest
	names   map[string]float64 // ticks by name
}

// jobs adds processes up, without the watched one and Casebook, which have their own.
func (c *machineCensus) jobs(own, casebook int, seconds float64) []job {
	apart := make(map[int]bool)
	c.ancestors(own, apart)
	c.ancestors(casebook, apart)
	ended := c.ended()
	byKey := make(map[any]*job)
	for _, n := range c.all {
		if n.pid == own {
			continue
		}
		root, key := n, any(n.pid)
		switch {
		case n.kernel:
			key, _, _ = strings.Cut(n.name, "/") // all kworker/… together
		case n.pid != casebook:
			root = c.jobOf(n, apart)
			key = root.pid
		}
		j := byKey[key]
		if j == nil {
			j = &job{root: root, names: make(map[string]float64)}
			byKey[key] = j
		}
		j.add(n, max(ended[n.pid], 0), seconds)
		j.use.Casebook, j.use.Child = n.pid == casebook, c.below(root, own)
	}
	out := make([]job, 0, len(byKey))
	for _, j := range byKey {
		j.name(c)
		out = append(out, *j)
	}
	slices.SortFunc(out, func(a, b job) int {
		return cmp.Or(cmp.Compare(b.use.CPU(), a.use.CPU()), cmp.Compare(a.use.PID, b.use.PID))
	})
	return out
}

func (j *job) add(n *neighbour, ended, seconds float64) {
	perSecond := clockTick.Seconds() / seconds
	user, system := max(n.user-n.first.user, 0), max(n.system-n.first.system, 0)
	u := &j.use
	u.Processes++
	u.User, u.System, u.Ended = u.User+user*perSecond, u.System+system*perSecond, u.Ended+ended*perSecond
	u.Read, u.Written = u.Read+n.read/seconds, u.Written+n.written/seconds
	u.Kernel = n.kernel
	j.names[n.name] += user + system
	if j.largest == nil || user+system > j.most || user+system == j.most && n.pid < j.largest.pid {
		j.largest, j.most = n, user+system
	}
}

// wrappers start what people mean.
var wrappers = [...]string{"sh", "bash", "dash", "zsh", "fish", "timeout", "nice", "ionice", "chrt", "taskset", "env",
	"sudo", "su", "time", "nohup", "xargs", "make", "ninja"}

// starter is the outermost process of the job above the largest that is no wrapper, else its root.
func (j *job) starter(c *machineCensus) *neighbour {
	by := j.root
	if !isWrapper(by) || j.largest == j.root {
		return by
	}
	n := c.all[j.largest.parent]
	for range len(c.all) {
		if n == nil || n == j.root {
			break
		}
		if !isWrapper(n) && n.name != j.largest.name {
			by = n
		}
		n = c.all[n.parent]
	}
	return by
}

func isWrapper(n *neighbour) bool { return slices.Contains(wrappers[:], n.name) }

// name names a job by the name under which most of it was used, and by who started it: the outermost that is no mere
// wrapper, else the outermost.
func (j *job) name(c *machineCensus) {
	u := &j.use
	u.PID, u.Name, u.Nice = j.largest.pid, j.largest.name, j.largest.nice
	if u.Kernel {
		u.Name, _, _ = strings.Cut(u.Name, "/")
		return
	}
	by := j.starter(c)
	if by.pid != u.PID && by.name != u.Name {
		u.Job, u.JobPID = by.name, by.pid
	}
}

// worthListing are the jobs that used most CPU or moved most bytes.
func worthListing(all []job) []job {
	var out []job
	for _, j := range all { // in falling order of CPU
		if len(out) < mostByCPU && j.use.CPU() >= leastCPU {
			out = append(out, j)
		}
	}
	rest := slices.Clone(all[len(out):])
	slices.SortStableFunc(rest, func(a, b job) int {
		return cmp.Compare(b.use.Read+b.use.Written, a.use.Read+a.use.Written)
	})
	for _, j := range rest[:min(len(rest), mostByBytes)] {
		if j.use.Read+j.use.Written >= leastBytes {
			out = append(out, j)
		}
	}
	return out
}

// since is what CPUs did between two readings, in cores.
func (c *cpuAccount) since(was *cpuAccount, seconds float64) casefile.CPUUse {
	cores := func(now, before float64) float64 {
		return round3(max(now-before, 0) * clockTick.Seconds() / seconds)
	}
	return casefile.CPUUse{User: cores(c.user, was.user), System: cores(c.system, was.system),
		Interrupts: cores(c.interrupts, was.interrupts), IOWait: cores(c.iowait, was.iowait),
		Steal: cores(c.steal, was.steal), Idle: cores(c.idle, was.idle)}
}

// round3 keeps three digits after the point: the kernel counts in hundredths of a second.
func round3(v float64) float64 { return math.Round(v*1000) / 1000 }

// containerOf finds the ID of a container and the unit of systemd in the text of /proc/PID/cgroup. The paths themselves
// are not kept: they name users and pods.
func containerOf(groups string) (unit, container string) {
	for line := range strings.Lines(groups) {
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(parts) != 3 || parts[1] != "" && parts[1] != "name=systemd" && container != "" {
			continue
		}
		for _, element := range strings.Split(parts[2], "/") {
			if id := containerID(element); id != "" {
				container = id
			} else if strings.HasSuffix(element, ".service") {
				unit = element
			}
		}
	}
	if container != "" {
		unit = ""
	}
	return unit, container
}

// containerID is the start of the 64 hexadecimal digits that Docker, containerd and CRI-O name containers by:
// "docker-3f2a….scope", "cri-containerd-….scope", or the digits alone.
func containerID(element string) string {
	element = strings.TrimSuffix(element, ".scope")
	element = element[strings.LastIndexByte(element, '-')+1:]
	if len(element) != 64 || strings.Trim(element, "0123456789abcdef") != "" {
		return ""
	}
	return element[:12]
}
