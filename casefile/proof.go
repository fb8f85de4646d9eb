package casefile

import "time"

// A Verdict is the answer of a comparison.
type Verdict string

// The verdicts.
const (
	Better     Verdict = "better"
	Worse      Verdict = "worse"
	Same       Verdict = "same"
	CannotTell Verdict = "cannot tell"
)

// A Proof is a measurement of the service before and after a remedy, under the same load.
type Proof struct {
	Taken   time.Time `json:"taken"`
	Verdict Verdict   `json:"verdict"`
	Summary string    `json:"summary"`           // one sentence with the numbers
	Finding *Treated  `json:"finding,omitempty"` // of the case, whose remedy it measures; nil where nobody said
	Opinion string    `json:"opinion,omitempty"` // ID of the opinion of the case whose change it measures; "" for none
	Promise string    `json:"promise,omitempty"` // the gain that it promised beside the one measured
	Method  string    `json:"method"`            // how it was measured and how the verdict was reached
	Load    string    `json:"load"`              // "1,500 req/s, open model, 30 s each"
	// Similarity is how alike the work under the load is to that of the case; nil without a case or without profiles.
	Similarity *Similarity `json:"similarity,omitempty"`
	Machine    string      `json:"machine,omitempty"`
	Before     Variant     `json:"before"`
	After      Variant     `json:"after"`
	Figures    []Figure    `json:"figures"`
	Moved      []Moved     `json:"moved,omitempty"` // the functions whose CPU changed most, the largest change first
}

// A Treated names a finding of a case: its ID alone may be that of several places.
type Treated struct {
	ID       string `json:"id"`
	Kind     string `json:"kind"`
	Function string `json:"function,omitempty"` // the first of its places
}

// A Similarity says whether a proof's load exercises what was ill in its case, by profiles of both.
type Similarity struct {
	Of string `json:"of"` // the kind of profiles: "cpu", or "heap", of which what was allocated counts
	// Overlap is the share of the work, by function of the user's own code, that both have in common; 1 is as much as
	// profiles of their sizes can have.
	Overlap  float64 `json:"overlap"`
	Finding  string  `json:"finding,omitempty"`  // ID of the finding whose place was looked for; "" for none
	Function string  `json:"function,omitempty"` // that place
	InCase   float64 `json:"in_case,omitempty"`  // the share of the profile that passes it, in the case
	InLoad   float64 `json:"in_load,omitempty"`  // and under the load
	Low      bool    `json:"low,omitempty"`      // the load does not stand for the case
	Text     string  `json:"text"`               // the same in a sentence
}

// A Moved is a function whose cost changed: CPU seconds per request in it and in what it called outside the user's own
// code.
type Moved struct {
	Function string  `json:"function"`
	File     string  `json:"file,omitempty"`
	Line     int     `json:"line,omitempty"`
	Before   float64 `json:"before"`
	After    float64 `json:"after"`
}

// A Variant is one side of a proof.
type Variant struct {
	Label   string `json:"label"`             // "gcache", "freelru"
	Command string `json:"command,omitempty"` // to repeat it
}

// A Figure is one measured quantity on both sides.
type Figure struct {
	Name    string  `json:"name"`             // "p99", "gc_cpu", "errors" …
	Unit    string  `json:"unit"`             // a unit of package vitals
	Better  string  `json:"better"`           // "lower" or "higher"
	Key     bool    `json:"key,omitempty"`    // the figure the remedy was for: the proof's verdict is this one's
	Before  Stat    `json:"before"`           // absent sides have N == 0
	After   Stat    `json:"after"`            //
	Effect  *Effect `json:"effect,omitempty"` // the size of the change where sides were measured in pairs
	Verdict Verdict `json:"verdict"`          //
	P       float64 `json:"p"`                // of the test that the two sides do not differ; 1 when there was no test
	Note    string  `json:"note,omitempty"`   // why a side is absent, or why there is no verdict
}

// A Stat is one side of a figure: the centre of N rounds and its 95 % confidence interval. With too few rounds for an
// interval, Low and High are the smallest and the largest round.
type Stat struct {
	Value float64 `json:"value"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
	N     int     `json:"n"`
}

// An Effect is the size of a change, measured in pairs, with its 95 % confidence interval: shares of the value before,
// where 0.05 is 5 % more; in the figure's own unit where a side can be 0.
type Effect struct {
	Value    float64 `json:"value"`
	Low      float64 `json:"low"`
	High     float64 `json:"high"`
	Noise    float64 `json:"noise"`              // by how much the same side differed from itself: the noise floor
	Absolute bool    `json:"absolute,omitempty"` // in the figure's own unit
}
