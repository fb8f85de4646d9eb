package lint

import (
	"slices"

	"github.com/gocasebook/casebook/app/heat"
	"github.com/gocasebook/casebook/app/lint/checks"
)

// A charge is what one of our checks is about; see Check.
type charge struct {
	by      []heat.Measure
	calls   []string
	within  []string
	saves   float64
	related bool
	fills   bool
}

// formatting is what fmt and reflection do by themselves. What a value's own method takes, or writing the text, is to be
// paid without them, too.
var formatting = []string{"fmt.", "strconv.", "reflect.", "encoding/binary.", "unicode/", "errors.", "sync.", "internal/",
	"runtime.", "math", "slices.", "type:"}

// charges are those of package checks, by name. A check without is charged with all CPU and bytes of its lines.
func charges() map[string]charge {
	return map[string]charge{
		"regexpinfunc":   {by: onBoth, calls: []string{"regexp."}},
		"templateinfunc": {by: onBoth, calls: []string{"text/template.", "html/template."}},
		"lockoverio":     {by: onWait, calls: []string{"sync.", "internal/sync."}, related: true},
		"unboundedgo":    {saves: .5, by: onBoth, calls: []string{"runtime.newproc", "runtime.systemstack"}},
		"leakysender":    {by: onBoth, calls: []string{"runtime.makechan", "runtime.newproc"}},
		"deferinloop":    {by: onBoth, calls: []string{"runtime.deferproc"}},
		"concatinloop":   {by: onBoth, calls: concat},
		// What a map grows by is allocated where entries are added, and the header where it is made.
		"maphint":     {by: onMemory, calls: mapCalls, saves: .5, fills: true},
		"sprintfkey":  {by: onBoth, calls: []string{"fmt."}, within: formatting},
		"stringbytes": {by: onBoth, calls: slices.Concat(bytesToString, stringToBytes, stringToRunes)},
		"splitone":    {saves: .65, by: onBoth, calls: []string{"strings.", "bytes."}},
		"afterinloop": {by: onBoth, calls: []string{"time."}},
		"selectspin":  {by: onCPU},
		"cachegrows":  {by: onMemory, saves: .1},
		"makeconst": {by: onBoth, calls: []string{"", "runtime.makeslice", "runtime.makemap", "runtime.mallocgc", "runtime.newobject",
			"internal/runtime/maps."}},
		"fieldorder":  {by: onMemory, calls: []string{"", "runtime.newobject"}},
		"boxinloop":   {by: onBoth, calls: box},
		"fmtcall":     {by: onBoth, calls: []string{"fmt.", "reflect.", "encoding/binary."}, within: formatting},
		"largecopy":   {saves: .5, by: onCPU, calls: []string{"", "runtime.duffcopy", "runtime.memmove", "runtime.typedmemmove"}},
		"capturedvar": {by: onMemory, calls: []string{"", "runtime.newobject"}},
		"timerinloop": {by: onBoth, calls: []string{"time."}},
		// A buffer saves switches between goroutines, and not the wait for a receiver that is slower.
		"handoff":       {saves: .65, by: onCPU, calls: []string{"runtime.chansend", "runtime.selectgo"}},
		"writeinloop":   {by: onCPU, calls: []string{"fmt.", "io.", "os.", "net.", "crypto/tls.", "syscall."}},
		"lockedcounter": {by: onCPUAndWait, calls: []string{"sync.", "internal/sync."}},
		"bodyunread":    {by: onCPU, calls: []string{"net/http."}},
		"bodyclose":     {by: onCPU, calls: []string{"net/http."}},
		"buildpercall":  {by: onBoth},
		// What the request costs is not what a context saves: that is what a client that has left would still make of it.
		"requestnocontext": {by: onBoth, saves: .02},
		"readallunmarshal": {by: onMemory, calls: []string{"io.", "io/ioutil."}},
	}
}

// ours are Casebook's own checks.
func ours() (out []Check) {
	by := charges()
	for _, a := range checks.All() {
		c, ok := by[a.Name]
		if !ok {
			c.by = onBoth
		}
		out = append(out, Check{Analyzer: a, Name: a.Name, Source: "casebook", By: c.by, Calls: c.calls,
			Within: c.within, Saves: c.saves, Related: c.related, Fills: c.fills, OnlyHot: checks.OnlyHot(a)})
	}
	return out
}
