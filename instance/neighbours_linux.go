package instance

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/cgroup"
)

// How often the processes are read. A reading costs some 10 µs a process: with 200 of them 2 ms, with 5,000 50 ms.
const (
	neighboursStep = 500 * time.Millisecond
	neighboursIdle = 50   // times what a reading took is the least time to the next
	mostProcesses  = 5000 // beyond it nothing is read
	mostThreads    = 2000 // of the process itself
)

// Neighbours says what the machine's CPUs did for a while, and for whom. It asks the process nothing. It may run beside
// Sample.
func (t *HTTP) Neighbours(ctx context.Context, d time.Duration) (casefile.MachineUse, error) {
	return t.proc.Load().neighbours(ctx, d)
}

// Neighbours is as that of HTTP, of the calling process.
func (t *Self) Neighbours(ctx context.Context, d time.Duration) (casefile.MachineUse, error) {
	return t.proc.neighbours(ctx, d)
}

func (p *process) neighbours(ctx context.Context, d time.Duration) (casefile.MachineUse, error) {
	if p == nil {
		return casefile.MachineUse{}, nil
	}
	w := machineWatch{proc: "/proc", pid: p.pid, start: p.start,
		files: openMachine("/proc", "/sys", fmt.Sprintf("/proc/%d", p.pid))}
	defer w.files.close()
	if err := w.begin(); err != nil {
		return casefile.MachineUse{}, err
	}
	step := max(neighboursStep, neighboursIdle*w.cost)
	for end := w.began.Add(d); ctx.Err() == nil; {
		left := time.Until(end)
		if left <= 0 || sleep(ctx, min(step, left)) != nil {
			break
		}
		if err := w.look(); err != nil {
			return casefile.MachineUse{}, err
		}
		step = max(neighboursStep, neighboursIdle*w.cost)
	}
	return w.end()
}

// A machineWatch reads a machine's processes for a while.
type machineWatch struct {
	proc  string
	pid   int
	start uint64
	files machineFiles

	began   time.Time
	census  machineCensus
	bytes   map[int][2]float64 // read and written, of the first reading
	first   machineCounts
	zombies int                // children of the process, at the first reading
	waits   map[int]threadWait // of the process's threads, at the first reading
	cost    time.Duration      // of the last reading
	scratch [2048]byte
	entries []entry
}

// A threadWait is /proc/PID/task/TID/schedstat: ns that a thread waited for a CPU although it could run, and how often
// it got one (Documentation/scheduler/sched-stats.rst).
type threadWait struct{ waited, turns float64 }

var errManyProcesses = fmt.Errorf("the machine has more than %d processes: to read them all would cost too much",
	mostProcesses)

func (w *machineWatch) begin() error {
	w.files.read(&w.first)
	if w.first.noCPU != nil {
		return &EmptyError{w.first.noCPU.Error()}
	}
	w.began, w.waits = time.Now(), w.threads()
	if err := w.look(); err != nil {
		return err
	}
	w.zombies = w.census.zombies(w.pid)
	w.bytes = make(map[int][2]float64, len(w.census.all))
	for pid := range w.census.all {
		if read, written, ok := w.diskBytes(pid); ok {
			w.bytes[pid] = [2]float64{read, written}
		}
	}
	return nil
}

// look takes in one reading of all processes.
func (w *machineWatch) look() error {
	began := time.Now()
	names, err := readNames(w.proc)
	if err != nil {
		return fmt.Errorf("listing processes: %w", err)
	}
	w.entries = w.entries[:0]
	for _, name := range names {
		if name[0] < '1' || name[0] > '9' {
			continue
		}
		if len(w.entries) == mostProcesses {
			return &EmptyError{errManyProcesses.Error()}
		}
		if data, ok := w.read(w.proc + "/" + name + "/stat"); ok { // else it has ended
			if e, ok := parseEntry(data); ok {
				w.entries = append(w.entries, e)
			}
		}
	}
	w.census.round(w.entries)
	w.cost = time.Since(began)
	return nil
}

func readNames(path string) ([]string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.Readdirnames(-1)
}

// read reads a small file. What it returns is valid until the next call.
func (w *machineWatch) read(path string) ([]byte, bool) {
	f, err := os.Open(path)
	if err != nil {
		return nil, false
	}
	defer f.Close()
	n, err := f.Read(w.scratch[:])
	return w.scratch[:n], err == nil
}

// diskBytes is what a process has read from disks and written to them since it began.
func (w *machineWatch) diskBytes(pid int) (read, written float64, ok bool) {
	data, ok := w.read(w.proc + "/" + strconv.Itoa(pid) + "/io")
	if !ok {
		return 0, 0, false
	}
	for line := range strings.Lines(string(data)) {
		name, value, _ := strings.Cut(line, ":")
		switch name {
		case "read_bytes":
			read = cgroup.Number(value)
		case "write_bytes":
			written = cgroup.Number(value)
		}
	}
	return read, written, true
}

// threads reads how long each thread of the process has waited for a CPU; nil where the kernel does not say.
func (w *machineWatch) threads() map[int]threadWait {
	dir := w.proc + "/" + strconv.Itoa(w.pid) + "/task"
	names, _ := readNames(dir) // not readable: none
	if len(names) > mostThreads {
		return nil
	}
	var out map[int]threadWait
	for _, name := range names {
		data, ok := w.read(dir + "/" + name + "/schedstat")
		if !ok {
			continue
		}
		_, rest := word(data)
		waited, rest := word(rest)
		turns, _ := word(rest)
		if out == nil {
			out = make(map[int]threadWait, len(names))
		}
		tid, _ := strconv.Atoi(name)
		out[tid] = threadWait{float64(unsigned(waited)), float64(unsigned(turns))}
	}
	return out
}

func (w *machineWatch) end() (use casefile.MachineUse, err error) {
	if err := w.look(); err != nil {
		return use, err
	}
	var last machineCounts
	w.files.read(&last)
	use.Seconds = time.Since(w.began).Seconds()
	own := w.census.all[w.pid]
	if own == nil || !own.lives || own.start != w.start {
		return use, errors.New("the process ended meanwhile")
	}
	if last.noCPU != nil || use.Seconds <= 0 {
		return use, errNoMachine
	}
	use.All, use.Ours = last.all.since(&w.first.all, use.Seconds), last.allowed.since(&w.first.allowed, use.Seconds)
	use.CPUs = round3(use.All.Total())
	use.Seconds = round3(use.Seconds)
	w.setWaits(&use)
	w.setBytes()
	w.setProcesses(&use)
	use.ZombiesBefore, use.Zombies = w.zombies, w.census.zombies(w.pid)
	use.Autogroup = first(cgroup.Fields(w.proc+"/sys/kernel", "sched_autogroup_enabled")) == "1"
	return use, nil
}

// setWaits sets how long the process's threads waited for CPUs.
func (w *machineWatch) setWaits(use *casefile.MachineUse) {
	now := w.threads()
	if w.waits == nil || now == nil {
		return
	}
	waited, turns := 0.0, 0.0
	for tid, t := range now {
		before := w.waits[tid]
		waited, turns = waited+max(t.waited-before.waited, 0), turns+max(t.turns-before.turns, 0)
	}
	waited, turns = round3(waited/1e9/use.Seconds), round3(turns/use.Seconds)
	use.Waiting, use.Waits = &waited, &turns
}

// setBytes sets what each process that still lives has read and written since the first reading. The kernel adds what a
// child did to its parent's account once that has waited for it: what the child did before is taken away again.
func (w *machineWatch) setBytes() {
	for _, n := range w.census.dead() {
		was := w.bytes[n.pid]
		up := w.bytes[n.parent]
		w.bytes[n.parent] = [2]float64{up[0] + was[0], up[1] + was[1]}
	}
	for pid, n := range w.census.all {
		if !n.lives || n.kernel {
			continue
		}
		if read, written, ok := w.diskBytes(pid); ok {
			was, known := w.bytes[pid]
			if n.first.pid == 0 || known {
				n.read, n.written = max(read-was[0], 0), max(written-was[1], 0)
			}
		}
	}
}

// setProcesses sets the process itself and those beside it.
func (w *machineWatch) setProcesses(use *casefile.MachineUse) {
	own := w.census.all[w.pid]
	j := job{root: own, names: make(map[string]float64)}
	j.add(own, max(w.census.ended()[own.pid], 0), use.Seconds)
	j.name(&w.census)
	use.Own = rounded(j.use)
	seen := use.Own.CPU()
	mask, group := cpuMask(w.dir(own.pid)), w.groupOf(own.pid)
	all := w.census.jobs(own.pid, os.Getpid(), use.Seconds)
	for i := range all {
		seen += all[i].use.CPU()
	}
	use.Unseen = round3(max(use.All.Busy()-seen, 0))
	use.Others = []casefile.ProcessUse{}
	ends := w.peers()
	for _, j := range worthListing(all) {
		u, dir := rounded(j.use), w.dir(j.largest.pid)
		if groups, err := os.ReadFile(dir + "/cgroup"); err == nil && !u.Kernel {
			u.Unit, u.Container = containerOf(string(groups))
		}
		u.SameGroup = w.groupOf(j.largest.pid) == group
		u.SameSession = j.largest.session == own.session
		u.Elsewhere = apart(mask, cpuMask(dir))
		if !u.Kernel && !u.Child {
			u.Server, u.Client = ends.of(w, j.largest.pid)
		}
		use.Others = append(use.Others, u)
	}
}

func (w *machineWatch) dir(pid int) string { return w.proc + "/" + strconv.Itoa(pid) }

// groupOf is the cgroup of CPU of a process, by the path that the kernel gives; "" once it has ended.
func (w *machineWatch) groupOf(pid int) string {
	data, _ := os.ReadFile(w.dir(pid) + "/cgroup")
	unified := ""
	for line := range strings.Lines(string(data)) {
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(parts) != 3 {
			continue
		}
		for _, controller := range strings.Split(parts[1], ",") {
			if controller == "cpu" {
				return "v1 " + parts[2]
			}
		}
		if parts[1] == "" {
			unified = "v2 " + parts[2]
		}
	}
	return unified
}

// apart reports whether two masks have no CPU in common. One that is not known may be any.
func apart(a, b []bool) bool {
	for n := range min(len(a), len(b)) {
		if a[n] && b[n] {
			return false
		}
	}
	return len(a) > 0 && len(b) > 0
}

func rounded(u casefile.ProcessUse) casefile.ProcessUse {
	u.User, u.System, u.Ended = round3(u.User), round3(u.System), round3(u.Ended)
	u.Read, u.Written = float64(int64(u.Read)), float64(int64(u.Written))
	return u
}
