package casefile

// A Cause is a chain: how what is wrong leads to what is noticed, the root first.
type Cause struct {
	Links []Link `json:"links"`
}

// A Link is a finding of a chain, or a signal that it moved.
type Link struct {
	ID     string `json:"id,omitempty"`     // of the finding
	Kind   string `json:"kind,omitempty"`   // of the finding
	Signal string `json:"signal,omitempty"` // its name, where the link is a signal
	Text   string `json:"text"`             // the finding's title, or the signal with its numbers
	Why    string `json:"why,omitempty"`    // why it follows from the link before; empty at the root
}

// Answers of a verdict.
const (
	AnswerCause     = "cause"     // something hurts, and its cause is known
	AnswerNotice    = "notice"    // nothing is seen to hurt; the root is the largest thing that can be saved
	AnswerUndecided = "undecided" // something hurts, and the evidence does not say why
)

// A CaseVerdict is the diagnosis in one sentence (a Verdict is a proof's).
type CaseVerdict struct {
	Answer string `json:"answer"` // "cause", "notice" or "undecided"
	// Text is at most three lines of 80 columns: "Requests are late because …; change: …; expect …."
	Text   string `json:"text"`
	Effect string `json:"effect,omitempty"` // what is noticed: "latency", "cpu", "memory", "goroutines"
	Seen   string `json:"seen,omitempty"`   // the same as the text begins: "Requests are late"
	Root   string `json:"root,omitempty"`   // the ID of the finding to change first
	Rival  string `json:"rival,omitempty"`  // the ID of a finding that explains the effect as well; none as a rule
	// Settle is a command, and the number to look at, that tells the two apart, or that decides an undecided case.
	Settle string `json:"settle,omitempty"`
	// Take is the kind of evidence that an undecided case lacks. A watch takes it by itself. Empty where a command has
	// to be typed.
	Take string `json:"take,omitempty"`
	// Later says that time decides an undecided case: the heap and the goroutines once more, minutes later. A watch takes
	// them by itself.
	Later bool `json:"later,omitempty"`
}
