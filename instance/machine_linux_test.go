package instance

import (
	"fmt"
	"math"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/vitals"
)

// Two seconds of a machine with four CPUs and one disk with a partition, recorded and shortened.
const (
	statBefore = "cpu  1000 100 500 8000 200 10 90 50 7 0\ncpu0 250 25 125 2000 50 3 22 12 0 0\n" +
		"cpu1 250 25 125 2000 50 3 22 12 0 0\ncpu2 250 25 125 2000 50 2 23 13 0 0\ncpu3 250 25 125 2000 50 2 23 13 0 0\n" +
		"intr 1 2 3\n"
	statAfter = "cpu  1280 120 600 8280 220 10 110 80 9 0\ncpu0 350 25 175 2040 50 3 22 22 0 0\n" +
		"cpu1 350 25 175 2040 50 3 22 22 0 0\ncpu2 290 35 125 2100 60 2 33 18 0 0\ncpu3 290 35 125 2100 60 2 33 18 0 0\n" +
		"intr 1 2 3\n"
	disksBefore = " 7 0 loop0 9 9 9 9 9 9 9 9 9 9 9\n 254 0 vda 100 5 2000 300 50 7 4000 700 0 800 1000\n" +
		" 254 1 vda1 100 5 2000 300 50 7 4000 700 0 800 1000\n"
	disksAfter = " 7 0 loop0 99 9 9 9 9 9 9 9 9 9 9\n 254 0 vda 140 5 4000 420 110 7 6000 1180 2 1800 2000\n" +
		" 254 1 vda1 140 5 4000 420 110 7 6000 1180 2 1800 2000\n"
	snmpBefore = "Ip: Forwarding\nIp: 2\nTcp: RtoAlgorithm RtoMin RtoMax MaxConn ActiveOpens PassiveOpens " +
		"AttemptFails EstabResets CurrEstab InSegs OutSegs RetransSegs InErrs OutRsts InCsumErrors\n" +
		"Tcp: 1 200 120000 -1 64 37 0 5 17 9890 6759 10 0 11 0\nUdp: InDatagrams\nUdp: 55\n"
)

var snmpAfter = strings.Replace(snmpBefore, "17 9890 6759 10", "21 9990 6859 14", 1)

// TestMachine: the signals of the machine are of the time between two readings, and those of others on the CPUs that
// the process may run on.
func TestMachine(t *testing.T) {
	before := map[string]string{
		"proc/stat": statBefore, "proc/diskstats": disksBefore, "proc/4242/net/snmp": snmpBefore,
		"proc/4242/net/sockstat":               "sockets: used 18\nTCP: inuse 2 orphan 0 tw 6 alloc 2 mem 32\n",
		"proc/4242/status":                     "Cpus_allowed_list:\t0-1\n",
		"sys/devices/system/cpu/online":        "0-3\n",
		"sys/block/vda/size":                   "1\n",
		"sys/block/dm-0/slaves/vda1/partition": "1\n",
		"sys/block/loop0/size":                 "1\n",
	}
	proc, cgroups := recorded(t, before)
	p, err := openProcess(mounts{proc, filepath.Join(filepath.Dir(proc), "sys"), cgroups}, 4242)
	if err != nil {
		t.Fatal(err)
	}
	defer p.close()
	var absent reasons
	at := time.Unix(1000, 0)
	first := vitals.NewSample(at)
	if err := p.sample(&first, first.Time, &absent); err != nil {
		t.Fatal(err)
	}
	overwrite(t, filepath.Join(proc, "stat"), statAfter)
	overwrite(t, filepath.Join(proc, "diskstats"), disksAfter)
	overwrite(t, filepath.Join(proc, "4242/net/snmp"), snmpAfter)
	overwrite(t, filepath.Join(proc, "4242/stat"), statLine(450, 5)) // 1.5 s of CPU later
	s := vitals.NewSample(at.Add(2 * time.Second))
	if err := p.sample(&s, s.Time, &absent); err != nil {
		t.Fatal(err)
	}
	for id, want := range map[vitals.ID]float64{
		// of 750 ticks 420 were used, 100 of them in the kernel and 20 in interrupts
		vitals.MachineCPU: 420. / 750, vitals.MachineSystem: 100. / 750, vitals.MachineSoftIRQ: 20. / 750,
		vitals.MachineIOWait: 20. / 750, vitals.MachineSteal: 30. / 750,
		vitals.OthersCPU: 1.5 - 0.75, // 300 ticks on the first two CPUs in 2 s, less its own
		vitals.SpareCPU:  0.4,
		vitals.DiskBusy:  0.5, vitals.DiskRate: 4000 * 512 / 2, vitals.DiskAwait: 0.006, // 600 ms for 100
		vitals.TCPEstablished: 21, vitals.TCPRetransmits: 2, vitals.TCPTimeWait: 6,
	} {
		if got, ok := s.Get(id); !ok || math.Abs(got-want) > 1e-9 {
			t.Errorf("%s is %g (present: %v), want %g", id, got, ok, want)
		}
	}
}

// TestNoMachine: what is not the machine's is absent, and says why.
func TestNoMachine(t *testing.T) {
	for _, c := range []struct {
		name   string
		files  map[string]string
		signal vitals.ID
		why    string
	}{
		{"a container of LXC", map[string]string{"proc/stat": statBefore, "proc/self/mountinfo": "35 30 0:32 / / rw - " +
			"overlay overlay rw\n40 35 0:33 /proc/stat /proc/stat rw,nosuid - fuse.lxcfs lxcfs rw\n"},
			vitals.MachineSteal, "lxcfs"},
		{"a sandbox", map[string]string{"proc/stat": "cpu  0 0 0 0 0 0 0 0 0 0\ncpu0 0 0 0 0 0 0 0 0 0 0\n"},
			vitals.OthersCPU, "gVisor"},
		{"no file", nil, vitals.MachineCPU, "/proc/stat cannot be read"},
		{"something else", map[string]string{"proc/stat": "user 1 2\n"}, vitals.SpareCPU, "does not begin"},
		{"no disks", map[string]string{"proc/diskstats": disksBefore}, vitals.DiskBusy, "no disks"},
		{"no network", nil, vitals.TCPRetransmits, "/proc/PID/net/snmp"},
		{"no sockets", nil, vitals.TCPTimeWait, "sockstat"},
	} {
		t.Run(c.name, func(t *testing.T) {
			proc, cgroups := recorded(t, c.files)
			p, err := openProcess(mounts{proc: proc, sys: t.TempDir(), cgroups: cgroups}, 4242)
			if err != nil {
				t.Fatal(err)
			}
			defer p.close()
			var absent reasons
			var s vitals.Sample
			for i := range 2 {
				s = vitals.NewSample(time.Unix(int64(1000+i), 0))
				if err := p.sample(&s, s.Time, &absent); err != nil {
					t.Fatal(err)
				}
			}
			if v, ok := s.Get(c.signal); ok || !strings.Contains(absent.all()[c.signal.String()], c.why) {
				t.Errorf("%s is %g (%q), want none because of %q", c.signal, v, absent.all()[c.signal.String()], c.why)
			}
		})
	}
}

// TestMachineOfThisMachine reads what the kernel gives here: shares add up, and are those of a moment.
func TestMachineOfThisMachine(t *testing.T) {
	m := openMachine("/proc", "/sys", "/proc/self")
	defer m.close()
	var c machineCounts
	m.read(&c)
	if c.noCPU != nil {
		t.Skip(c.noCPU)
	}
	if c.all.idle <= 0 || c.all.busy() <= 0 || c.allowed.total() > c.all.total() {
		t.Errorf("the CPUs are %+v, of these %+v may be used", c.all, c.allowed)
	}
	if c.noTCP == nil && c.tcp.established < 0 {
		t.Errorf("connections: %+v", c.tcp)
	}
}

func FuzzParseMachine(f *testing.F) {
	f.Add([]byte(statBefore))
	f.Add([]byte(disksAfter))
	f.Add([]byte(snmpBefore))
	f.Add([]byte("TCP: inuse 2 orphan 0 tw"))
	disks := map[string]int{"vda": 0, "sdz": mostDisks}
	f.Fuzz(func(t *testing.T, data []byte) {
		all, allowed, err := parseCPUs(data, []bool{true, false, true})
		if d := parseDisks(data, disks); err == nil && all.total() == 0 || allowed.total() < 0 || d.done < 0 {
			t.Errorf("%+v, %+v, %+v of %q", all, allowed, d, data)
		}
		_, _ = parseTCP(data)
		_, _ = parseTimeWait(data)
	})
}

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

// line is /proc/PID/stat of a process with a parent, a process group and a name, and what it and its children used.
func line(pid, parent, group int, name string, user, children int) string {
	return fmt.Sprintf("%d (%s) R %d %d %d 0 -1 4194560 1 2 3 4 %d 0 %d 0 20 0 1 0 %d 100 10 0", pid, name, parent, group,
		group, user, children, 1000+pid)
}

// readings of processes by lines, as a census takes them.
func readings(t *testing.T, rounds ...[]string) *machineCensus {
	t.Helper()
	var c machineCensus
	for _, lines := range rounds {
		var entries []entry
		for _, l := range lines {
			e, ok := parseEntry([]byte(l))
			if !ok {
				t.Fatalf("cannot read %q", l)
			}
			entries = append(entries, e)
		}
		c.round(entries)
	}
	return &c
}

// TestJobs: who used how much in ten seconds, in jobs as people start and stop them. Process 10 is watched, by 20.
func TestJobs(t *testing.T) {
	own := []string{line(1, 0, 1, "init", 0, 0), line(10, 1, 10, "service", 500, 0), line(20, 1, 20, "casebook", 7, 0)}
	for _, tt := range []struct {
		name          string
		before, after []string
		want          casefile.ProcessUse // the job that used most
	}{
		{"a compressor", []string{line(30, 1, 30, "gzip", 100, 0)}, []string{line(30, 1, 30, "gzip", 1050, 0)},
			casefile.ProcessUse{PID: 30, Name: "gzip", Processes: 1, User: 0.95}},
		{"a process that began meanwhile", nil, []string{line(31, 1, 31, "xz", 600, 0)},
			casefile.ProcessUse{PID: 31, Name: "xz", Processes: 1, User: 0.6}},
		{"a build: compilers that come and go", []string{line(40, 1, 40, "go", 50, 100), line(41, 40, 40, "compile", 40, 0)},
			[]string{line(40, 1, 40, "go", 60, 900), line(42, 40, 40, "compile", 80, 0)},
			// the first compiler had used 40 when it was seen last: they are in the 900 that its parent waited for
			casefile.ProcessUse{PID: 42, Name: "compile", Job: "go", JobPID: 40, Processes: 3, User: 0.01 + 0.08, Ended: 0.76}},
		{"a build that ends, and its shell with it", []string{line(70, 1, 70, "sh", 0, 0), line(71, 70, 71, "make", 0, 300),
			line(72, 71, 71, "cc", 200, 0)}, []string{line(70, 1, 70, "sh", 0, 550)},
			// make had waited for 300, and the compiler had used 200, when they were seen last
			casefile.ProcessUse{PID: 70, Name: "sh", Processes: 1, Ended: 0.05}},
		{"a build below a shell and a time limit", []string{line(80, 1, 80, "bash", 0, 0), line(81, 80, 80, "timeout", 0, 0),
			line(82, 81, 80, "go", 0, 0), line(83, 82, 80, "compile", 0, 0)},
			[]string{line(80, 1, 80, "bash", 0, 0), line(81, 80, 80, "timeout", 0, 0), line(82, 81, 80, "go", 100, 0),
				line(83, 82, 80, "compile", 500, 0)},
			casefile.ProcessUse{PID: 83, Name: "compile", Job: "go", JobPID: 82, Processes: 4, User: 0.6}},
		{"a server with a process a connection", []string{line(50, 1, 50, "postgres", 10, 0),
			line(51, 50, 51, "postgres", 0, 0), line(52, 50, 52, "postgres", 0, 0)},
			[]string{line(50, 1, 50, "postgres", 10, 0), line(51, 50, 51, "postgres", 400, 0),
				line(52, 50, 52, "postgres", 300, 0)},
			casefile.ProcessUse{PID: 51, Name: "postgres", Processes: 3, User: 0.7}},
		{"two tools of one script, started by the shell that started the service", []string{
			line(60, 1, 10, "sh", 0, 0), line(61, 60, 10, "tar", 0, 0)},
			[]string{line(60, 1, 10, "sh", 0, 0), line(61, 60, 10, "tar", 300, 0)},
			casefile.ProcessUse{PID: 61, Name: "tar", Job: "sh", JobPID: 60, Processes: 2, User: 0.3}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			after := slices.Concat([]string{line(1, 0, 1, "init", 0, 0), line(10, 1, 10, "service", 600, 0),
				line(20, 1, 20, "casebook", 9, 0)}, tt.after)
			c := readings(t, slices.Concat(own, tt.before), after)
			all := c.jobs(10, 20, 10)
			if got := rounded(all[0].use); got != tt.want {
				t.Errorf("most is\n%+v, want\n%+v", got, tt.want)
			}
			for _, j := range all {
				if j.use.Casebook != (j.use.PID == 20) || j.use.PID == 10 {
					t.Errorf("%+v: the watch is process 20, and the watched one no neighbour", j.use)
				}
			}
		})
	}
}

// TestJobsApart: what the same ancestor has started is no job with the service's own ancestors in it.
func TestJobsApart(t *testing.T) {
	c := readings(t, []string{line(5, 1, 5, "lab", 0, 0), line(10, 5, 5, "service", 0, 0), line(11, 5, 5, "load", 0, 0),
		line(12, 11, 5, "helper", 0, 0)},
		[]string{line(5, 1, 5, "lab", 10, 0), line(10, 5, 5, "service", 200, 0), line(11, 5, 5, "load", 100, 0),
			line(12, 11, 5, "helper", 300, 0)})
	all := c.jobs(10, 5, 1)
	want := casefile.ProcessUse{PID: 12, Name: "helper", Job: "load", JobPID: 11, Processes: 2, User: 4}
	if got := rounded(all[0].use); got != want || !all[1].use.Casebook {
		t.Errorf("jobs are %+v and %+v, want %+v and Casebook", got, all[1].use, want)
	}
}

// TestZombies: children of the process that are there and have ended, and nobody else's.
func TestZombies(t *testing.T) {
	ended := func(pid, parent int) string {
		return strings.Replace(line(pid, parent, pid, "echo", 0, 0), ") R", ") Z", 1)
	}
	c := readings(t, []string{line(10, 1, 10, "service", 0, 0), ended(11, 10), ended(12, 10)},
		[]string{line(10, 1, 10, "service", 0, 0), ended(12, 10), ended(13, 10), ended(14, 1), line(15, 10, 15, "echo", 0, 0)})
	if got := c.zombies(10); got != 2 {
		t.Errorf("%d zombies, want 2", got)
	}
}

func TestContainerOf(t *testing.T) {
	const id = "3f2a9c0011223344556677889900aabbccddeeff00112233445566778899aabb"
	for groups, want := range map[string][2]string{
		"0::/system.slice/pg@15-main.service\n":                                                 {"pg@15-main.service", ""},
		"0::/system.slice/docker-" + id + ".scope\n":                                            {"", id[:12]},
		"4:memory:/kubepods/burstable/pod1-2/" + id + "\n1:name=systemd:/kubepods/" + id + "\n": {"", id[:12]},
		"0::/kubepods.slice/cri-containerd-" + id + ".scope\n":                                  {"", id[:12]},
		"0::/user.slice/user-1000.slice/user@1000.service/app.slice/build.scope\n":              {"user@1000.service", ""},
		"0::/\n": {}, "": {}, "garbage": {},
	} {
		if unit, container := containerOf(groups); unit != want[0] || container != want[1] {
			t.Errorf("%q is of unit %q and container %q, want %q", groups, unit, container, want)
		}
	}
}

func FuzzParseEntry(f *testing.F) {
	f.Add([]byte(line(1, 2, 3, "a (b) c", 4, 5)))
	f.Add([]byte("12 (x"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if e, ok := parseEntry(data); ok && e.pid <= 0 {
			t.Errorf("%+v of %q", e, data)
		}
	})
}

// TestPeers: of a connection of this machine, who has called whom. The table is the kernel's, of sockets of this test;
// to which process each belongs is said by it.
func TestPeers(t *testing.T) {
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	called, err := net.Dial("tcp4", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer called.Close()
	accepted, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer accepted.Close()
	table, err := os.ReadFile("/proc/self/net/tcp")
	if err != nil {
		t.Skip("the kernel shows no table of connections: ", err)
	}
	server := map[string]bool{inode(t, l): true, inode(t, accepted): true}
	client := map[string]bool{inode(t, called): true}
	ofServer, ofClient := peers{}, peers{}
	ofServer.add(string(table), server)
	ofClient.add(string(table), client)
	if asks, ok := ofServer[inode(t, called)]; !ok || !asks {
		t.Errorf("the caller's socket is known: %v, as a client's: %v; want both", ok, asks)
	}
	if asks, ok := ofClient[inode(t, accepted)]; !ok || asks {
		t.Errorf("the listener's socket is known: %v, as a client's: %v; want known, and none", ok, asks)
	}
	w := machineWatch{proc: "/proc"}
	if s, c := ofServer.of(&w, os.Getpid()); s || !c {
		t.Errorf("a process with the caller's socket is a server: %v, a client: %v; want a client", s, c)
	}
}

func inode(t *testing.T, c any) string {
	t.Helper()
	raw, err := c.(syscall.Conn).SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	var st syscall.Stat_t
	if err := raw.Control(func(fd uintptr) { err = syscall.Fstat(int(fd), &st) }); err != nil {
		t.Fatal(err)
	}
	return strconv.FormatUint(st.Ino, 10)
}
