package cli

import (
	"errors"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gocasebook/casebook/app/command"
	"github.com/gocasebook/casebook/app/notes"
	"github.com/gocasebook/casebook/app/setup"
	"github.com/gocasebook/casebook/app/terminal"
	"github.com/gocasebook/casebook/internal/number"
)

type initFlags struct {
	how, program, ci, version string
	apply, json               bool
}

func initCommand() *cobra.Command {
	var f initFlags
	cmd := &cobra.Command{
		Use:   "init [FOLDER]",
		Short: "Look at a service's source and propose how to watch it",
		Long: `Init reads the Go module of a folder: its main packages, what they are (a web
server, a worker), whether they serve profiles and where, whether they watch
themselves, which packages have benchmarks. It then proposes one change a
program, as a diff:

  --watch outside  a server for net/http/pprof on 127.0.0.1:6060, unless
                   profiles are served already; nothing else is needed
  --watch inside   a watch from inside by package casebook, with its CPU
                   profiles where profiles are served, and the requests of a
                   web server's handlers that package net/http is given

and, with --ci, a job that measures the benchmarks of each change. It changes
nothing unless you say --apply; what does not build is taken back.

Exit codes: 0 done, 2 wrong usage, or nothing could be proposed.`,
		Example: `  casebook init
  casebook init --watch inside --apply ./shop
  casebook init --ci github --apply`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, append(args, ".")[0]) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.how, "watch", setup.Outside, "`how` to watch: outside or inside")
	flags.StringVar(&f.program, "program", "",
		"the main package to change, by its import `path` (default: those that listen)")
	flags.StringVar(&f.ci, "ci", "", "propose a gate for this `CI`, too: github or gitlab")
	flags.StringVar(&f.version, "casebook-version", "latest", "`version` of casebook that the service and CI use")
	flags.BoolVar(&f.apply, "apply", false, "make the changes")
	flags.BoolVar(&f.json, "json", false, "print what was read and is proposed as JSON")
	return cmd
}

// An initReport is what init prints as JSON.
type initReport struct {
	*setup.Survey
	Changes []*setup.Change `json:"changes"`
	Gate    *setup.Gate     `json:"gate,omitempty"`
	Written []string        `json:"written,omitempty"`
	Notes   []notes.Note    `json:"notes,omitempty"` // releases with a known fault
}

func (f *initFlags) run(cmd *cobra.Command, dir string) error {
	switch {
	case f.how != setup.Outside && f.how != setup.Inside:
		return fmt.Errorf("--watch is %q; it must be outside or inside", f.how)
	case f.ci != "" && f.ci != "github" && f.ci != "gitlab":
		return fmt.Errorf("--ci is %q; it must be github or gitlab", f.ci)
	}
	r, err := f.propose(cmd, dir)
	if err != nil {
		return err
	}
	if f.apply {
		err = f.write(cmd, r)
	}
	if f.json {
		return errors.Join(err, writeJSON(cmd.OutOrStdout(), r))
	}
	f.print(cmd.OutOrStdout(), r)
	return err
}

func (f *initFlags) propose(cmd *cobra.Command, dir string) (*initReport, error) {
	busy := onTerminal(cmd.ErrOrStderr())
	defer busy.End()
	busy.Say("reading the packages")
	s, err := setup.Look(cmd.Context(), dir)
	if err != nil {
		return nil, err
	}
	busy.Say("checking that the change compiles")
	r := &initReport{Survey: s, Changes: []*setup.Change{}}
	for _, p := range f.chosen(s) {
		c, err := s.Propose(p, f.how, f.version)
		if err == nil {
			err = c.Check(cmd.Context())
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p.Package, err)
		}
		r.Changes = append(r.Changes, c)
	}
	if f.program != "" && len(r.Changes) == 0 {
		return nil, fmt.Errorf("--program %s is none of the module's main packages: %s", f.program, programs(s))
	}
	if p, err := notes.Look(cmd.Context(), s.Dir, "", []string{"./..."}); err == nil { // else it has none
		r.Notes = notes.Faults(p.Modules)
	}
	if f.ci != "" {
		r.Gate = s.Gate(f.ci, f.version)
	}
	return r, nil
}

// chosen are the programs to change: the one that is named, otherwise the services.
func (f *initFlags) chosen(s *setup.Survey) []*setup.Program {
	if f.program == "" {
		return s.Services()
	}
	for i := range s.Programs {
		if s.Programs[i].Package == f.program {
			return []*setup.Program{&s.Programs[i]}
		}
	}
	return nil
}

func programs(s *setup.Survey) string {
	if len(s.Programs) == 0 {
		return "it has none"
	}
	var names []string
	for _, p := range s.Programs {
		names = append(names, p.Package)
	}
	return strings.Join(names, ", ")
}

func (f *initFlags) write(cmd *cobra.Command, r *initReport) error {
	command.InOrder(cmd.Context())
	for _, c := range r.Changes {
		written, err := c.Apply(cmd.Context())
		r.Written = append(r.Written, written...)
		if err != nil {
			return fmt.Errorf("%s: %w", c.Program, err)
		}
	}
	if r.Gate != nil {
		if err := r.Gate.Write(r.Dir); err != nil {
			return err
		}
		r.Written = append(r.Written, filepath.Join(r.Dir, filepath.FromSlash(r.Gate.File)))
	}
	return nil
}

// print says what was read, what is proposed, and what to do next.
func (f *initFlags) print(w io.Writer, r *initReport) {
	p := terminal.New(w)
	p.Text(r.Module+"  ", programsText(r.Survey))
	for _, left := range r.Left {
		p.Text("  left out  ", left)
	}
	for _, c := range r.Changes {
		fmt.Fprintln(w)
		p.Text(c.Program+"  ", c.Text)
		for _, hint := range c.Hints {
			p.Text("  look at   ", hint)
		}
		if c.Get != "" {
			fmt.Fprintln(w, "  first     go get "+c.Get)
		}
		if c.Diff != "" {
			fmt.Fprintf(w, "\n%s", c.Diff)
		}
	}
	if len(r.Changes) > 0 {
		f.printGate(p, r)
	}
	fmt.Fprintln(w)
	for _, file := range r.Written {
		p.Text("written   ", file)
	}
	if !f.apply && slices.ContainsFunc(r.Changes, func(c *setup.Change) bool { return c.Diff != "" }) {
		p.Text("apply     ", "the same command with --apply")
	}
	if len(r.Notes) > 0 {
		p.Text("note      ", r.Notes[0].String())
	}
	for _, line := range f.next(r) {
		fmt.Fprintln(w, "next      "+line)
	}
}

func programsText(s *setup.Survey) string {
	switch len(s.Programs) {
	case 0:
		return "no main package: casebook fix, lint and gate work on libraries, too"
	case 1:
		return "one program: " + s.Programs[0].Package
	}
	services := s.Services()
	if len(services) == 0 {
		return "no program listens, as far as the source shows; name one with --program: " + programs(s)
	}
	var names []string
	for _, p := range services {
		names = append(names, p.Package)
	}
	text := number.Things(len(services), "service") + ": " + strings.Join(names, ", ")
	if others := len(s.Programs) - len(services); others > 0 {
		text += fmt.Sprintf("; and %s (--program names one)", number.Things(others, "other program"))
	}
	return text
}

func (f *initFlags) printGate(p *terminal.Printer, r *initReport) {
	if f.ci == "" {
		return
	}
	fmt.Fprintln(p.W)
	if r.Gate == nil {
		p.Text("gate  ", "no package has benchmarks: there is nothing to measure in CI. casebook gate --rate measures a "+
			"service (casebook gate --help)")
		return
	}
	p.Text("gate  ", r.Gate.File)
	fmt.Fprintf(p.W, "\n%s", r.Gate.Text)
}

// next is what to run when the program runs with the change.
func (f *initFlags) next(r *initReport) []string {
	if len(r.Changes) == 0 {
		return nil
	}
	if f.how == setup.Inside {
		return []string{"casebook case show            # the newest case, in the folder of the service", "casebook serve"}
	}
	address, note := "http://127.0.0.1:6060", ""
	for i := range r.Programs {
		p := &r.Programs[i]
		if p.Package == r.Changes[0].Program && len(p.Pprof) > 0 {
			if address = p.Address(); address == "" {
				address, note = "http://HOST:PORT", elsewhere(p)
			}
		}
	}
	lines := []string{"casebook doctor " + address, "casebook diagnose " + address, "casebook watch " + address}
	if note != "" {
		lines = append([]string{note}, lines...)
	}
	return lines
}

// elsewhere says how to find the address of profiles that the source takes from a flag or a configuration.
func elsewhere(p *setup.Program) string {
	text := "find the address: no literal in the source has it"
	if at := p.AddressAt(); at != "" {
		text += ", see " + at
	}
	return text + "; while it runs: ss -ltnp | grep " + path.Base(p.Package)
}
