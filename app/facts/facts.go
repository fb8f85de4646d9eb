// Package facts says what the evidence of one process shows, as a numbered list without judgement.
//
// The problem: whoever answers a case (an expert, an agent) reads profiles of thousands of stacks, and nobody can check
// what the answer rests on. The approach: what the engine reads (who waits for whom, what is held, what a line costs,
// what tripped and moved, what is known of the modules on those stacks) becomes a Sheet of Facts, the largest harm
// first. Each Fact has an ID that an answer can cite, the numbers and places that it rests on, and the most that a
// change there can bring. Package brief writes a Sheet for a reader, package answer checks an answer against it.
//
// Limits: a Sheet is as good as the evidence; what was not captured is in it as a fact of sort Missing.
package facts

// Sorts of facts. The first letter of a fact's ID is its sort's.
const (
	Felt    Sort = "felt"    // F: what people feel: requests in progress, latency, errors, what tripped
	Signal  Sort = "signal"  // S: a signal before and at the trip
	Wait    Sort = "wait"    // W: goroutines that wait at one place, for what, and who could end it
	Hold    Sort = "hold"    // H: memory, goroutines, descriptors that are held, who made them, how they grow
	Cost    Sort = "cost"    // C: what a line costs of CPU and garbage
	Machine Sort = "machine" // M: quota, neighbours, collector, memory
	Known   Sort = "known"   // K: what experts know of a function on the stacks of another fact
	Code    Sort = "code"    // L: what the source says of a place
	Judged  Sort = "judged"  // J: a finding of Casebook's own, or what speaks against one
	Missing Sort = "missing" // N: evidence that is not there, and how to get it
)

// A Sort is what a fact is about.
type Sort string

// A Sheet is all facts of one process.
type Sheet struct {
	Schema   int       `json:"schema"`
	Subject  Subject   `json:"subject"`
	Facts    []Fact    `json:"facts"`    // the largest harm first
	Modules  []Module  `json:"modules"`  // of the stacks of these facts
	Settings []Setting `json:"settings"` // of the runtime and of the process
	Code     []Excerpt `json:"code"`     // source around the places, in the order of the facts

	// Seen is every place of the evidence, those of no fact too, and Crowds are all goroutines of the program.
	Seen   *Seen   `json:"-"`
	Crowds []Crowd `json:"-"`
}

// A Subject is the process.
type Subject struct {
	Name    string `json:"name,omitempty"`
	Module  string `json:"module,omitempty"`  // the main module
	Go      string `json:"go,omitempty"`      // its Go version
	Tripped string `json:"tripped,omitempty"` // why the case was opened; empty where nobody knows
}

// A Fact is one thing that the evidence shows.
type Fact struct {
	ID   string `json:"id"` // "W1"
	Sort Sort   `json:"sort"`
	Text string `json:"text"` // one or two sentences with the numbers, and how sure they are

	Stacks  []Stack  `json:"stacks,omitempty"`  // the most telling first, leaf first
	Numbers []Number `json:"numbers,omitempty"` // all that Text says, and more
	Bounds  []Bound  `json:"bounds,omitempty"`  // the most that a change at the place of this fact can bring
	Of      []string `json:"of,omitempty"`      // the facts that this one is about, or follows from
	Cure    []string `json:"cure,omitempty"`    // changes that are known for it, the best first: of Known and Judged
	Against []string `json:"against,omitempty"` // what measured speaks against it: of Judged

	// Thing is what a fact of sort Wait waits for, and Enders are what those do who could end that: ForLock and the like.
	Thing  string   `json:"thing,omitempty"`
	Enders []string `json:"enders,omitempty"`

	Harm float64 `json:"harm"` // 0–1: how much of what people feel it can explain; the order

	governs string // the setting that governs it, in words: "QPS and Burst of rest.Config"; "" where none is known
}

// Place is the line to change as far as a stack tells: the user's innermost one, else what is there.
func (f *Fact) Place() (Frame, bool) {
	for _, s := range f.Stacks {
		for _, x := range s.Frames {
			if x.Owner == User {
				return x, true
			}
		}
	}
	if len(f.Stacks) > 0 && len(f.Stacks[0].Frames) > 0 {
		return f.Stacks[0].Frames[0], true
	}
	return Frame{}, false
}

// Owners of frames.
const (
	User       = "user"
	Dependency = "dependency"
	Std        = "std"
	Runtime    = "runtime"
)

// A Stack is frames of one stack, leaf first; those that tell nothing are left out.
type Stack struct {
	Frames []Frame `json:"frames"`
	Share  float64 `json:"share,omitempty"` // 0–1 of what the fact is about
}

// A Frame is a place in the code.
type Frame struct {
	Function string `json:"function"`
	File     string `json:"file,omitempty"`
	Line     int    `json:"line,omitempty"`
	Owner    string `json:"owner"`
	Module   string `json:"module,omitempty"` // of a dependency
}

// A Number is one measured value, with its doubt where it has one.
type Number struct {
	Name  string  `json:"name"` // "goroutines", "bytes", "share of cpu"
	Value float64 `json:"value"`
	Unit  string  `json:"unit"`          // a unit of package vitals
	Low   float64 `json:"low,omitempty"` // both 0: exact
	High  float64 `json:"high,omitempty"`
}

// A Bound is the most that a change at a fact's place can bring of a resource.
type Bound struct {
	Resource string  `json:"resource"` // "cpu", "memory", "latency", "goroutines"
	High     float64 `json:"high"`     // 0–1
}

// A Module is a module on the stacks of facts.
type Module struct {
	Path    string `json:"path"`
	Version string `json:"version,omitempty"` // as the evidence names it; empty where it does not
}

// A Setting is one that was seen: of the runtime, the process or the container.
type Setting struct {
	Name  string `json:"name"` // "GOGC"
	Value string `json:"value"`
}

// An Excerpt is source around a place.
type Excerpt struct {
	ID       string   `json:"id"`    // of its fact, of sort Code
	Facts    []string `json:"facts"` // whose place it is
	Function string   `json:"function"`
	File     string   `json:"file"` // as the evidence names it
	Owner    string   `json:"owner"`
	First    int      `json:"first"` // number of the first line
	Mark     []int    `json:"mark"`  // lines that the evidence names
	Lines    []string `json:"lines"`
	Note     string   `json:"note,omitempty"` // what a reader must know: the source is of another revision
}
