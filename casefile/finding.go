package casefile

// A Diagnosis is what the detectors said of the evidence.
type Diagnosis struct {
	// the diagnosis in a sentence; nil where nothing is wrong
	Verdict  *CaseVerdict `json:"verdict,omitempty"`
	Findings []Finding    `json:"findings"` // the cause before its symptoms, then by falling score
	// how findings, and the signals they move, follow from each other; that of the verdict first
	Causes    []Cause     `json:"causes,omitempty"`
	Undecided []Undecided `json:"undecided,omitempty"` // what could not be judged, and what would settle it
	// where memory, CPU and goroutines are; nil without such evidence
	Picture *Picture `json:"picture,omitempty"`
	// what a reader must know of the source that was read; empty where none was, or there is nothing to know
	SourceNote string `json:"source_note,omitempty"`
}

// Unexplained is the verdict of a diagnosis without findings: what hurts though nobody knows why, or that the evidence
// is not enough; empty where there are findings, or nothing is seen to hurt. Whoever would say that nothing was found
// asks it first.
func (d *Diagnosis) Unexplained() string {
	if d.Verdict == nil || len(d.Findings) > 0 {
		return ""
	}
	return d.Verdict.Text
}

// A Finding is one thing that is wrong. Every text is finished prose with its numbers filled in: programs decide by the
// other fields.
type Finding struct {
	ID          string   `json:"id"`             // "GC003", stable forever
	Kind        string   `json:"kind"`           // "gc-pointer-heap", a stable slug that programs may rely on
	Form        string   `json:"form,omitempty"` // which of the faults of its kind it is, a stable slug; often empty
	Title       string   `json:"title"`
	Brief       string   `json:"brief,omitempty"` // the title without its place, where it has one
	Score       int      `json:"score"`           // 0–100: 25 worth knowing, 50 a warning, 75 it hurts
	Confidence  float64  `json:"confidence"`      // 0–1, from the amount of evidence
	Summary     string   `json:"summary"`         // one sentence with the numbers
	Explanation string   `json:"explanation,omitempty"`
	Where       []Frame  `json:"where"` // the first is the place to change
	Impact      Impact   `json:"impact"`
	Remedies    []Remedy `json:"remedies"`        // in the order to try them
	Costs       []Cost   `json:"costs,omitempty"` // the shares that the summary names, beside that of the impact
	Evidence    []Basis  `json:"evidence"`
	CausedBy    []string `json:"caused_by,omitempty"` // IDs of findings in the same diagnosis that explain this one
	// Order is why the finding stands below one that is less severe; empty where it does not.
	Order string `json:"order,omitempty"`
	// Held is who holds the memory that the finding is about, the largest first; empty where no evidence tells.
	Held []Held `json:"held,omitempty"`
	// Absorbed are findings about the same place that this one stands for: a change there is one change.
	Absorbed []Absorbed `json:"absorbed,omitempty"`
	// Source is what the program's source says of it; empty where no source of that build was at hand, or it settles
	// nothing. Confidence and Score are with it.
	Source []Settled `json:"source,omitempty"`
}

// What source says of a finding.
const (
	Confirms    = "confirms"    // it shows the fault
	Contradicts = "contradicts" // it shows that there is none, or another
	Adds        = "adds"        // it says more of the place, for or against nothing
)

// A Settled is one thing that the program's source says of a finding.
type Settled struct {
	Verdict string       `json:"verdict"`         // "confirms", "contradicts", "adds"
	Text    string       `json:"text"`            // "the lock taken at :41 is held over http.Get at :47"
	Lines   []SourceLine `json:"lines,omitempty"` // that it is read from
}

// A SourceLine is a line of a file.
type SourceLine struct {
	File string `json:"file"` // as the places of the finding name it
	Line int    `json:"line"`
}

// A Held is who holds memory: without it, the memory would be garbage.
type Held struct {
	Kind  string  `json:"kind"`               // "global", "goroutine", "timer", "finalizer", "other"
	Name  string  `json:"name"`               // of the variable, or of the function
	Text  string  `json:"text"`               // "global main.cache"
	Share float64 `json:"share"`              // 0–1 of the memory that the finding is about
	Least bool    `json:"at_least,omitempty"` // the share is a lower bound
}

// An Absorbed is a finding that another one stands for.
type Absorbed struct {
	ID    string `json:"id"`
	Kind  string `json:"kind"`
	Title string `json:"title"`
	Score int    `json:"score"` // its own
	Where *Frame `json:"where,omitempty"`
}

// Severities, in rising order.
const (
	Notice   = "notice"   // score 25–49: worth knowing
	Warning  = "warning"  // score 50–74
	Critical = "critical" // score 75–100: it hurts now
)

// Severity is the band of the finding's score. Below 25 it is "".
func (f Finding) Severity() string {
	switch {
	case f.Score >= 75:
		return Critical
	case f.Score >= 50:
		return Warning
	case f.Score >= 25:
		return Notice
	}
	return ""
}

// A Frame is a place in the code with its share of what the finding is about.
type Frame struct {
	Function string  `json:"function"`
	File     string  `json:"file,omitempty"`
	Line     int     `json:"line,omitempty"`
	Share    float64 `json:"share"`          // 0–1 of the finding's resource
	Role     string  `json:"role,omitempty"` // what the place is to the finding: "allocates", "called from" …
	Part     string  `json:"part,omitempty"` // the same for programs, where one asks: "holds-lock"

	Source *Excerpt `json:"source,omitempty"` // the lines around it, where somebody with the source looked
}

// Parts that a place may have in a finding.
const (
	HoldsLock    = "holds-lock"
	WaitsForLock = "waits-for-lock"
	Called       = "called" // by the first place, for much of what that costs
)

// An Excerpt is some lines of a file.
type Excerpt struct {
	First    int      `json:"first"` // the number of the first one
	Lines    []string `json:"lines"`
	Revision string   `json:"revision,omitempty"` // of which they are; "": of a folder as it was then
}

// An Impact is the cost of the finding and the saving that its first remedy should bring.
type Impact struct {
	Resource string  `json:"resource"` // "cpu", "memory", "latency", "goroutines", "files", "process", "requests"
	Share    float64 `json:"share"`    // 0–1 of that resource, today
	Text     string  `json:"text"`     // "29 % of the CPU the process used"
	Gain     Gain    `json:"gain,omitzero"`
}

// A Cost is a share of something that the process spends.
type Cost struct {
	Of    string  `json:"of"`    // "garbage"
	Share float64 `json:"share"` // 0–1
}

// Garbage is what the collector has to free.
const Garbage = "garbage"

// A Gain is the part of the resource that the remedy is expected to free, as a range, with the arithmetic shown.
type Gain struct {
	Low        float64 `json:"low"` // 0–1 of the impact's resource
	High       float64 `json:"high"`
	Arithmetic string  `json:"arithmetic,omitempty"`
	Capped     bool    `json:"capped,omitempty"` // it ends at the impact's share, and would be more without
}

// Kinds of remedies.
const (
	Value   = "value"   // a setting: "GOMEMLIMIT=1700MiB"
	Change  = "change"  // a change of the code at a place
	Package = "package" // a package to import
)

// A Remedy is one thing that can be done.
type Remedy struct {
	Kind  string `json:"kind"`
	Name  string `json:"name,omitempty"`  // a stable slug, of those that programs look for: "bound"
	Env   string `json:"env,omitempty"`   // the variables that it sets: "GOGC=400 GOMEMLIMIT=1700MiB"
	Sets  string `json:"sets,omitempty"`  // as Env, what code sets: "net/http.Transport.MaxIdleConnsPerHost=100"
	Title string `json:"title"`           // an imperative: "Keep the entries in pointer-free memory"
	Text  string `json:"text"`            // how, and where
	Price string `json:"price,omitempty"` // what it costs or risks
	Needs string `json:"needs,omitempty"` // what must be so in the program's source for it: "same-input"
}

// What remedies need to be so (Remedy.Needs). app/settle asks the source whether it is not.
const (
	NeedsSameInput  = "same-input"  // what is called is not given what each call of its function brings
	NeedsNoDeadline = "no-deadline" // neither the call nor its client has one
	NeedsOneForAll  = "one-for-all" // the goroutine works for nothing that each call brings
	NeedsApart      = "apart"       // the calls are questions, and not tries of one
	NeedsNotKept    = "not-kept"    // what is made is not stored in what outlives the call
)

// NeedsBodyLeft and NeedsManyClients are what remedies need that close bodies of responses, or read them to their end,
// and that make a client once: some are left, and there are several.
const (
	NeedsBodyLeft    = "body-left"
	NeedsManyClients = "many-clients"
)

// SetsPlaces is what a remedy sets that gives more places to what is waited for at its place.
const SetsPlaces = "places"

// A Basis is one artefact that a finding rests on and what was read there.
type Basis struct {
	File string `json:"file"` // the evidence's file, or the name the user gave
	Kind string `json:"kind"`
	Text string `json:"text"` // "1,204 samples over 10.0 s"
}

// Undecided is a detector's answer if the evidence does not allow one. One with an empty ID is for every detector.
type Undecided struct {
	ID          string `json:"id"`
	Kind        string `json:"kind"`
	Reason      string `json:"reason"`
	Brief       string `json:"brief,omitempty"` // the reason without why this kind needs what is missing
	CaptureNext string `json:"capture_next"`
	// Lacks are the kinds of evidence of which one is needed and none was given; empty where the detector had what it
	// needs.
	Lacks []string `json:"lacks,omitempty"`
}
