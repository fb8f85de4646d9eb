package known

// goroutines are what starts, parks and ends goroutines, and what the runtime does beside them.
func goroutines() []Row {
	return []Row{
		{Work: StartsGoroutine, Functions: []string{"runtime.newproc*"}},
		{Work: StartsForCaller, Functions: []string{"sync.(*WaitGroup).Go"}},
		{Work: StartsInGroup, Functions: []string{"golang.org/x/sync/errgroup.", "github.com/sourcegraph/conc"}},
		{Work: AwaitsGroup, Functions: []string{"sync.(*WaitGroup).Wait"}},
		{Work: EndsGoroutine, Functions: []string{"runtime.goexit0*", "runtime.gdestroy*"}},
		{Work: GoesIdle, Functions: []string{"runtime.stopm*", "runtime.netpoll*"}},
		{Work: AsksCallers, Functions: []string{"runtime.Callers", "runtime.Caller", "runtime/debug.Stack"}},
		{Work: NamesCallers, Functions: []string{"runtime.CallersFrames", "runtime.(*Frames).Next", "runtime.FuncForPC",
			"runtime.(*Func).FileLine"}},
		{Work: Parks, Functions: []string{"runtime.gopark"}},
		{Work: SchedulesNext, Functions: []string{"runtime.park_m*"}},
		{Work: SchedulesYield, Functions: []string{"runtime.gosched_m*"}},
		{Work: Preempts, Functions: []string{"runtime.asyncPreempt"}},
		{Work: SweepsBehind, Functions: []string{"runtime.bgsweep*"}},
		{Work: MarksBehind, Functions: []string{"runtime.gcBgMarkWorker"}},
		{Work: Sends, Functions: []string{"runtime.chansend*"}},
		{Work: Receives, Functions: []string{"runtime.chanrecv*"}},
		{Work: SendsIfReady, Functions: []string{"runtime.selectnbsend*"}},
		{Work: ReceivesIfReady, Functions: []string{"runtime.selectnbrecv"}},
		{Work: MakesChannel, Functions: []string{"runtime.makechan*"}},
		{Work: Sleeps, Functions: []string{"time.Sleep", "runtime.timeSleep*"}},
		{Work: RunsFinalizers, Functions: []string{"runtime.runfinq*", "runtime.runFinalizers*", "runtime.runCleanups*",
			"runtime.(*cleanupQueue)"}},
		{Work: SetsFinalizer, Functions: []string{"runtime.SetFinalizer*", "runtime.AddCleanup*", "runtime.addfinalizer*",
			"runtime.addCleanup*", "runtime.removefinalizer*"}},
		{Work: QueuesFinalizer, Functions: []string{"runtime.queuefinalizer*", "runtime.gcScanFinalizer*"}},
		{Work: ForcesCollection, Functions: []string{"runtime.GC", "runtime/debug.FreeOSMemory",
			"runtime/debug.freeOSMemory"}},
		{Work: RaisesPanic, Functions: []string{"runtime.gopanic", "runtime.sigpanic*", "runtime.panicmem*",
			"runtime.panicIndex*", "runtime.panicSlice*", "runtime.panicdivide", "runtime.goPanic*", "runtime.throw",
			"runtime.fatal", "runtime.dopanic*"}},
		{Work: TakesSize, Functions: []string{"runtime.mallocgc", "runtime.mallocgcLarge", "runtime.largeAlloc"}},
		{Work: StartsPackages, Functions: []string{"runtime.doInit1", "runtime.doInit"}},

		{Work: OfMutex, Functions: []string{"sync.(*Mutex)", "internal/sync."}},
		{Work: OfRWMutex, Functions: []string{"sync.(*RWMutex)"}},
		{Work: LocksAlone, Functions: []string{"sync.(*RWMutex).Lock"}},
		{Work: LocksToRead, Functions: []string{"sync.(*RWMutex).RLock*", "sync.(*RWMutex).RUnlock*",
			"sync.(*RWMutex).rUnlockSlow*", "sync.(*RWMutex).TryRLock*"}},
		{Work: OfOnce, Functions: []string{"sync.(*Once)"}},
		{Work: RunsOnce, Functions: []string{"sync.(*Once).doSlow"}},
		{Work: OfCond, Functions: []string{"sync.(*Cond)"}},
		{Work: OfLocks, Functions: []string{"sync.", "internal/sync."}},
		// sync.Map's, before Go 1.24 and since then (a hash trie)
		{Work: WritesSyncMap, Functions: []string{"sync.(*Map).Store*", "sync.(*Map).Swap*", "sync.(*Map).LoadOrStore*",
			"sync.(*Map).Delete*", "sync.(*Map).LoadAndDelete*", "sync.(*Map).CompareAnd*", "sync.(*Map).Clear*",
			"sync.(*Map).missLocked*", "sync.(*Map).dirtyLocked*", "internal/sync.(*HashTrieMap[...]).Store*",
			"internal/sync.(*HashTrieMap[...]).Swap*", "internal/sync.(*HashTrieMap[...]).LoadOrStore*",
			"internal/sync.(*HashTrieMap[...]).Delete*", "internal/sync.(*HashTrieMap[...]).LoadAndDelete*",
			"internal/sync.(*HashTrieMap[...]).CompareAnd*", "internal/sync.(*HashTrieMap[...]).expand*"}},
		{Work: ReadsSyncMap, Functions: []string{"sync.(*Map).Load*", "internal/sync.(*HashTrieMap[...]).Load*"}},

		{Work: AsksContext, Functions: []string{"context.value", "context.(*valueCtx).Value",
			"context.(*cancelCtx).Value", "context.(*timerCtx).Value", "context.withoutCancelCtx.Value"}},
		{Work: DerivesContext, Functions: []string{"context.With*"}},
	}
}

// ended are the functions that begin something for their caller which only another call ends, and those that run
// meanwhile: Setting says what to do, and Remedy how.
func ended() []Row {
	return []Row{
		{Functions: []string{"os/exec.(*Cmd).Start", "os/exec.(*Cmd).watchCtx", "os.StartProcess"}, Roles: MustBeEnded,
			Setting: "Wait for each process that is started", Remedy: "Start begins what only Wait ends, whether the program " +
				"ends or its context does. Until then the child stays as a zombie, with a descriptor, and a " +
				"goroutine where it has a context. Run waits by itself; where nobody needs to know how the program " +
				"ended, wait in a goroutine: go cmd.Wait()"},
		{Functions: []string{"io.(*pipe).write"}, Roles: AwaitsOtherEnd,
			Setting: "Close the reading end of the pipe on every path", Remedy: "a write to an io.Pipe waits until all of it " +
				"is read, or one end closed. Where io.Pipe is called: defer the reader's Close (or CloseWithError) right after " +
				"it, so that whoever reads may return early; then Write fails with io.ErrClosedPipe, and its goroutine ends"},
		{Functions: []string{"context.(*cancelCtx).propagateCancel"}, Roles: MustBeEnded,
			Setting: "Cancel each context when its work ends", Remedy: "a parent of another type is watched by a goroutine " +
				"for each child, until the child is cancelled: defer cancel() right after context.WithCancel or WithTimeout"},
		{Functions: []string{"os/signal.NotifyContext"}, Roles: MustBeEnded,
			Setting: "Call the stop of each signal.NotifyContext, or make one", Remedy: "each has a goroutine that waits for " +
				"a signal, or for the stop that it returned: make one context for the process, and derive others from it"},
		{Functions: []string{"golang.org/x/sync/errgroup.WithContext"}, Roles: MustBeEnded,
			Setting: "Call Wait of each errgroup", Remedy: "its context is cancelled when Wait returns, or a function of the " +
				"group fails, and stays a child of its parent until then: call Wait on every path, even if the results came by " +
				"another way"},
		{Functions: []string{"google.golang.org/grpc.newClientStreamWithParams",
			"google.golang.org/grpc.(*ClientConn).NewStream"}, Roles: MustBeEnded,
			Setting: "Cancel the context of each stream, or read the stream to its end", Remedy: "a stream of gRPC ends when " +
				"Recv has returned an error (io.EOF at its end), or its context is cancelled; CloseSend does not end it. " +
				"ctx, cancel := context.WithCancel(ctx); defer cancel() before the call"},
		{Functions: []string{"database/sql.(*DB).Prepare*", "database/sql.(*Conn).Prepare*"}, Roles: MustBeEnded,
			Setting: "Close each statement, or prepare it once and keep it", Remedy: "a prepared statement stays at its " +
				"database, in its driver and on each connection that has used it until Close. Prepare it once for the process, " +
				"defer its Close where it serves one call, or query without preparing: then database/sql closes what it prepares"},
		{Functions: []string{"github.com/nats-io/nats.go.(*Conn).Subscribe*",
			"github.com/nats-io/nats.go.(*Conn).ChanSubscribe*", "github.com/nats-io/nats.go.(*Conn).QueueSubscribe*",
			"github.com/nats-io/nats.go.(*Conn).ChanQueueSubscribe*"}, Roles: MustBeEnded,
			Setting: "Unsubscribe each subscription that has ended", Remedy: "the connection keeps each subscription, with " +
				"the channel or the handler that it was given, until Unsubscribe or Drain of what the call returned: defer it " +
				"right after the error check"},
		{Functions: []string{"github.com/robfig/cron.(*Cron).Add*", "github.com/robfig/cron.(*Cron).Schedule",
			"github.com/robfig/cron/v3.(*Cron).Add*", "github.com/robfig/cron/v3.(*Cron).Schedule"}, Roles: MustBeEnded,
			Setting: "Remove each entry that has ended, or add it once", Remedy: "the scheduler keeps each entry, with all " +
				"that its function refers to, runs it each time, and sorts all of them: keep the id that the call returned, and " +
				"Remove it before the same work is scheduled again, or when it has ended"},
		{Functions: []string{"github.com/eclipse/paho.mqtt.golang."}, Roles: MustBeEnded,
			Setting: "Keep one MQTT client, or Disconnect each", Remedy: "a client that is connected keeps its connection and " +
				"its goroutines, and connects again by itself, until Disconnect. Make one for the process and publish through " +
				"it; where it is needed for a moment, defer its Disconnect"},
	}
}

// OtherEnd is the row of a function that says how the other end of its pipe ends its wait.
func OtherEnd(name string) (row *Row, ok bool) { return with(AwaitsOtherEnd, name) }

// End is the row of a function that says what ends what it began.
func End(name string) (row *Row, ok bool) { return with(MustBeEnded, name) }
