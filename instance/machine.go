package instance

import (
	"bytes"
	"errors"
	"time"

	"github.com/gocasebook/casebook/vitals"
)

// clockTick is the unit of times in /proc/PID/stat. The kernel has reported 100 a second to every Linux user program
// for decades, whatever its own tick is (USER_HZ).
const clockTick = 10 * time.Millisecond

// What a process gets of its machine depends on what the others take. A machineCounts is the kernel's account of all of
// them at one moment: CPUs, disks, TCP. It holds no pointers but errors that were made beforehand, so that reading one
// at every tick allocates nothing.
type machineCounts struct {
	all     cpuAccount // of all CPUs
	allowed cpuAccount // of those that the process may run on
	noCPU   error
	disks   diskCounts
	noDisks error
	tcp     tcpCounts
	noTCP   error
	waiting float64 // connections in TIME_WAIT
	noWait  error
}

// A cpuAccount is CPU time since the boot, in the kernel's ticks, summed over CPUs.
type cpuAccount struct{ user, system, interrupts, idle, iowait, steal float64 }

func (c *cpuAccount) add(o cpuAccount) {
	c.user, c.system, c.interrupts = c.user+o.user, c.system+o.system, c.interrupts+o.interrupts
	c.idle, c.iowait, c.steal = c.idle+o.idle, c.iowait+o.iowait, c.steal+o.steal
}

func (c *cpuAccount) busy() float64 { return c.user + c.system + c.interrupts }

func (c *cpuAccount) total() float64 { return c.busy() + c.idle + c.iowait + c.steal }

// busySince is how many CPUs were used since an earlier account, dt seconds ago; ok is false where that is not known.
func (c *cpuAccount) busySince(was *cpuAccount, dt float64) (cores float64, ok bool) {
	if was.total() <= 0 || c.total() <= was.total() {
		return 0, false
	}
	return max(c.busy()-was.busy(), 0) * clockTick.Seconds() / dt, true
}

// Why there are no numbers of the machine.
var (
	errNoMachine  = errors.New("/proc/stat cannot be read, or does not begin with the times of all CPUs")
	errNoAccount  = errors.New("the kernel keeps no account of its CPUs here, as in a sandbox such as gVisor")
	errVirtual    = errors.New("/proc/stat is not the machine's here: the container has one of its own (lxcfs)")
	errNoDisks    = errors.New("this kernel or container shows no disks of the machine (/proc/diskstats, /sys/block)")
	errNoTCP      = errors.New("/proc/PID/net/snmp cannot be read, or has no line of TCP")
	errNoSockstat = errors.New("/proc/PID/net/sockstat cannot be read, or has no line of TCP")
	errNoIO       = errors.New("no disk of the machine has read or written since the sample before")
)

// machineCPU are the signals of /proc/stat.
var machineCPU = [...]vitals.ID{vitals.OthersCPU, vitals.SpareCPU, vitals.MachineCPU, vitals.MachineSystem,
	vitals.MachineSoftIRQ, vitals.MachineIOWait, vitals.MachineSteal}

// apply sets the signals of the machine; was is the reading dt seconds before.
func (m *machineCounts) apply(was *machineCounts, dt float64, s *vitals.Sample, absent *reasons) {
	if m.noCPU != nil {
		absent.set(m.noCPU.Error(), machineCPU[:]...)
	} else {
		m.applyCPU(was, dt, s)
	}
	if m.noDisks != nil {
		absent.set(m.noDisks.Error(), vitals.DiskBusy, vitals.DiskAwait, vitals.DiskRate)
	} else if was.noDisks == nil {
		m.disks.apply(&was.disks, dt, s, absent)
	}
	absent.give(s, vitals.TCPEstablished, m.tcp.established, m.noTCP)
	absent.give(s, vitals.TCPTimeWait, m.waiting, m.noWait)
	if m.noTCP != nil {
		absent.set(m.noTCP.Error(), vitals.TCPRetransmits)
	} else if was.noTCP == nil && m.tcp.retransmits >= was.tcp.retransmits {
		s.Set(vitals.TCPRetransmits, (m.tcp.retransmits-was.tcp.retransmits)/dt)
	}
}

func (m *machineCounts) applyCPU(was *machineCounts, dt float64, s *vitals.Sample) {
	a, b := &m.all, &was.all
	total := a.total() - b.total()
	if b.total() <= 0 || total <= 0 {
		return
	}
	share := func(id vitals.ID, ticks float64) { s.Set(id, max(ticks, 0)/total) } // iowait may fall: proc_stat(5)
	share(vitals.MachineCPU, a.busy()-b.busy())
	share(vitals.MachineSystem, a.system-b.system)
	share(vitals.MachineSoftIRQ, a.interrupts-b.interrupts)
	share(vitals.MachineIOWait, a.iowait-b.iowait)
	share(vitals.MachineSteal, a.steal-b.steal)
	spare := m.allowed.idle + m.allowed.iowait - was.allowed.idle - was.allowed.iowait
	s.Set(vitals.SpareCPU, max(spare, 0)*clockTick.Seconds()/dt)
}

// parseCPUs reads /proc/stat: the line "cpu", of all CPUs, and of the lines "cpu0" and so on those of mask, which has a
// byte for each CPU; a nil mask is all. Guest time is part of user and nice (proc_stat(5)).
func parseCPUs(data []byte, mask []bool) (all, allowed cpuAccount, err error) {
	first := true
	for len(data) > 0 {
		line, rest, whole := bytes.Cut(data, newline)
		name, values := word(line)
		number, ok := bytes.CutPrefix(name, cpuWord)
		if !ok || !whole {
			break
		}
		switch {
		case first != (len(number) == 0):
			return all, allowed, errNoMachine
		case first:
			if all = parseAccount(values); all.total() == 0 {
				return all, allowed, errNoAccount
			}
		default:
			if n := unsigned(number); n < uint64(len(mask)) && mask[n] {
				allowed.add(parseAccount(values))
			}
		}
		first, data = false, rest
		if mask == nil {
			return all, all, nil
		}
	}
	if first {
		return all, allowed, errNoMachine
	}
	return all, allowed, nil
}

var cpuWord = []byte("cpu")

// parseAccount reads "user nice system idle iowait irq softirq steal".
func parseAccount(values []byte) (c cpuAccount) {
	for i := range 8 {
		var w []byte
		w, values = word(values)
		ticks := float64(unsigned(w))
		switch i {
		case 0, 1:
			c.user += ticks
		case 2:
			c.system = ticks
		case 3:
			c.idle = ticks
		case 4:
			c.iowait = ticks
		case 5, 6:
			c.interrupts += ticks
		case 7:
			c.steal = ticks
		}
	}
	return c
}

// tcpCounts are those of a network namespace.
type tcpCounts struct{ established, retransmits float64 }

var tcpLine = []byte("\nTcp: ")

// parseTCP reads the second of the two lines of TCP in /proc/net/snmp; the first has the names, which have had this
// order since Linux 2.6 (net/ipv4/proc.c, snmp4_tcp_list): CurrEstab is the 9th, RetransSegs the 12th.
func parseTCP(data []byte) (c tcpCounts, err error) {
	i := bytes.LastIndex(data, tcpLine)
	if i < 0 {
		return c, errNoTCP
	}
	line, _, _ := bytes.Cut(data[i+len(tcpLine):], newline)
	for n := 1; n <= 12; n++ {
		var w []byte
		if w, line = word(line); len(w) == 0 {
			return c, errNoTCP
		}
		switch n {
		case 9:
			c.established = float64(unsigned(w))
		case 12:
			c.retransmits = float64(unsigned(w))
		}
	}
	return c, nil
}

var sockstatTCP, timeWait = []byte("TCP:"), []byte("tw")

// parseTimeWait reads "TCP: inuse 2 orphan 0 tw 6 alloc 2 mem 32" of /proc/net/sockstat.
func parseTimeWait(data []byte) (float64, error) {
	for len(data) > 0 {
		var line []byte
		line, data, _ = bytes.Cut(data, newline)
		name, rest := word(line)
		if !bytes.Equal(name, sockstatTCP) {
			continue
		}
		for len(rest) > 0 {
			var w []byte
			if w, rest = word(rest); bytes.Equal(w, timeWait) {
				w, _ = word(rest)
				return float64(unsigned(w)), nil
			}
		}
	}
	return 0, errNoSockstat
}
