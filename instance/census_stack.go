package instance

import (
	"strings"

	"github.com/gocasebook/casebook/vitals"
)

// A stackPlace is a place, and whether each of its goroutines stands for a request in progress.
type stackPlace struct {
	vitals.Place
	reads bool
}

// While a handler runs whose request has been read, net/http reads on, to notice that its client leaves. A connection
// that was taken over (a WebSocket) has no such reader, and neither has one that waits for its next request.
const requestReader = "net/http.(*connReader).backgroundRead"

// describeStack is a place without its key and count: the first function from the top that belongs to somebody's code,
// otherwise the top one, and what it waits for or does. Of the functions that wait the outermost decides:
// sync.(*Mutex).Lock stands on the semaphore it waits on.
func describeStack(functions func(yield func(string) bool)) (p stackPlace) {
	waits, asks := true, false
	for f := range functions {
		if p.Func == "" {
			p.Func, p.Runs = f, isRunning(f)
		}
		pkg := packageOf(f)
		if waits && isWaiting(pkg) {
			if w := waitOf(f); w != "" {
				p.Wait = w
			}
		} else {
			waits = false
		}
		asks = asks || isQuestion(f)
		p.reads = p.reads || f == requestReader
		if !isStandard(pkg) {
			p.Func, p.Polls = f, asks && p.Runs
			break
		}
	}
	if p.Runs { // on its way into a wait or out of one
		p.Wait = ""
	}
	return p
}

// isRunning reports whether a goroutine with this function on top runs, or could. One that waits is parked, and stays
// so on its stack until it runs again.
func isRunning(top string) bool {
	switch top {
	case "runtime.gopark", "runtime.notetsleepg", "runtime.goexit", "runtime.cgocall":
		return false
	}
	pkg := packageOf(top)
	return pkg != "syscall" && pkg != "internal/runtime/syscall" && !strings.HasSuffix(top, ".Syscall6")
}

// isQuestion knows the functions that check whether there is something to do, and do not wait for it.
func isQuestion(function string) bool {
	switch function {
	case "runtime.selectnbrecv", "runtime.selectnbsend", "runtime.selectgo", "runtime.Gosched",
		"context.(*cancelCtx).Err", "context.(*cancelCtx).Done":
		return true
	}
	return false
}

// packageOf is the import path in a function's name: "a.b/c" of "a.b/c.(*T).Method", "main" of "main.main.func1".
func packageOf(function string) string {
	base := strings.LastIndexByte(function, '/') + 1
	if g := strings.IndexByte(function, '['); g >= 0 && g < base { // type arguments hold paths
		base = strings.LastIndexByte(function[:g], '/') + 1
	}
	if dot := strings.IndexByte(function[base:], '.'); dot >= 0 {
		return function[:base+dot]
	}
	return function
}

// isWaiting reports whether a package's functions can be between a goroutine's parking and what it waits for.
func isWaiting(pkg string) bool {
	switch pkg {
	case "runtime", "sync", "internal/sync", "internal/poll", "time":
		return true
	}
	return strings.HasPrefix(pkg, "internal/runtime/")
}

// waitOf knows the functions in which goroutines park. Go 1.24 moved sync's Mutex to internal/sync.
func waitOf(function string) string {
	switch strings.TrimPrefix(function, "internal/") {
	case "runtime.chanrecv", "runtime.chanrecv1", "runtime.chanrecv2":
		return vitals.WaitChanReceive
	case "runtime.chansend", "runtime.chansend1":
		return vitals.WaitChanSend
	case "runtime.selectgo", "runtime.block":
		return vitals.WaitSelect
	case "sync.(*Mutex).Lock", "sync.(*Mutex).lockSlow", "sync.runtime_SemacquireMutex":
		return vitals.WaitMutexLock
	case "sync.(*RWMutex).RLock", "sync.runtime_SemacquireRWMutexR":
		return vitals.WaitRLock
	case "sync.(*RWMutex).Lock", "sync.runtime_SemacquireRWMutex":
		return vitals.WaitRWMutexLock
	case "sync.(*Cond).Wait":
		return vitals.WaitCond
	case "sync.(*WaitGroup).Wait":
		return vitals.WaitGroup
	case "poll.runtime_pollWait", "runtime.netpollblock":
		return vitals.WaitIO
	case "time.Sleep", "runtime.timeSleep":
		return vitals.WaitSleep
	}
	return ""
}

// isStandard reports whether a package is the standard library's, the runtime included: the first element of its path
// is one of the library's. Paths of modules begin with a host name, except for those that nobody else can import.
func isStandard(pkg string) bool {
	root, _, _ := strings.Cut(pkg, "/")
	switch root {
	case "archive", "bufio", "bytes", "cmp", "compress", "container", "context", "crypto", "database", "debug", "embed",
		"encoding", "errors", "expvar", "flag", "fmt", "go", "hash", "html", "image", "index", "internal", "io", "iter",
		"log", "maps", "math", "mime", "net", "os", "path", "plugin", "reflect", "regexp", "runtime", "slices", "sort",
		"strconv", "strings", "structs", "sync", "syscall", "testing", "text", "time", "unicode", "unique", "unsafe",
		"vendor", "weak":
		return true
	}
	return false
}
