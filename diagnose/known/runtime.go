package known

import "strings"

// classes are what the runtime's functions, and those of the packages that belong to it, do: Go 1.20 to 1.27. A
// function of several rows does what the first of stacks.Class's order does. asyncPreempt is in none: its samples are
// ticks that were due when the signal to preempt came, and the time before is that of the code below it on the stack.
func classes() []Row {
	return []Row{
		{Work: MarksIdle, Functions: []string{"runtime.gcDrainMarkWorkerIdle"}},
		{Work: MarksToAllocate, Functions: []string{"runtime.gcDrainN", "runtime.gcAssistAlloc*",
			"runtime.deductAssistCredit*"}},
		{Work: Marks, Functions: []string{"runtime.gcDrain", "runtime.gcDrainMarkWorkerDedicated",
			"runtime.gcDrainMarkWorkerFractional", "runtime.gcBgMarkWorker*", "runtime.scanobject*",
			"runtime.scanSpan*", "runtime.scanObject*", "runtime.scanConservative*", "runtime.scanblock*",
			"runtime.scanstack*", "runtime.scanframe*", "runtime.scanStack*", "runtime.greyobject*",
			"runtime.markroot*", "runtime.tryDeferToSpanScan*", "runtime.typePointers.next*",
			"runtime.typePointers.fastForward*", "runtime.(*typePointers)", "runtime.(*gcWork)",
			"runtime.(*spanQueue)", "runtime.(*spanSPMC)", "runtime.(*spanInlineMarkBits)",
			"runtime.(*localSpanQueue)", "runtime.spanSetScans*", "runtime.heapBitsSmallForAddrInline*",
			"runtime.findObject*", "runtime.shade*", "runtime.gcFlushBgCredit*", "runtime.(*workbuf)",
			"runtime.getempty*", "runtime.putfull*", "runtime.trygetfull*", "runtime.handoff*",
			"internal/runtime/gc"}},
		{Work: Sweeps, Functions: []string{"runtime.bgsweep", "runtime.deductSweepCredit", "runtime.sweepone*",
			"runtime.sweepLocker*", "runtime.(*sweepLocked)", "runtime.(*sweepLocker)", "runtime.(*mspan).sweep*",
			"runtime.(*activeSweep)", "runtime.bgsweep."}},
		{Work: Collects, Functions: []string{"runtime._GC", "runtime.GC", "runtime.gcStart*", "runtime.gcMark*",
			"runtime.gcSweep*", "runtime.gcResetMarkState*", "runtime.gcController*", "runtime.gcPaceSweeper*",
			"runtime.(*gcControllerState)", "runtime.wbMove*", "runtime.wbZero*", "runtime.gcWriteBarrier*",
			"runtime.bulkBarrierPreWrite*", "runtime.typeBitsBulkBarrier*", "runtime.wbBuf*", "runtime.(*wbBuf)",
			"runtime.stwGC*", "runtime.freeStackSpans*", "runtime.clearpools*", "runtime.gcBgMarkStartWorkers*",
			"runtime.gcBgMarkPrepare*", "runtime.gcWakeAllAssists*"}},
		{Work: Scavenges, Functions: []string{"runtime.bgscavenge", "runtime.(*scavengerState)",
			"runtime.(*pageAlloc).scavenge*", "runtime.(*scavengeIndex)", "runtime.(*mheap).scavengeAll*",
			"runtime.bgscavenge.", "runtime.sysUnused*", "runtime.madvise*"}},
		{Work: Schedules, Functions: []string{"runtime.mcall", "runtime.mstart", "runtime.mstart0", "runtime.mstart1",
			"runtime.schedule", "runtime.findRunnable", "runtime.findrunnable", "runtime.park_m", "runtime.gopark",
			"runtime.goparkunlock", "runtime.goready", "runtime.ready", "runtime.execute", "runtime.netpoll",
			"runtime.wakep", "runtime.startm", "runtime.stopm", "runtime.notesleep", "runtime.notewakeup",
			"runtime.notetsleep", "runtime.notetsleep_internal", "runtime.futex", "runtime.futexsleep",
			"runtime.futexwakeup", "runtime.runqgrab", "runtime.runqsteal", "runtime.runqget", "runtime.stealWork",
			"runtime.sysmon", "runtime.retake", "runtime.resetspinning", "runtime.injectglist", "runtime.handoffp",
			"runtime.usleep", "runtime.osyield", "runtime.mPark", "runtime.preemptone", "runtime.checkTimers",
			"runtime.gopreempt_m", "runtime.exitsyscall0", "runtime.goexit0", "runtime.gdestroy", "runtime.newproc",
			"runtime.newproc1", "runtime.osPreemptExtEnter", "runtime.wakeNetPoller",
			"runtime.epollwait", "runtime.asyncPreempt2", "runtime.netpoll*", "runtime.gosched*", "runtime.lock2*",
			"runtime.unlock2*", "runtime.procresize*", "runtime.preemptall*",
			"runtime.suspendG*", "runtime.resumeG*", "runtime.(*sched)", "runtime.(*pp)", "runtime.(*timers).check*"}},
		{Work: Allocates, Functions: []string{"runtime.newobject", "runtime.newarray", "runtime.makeslice",
			"runtime.makeslice64", "runtime.growslice", "runtime.rawstring", "runtime.rawbyteslice",
			"runtime.rawruneslice", "runtime.rawstringtmp", "runtime.nextFreeFast", "runtime.publicationBarrier",
			"runtime.persistentalloc", "runtime.profilealloc", "runtime.mProf_Malloc", "runtime.mProf_Free",
			"runtime.malloc*", "runtime.(*mcache)", "runtime.(*mcentral)", "runtime.(*mheap)", "runtime.(*fixalloc)",
			"runtime.(*pageAlloc)", "runtime.(*pageCache)", "runtime.convT*", "runtime.concatstring*",
			"runtime.heapSetType*", "runtime.heapBitsSetType*", "runtime.memclrNoHeapPointersChunked*",
			"runtime.(*mspan)", "runtime.allocNeedsZero*", "runtime.makeslicecopy*", "runtime.stringtoslicebyte*",
			"runtime.slicebytetostring*", "runtime.gcTrigger.test*"}},
		{Work: GrowsStack, Functions: []string{"runtime.morestack", "runtime.newstack", "runtime.copystack",
			"runtime.morestack*", "runtime.adjustframe*", "runtime.adjustpointer*", "runtime.adjuststack*",
			"runtime.stackalloc*", "runtime.stackfree*", "runtime.stackcache*"}},
		{Work: Locks, Functions: []string{"runtime.semacquire", "runtime.semrelease", "runtime.semacquire1",
			"runtime.semrelease1", "runtime.procyield", "runtime.internal_sync_runtime_*", "runtime.sync_runtime*",
			"runtime.poll_runtime_Sem*", "runtime.semaRoot*", "runtime.(*semaRoot)", "sync.(*Mutex)",
			"sync.(*RWMutex)", "sync.(*Cond)", "sync.(*WaitGroup)", "sync.runtime_Sem*", "sync.runtime_doSpin*",
			"sync.runtime_canSpin*", "internal/sync.(*Mutex)", "internal/sync.(*RWMutex)", "internal/sync.(*Cond)",
			"internal/sync.(*WaitGroup)", "internal/sync.runtime_Sem*", "internal/sync.runtime_doSpin*",
			"internal/sync.runtime_canSpin*"}},
		{Work: CallsSystem, Functions: []string{"runtime.cgocall", "runtime.asmcgocall", "runtime.cgocall*",
			"runtime.entersyscall*", "runtime.reentersyscall*", "runtime.exitsyscall*", "runtime/internal/syscall",
			"internal/runtime/syscall", "syscall.Syscall", "syscall.Syscall6", "syscall.RawSyscall6"}},
		{Work: AsksClock, Functions: []string{"runtime.nanotime", "runtime.nanotime1", "runtime.walltime",
			"runtime.time_now"}},
		{Work: KeepsTimers, Functions: []string{"runtime.(*timer)", "runtime.(*timers)", "runtime.time_*",
			"runtime.resettimer*", "runtime.addtimer*", "runtime.deltimer*", "runtime.modtimer*", "runtime.siftup*",
			"runtime.siftdown*", "runtime.runtimer*", "runtime.adjusttimers*"}},
		{Work: UsesChannel, Functions: []string{"runtime.selectgo", "runtime.block", "runtime.chansend*",
			"runtime.chanrecv*", "runtime.closechan*", "runtime.selectnb*", "runtime.send*", "runtime.recv*",
			"runtime.sellock*", "runtime.selunlock*"}},
		{Work: UsesMap, Functions: []string{"runtime.map*", "runtime.evacuate*", "runtime.growWork*",
			"runtime.(*hmap)", "runtime.(*bmap)", "runtime.hashGrow*", "internal/runtime/maps"}},
		{Work: Hashes, Functions: []string{"runtime.memhash", "runtime.memequal", "runtime.strhash",
			"runtime.aeshash*", "runtime.memhash*", "runtime.strhash*", "runtime.nilinterhash*", "runtime.interhash*",
			"runtime.typehash*", "runtime.memequal*", "runtime.strequal*", "runtime.efaceeq*", "runtime.ifaceeq*",
			"runtime.f64hash*", "runtime.f32hash*", "runtime.c64hash*"}},
		{Work: OrdersText, Functions: []string{"cmpbody", "runtime.cmpstring", "internal/bytealg.Compare*"}},
		{Work: MovesMemory, Functions: []string{"runtime.memmove", "runtime.typedmemmove", "runtime.typedslicecopy",
			"runtime.duff*", "runtime.memclr*", "runtime.memmove*"}},
	}
}

// parks are the functions in which a goroutine leaves its processor, by what it waits for.
func parks() []Row {
	return []Row{
		{Work: ParksToReceive, Functions: []string{"runtime.chanrecv", "runtime.chanrecv1", "runtime.chanrecv2"}},
		{Work: ParksToSend, Functions: []string{"runtime.chansend", "runtime.chansend1"}},
		{Work: ParksInSelect, Functions: []string{"runtime.selectgo", "runtime.block"}},
		{Work: ParksForMutex, Functions: []string{"sync.(*Mutex).Lock", "sync.(*Mutex).lockSlow",
			"sync.runtime_SemacquireMutex", "internal/sync.(*Mutex).Lock", "internal/sync.(*Mutex).lockSlow",
			"internal/sync.runtime_SemacquireMutex"}},
		{Work: ParksToRead, Functions: []string{"sync.(*RWMutex).RLock", "sync.runtime_SemacquireRWMutexR"}},
		{Work: ParksToWrite, Functions: []string{"sync.(*RWMutex).Lock", "sync.runtime_SemacquireRWMutex"}},
		{Work: ParksInCond, Functions: []string{"sync.(*Cond).Wait"}},
		{Work: ParksForGroup, Functions: []string{"sync.(*WaitGroup).Wait"}},
		{Work: ParksInPoller, Functions: []string{"internal/poll.runtime_pollWait", "runtime.netpollblock"}},
		{Work: ParksToSleep, Functions: []string{"time.Sleep", "runtime.timeSleep"}},
		{Work: ParksForSemaphore, Functions: []string{"runtime.semacquire1", "runtime.semacquire"}},
	}
}

// borders of stacks: the functions that make a system call themselves, where those of profilers outside of the process
// go on into the kernel, and those with which a complete stack begins.
func stackEnds() []Row {
	return []Row{
		{Work: EntersKernel, Functions: []string{"runtime.futex", "runtime.epollwait", "runtime.write1",
			"runtime.read", "runtime.madvise", "runtime.usleep", "runtime.tgkill", "runtime.sysMmap",
			"runtime.sysMunmap", "runtime.sched_getaffinity", "runtime.osyield", "runtime.rtsigprocmask",
			"runtime.rt_sigreturn", "syscall.rawVforkSyscall", "syscall.rawSyscallNoError",
			"internal/runtime/syscall.Syscall6", "internal/runtime/syscall/linux.Syscall6",
			"runtime/internal/syscall.Syscall6"}},
		{Work: StopsWorld, Functions: []string{"runtime.stopTheWorld*"}},
		{Work: BeginsGoroutine, Functions: []string{"runtime.main", "runtime.goexit"}},
		{Work: RunsBenchmark, Functions: []string{"testing.(*B)"}},
		{Work: BeginsStack, Functions: []string{"main.main", "runtime.main", "runtime.goexit", "runtime.mstart",
			"runtime.mcall", "runtime.systemstack", "net/http.(*conn).serve"}},
	}
}

// IsSync reports whether a package is sync, or its inner half since Go 1.24.
func IsSync(pkg string) bool { return pkg == "sync" || pkg == "internal/sync" }

// IsPoll reports whether a package waits for descriptors on behalf of net and os.
func IsPoll(pkg string) bool { return pkg == "internal/poll" }

// ParksFor reports whether a package of the standard library's parks its caller's goroutine: what waits is the caller.
func ParksFor(pkg string) bool { return IsSync(pkg) || IsPoll(pkg) || pkg == "time" }

// IsAssembly reports whether a package is mostly assembly that works on strings and slices of bytes.
func IsAssembly(pkg string) bool { return pkg == "internal/bytealg" }

// IsRuntime reports whether a package belongs to the runtime: nobody but the Go project can change it.
func IsRuntime(pkg string) bool {
	switch pkg {
	case "runtime", "internal/bytealg", "internal/cpu", "internal/abi", "internal/chacha8rand", "gogo":
		return true
	}
	return strings.HasPrefix(pkg, "internal/runtime/") || strings.HasPrefix(pkg, "runtime/internal/")
}

// profilers are packages that take profiles inside the process, and functions with which a program labels its work.
func profilers() []Row {
	return []Row{
		{Functions: []string{"github.com/grafana/pyroscope-go.", "github.com/grafana/pyroscope-go/",
			"github.com/pyroscope-io/client/", "gopkg.in/DataDog/dd-trace-go.v1/profiler.",
			"gopkg.in/DataDog/dd-trace-go.v1/profiler/",
			"github.com/DataDog/dd-trace-go/v2/profiler.", "github.com/DataDog/dd-trace-go/v2/profiler/",
			"cloud.google.com/go/profiler.", "cloud.google.com/go/profiler/"}, Roles: Profiles},
		{Functions: []string{"net/http/pprof.", "runtime/pprof.", "runtime.goroutineProfile*", "runtime.sigprof*",
			"github.com/felixge/fgprof."}, Roles: Profiles},
		// They run the caller's function below them.
		{Functions: []string{"runtime/pprof.Do", "runtime/pprof.SetGoroutineLabels", "runtime/pprof.WithLabels",
			"runtime/pprof.Labels", "runtime/pprof.Label", "runtime/pprof.ForLabels",
			"github.com/grafana/pyroscope-go.TagWrapper", "github.com/pyroscope-io/client/pyroscope.TagWrapper"},
			Roles: WrapsWork},
	}
}
