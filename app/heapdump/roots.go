package heapdump

import "github.com/gocasebook/casebook/diagnose/refs"

// Kinds of roots below others.
const (
	stackFrame   refs.RootKind = "frame"         // below a goroutine
	oneGoroutine refs.RootKind = "one goroutine" // below a group of them
)

// A root is a node of the graph that is no object. Goroutines with the same stack are one root, with the goroutines
// below it and their frames below those.
type root struct {
	kind   refs.RootKind
	name   string // symbol, function
	state  string // why goroutines wait
	number uint64 // of a goroutine; of goroutines in a group

	function string // of words of stacks: the frame
}

// A stackGroup is goroutines with the same stack.
type stackGroup struct {
	first   *pendingStack
	members []uint32
}

// A pendingStack is a goroutine whose frames are being read.
type pendingStack struct {
	goroutine
	entry  string   // the outermost function that is not the runtime's
	stack  string   // all functions
	frames []uint32 // nodes
	maybe  []maybeEdge
	refs   []uint32 // objects that it has without a frame

	preempted bool // the frame before was the runtime's asyncPreempt
}

// A maybeEdge is a word of a frame that looks like a pointer.
type maybeEdge struct {
	function string
	to       uint32
}

// A laterEdge is an edge of a root that is made at the end of the reading: its edges do not stand together in the file.
type laterEdge struct {
	root uint32 // of collector.later
	to   uint32
}
