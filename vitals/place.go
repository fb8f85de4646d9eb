package vitals

// A Place is the goroutines with the same stack, in one census of the process.
type Place struct {
	// Key is a hash of the stack. It is the same in every census of the process.
	Key uint64
	// Func is the first function from the top of the stack that is outside the runtime and the standard library, with
	// its package's path: "example.com/shop/billing.(*Queue).push"; the top function if there is none.
	Func string
	// Wait is what the goroutines wait for; one of the Wait constants, or "" if they run or it is not known.
	Wait string
	// Runs says that they run, or could: their stack ends in no wait and in no system call.
	Runs bool
	// Polls says that they run and were met at a question whether there is something to do: a select with a default,
	// runtime.Gosched, the Err or Done of a context.
	Polls bool
	// Count is how many goroutines there are.
	Count int
}

// What goroutines wait for.
const (
	WaitMutexLock   = "sync.Mutex.Lock"
	WaitRWMutexLock = "sync.RWMutex.Lock"
	WaitRLock       = "sync.RWMutex.RLock"
	WaitChanSend    = "chan send"
	WaitChanReceive = "chan receive"
	WaitSelect      = "select"
	WaitIO          = "IO wait"
	WaitSleep       = "sleep"
	WaitGroup       = "WaitGroup"
	WaitCond        = "sync.Cond.Wait"
)
