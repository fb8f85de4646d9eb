package ads

// The forms in which delivery does its work, by their flags. The first of each is healthy.

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

	reportDirect  = "direct"  // lines of the report are written field by field
	reportReflect = "reflect" // lines by walking the fields of the struct
)

func fanoutForms() []string { return []string{fanoutWorkers, fanoutGoroutines} }
func roomForms() []string   { return []string{roomFitted, roomMaximum} }
func matchForms() []string  { return []string{matchSet, matchNested} }
func indexForms() []string  { return []string{indexNumber, indexText} }
func keysForms() []string   { return []string{keysAppend, keysSprintf} }
func countsForms() []string { return []string{countsBatched, countsEach} }
func reportForms() []string { return []string{reportDirect, reportReflect} }
