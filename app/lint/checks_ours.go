package lint

import (
	"github.com/gocasebook/casebook/app/heat"
	"github.com/gocasebook/casebook/app/lint/checks"
)

// A charge is what one of our checks is about; see Check.
type charge struct {
	by       []heat.Measure
	calls    []string
	function bool
	fills    bool
}

// charges are those of package checks, by name. A check without is charged with all CPU and bytes of its lines.
func charges() map[string]charge {
	return map[string]charge{
		"regexpinfunc":   {by: onBoth, calls: []string{"regexp."}},
		"templateinfunc": {by: onBoth, calls: []string{"text/template.", "html/template."}},
		"lockoverio":     {by: onWait, calls: []string{"sync.", "internal/sync."}, function: true},
		"unboundedgo":    {by: onBoth, calls: []string{"runtime.newproc", "runtime.systemstack"}},
		"leakysender":    {by: onBoth, calls: []string{"runtime.makechan", "runtime.newproc"}},
		"deferinloop":    {by: onBoth, calls: []string{"runtime.deferproc"}},
		"concatinloop":   {by: onBoth, calls: concat},
		// What a map grows by is allocated where entries are added, and the header where it is made.
		"maphint":     {by: onMemory, calls: mapCalls, fills: true},
		"sprintfkey":  {by: onBoth, calls: []string{"fmt."}},
		"stringbytes": {by: onBoth, calls: append(bytesToString, stringToBytes...)},
		"splitone":    {by: onBoth, calls: []string{"strings.", "bytes."}},
		"afterinloop": {by: onBoth, calls: []string{"time."}},
		"selectspin":  {by: onCPU},
		"cachegrows":  {by: onMemory},
		"makeconst": {by: onBoth, calls: []string{"", "runtime.makeslice", "runtime.makemap", "runtime.mallocgc", "runtime.newobject",
			"internal/runtime/maps."}},
		"fieldorder":   {by: onMemory, calls: []string{"", "runtime.newobject"}},
		"boxinloop":    {by: onBoth, calls: box},
		"fmtcall":      {by: onBoth, calls: []string{"fmt.", "reflect.", "encoding/binary."}},
		"bodyunread":   {by: onCPU, calls: []string{"net/http."}},
		"buildpercall": {by: onBoth},
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
			Function: c.function, Fills: c.fills, OnlyHot: checks.OnlyHot(a)})
	}
	return out
}
