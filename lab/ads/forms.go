package ads

// The forms in which delivery and the content service do their work, by their flags. The first of each is healthy.

const (
	fanoutWorkers    = "workers"    // a fixed number of goroutines searches the ads of all requests
	fanoutGoroutines = "goroutines" // goroutines of the request's own, one for every -part ads

	roomFitted  = "fitted"  // memory for as many candidates as there are, as a rule
	roomMaximum = "maximum" // memory for as many as there may be

	matchSet    = "set"    // the request's keywords are a set
	matchNested = "nested" // each keyword of an ad is compared with each of the request

	indexNumber = "number" // campaigns by map[int64]
	indexText   = "text"   // campaigns by map[string]

	keysAppend  = "append"  // keys of counters by strconv.AppendInt into one buffer
	keysSprintf = "sprintf" // keys by fmt.Sprintf

	countsBatched = "batched" // the counters of requests that are under way together go to Redis as one
	countsEach    = "each"    // one command, and one wait, for each counter

	marksBatched    = "batched"    // the marks of all requests go to Redis together
	marksGoroutines = "goroutines" // a goroutine for each mark, and a command

	reportDirect  = "direct"  // lines of the report are written field by field
	reportReflect = "reflect" // lines by walking the fields of the struct
)

// Those of the content service; of -match, too.
const (
	matchSearch = "search" // each id is looked up by halving the other list

	flowNumber = "number" // flow control is kept by the ad's id
	flowText   = "text"   // by a long text, in a cache of interfaces

	notesSlice = "slice" // a request notes scores in a slice
	notesMaps  = "maps"  // in maps with room for all
)

func fanoutForms() []string { return []string{fanoutWorkers, fanoutGoroutines} }
func roomForms() []string   { return []string{roomFitted, roomMaximum} }
func matchForms() []string  { return []string{matchSet, matchNested} }
func indexForms() []string  { return []string{indexNumber, indexText} }
func keysForms() []string   { return []string{keysAppend, keysSprintf} }
func countsForms() []string { return []string{countsBatched, countsEach} }
func marksForms() []string  { return []string{marksBatched, marksGoroutines} }
func reportForms() []string { return []string{reportDirect, reportReflect} }

func contentMatchForms() []string { return []string{matchSearch, matchNested} }
func flowForms() []string         { return []string{flowNumber, flowText} }
func notesForms() []string        { return []string{notesSlice, notesMaps} }
