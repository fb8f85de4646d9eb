package escape

// A Kind is what is allocated, and how.
type Kind string

// The kinds.
const (
	Variable   Kind = "variable"        // a local variable or parameter that was moved to the heap
	New        Kind = "new"             // new(T), &T{}
	Make       Kind = "make"            // make of a slice
	MakeMap    Kind = "make-map"        // make of a map
	MakeChan   Kind = "make-chan"       // make of a channel
	Append     Kind = "append"          // append that has to grow its slice
	Moved      Kind = "moved-slice"     // a slice that was on the stack while it was small, where it is returned
	SliceLit   Kind = "slice-literal"   // []T{…}
	MapLit     Kind = "map-literal"     // map[K]V{…}
	MapGrow    Kind = "map-grow"        // m[k] = v
	Concat     Kind = "concat"          // a + b of strings
	ToBytes    Kind = "string-to-bytes" // []byte(s), []rune(s)
	ToString   Kind = "bytes-to-string" // string(b), string(r)
	Box        Kind = "box"             // a value that becomes an interface
	Variadic   Kind = "variadic"        // the slice of f(xs ...T)
	Closure    Kind = "closure"         // a function literal
	Method     Kind = "method-value"    // t.M that is not called
	Go         Kind = "go"              // the goroutine, and what it is called with
	Defer      Kind = "defer"           // a defer in a loop
	Wait       Kind = "wait"            // what the runtime keeps of a goroutine that waits for a channel
	Reflection Kind = "reflect"         // package reflect made it
	Runtime    Kind = "runtime"         // the runtime made it for something else
)

// needsRemark reports whether the compiler decides alone whether a kind is on the heap. The rest is allocated by the
// runtime, or in part by it: it has room on the stack for what turns out to be small.
func (k Kind) needsRemark() bool {
	switch k {
	case Variable, New, SliceLit, Box, Variadic, Closure, Method:
		return true
	}
	return false
}
