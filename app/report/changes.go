package report

// Changes are the findings of two diagnoses, the earlier one the side before. They are plain text: what is wrong is
// judged elsewhere.
type Changes struct {
	Against []Evidence // what evidence was compared with what
	Totals  []Moved    // what the whole process has and spends
	Places  []Moved    // functions that have more or less of it
	List    []Change
}

// A Moved is a figure of both sides in words: "0.45 → 2.85 cores, ×6.3".
type Moved struct{ State, Name, Text string }

// Evidence is the evidence of both sides, of one kind: "1,204 samples over 10.0 s"; "" if a side has none.
type Evidence struct{ Kind, Before, After string }

// A Change is one finding in the light of the side before.
type Change struct {
	State   string // "new", "worse", "same", "better", "gone", "unjudged"
	Score   string // "50 → 62"
	Title   string
	Summary string // the sentence with the numbers, of the side that has it
	Where   string // the first function
	Note    string // what to keep in mind
}

// Class returns the style of the state.
func (c Change) Class() string {
	switch c.State {
	case "new", "worse":
		return "worse"
	case "better", "gone":
		return "better"
	}
	return "same"
}
