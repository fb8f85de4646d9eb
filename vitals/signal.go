// Package vitals names the signals that Casebook samples from a process and keeps their recent history.
//
// A signal is one number with a unit. A sample is all of them at one moment; a signal that could not be read is absent
// (NaN), which is not zero: a rule on an absent signal does not fire, and says so. The package knows nothing of where
// samples come from (package instance) or of what they mean (package rule).
//
// Some 50 signals are built in. A watch may have up to MaxExtra of its own; its Catalog names them all.
package vitals

import (
	"context"
	"fmt"
	"slices"
)

// A Unit says what a signal's number counts. Shares are fractions from 0 to 1, never percentages.
type Unit string

// The units.
const (
	Count          Unit = "count"
	PerSecond      Unit = "1/s"
	Cores          Unit = "cores" // CPU seconds per second
	Share          Unit = "share" // 0–1
	Bytes          Unit = "bytes"
	BytesPerSecond Unit = "bytes/s"
	Seconds        Unit = "seconds"
)

// units lists every unit.
var units = [...]Unit{Count, PerSecond, Cores, Share, Bytes, BytesPerSecond, Seconds}

// Known reports whether the unit is one of those above.
func (u Unit) Known() bool { return slices.Contains(units[:], u) }

func unitNames() []string {
	names := make([]string, len(units))
	for i, u := range units {
		names[i] = string(u)
	}
	return names
}

// An ID is the index of a signal in Sample.Values: below NumSignals of a built-in one, from there on of an extra one,
// which only its Catalog can name.
type ID int

// The built-in signals. Rates are over the time since the sample before.
const (
	CPU ID = iota
	CPUShare
	CPULimit
	Throttled
	ThrottledCores
	CPUPressure
	CPUSystem
	OthersCPU
	SpareCPU
	MachineCPU
	MachineSystem
	MachineSoftIRQ
	MachineIOWait
	MachineSteal
	GCCPU
	GCAssist
	GCLimiter
	GCRate
	GCForced
	GCPause
	HeapAlloc
	HeapLive
	HeapGoal
	HeapObjects
	AllocRate
	AllocObjectRate
	Stacks
	GoMemory
	GoMemoryLimit
	RSS
	RSSAnon
	OffHeap
	OffHeapAnon
	MemoryLimit
	MachineMemory
	MemoryShare
	MemoryHeadroom
	MemoryPressure
	Goroutines
	GoroutinesRunnable
	GoroutinesWaiting
	GoroutinesCreated
	GoMaxProcs
	Threads
	CgoCalls
	OpenFiles
	OpenFilesShare
	ReadCalls
	WriteCalls
	ReadRate
	WriteRate
	DiskWrites
	DiskBusy
	DiskAwait
	DiskRate
	TCPEstablished
	TCPAccepted
	TCPAbandoned
	TCPQueued
	TCPUnanswered
	TCPWaiting
	TCPTimeWait
	TCPRetransmits
	MutexWait
	SchedLatencyP50
	SchedLatencyP99
	ProbeTime
	Unanswered
	HTTPRate
	HTTPInFlight
	HTTPLatencyP50
	HTTPLatencyP99
	HTTPErrors
	numSignals
)

// A Signal describes one of the numbers.
type Signal struct {
	Name string
	Unit Unit
	Text string // what it is and where it comes from
}

// signals lists every built-in signal, indexed by ID.
var signals = [numSignals]Signal{
	CPU:      {"cpu", Cores, "CPU the process used (/proc/PID/stat, to 10 ms; of the own process getrusage, to 1 µs)"},
	CPUShare: {"cpu_share", Share, "cpu as a share of the cores it may use (cgroup quota, else CPUs allowed)"},
	CPULimit: {"cpu_limit", Cores, "cores the process may use (cgroup quota, else CPUs allowed); a " +
		"gomaxprocs far above it gets throttled, far below it leaves cores idle"},
	Throttled: {"throttled", Share, "share of CFS periods in which the cgroup that sets the quota was " +
		"throttled (cpu.stat)"},
	ThrottledCores: {"throttled_cores", Cores, "CPUs of that cgroup with something to run that the quota held back, " +
		"on average: what it would have used beyond its quota at most (cpu.stat: throttled_time, in v2 " +
		"throttled_usec)"},
	CPUPressure: {"cpu_pressure", Share, "share of the last 10 s in which some task that could run waited for a " +
		"CPU (PSI, some avg10): of its cgroup (v2), else of the whole machine"},
	CPUSystem: {"cpu_system", Cores, "the part of cpu that the kernel used for the process: system calls, page faults " +
		"(/proc/PID/stat, stime)"},
	OthersCPU: {"others_cpu", Cores, "CPU that everything else used on the CPUs that the process may run on: other " +
		"processes, the kernel's threads, interrupts (/proc/stat less cpu; the kernel counts ticks of 1 to 10 ms)"},
	SpareCPU: {"spare_cpu", Cores, "CPU that nobody used on the CPUs that the process may run on; a CPU whose tasks " +
		"wait for a disk counts (/proc/stat, idle and iowait)"},
	MachineCPU: {"machine_cpu", Share, "share of all CPUs of the machine that was used; what a hypervisor took is not " +
		"(/proc/stat)"},
	MachineSystem: {"machine_system", Share, "the part of machine_cpu in the kernel, interrupts left out (/proc/stat, " +
		"system)"},
	MachineSoftIRQ: {"machine_softirq", Share, "the part of machine_cpu in interrupts, most of it packets of the " +
		"network (/proc/stat, irq and softirq)"},
	MachineIOWait: {"machine_iowait", Share, "share of all CPUs that were idle while a task that ran there waited for " +
		"a disk; the kernel only guesses where that was (/proc/stat, iowait)"},
	MachineSteal: {"machine_steal", Share, "share of all CPUs that the hypervisor gave to other virtual machines while " +
		"this one had something to run (/proc/stat, steal)"},
	GCCPU: {"gc_cpu", Share, "share of the available CPU (GOMAXPROCS × time) that the garbage collector " +
		"took, idle marking left out; at most what the process used; moves when a GC cycle ends"},
	GCAssist: {"gc_assist", Share, "the part of gc_cpu that goroutines had to do themselves because they " +
		"allocated faster than the collector marked; moves when a GC cycle ends"},
	GCLimiter: {"gc_limiter", Count, "1 when the runtime's GC CPU limiter was switched on since the sample " +
		"before, else 0; 0 too while it stays on (/gc/limiter/last-enabled)"},
	GCRate: {"gc_rate", PerSecond, "GC cycles finished"},
	GCForced: {"gc_forced", PerSecond, "GC cycles that the program asked for: runtime.GC, debug.FreeOSMemory " +
		"(/gc/cycles/forced)"},
	GCPause:   {"gc_pause", Seconds, "longest stop of the world for GC since the sample before"},
	HeapAlloc: {"heap_alloc", Bytes, "bytes of heap objects, live or not yet swept (MemStats.HeapAlloc)"},
	HeapLive: {"heap_live", Bytes, "what the last GC cycle left of the heap, the lows of heap_alloc; moves " +
		"when a GC cycle ends (/gc/heap/live; from outside HeapAlloc less what was allocated since the cycle, or the " +
		"heap goal once its factor is known)"},
	HeapGoal:        {"heap_goal", Bytes, "heap size at which the next GC cycle ends (MemStats.NextGC)"},
	HeapObjects:     {"heap_objects", Count, "heap objects, live or not yet swept"},
	AllocRate:       {"alloc_rate", BytesPerSecond, "heap bytes allocated"},
	AllocObjectRate: {"alloc_object_rate", PerSecond, "heap objects allocated"},
	Stacks:          {"stacks", Bytes, "memory in goroutine stacks"},
	GoMemory:        {"go_memory", Bytes, "memory the Go runtime holds from the system (Sys − HeapReleased)"},
	GoMemoryLimit: {"go_memory_limit", Bytes, "GOMEMLIMIT: the collector works harder to keep go_memory below it, " +
		"and may fail (/gc/gomemlimit)"},
	RSS: {"rss", Bytes, "resident memory of the process"},
	RSSAnon: {"rss_anon", Bytes, "the part of rss that is no page of a file, and that the kernel cannot simply drop " +
		"(/proc/PID/statm, resident less shared)"},
	OffHeap: {"off_heap", Bytes, "rss less go_memory: cgo, mmap, the binary; 0 when the runtime holds pages " +
		"it has not touched"},
	OffHeapAnon: {"off_heap_anon", Bytes, "rss_anon less go_memory: memory of C and of mmap without a file; 0 when the " +
		"runtime holds pages it has not touched"},
	MemoryLimit: {"memory_limit", Bytes, "memory limit of the cgroup, beyond which the kernel kills " +
		"processes; GOMEMLIMIT is go_memory_limit"},
	MachineMemory: {"machine_memory", Bytes,
		"memory of the machine (MemTotal of /proc/meminfo), the limit where the cgroup sets none"},
	MemoryShare: {"memory_share", Share, "rss as a share of memory_limit"},
	MemoryHeadroom: {"memory_headroom", Bytes,
		"memory_limit less rss; 0 when rss counts shared pages that the cgroup does not"},
	MemoryPressure: {"memory_pressure", Share,
		"share of the last 10 s in which some task waited for memory to be reclaimed or read back (PSI, some avg10): " +
			"of its cgroup (v2), else of the whole machine"},
	Goroutines: {"goroutines", Count, "goroutines that exist; of a process that watches itself, " +
		"without Casebook's own"},
	GoroutinesRunnable: {"goroutines_runnable", Count,
		"goroutines that could run and wait for a processor; approximate (/sched/goroutines/runnable, since Go 1.26)"},
	GoroutinesWaiting: {"goroutines_waiting", Count,
		"goroutines that wait for a lock, a channel, a timer or I/O; approximate (/sched/goroutines/waiting, since " +
			"Go 1.26)"},
	GoroutinesCreated: {"goroutines_created", PerSecond,
		"goroutines started (/sched/goroutines-created, since Go 1.26)"},
	GoMaxProcs: {"gomaxprocs", Count,
		"GOMAXPROCS: threads that may run Go code at once (/sched/gomaxprocs; from outside where its environment " +
			"sets it)"},
	Threads: {"threads", Count, "threads of the process; without /proc, those of the Go runtime " +
		"(/sched/threads/total, since Go 1.26; from outside the threadcreate profile's count, with cgo one more)"},
	CgoCalls: {"cgo_calls", PerSecond, "calls from Go to C; on Windows, system calls too (/cgo/go-to-c-calls)"},
	OpenFiles: {"open_files", Count, "open file descriptors; on Linux before 6.2 counted every 10 s only, and " +
		"absent in between"},
	OpenFilesShare: {"open_files_share", Share, "open_files as a share of the soft limit"},
	ReadCalls: {"read_calls", PerSecond, "system calls of the process that read a file, a pipe or a connection " +
		"(/proc/PID/io, syscr); calls that find nothing to read count, recvfrom and recvmsg do not"},
	WriteCalls: {"write_calls", PerSecond, "system calls of the process that write to a file, a pipe or a connection " +
		"(/proc/PID/io, syscw); sendto and sendmsg do not count"},
	ReadRate:  {"read_rate", BytesPerSecond, "bytes that read_calls read (/proc/PID/io, rchar)"},
	WriteRate: {"write_rate", BytesPerSecond, "bytes that write_calls wrote (/proc/PID/io, wchar)"},
	DiskWrites: {"disk_writes", BytesPerSecond, "bytes that the process has the kernel write to disks: a page of a file " +
		"counts when it is changed, however often before it is written (/proc/PID/io, write_bytes)"},
	DiskBusy: {"disk_busy", Share, "share of the time in which the machine's busiest disk had something to do; one that " +
		"does much at once, such as an SSD, can do more at 100 % (/proc/diskstats, io_ticks)"},
	DiskAwait: {"disk_await", Seconds, "mean time that reads and writes took, waiting included, of all disks of the " +
		"machine; absent without any (/proc/diskstats)"},
	DiskRate: {"disk_rate", BytesPerSecond, "bytes that all disks of the machine read and wrote (/proc/diskstats)"},
	TCPEstablished: {"tcp_established", Count, "TCP connections of the process's network namespace, the machine " +
		"without a container: established, or closed by the other end (/proc/PID/net/snmp, CurrEstab)"},
	TCPAccepted: {"tcp_accepted", Count, "open TCP connections that the process accepted, to a port on which it " +
		"listens, and whose client is there; counted every 15 s, and absent in between (/proc/PID/net/tcp, tcp6 and " +
		"fd)"},
	TCPAbandoned: {"tcp_abandoned", Count, "connections that the process accepted, whose client has closed them, and " +
		"which the process holds: work for clients who have gone, or connections that it forgets to close; counted " +
		"as tcp_accepted (CLOSE_WAIT)"},
	TCPQueued: {"tcp_queued", Count, "connections of clients that wait in the listen queue for the process to accept " +
		"them; 0 unless one of them waited there at the count before, 15 s ago; counted as tcp_accepted"},
	TCPUnanswered: {"tcp_unanswered", Count, "accepted connections whose client sent something 5 s ago or earlier, and " +
		"has never been answered a byte: requests that wait; 0 unless one of them waits for 10 s; counted every 15 s, " +
		"every 5 s at first and while some wait, in the watch's own network namespace (NETLINK_SOCK_DIAG)"},
	TCPWaiting: {"tcp_waiting", Count, "those, and connections that had earlier answers and none to what came last, as " +
		"far as there are so many HTTP/1 requests in progress (goroutines in net/http's backgroundRead)"},
	TCPTimeWait: {"tcp_time_wait", Count, "TCP connections of that namespace that ended less than a minute ago and " +
		"still hold a port (/proc/PID/net/sockstat, tw)"},
	TCPRetransmits: {"tcp_retransmits", PerSecond, "TCP segments that were sent again in that namespace " +
		"(/proc/PID/net/snmp, RetransSegs)"},
	MutexWait: {"mutex_wait", Count, "mean number of goroutines that wait for a sync.Mutex or sync.RWMutex: " +
		"the seconds they waited, per second (/sync/mutex/wait/total)"},
	SchedLatencyP50: {"sched_latency_p50", Seconds, "median of the time goroutines were runnable before they ran " +
		"(/sched/latencies)"},
	SchedLatencyP99: {"sched_latency_p99", Seconds, "99th percentile of the time goroutines were runnable before " +
		"they ran (/sched/latencies)"},
	ProbeTime: {"probe_time", Seconds, "how long the target took to answer the sampler"},
	Unanswered: {"unanswered", Seconds, "how long a living target has not answered the sampler, 0 when it " +
		"does; absent when it ended, refuses connections, or answers something else"},
	HTTPRate:     {"http_rate", PerSecond, "requests that package middleware saw finished"},
	HTTPInFlight: {"http_in_flight", Count, "requests that package middleware sees in progress"},
	HTTPLatencyP50: {"http_latency_p50", Seconds, "median time of the requests finished since the sample before, " +
		"and of those in progress for longer than it"},
	HTTPLatencyP99: {"http_latency_p99", Seconds, "99th percentile of the same times: a request that hangs counts " +
		"while it hangs, not when it ends"},
	HTTPErrors: {"http_errors", Share, "share of the finished requests that were answered 5xx, or panicked"},
}

// NumSignals is how many built-in signals there are.
const NumSignals = int(numSignals)

// Signal describes a built-in signal. An extra one is known to its Catalog only: here it is "extra#0", "extra#1" and so
// on, without a unit.
func (id ID) Signal() Signal {
	if id < 0 || int(id) >= NumSignals {
		return Signal{Name: fmt.Sprintf("extra#%d", int(id)-NumSignals)}
	}
	return signals[id]
}

func (id ID) String() string { return id.Signal().Name }

// Lookup finds a built-in signal by name.
func Lookup(name string) (ID, bool) {
	for id := range signals {
		if signals[id].Name == name {
			return ID(id), true
		}
	}
	return 0, false
}

// Names lists the names of the built-in signals, in the order of their IDs.
func Names() []string {
	names := make([]string, NumSignals)
	for id := range signals {
		names[id] = signals[id].Name
	}
	return names
}

// A Source gives signals that the target itself does not: a gauge of the service's own, the requests its handlers
// serve, a page of another exporter. Its signals are new ones, or built-in ones by name, which the target then lacks.
type Source struct {
	Name    string   // for people: "gauge queue_length", "prometheus http://127.0.0.1:9090/metrics"
	Signals []Signal // what it gives
	// Read sets values, one a signal and NaN before the call; what stays NaN is absent. It is called once per sample,
	// never twice at a time. It may take long: sampling does not wait for it. Nil declares signals that a target of
	// your own sets in its Sample.
	Read func(ctx context.Context, values []float64) error
}
