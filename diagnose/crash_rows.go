package diagnose

import (
	"strings"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// A crashRow is one way to die.
type crashRow struct {
	kind stacks.CrashKind
	says string // that is part of what the runtime says; "" is any
	form string
	what string // is wrong, as a clause: "a nil pointer is used"
	role string // of the place
	why  string
	cure Remedy

	beside func(r *Reading, d *death) []casefile.Frame // who else is there; nil: nobody is asked
}

// rowOf is the row of a crash; false of one that is judged elsewhere, or that is none.
func rowOf(c *stacks.Crash) (crashRow, bool) {
	if c.Kind == stacks.CrashDeadlock || c.Kind.Asked() {
		return crashRow{}, false
	}
	for _, row := range crashRows() {
		if row.kind == c.Kind && strings.Contains(c.Text, row.says) {
			return row, true
		}
	}
	return crashRow{}, false
}

// crashRemedies are all, as the documentation of the detectors lists them.
func crashRemedies() []Remedy {
	rows := crashRows()
	out := make([]Remedy, 0, len(rows))
	for _, row := range rows {
		out = append(out, row.cure)
	}
	return out
}

// crashRows are all ways to die that say what to change; the last of each kind is for the rest of it. The words are
// those of the runtime (runtime/panic.go, error.go, map.go, chan.go) and of package sync, which Go has kept since 1.5.
func crashRows() []crashRow {
	const raises = "raises the panic"
	return []crashRow{
		{kind: stacks.CrashMap, form: "concurrent-map", what: "goroutines use a map at the same time",
			role: "uses the map", beside: alsoThere,
			why: "A map is not made for goroutines that write while others read or write: the runtime ends the " +
				"process " +
				"when it sees it, before the map is damaged. It sees it by chance, so the fault is older than the " +
				"crash.",
			cure: byChange("", "Guard the map with one lock, or make it a sync.Map", "At {line}, and at every other "+
				"line "+
				"that uses this map: one sync.RWMutex beside it, Lock around each write and RLock around each read "+
				"and "+
				"each range; or a sync.Map where keys are written once and read often. go test -race names both lines.",
				"a lock that is held for long makes others wait")},
		{kind: stacks.CrashPanic, says: "nil pointer dereference", form: "nil-pointer", what: "a nil pointer is used",
			role: "uses the pointer", why: "A pointer, an interface or a function that nobody has set is nil. The " +
				"value came " +
				"from an error that was not looked at, a lookup that found nothing, or a field that was never filled.",
			cure: byChange("", "Check what may be nil where it comes from", "Before {line}: return the error of the "+
				"call that "+
				"gave the value, and handle the lookup that finds nothing.", "none")},
		{kind: stacks.CrashPanic, says: "assignment to entry in nil map", form: "nil-map",
			what: "a nil map is written to",
			role: "writes to the map", why: "A map that was declared and not made can be read, and not written.",
			cure: byChange("", "Make the map before it is written", "Where what {line} writes to is created: "+
				"make(map[K]V) in "+
				"the constructor.", "none")},
		{kind: stacks.CrashPanic, says: "out of range", form: "index", what: "an index is out of range", role: raises,
			why: "The length that the code counts on is not the one that the data has: an empty list, a shorter " +
				"line, a " +
				"count from another moment.",
			cure: byChange("", "Check the length first", "Before {line}: what to do with fewer elements is a case "+
				"of its own.",
				"none")},
		{kind: stacks.CrashPanic, says: "interface conversion", form: "type-assertion",
			what: "a value is of another type",
			role: raises, why: "A type assertion without a second result panics where the value is nil or of " +
				"another type.",
			cure: byChange("", "Ask whether the type is right", "At {line}: v, ok := x.(T), and handle !ok.", "none")},
		{kind: stacks.CrashPanic, says: "send on closed channel", form: "closed-channel",
			what: "a value is sent on a closed channel", role: "sends", beside: alsoThere,
			why: "Only who sends may close a channel: another one cannot know whether a send is still to come.",
			cure: byChange("", "Close the channel where the last sender has ended", "For the channel of {line}: one "+
				"goroutine "+
				"waits for all senders (sync.WaitGroup) and closes; where receivers want to end early, they cancel "+
				"a context "+
				"that the senders select on.", "none")},
		{kind: stacks.CrashPanic, says: "close of ", form: "closed-twice", what: "a channel is closed that cannot be",
			role: "closes", beside: alsoThere, why: "A channel can be closed once, and a nil one never.",
			cure: byChange("", "Close the channel in one place, once", "For the channel of {line}: sync.Once around "+
				"close, or a "+
				"single goroutine that owns it.", "none")},
		{kind: stacks.CrashPanic, says: "negative WaitGroup counter", form: "wait-group",
			what: "Done is called more often than Add", role: "calls Done",
			why: "Each Add must come before the go statement, and each Done once on every path.",
			cure: byChange("", "Add before go, and one deferred Done", "Around {line}: wg.Go (Go 1.25), or "+
				"wg.Add(1) before each "+
				"go statement and defer wg.Done() first in the function.", "none")},
		{kind: stacks.CrashPanic, says: "divide by zero", form: "divide", what: "an integer is divided by zero",
			role: raises,
			why:  "The divisor is a count that can be zero: no elements, no time, no workers.",
			cure: byChange("", "Handle the count of zero first", "Before {line}: say what the result is when the "+
				"divisor is 0.",
				"none")},
		{kind: stacks.CrashPanic, says: "makeslice: ", form: "size", what: "a slice of an impossible size is made",
			role: "makes the slice", why: "The size comes from data, and is negative or larger than any memory.",
			cure: byChange("", "Limit the size before the slice is made", "At {line}: reject a size above what a "+
				"request may "+
				"need.", "larger requests are rejected")},
		{kind: stacks.CrashPanic, says: "too many open files", form: "open-files",
			what: "a file or connection cannot be opened: too many are open", role: "could not open it",
			beside: mostWaiting,
			why: "Each file and each connection is a descriptor, and the process may have so many (ulimit -n). Most " +
				"often " +
				"something that is opened is not closed on some path; a higher limit only moves the day.",
			cure: byChange("", "Close what is opened on every path", "Whatever {line} and the places below open: "+
				"defer Close "+
				"right after the error check (not in a loop), read and close response bodies; ls -l /proc/PID/fd "+
				"says what is "+
				"open. Then a limit that fits the load (LimitNOFILE=).", "none")},
		{kind: stacks.CrashPanic, form: "panic", what: "a panic is raised that nobody recovers", role: raises,
			why: "A panic of any goroutine ends the process, if no function below it on the same stack recovers.",
			cure: byChange("", "Return an error instead", "At {line}: what can happen with data or peers is an "+
				"error that the "+
				"caller handles; a panic is for what cannot be.", "none")},
		{kind: stacks.CrashMemory, form: "memory", what: "the system did not give memory", role: "asked for it",
			why: "The machine, the container or the address space has no more. One request that is as large as the " +
				"rest of " +
				"the heap is a size from outside, or a slice that grows by doubling.",
			cure: byChange("", "Bound what is asked for, and give the process a limit", "At {line}: read in pieces, "+
				"or limit "+
				"the size (io.LimitReader, http.MaxBytesReader) where it comes from data; GOMEMLIMIT at 90 % of the "+
				"container's limit lets the collector work before. What filled the rest: casebook watch in the next "+
				"run, with "+
				"its rule memory-85.", "larger requests are rejected")},
		{kind: stacks.CrashStack, form: "recursion", what: "a function calls itself without an end",
			role: "calls itself",
			why:  "A goroutine's stack may have 1 GB (debug.SetMaxStack); a recursion that reaches that does not end.",
			cure: byChange("", "End the recursion", "At {line}: look for the value that leads back to itself (a "+
				"String or "+
				"MarshalJSON method that formats its own receiver, a cycle in the data), and bound the depth of "+
				"what comes "+
				"from outside.", "deeper data is rejected")},
		{kind: stacks.CrashThreads, form: "threads", what: "the process has too many threads", role: "needed one more",
			beside: mostWaiting, why: "A goroutine in a system call or in C keeps a thread; 10,000 are the " +
				"runtime's limit, and " +
				"the container may allow fewer.",
			cure: byChange("", "Limit how many are in such a call at once", "At {line} and the place below: a "+
				"semaphore of some "+
				"tens around the call that blocks (files, DNS through C, cgo).", "requests queue, or are rejected")},
		{kind: stacks.CrashForeign, form: "foreign-code", what: "code that is not Go's crashed", role: "called it",
			why: "C code, or the code of another runtime, used memory that is not its own. Go's stack shows the " +
				"call; what " +
				"happened within only its own debugger shows.",
			cure: byChange("", "Check what is given to C, and for how long", "At {line}: memory that C keeps must "+
				"be C's own or "+
				"pinned (runtime.Pinner), handles must not be used after they are freed, or by two threads. "+
				"GOTRACEBACK=crash "+
				"writes a core for gdb; GODEBUG=cgocheck=1 and the C library's sanitizer name the access.", "none")},
		{kind: stacks.CrashFault, form: "bad-address", what: "an address is used that cannot be", role: "uses it",
			why: "Memory that is no longer mapped (after Unmap, or of a file that was truncated), or a pointer that " +
				"package " +
				"unsafe made.",
			cure: byChange("", "Keep the mapping as long as it is used", "At {line}: no slice of mapped memory "+
				"after Unmap, no "+
				"file truncated under its mapping, and unsafe.Pointer by its rules: go vet and go build "+
				"-gcflags=all=-d=checkptr "+
				"find those that break them.", "none")},
		{kind: stacks.CrashFatal, says: "unlock of unlocked", form: "unlocked-twice",
			what: "a lock is given back that nobody holds", role: "gives it back", beside: alsoThere,
			why: "Unlock is called twice on a path, or the lock was copied with the struct that has it.",
			cure: byChange("", "One deferred Unlock for each Lock", "At {line}: defer right after Lock, and nowhere "+
				"else; pass "+
				"the struct by pointer (go vet's copylocks).", "the lock is held to the end of the function")},
		{kind: stacks.CrashFatal, form: "fatal", what: "the runtime found a state that cannot be", role: "ran",
			why: "The runtime ends the process where going on would do more damage.",
			cure: byChange("", "Look the message up with the version of Go", "Its text and {line} in Go's issues; "+
				"memory that "+
				"cgo or unsafe overwrote shows like this, too.", "none")},
	}
}
