package cli

import (
	"slices"

	"github.com/gocasebook/casebook/app/child"
	"github.com/gocasebook/casebook/app/load"
	"github.com/gocasebook/casebook/app/report"
)

// writeHTML writes the page of a run.
func (o *loadOutput) writeHTML(f *load.File) error {
	c, err := report.OfLoad(f)
	if err != nil {
		return err
	}
	host := machineFacts()
	known := func(fact report.Fact) bool {
		return fact.Name == "CPUs" || slices.ContainsFunc(host, func(h report.Fact) bool { return h.Name == fact.Name })
	}
	c.Machine = append(host, slices.DeleteFunc(c.Machine, known)...)
	c.Commands = []report.Command{{What: "Load again", Line: thisCommand()}}
	if o.file != "" {
		c.Commands = append(c.Commands, report.Command{What: "Compare with another run",
			Line: "casebook compare " + child.Join([]string{o.file}) + " other.json"})
	}
	return writeComparison(o.html, c)
}
