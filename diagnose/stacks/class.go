package stacks

import "strings"

// A Class says what work of the runtime, or of a lock, a function is. A sample's class is decided at its leaf: of the
// classes of the runtime's frames there, the one listed last wins. So zeroing memory inside an allocation that had to
// assist the garbage collector is GCAssist.
type Class uint8

// The classes, in rising precedence.
const (
	None      Class = iota // ordinary code
	Memmove                // copying and clearing memory
	Hash                   // hashing and comparing keys
	Map                    // lookups, stores and growth of maps
	Chan                   // channels and select
	Clock                  // reading the clock
	Timer                  // timers
	Syscall                // inside a system call
	Lock                   // sync's locks and the runtime's own
	StackGrow              // growing and copying goroutine stacks
	Malloc                 // allocating
	Scheduler              // finding, parking and waking goroutines, polling the network
	Scavenge               // returning memory to the system
	GCOther                // starting and ending a cycle, write barriers
	GCSweep                // freeing what was not marked
	GCMark                 // marking by the background workers
	GCAssist               // marking that an allocating goroutine had to do itself
	GCIdle                 // marking on a CPU that nobody else wanted
)

// GC reports whether the class is the garbage collector's work, idle marking included.
func (c Class) GC() bool { return c >= GCOther }

func (c Class) String() string {
	return [...]string{"none", "memmove", "hash", "map", "chan", "clock", "timer", "syscall", "lock", "stack growth",
		"malloc", "scheduler", "scavenge", "gc other", "gc sweep", "gc mark", "gc assist", "gc idle mark"}[c]
}

// classOf classifies a function. The names are those of Go 1.20 to 1.26.
func classOf(name, pkg string) Class {
	switch {
	case pkg == "runtime":
		return runtimeClass(strings.TrimPrefix(name, "runtime."))
	case pkg == "sync" || pkg == "internal/sync":
		return syncClass(name[len(pkg)+1:])
	case generated(pkg):
		return Hash
	case strings.HasPrefix(pkg, "internal/runtime/maps"):
		return Map
	case strings.HasSuffix(pkg, "runtime/syscall") || strings.HasSuffix(pkg, "runtime/syscall/linux"):
		return Syscall // runtime/internal/syscall, internal/runtime/syscall, internal/runtime/syscall/linux
	case strings.HasPrefix(pkg, "internal/runtime/gc"):
		return GCMark // Green Tea's scan kernels
	case pkg == "" || pkg == "internal/bytealg":
		return assemblyClass(name)
	case pkg == "syscall" && (name == "syscall.Syscall" || name == "syscall.Syscall6" || name == "syscall.RawSyscall6"):
		return Syscall
	}
	return None
}

// A classRule gives a class to names of package runtime that are equal to one of Names or begin with one of Prefixes.
type classRule struct {
	class    Class
	names    string // separated by spaces
	prefixes string
}

// runtimeRules are tried in order. Methods keep their receiver: "(*mheap).alloc".
func runtimeRules() []classRule {
	return []classRule{
		{GCIdle, "gcDrainMarkWorkerIdle", ""},
		{GCAssist, "gcDrainN", "gcAssistAlloc deductAssistCredit"},
		{GCMark, "gcDrain gcDrainMarkWorkerDedicated gcDrainMarkWorkerFractional",
			"gcBgMarkWorker scanobject scanSpan scanObject scanConservative scanblock scanstack scanframe scanStack " +
				"greyobject markroot tryDeferToSpanScan typePointers.next typePointers.fastForward (*typePointers) " +
				"(*gcWork) (*spanQueue) (*spanSPMC) (*spanInlineMarkBits) (*localSpanQueue) spanSetScans " +
				"heapBitsSmallForAddrInline findObject shade gcFlushBgCredit (*workbuf) getempty putfull " +
				"trygetfull handoff"},
		{GCSweep, "bgsweep deductSweepCredit",
			"sweepone sweepLocker (*sweepLocked) (*sweepLocker) (*mspan).sweep (*activeSweep) bgsweep."},
		{GCOther, "_GC GC",
			"gcStart gcMarkDone gcMarkTermination gcMark gcSweep gcResetMarkState gcController gcPaceSweeper " +
				"(*gcControllerState) wbBufFlush wbMove wbZero gcWriteBarrier bulkBarrierPreWrite " +
				"typeBitsBulkBarrier wbBuf (*wbBuf) stwGC freeStackSpans clearpools gcBgMarkStartWorkers " +
				"gcBgMarkPrepare gcWakeAllAssists"},
		{Scavenge, "bgscavenge",
			"(*scavengerState) (*pageAlloc).scavenge (*scavengeIndex) (*mheap).scavengeAll bgscavenge. sysUnused " +
				"madvise"},
		// not asyncPreempt: its samples are ticks that were due when the signal to preempt came, and the time before
		// is that of the code below it on the stack
		{Scheduler,
			"mcall mstart mstart0 mstart1 schedule findRunnable findrunnable park_m gosched_m goschedImpl gopark " +
				"goparkunlock goready ready execute netpoll wakep startm stopm notesleep notewakeup notetsleep " +
				"notetsleep_internal futex futexsleep futexwakeup runqgrab runqsteal runqget stealWork sysmon retake " +
				"resetspinning injectglist handoffp usleep osyield mPark preemptone checkTimers gopreempt_m " +
				"exitsyscall0 goexit0 gdestroy newproc newproc1 newproc.func1 osPreemptExtEnter wakeNetPoller " +
				"epollwait asyncPreempt2", "netpoll gosched lock2 unlock2 runtime.lock procresize " +
				"preemptall suspendG resumeG (*sched) (*pp) (*timers).check"},
		{Malloc,
			"mallocgc newobject newarray makeslice makeslice64 growslice rawstring rawbyteslice rawruneslice " +
				"rawstringtmp concatstrings nextFreeFast publicationBarrier persistentalloc profilealloc " +
				"mProf_Malloc mProf_Free",
			"mallocgc malloc (*mcache) (*mcentral) (*mheap) " +
				"(*fixalloc) (*pageAlloc) (*pageCache) convT concatstring heapSetType heapBitsSetType " +
				"memclrNoHeapPointersChunked (*mspan) allocNeedsZero makeslicecopy stringtoslicebyte " +
				"slicebytetostring gcTrigger.test"},
		{StackGrow, "morestack newstack copystack",
			"morestack adjustframe adjustpointer adjuststack stackalloc stackfree stackcache"},
		{Lock, "semacquire semrelease semacquire1 semrelease1 procyield",
			"sync_runtime_ internal_sync_runtime_ sync_runtime poll_runtime_Sem semaRoot (*semaRoot)"},
		{Syscall, "cgocall asmcgocall", "cgocall entersyscall reentersyscall exitsyscall"},
		{Clock, "nanotime nanotime1 walltime time_now", ""},
		{Timer, "", "(*timer) (*timers) time_ resettimer addtimer deltimer modtimer siftup siftdown runtimer " +
			"adjusttimers"},
		{Chan, "selectgo block", "chansend chanrecv closechan selectnb send recv sellock selunlock"},
		{Map, "", "map evacuate growWork (*hmap) (*bmap) hashGrow"},
		{Hash, "memhash memequal strhash",
			"aeshash memhash strhash nilinterhash interhash typehash memequal strequal efaceeq ifaceeq f64hash " +
				"f32hash c64hash"},
		{Memmove, "memmove memclrNoHeapPointers memclrHasPointers typedmemmove typedslicecopy", "duff memclr memmove"},
	}
}

// runtimeClass finds the class of a name in package runtime, without its package.
func runtimeClass(name string) Class {
	for _, r := range runtimeRules() {
		if r.matches(name) {
			return r.class
		}
	}
	return None
}

func (r classRule) matches(name string) bool {
	for rest := r.names; rest != ""; {
		var n string
		n, rest, _ = strings.Cut(rest, " ")
		if n == name {
			return true
		}
	}
	for rest := r.prefixes; rest != ""; {
		var p string
		p, rest, _ = strings.Cut(rest, " ")
		if p != "" && strings.HasPrefix(name, p) {
			return true
		}
	}
	return false
}

// syncClass classifies package sync and, since Go 1.24, internal/sync.
func syncClass(name string) Class {
	for _, p := range []string{"(*Mutex)", "(*RWMutex)", "(*Cond)", "(*WaitGroup)", "runtime_Sem", "runtime_doSpin",
		"runtime_canSpin"} {
		if strings.HasPrefix(name, p) {
			return Lock
		}
	}
	return None
}

func assemblyClass(name string) Class {
	switch {
	case strings.Contains(name, "hash"):
		return Hash
	case strings.Contains(name, "memeq") || strings.Contains(name, "cmpbody") || strings.Contains(name, "MemEq"):
		return Hash
	case strings.Contains(name, "gcWriteBarrier"):
		return GCOther
	}
	return None
}

// sampleClass is the class that wins at the leaf of a stack.
func (t *Table) sampleClass(stack []FrameID) Class {
	best := None
	for _, id := range stack {
		f := t.Func(id)
		if f.Owner != Runtime && f.Class == None {
			break
		}
		best = max(best, f.Class)
	}
	return best
}
