// Package heapdump says who holds the memory of a Go process. A heap profile names the lines that allocated what is
// alive; it does not say what keeps it alive. A heap dump does: debug.WriteHeapDump writes every object, every global
// variable and every stack frame, with their pointers.
//
// The file is read three times and never held: once for the objects (objects.go), once for the pointers (collect.go),
// and once for the few objects that the answer shows (details.go). Objects are bits of spans, pointers are indexes of
// four bytes, the dominator tree (dominators.go) five arrays of four bytes a node. From the tree come the holders
// (holders.go), each with the shortest chain of pointers from its root (chain.go).
//
// The format is that of runtime/heapdump.go in Go 1.22 to 1.27. It has no names of types, no field names, no symbols of
// globals and not the cleanups of runtime.AddCleanup; the program's binary has the symbols (binary.go).
package heapdump
