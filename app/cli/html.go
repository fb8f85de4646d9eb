package cli

import (
	"bytes"
	"fmt"
	"os"
	"slices"

	"github.com/gocasebook/casebook/app/child"
	"github.com/gocasebook/casebook/app/load"
	"github.com/gocasebook/casebook/app/report"
)

// writeComparison writes the page of a measurement. URLs and commands may say what others need not know, so that only
// the user can read it.
func writeComparison(path string, c report.Comparison) error {
	var b bytes.Buffer
	err := report.WriteComparison(&b, c)
	if err == nil {
		err = os.WriteFile(path, b.Bytes(), 0o600)
	}
	if err != nil {
		return fmt.Errorf("--html: %w", err)
	}
	return nil
}

// thisCommand returns the command line of this run, so that the user can repeat it.
func thisCommand() string {
	return child.Join(append([]string{"casebook"}, os.Args[1:]...))
}

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
