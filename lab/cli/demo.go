package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/gocasebook/casebook"
	"github.com/gocasebook/casebook/app/casework"
	"github.com/gocasebook/casebook/app/command"
	"github.com/gocasebook/casebook/app/report"
	"github.com/gocasebook/casebook/app/terminal"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/lab/demo"
)

func demoCommand() *cobra.Command {
	cfg := demo.Config{Tool: command.Tool()}
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Show the whole loop on a real sick service, in about two minutes",
		Long: `Demo starts a real service, the phones gateway, with a cache of a million
boxed strings. It sends load, and watches the service from outside until a rule
trips. It opens a case and diagnoses it. Then it starts a second gateway with
the remedy, loads both in turns, and proves the remedy by measurement.

That takes about two minutes on two idle cores, and up to four on a busy
machine. It needs 2 GiB of memory and only the loopback network. Ctrl-C stops
everything it started.`,
		Example: `  lab demo
  lab demo --cured ccache    the article's own remedy: a smaller heap, but
                                  nearly the same cost for each GC cycle`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runDemo(cmd, cfg) },
	}
	f := cmd.Flags()
	f.StringVar(&cfg.Dir, "dir", casebook.DefaultDir, "`folder` with the cases")
	f.StringVar(&cfg.Sick, "sick", demo.DefaultSick, "the sick gateway's `cache`: gcache, ccache")
	f.StringVar(&cfg.Cured, "cured", demo.DefaultCured, "the remedy's `cache`: remedy, freelru, ccache, gcache, none")
	f.IntVar(&cfg.Entries, "entries", demo.DefaultEntries, "cache entries")
	f.StringVar(&cfg.Memory, "memory", demo.DefaultMemory, "GOMEMLIMIT of the gateway, as a container would set it")
	f.Float64Var(&cfg.Rate, "rate", demo.DefaultRate, "requests per second")
	f.DurationVar(&cfg.Measure, "measure", demo.DefaultMeasure, "how long both gateways are measured, in turns")
	return cmd
}

func runDemo(cmd *cobra.Command, cfg demo.Config) error {
	var err error
	if cfg.Binary, err = os.Executable(); err != nil {
		return fmt.Errorf("finding this program, which is also the demo's services: %w", err)
	}
	if err := casefile.Dir(cfg.Dir).Check(); err != nil {
		return err
	}
	v := demoView{terminal.NewSteps(cmd.OutOrStdout())}
	cfg.View = v
	result, err := demo.Run(cmd.Context(), cfg)
	v.Clear()
	if result.Folder != nil {
		if rerr := casework.DrawPage(result.Folder, report.Links{}); rerr != nil {
			err = errors.Join(err, rerr)
		}
	}
	switch {
	case errors.Is(err, context.Canceled):
		err = errors.New("interrupted; every process of the demo has ended")
	case err != nil:
		err = fmt.Errorf("demo: %w", err)
	}
	if result.Folder != nil {
		if result.Folder.Case.Proof != nil {
			v.Step("What this was about, and how it ended:")
			terminal.Story(cmd.OutOrStdout(), &result.Folder.Case, demo.Change(cfg.Sick, cfg.Cured))
		}
		fmt.Fprintf(cmd.OutOrStdout(), "\nCase    %s\nReport  %s\n", result.Folder.Path,
			casework.PagePath(result.Folder.Path))
	}
	return err
}

// A demoView shows the demo's progress, the diagnosis and the proof.
type demoView struct{ *terminal.Steps }

func (v demoView) Diagnosis(c casefile.Case) {
	v.Show(func(w io.Writer) error {
		fmt.Fprintln(w)
		terminal.Diagnosis(w, c.Diagnosis, inFull)
		return nil
	})
}

func (v demoView) Proof(p casefile.Proof) {
	v.Show(func(w io.Writer) error {
		fmt.Fprintln(w)
		return terminal.Proof(w, p)
	})
}

// inFull prints what a diagnosis says in short.
const inFull = "casebook case show --verbose"
