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
	for _, f := range [...]struct {
		name  string
		value *float64
	}{{"above", c.Above}, {"below", c.Below}, {"min", c.Min}, {"max", c.Max}} {
		if signal.Unit == vitals.Share && c.Of == "" && f.value != nil && *f.value > 1 {
			fault(path+"."+f.name, "%s is a share from 0 to 1: %g %% is %g, not %g", c.Signal, *f.value, *f.value/100, *f.value)
		}
	}
	for i := range c.All {
		c.All[i].shares(fmt.Sprintf("%s.all[%d]", path, i), catalog, fault)
	}
	for i := range c.Any {
		c.Any[i].shares(fmt.Sprintf("%s.any[%d]", path, i), catalog, fault)
	}
	if c.Recovered != nil {
		c.Recovered.shares(path+".recovered", catalog, fault)
	}
}
