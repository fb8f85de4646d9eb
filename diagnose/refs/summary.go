package refs

import "fmt"

// A Summary is what a heap dump says, or a profile of references. It encodes as `casebook heap --json`. All sizes are
// bytes; those of objects in a dump are those of their size classes.
type Summary struct {
	Name     string `json:"name"`
	Version  string `json:"version"` // of Go
	Arch     string `json:"arch"`
	Symbols  bool   `json:"symbols"` // a binary was given, and it is that of the dump
	Objects  uint32 `json:"objects"`
	Bytes    uint64 `json:"bytes"`   // of them
	Reached  Amount `json:"reached"` // from roots; the rest is garbage, or held by roots that a dump does not have
	Routines int    `json:"goroutines"`

	Roots    []RootAmount `json:"roots"` // what each kind of root holds, the largest first
	Holders  []Holder     `json:"holders"`
	Sites    []SiteHeld   `json:"sites,omitempty"`  // of the profile that was given, or else of the dump itself
	Stacks   []StackHeld  `json:"stacks,omitempty"` // of the dump's heap profile, for detectors; the largest first
	Memory   MemStats     `json:"mem_stats"`
	Warnings []string     `json:"warnings,omitempty"`
	// Stopped is for how many seconds the process stood still to write the dump; 0 where that is not known.
	Stopped float64 `json:"stopped_seconds,omitempty"`
}

// An Amount is memory.
type Amount struct {
	Bytes   uint64 `json:"bytes"`
	Objects uint32 `json:"objects"`
}

// A RootAmount is what roots of a kind hold.
type RootAmount struct {
	Kind RootKind `json:"kind"`
	Amount
}

// A Holder is a root, or an object that several roots have: without it, all of this would be garbage.
type Holder struct {
	Amount

	Share     float64     `json:"share"` // of what roots reach
	Root      Root        `json:"root"`
	Also      []Root      `json:"also,omitempty"`      // other roots that have the same object
	Parts     []Part      `json:"parts,omitempty"`     // where the memory comes together, the largest first
	Allocated []SiteShare `json:"allocated,omitempty"` // where what it holds was allocated, by samples
}

// A Part is a place below a holder where memory comes together: a list, a map, an array of shards.
type Part struct {
	Amount

	Function string `json:"function,omitempty"` // of a goroutine: the frame that has the pointer
	Chain    []Step `json:"chain,omitempty"`    // from the root to the place, the shortest way; empty: the root itself
}

// A Root is where a chain begins.
type Root struct {
	Kind     RootKind `json:"kind"`
	Name     string   `json:"name"`               // symbol of a global, function of a finalizer
	Function string   `json:"function,omitempty"` // frame of the goroutine that has the pointer
	Variable string   `json:"variable,omitempty"` // of that function, where it is known: not in a heap dump
	State    string   `json:"state,omitempty"`    // why the goroutine waits
	ID       uint64   `json:"id,omitempty"`       // of the goroutine
	Number   uint64   `json:"number,omitempty"`   // of goroutines with this stack, of finalizers with this function

	// Unsure: the pointer is a word of a stack that looks like one, as variables have whose address is taken.
	Unsure bool `json:"unsure,omitempty"`
}

// A Step is an object on a chain.
type Step struct {
	Address uint64 `json:"address"`
	Size    uint64 `json:"size"`              // of the object alone
	Offset  uint64 `json:"offset"`            // of the pointer in what is before it on the chain; of a global: 0
	Field   string `json:"field,omitempty"`   // the field at Offset, if it is known
	Type    string `json:"type,omitempty"`    // if it is known
	Holds   uint64 `json:"holds"`             // what would be garbage without it
	Skipped int    `json:"skipped,omitempty"` // objects between the one before and this, left out of a long chain
}

// A Site is a line that allocates: the innermost one outside the standard library, or else outside the runtime.
type Site struct {
	Function string `json:"function"`
	File     string `json:"file"`
	Line     uint64 `json:"line"`
}

// A SiteShare is a site's part of what a holder holds.
type SiteShare struct {
	Site

	Share   float64 `json:"share"` // of the sampled bytes
	Samples int     `json:"samples"`
}

// A SiteHeld says who holds what a site has allocated.
type SiteHeld struct {
	Site

	Bytes   uint64       `json:"bytes"`   // in use
	Samples int          `json:"samples"` // objects of it in the dump
	Held    []HeldByRoot `json:"held"`
}

// A StackHeld says who holds what was allocated with a stack.
type StackHeld struct {
	// Frames are those outside the runtime, the innermost first. Of functions that were inlined into each other a frame
	// has the line of the innermost, and the name of the outermost.
	Frames  []Site       `json:"frames"`
	Bytes   uint64       `json:"bytes"`   // in use
	Samples int          `json:"samples"` // objects of it in the dump
	Held    []HeldByRoot `json:"held"`
}

// A HeldByRoot is a root's part of a site or stack.
type HeldByRoot struct {
	Share float64 `json:"share"` // of the sampled bytes of the site
	Root  Root    `json:"root"`
}

// Warn adds a warning.
func (s *Summary) Warn(format string, args ...any) {
	s.Warnings = append(s.Warnings, fmt.Sprintf(format, args...))
}

// MemStats is the part of runtime.MemStats that says how large the process is, in bytes.
type MemStats struct {
	Sys          uint64 `json:"sys"`
	HeapAlloc    uint64 `json:"heap_alloc"` // with garbage that is not swept yet
	HeapSys      uint64 `json:"heap_sys"`
	HeapIdle     uint64 `json:"heap_idle"`
	HeapInuse    uint64 `json:"heap_inuse"`
	HeapReleased uint64 `json:"heap_released"` // returned to the system
	StackInuse   uint64 `json:"stack_inuse"`
	NextGC       uint64 `json:"next_gc"`
	NumGC        uint64 `json:"num_gc"`
}
