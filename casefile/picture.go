package casefile

// A Picture is where the memory, the CPU and the goroutines of the process were, whether or not something is wrong. On
// call wants it of a healthy service as well: that nothing is found does not say what the process does. A line without
// evidence is nil.
type Picture struct {
	Heap       *PictureLine `json:"heap,omitempty"`       // what is alive, by the line that allocated it
	CPU        *PictureLine `json:"cpu,omitempty"`        // what takes the CPU, by function
	Goroutines *PictureLine `json:"goroutines,omitempty"` // where goroutines are

	// Answers says what it tells that the process took seconds to answer the sampler; nil of one that answered at once.
	Answers *PictureLine `json:"answers,omitempty"`

	// Machine says what the CPUs of the machine did, and for whom, while the CPU was profiled. Its places are no places
	// in code.
	Machine *PictureLine `json:"machine,omitempty"`

	// Memory says what the resident memory is made of.
	Memory *MemoryTable `json:"memory,omitempty"`

	// Ages says how long the objects of the largest lines of Heap live. Empty without two heap profiles.
	Ages []ObjectAge `json:"ages,omitempty"`

	// Tripped says what is known of the signals by which rules tripped, the one that decided first. Empty where no
	// rule tripped.
	Tripped []Tripped `json:"tripped,omitempty"`
}

// Tripped is signals of a rule that tripped, and the places in the program that make them what they were. Its Total is
// what the places are shares of, which need not be a signal: of a throttled quota it is the CPU used.
type Tripped struct {
	Signals []TrippedSignal `json:"signals"`
	PictureLine
}

// A TrippedSignal is a signal at the moment of a trip. A value that is not known is nil.
type TrippedSignal struct {
	Name    string   `json:"name"`
	Unit    string   `json:"unit"`
	Value   *float64 `json:"value,omitempty"`   // at the trip
	Earlier *float64 `json:"earlier,omitempty"` // the median of the first quarter of the vitals before it
}

// Lines are the lines that there are, in the order in which they are shown, with their names.
func (p *Picture) Lines() []NamedPictureLine {
	if p == nil {
		return nil
	}
	var out []NamedPictureLine
	for i := range p.Tripped {
		out = append(out, NamedPictureLine{"tripped", &p.Tripped[i].PictureLine})
	}
	for _, l := range []NamedPictureLine{{"answers", p.Answers}, {"heap", p.Heap}, {"cpu", p.CPU},
		{"goroutines", p.Goroutines}, {"machine", p.Machine}} {
		if l.PictureLine != nil {
			out = append(out, l)
		}
	}
	return out
}

// A NamedPictureLine is a line of a picture with its name: "tripped", "answers", "heap", "cpu", "goroutines" or
// "machine".
type NamedPictureLine struct {
	Name string
	*PictureLine
}

// A PictureLine is one resource and the places in the code that have most of it.
type PictureLine struct {
	Total  float64        `json:"total"`         // in Unit; 0 where it is not known (a CPU profile without a duration)
	Unit   string         `json:"unit"`          // "bytes", "cores" or "count", as package vitals names units
	Places []PicturePlace `json:"places"`        // a few, the largest first; none where there is too little to tell
	Text   string         `json:"text"`          // all of it for people: "333 MiB: 81 % cache.go:41 (*Store).Put, 7 % …"
	File   string         `json:"file"`          // the evidence it was read from
	Few    bool           `json:"few,omitempty"` // the evidence has too little to show where; the text says so
}

// A PicturePlace is a place with its part of a PictureLine. It is a line of the program's own code; where none is on
// the stacks, the function at which a dependency is entered; or What alone, such as the garbage collector.
type PicturePlace struct {
	Share    float64 `json:"share"` // 0–1 of the line's total
	What     string  `json:"what,omitempty"`
	Function string  `json:"function,omitempty"`
	File     string  `json:"file,omitempty"`
	Line     int     `json:"line,omitempty"`
}
