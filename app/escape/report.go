package escape

// A Report is what was found.
type Report struct {
	Schema  int     `json:"schema"`
	Go      string  `json:"go"`               // that compiled: "go1.26.8"
	Built   string  `json:"built,omitempty"`  // that the evidence was built with, where it says
	Module  string  `json:"module,omitempty"` // of the evidence
	Bytes   float64 `json:"bytes"`            // allocated, as the profile estimates it
	Objects float64 `json:"objects"`
	Samples float64 `json:"samples"`           // of allocations that these are estimated from, about
	Seconds float64 `json:"seconds,omitempty"` // that they took; 0 where the profile does not say: since the start
	GC      float64 `json:"gc,omitempty"`      // share of the CPU that the collector takes; 0 without a CPU profile

	Lines     []Line     `json:"lines"`       // those that allocate most, first
	More      Rest       `json:"more"`        // those that are not listed
	Explained Explained  `json:"explained"`   // how much of the bytes has a reason
	NotInline []Function `json:"not_inlined"` // functions that take CPU and are not inlined
	Bounds    []Bound    `json:"bounds"`      // checks of bounds in loops that take CPU
	Gaps      []Gap      `json:"left_out"`    // what is missing in the answer
}

// schema is the version of the JSON.
const schema = 1

// Explained are shares of the allocated bytes.
type Explained struct {
	Share     float64 `json:"share"`     // all that has a reason
	Compiler  float64 `json:"compiler"`  // the compiler says why
	Syntax    float64 `json:"syntax"`    // the line has syntax for which the runtime allocates
	Runtime   float64 `json:"runtime"`   // the runtime or reflection made it, by the function that they called
	Ambiguous float64 `json:"ambiguous"` // of Share: the line has several things that may be it

	Skipped  float64 `json:"skipped"`   // not explained: in packages that have little of the bytes
	NotBuilt float64 `json:"not_built"` // not explained: the package does not build
	NoSource float64 `json:"no_source"` // not explained: the source is not here
	Stale    float64 `json:"stale"`     // not explained: the source is not that of the profile
	Nothing  float64 `json:"nothing"`   // not explained: nothing on the line is known to allocate
}

// A Rest is what a list leaves out.
type Rest struct {
	Lines int     `json:"lines"`
	Share float64 `json:"share"`
}

// A Line is a line of the user's with what it allocates and what is called there allocates.
type Line struct {
	Function string  `json:"function"`
	File     string  `json:"file"`
	Number   int     `json:"line"`
	Text     string  `json:"text,omitempty"`    // the source
	Foreign  bool    `json:"foreign,omitempty"` // no code of the user's is on its stacks
	Share    float64 `json:"share"`             // of the allocated bytes, and so of the collector's runs
	Bytes    float64 `json:"bytes"`             // a second, or in all where the profile has no duration
	Objects  float64 `json:"objects"`           // likewise
	GC       float64 `json:"gc,omitempty"`      // share of all CPU: of the collector's, what is this line's by its bytes

	Reasons []Reason `json:"reasons"` // the largest first
	Left    int      `json:"more_reasons,omitempty"`
}

// How a reason is known.
const (
	FromCompiler = "compiler"
	FromSyntax   = "syntax"
	FromRuntime  = "runtime"
	Unknown      = "unknown"
)

// A Reason is why a line allocates.
type Reason struct {
	Kind   Kind     `json:"kind"`
	What   string   `json:"what"`             // the code: "make([]byte, n)"
	Why    string   `json:"why"`              // the end of a sentence that begins with it
	From   string   `json:"from"`             // how this is known
	Share  float64  `json:"share"`            // of the allocated bytes
	At     Place    `json:"at"`               // where it is allocated
	In     string   `json:"in,omitempty"`     // the function there, if it is another
	Via    string   `json:"via,omitempty"`    // the function of a library that the line calls for it
	Also   []string `json:"also,omitempty"`   // what else on the line may be it
	Change string   `json:"change,omitempty"` // what would keep it off the heap
	Flow   []string `json:"flow,omitempty"`   // in the compiler's words
}

// A Function takes CPU and is not inlined.
type Function struct {
	Function string  `json:"function"`
	File     string  `json:"file"`
	Line     int     `json:"line"`
	Own      float64 `json:"own"` // share of CPU in it
	Why      string  `json:"why"`
	Change   string  `json:"change,omitempty"`
}

// A Bound is a check of bounds in a loop that takes CPU.
type Bound struct {
	Function string  `json:"function"`
	File     string  `json:"file"`
	Line     int     `json:"line"`
	Text     string  `json:"text,omitempty"`
	Own      float64 `json:"own"`
	Checks   int     `json:"checks"`
	Change   string  `json:"change,omitempty"`
}
