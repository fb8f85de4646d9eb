package instance

import (
	"math"
	"path/filepath"
	"strings"
	"testing"
	"time"

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
