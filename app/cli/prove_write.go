package cli

import (
	"errors"
	"fmt"
	"io"

	"github.com/gocasebook/casebook/app/assess"
	"github.com/gocasebook/casebook/app/report"
	"github.com/gocasebook/casebook/app/terminal"
)

// write prints the proof, keeps it, and puts it into the case.
func (f *proveFlags) write(w io.Writer, p *assess.Proved) error {
	var errs []error
	if f.json {
		errs = append(errs, writeJSON(w, p))
	} else {
		errs = append(errs, terminal.Proof(w, p.Proof))
		if p.Case != nil {
			terminal.StaysOpen(w, p.Case.Case.Findings, &p.Proof)
		}
	}
	if f.file != "" {
		if err := p.Keep(f.file); err != nil {
			errs = append(errs, fmt.Errorf("--out: %w", err))
		}
	}
	if f.html != "" {
		errs = append(errs, f.writeHTML(p))
	}
	if p.Case != nil && !p.Keeps {
		links, wrong := new(linkFlags).links()
		errs = append(errs, wrong, p.Attach(links))
	}
	return errors.Join(errs...)
}

// writeHTML writes the page of a proof.
func (f *proveFlags) writeHTML(p *assess.Proved) error {
	c := p.Page()
	c.Machine = machineFacts()
	c.Commands = append([]report.Command{{What: "Measure again", Line: thisCommand()}}, c.Commands...)
	if f.file != "" && len(c.Profiles) > 0 {
		c.Commands = append(c.Commands,
			report.Command{What: "Compare the CPU profiles in pprof, in the folder of --out",
				Line: "go tool pprof -http=: -diff_base a.cpu.pb.gz b.cpu.pb.gz"})
	}
	return writeComparison(f.html, c)
}
