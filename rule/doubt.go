package rule

import (
	"fmt"

	"github.com/gocasebook/casebook/vitals"
)

// doubtful finds values that are valid but surely not intended: a share written as a percentage.
func doubtful(rules []Rule, catalog *vitals.Catalog) []fault {
	var faults []fault
	for i := range rules {
		rules[i].When.shares("when", catalog, func(field, format string, args ...any) {
			faults = append(faults, fault{i, field, fmt.Sprintf(format, args...)})
		})
	}
	return faults
}

func (c *Condition) shares(path string, catalog *vitals.Catalog, fault faultFunc) {
	_, signal := find(c.Signal, catalog)
	check := func(name string, v *float64) {
		if signal.Unit == vitals.Share && c.Of == "" && v != nil && *v > 1 {
			fault(path+"."+name, "%s is a share from 0 to 1: %g %% is %g, not %g", c.Signal, *v, *v/100, *v)
		}
	}
	for _, k := range kinds {
		if k.threshold != nil {
			check(k.name, k.threshold(c))
		}
	}
	check("min", c.Min)
	check("max", c.Max)
	for _, p := range c.parts() {
		p.cond.shares(path+"."+p.place, catalog, fault)
	}
}
