package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/gocasebook/casebook/app/command"
	"github.com/gocasebook/casebook/app/terminal"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/number"
	"github.com/gocasebook/casebook/lab"
	"github.com/gocasebook/casebook/lab/play"
	"github.com/gocasebook/casebook/lab/sidecar"
	"github.com/gocasebook/casebook/lab/tables"
)

// exitLimited says that the machine was too busy to tell, as 3 does in casebook prove and gate.
const exitLimited = 3

// tablesName names the micro-benchmarks among the rows.
const tablesName = "tables"

// runFlags are the flags of `lab run`.
type runFlags struct {
	measure, patience time.Duration
	json, doc, dir    string
	casebook          string
	kafka             bool
	with              []string

	rows   []play.Row
	tables bool
}

func runCommand() *cobra.Command {
	var f runFlags
	cmd := &cobra.Command{
		Use:   "run NAME[/DISEASE]…|all|tables",
		Short: "Run services sick and cured: what is found, what is promised, what is measured",
		Long: `Run takes each row of the lab: it starts the service's sick form and its load,
watches it from outside with the default rules until a case is closed; then it
measures both forms in turns, and diagnoses the cured one, which must have no
finding of 50 or more. It prints the diagnosis, both forms' figures with a
verdict, and the reported figure beside them. A row takes about a minute. Ctrl-C
stops every process that was started; the rows so far are printed and kept.

A row that does not hold while other processes use the machine's CPUs, or that
this machine cannot play, is LIMITED: it shows nothing.

Exit codes: 0 every row holds, 1 one does not, 2 wrong usage or interrupted,
3 one is LIMITED, and the others hold.`,
		Example: `  lab run phones/gcache
  lab run all --doc docs/evidence/lab.md --json lab.json
  lab run worker --with lab.json --json lab.json --doc docs/evidence/lab.md
  lab run worker/thrift-socket --kafka
  lab run --with lab.json --doc docs/evidence/lab.md   no row: only the page`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(f.with) > 0 {
				return nil
			}
			return command.NeedArgs("rows", "lab run phones/gcache")(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	flags := cmd.Flags()
	flags.DurationVar(&f.measure, "measure", play.DefaultMeasure, "how long the forms are measured, both together")
	flags.DurationVar(&f.patience, "patience", play.DefaultPatience, "how long a rule has to trip on the sick form")
	flags.StringVar(&f.json, "json", "", "keep the results in a `file`")
	flags.StringArrayVar(&f.with, "with", nil,
		"results of an earlier run in a `file`, for the rows that this one does not play; of several the last counts")
	flags.StringVar(&f.doc, "doc", "", "write the results to a `file` as a page")
	flags.BoolVar(&f.kafka, "kafka", false,
		"the worker's rows with Apache Kafka in place of the lab's own broker; takes Java, and Maven the first time")
	flags.StringVar(&f.casebook, "casebook", "",
		"the casebook `program` that makes the cures of rows that end in -fix (default: it is built)")
	flags.StringVar(&f.dir, "dir", "", "`folder` that keeps the cases; none: they are not kept")
	return cmd
}

func (f *runFlags) run(cmd *cobra.Command, args []string) (err error) {
	if err := f.selectRows(args); err != nil {
		return err
	}
	if err := errors.Join(command.CheckWritable("--json", f.json), command.CheckWritable("--doc", f.doc)); err != nil {
		return err
	}
	earlier, err := f.earlier()
	if err != nil {
		return err
	}
	v := terminal.NewSteps(cmd.OutOrStdout())
	cfg, err := f.config(v)
	if err != nil {
		return err
	}
	if f.dir == "" {
		defer func() { err = errors.Join(err, os.RemoveAll(cfg.Dir)) }()
	}
	rep, err := f.play(cmd.Context(), cfg, v)
	v.Clear()
	played := slices.Clone(rep.Rows)
	rep.With(earlier, play.Rows(lab.Services()))
	kept := f.keep(&rep)
	fmt.Fprintln(cmd.OutOrStdout())
	if err := rep.WriteText(cmd.OutOrStdout()); err != nil {
		return err
	}
	switch {
	case errors.Is(err, context.Canceled):
		return errors.Join(errors.New("interrupted; every process of the lab has ended"), kept)
	case err != nil || kept != nil:
		return errors.Join(err, kept)
	case slices.ContainsFunc(played, func(r play.Result) bool { return !r.Holds() && !r.Limited() }):
		return command.ErrFindings
	case slices.ContainsFunc(played, func(r play.Result) bool { return r.Limited() }):
		return command.ExitError(exitLimited)
	}
	return nil
}

// selectRows reads the names.
func (f *runFlags) selectRows(names []string) (err error) {
	f.tables = slices.Contains(names, tablesName) || slices.Contains(names, play.All)
	names = slices.DeleteFunc(slices.Clone(names), func(n string) bool { return n == tablesName })
	f.rows, err = play.Select(lab.Services(), names)
	return err
}

func (f *runFlags) config(v play.View) (play.Config, error) {
	binary, err := os.Executable()
	if err != nil {
		return play.Config{}, fmt.Errorf("finding this program, which is also the lab's services: %w", err)
	}
	cfg := play.Config{Binary: binary, Dir: f.dir, Tool: command.Tool(), Measure: f.measure, Patience: f.patience,
		Kafka: f.kafka, Casebook: f.casebook, View: v}
	if f.dir != "" {
		return cfg, casefile.Dir(f.dir).Check()
	}
	if cfg.Dir, err = os.MkdirTemp("", "casebook-lab-"); err != nil {
		return cfg, fmt.Errorf("making a folder for the cases: %w", err)
	}
	return cfg, nil
}

// play plays the rows and measures the tables.
func (f *runFlags) play(ctx context.Context, cfg play.Config, v *terminal.Steps) (play.Report, error) {
	rep, err := play.Run(ctx, cfg, f.rows, func(r play.Result) { v.Show(r.WriteText) })
	if err != nil || !f.tables {
		return rep, err
	}
	v.Step("Micro-benchmarks")
	err = f.measureTables(ctx, cfg, &rep, v)
	return rep, err
}

// measureTables measures all tables, and says how long each took.
func (f *runFlags) measureTables(ctx context.Context, cfg play.Config, rep *play.Report, v *terminal.Steps) error {
	began := time.Now()
	done := func(title string, took time.Duration) { v.Say(number.Duration(took) + ": " + title) }
	if err := rep.MeasureTables(ctx, tables.Options{Progress: v.Progress, Done: done}); err != nil {
		return err
	}
	v.Progress(sidecar.Title)
	from := time.Now()
	hop, err := sidecar.Table(ctx, cfg.Binary)
	if err != nil {
		return fmt.Errorf("measuring %q: %w", sidecar.Title, err)
	}
	done(sidecar.Title, time.Since(from))
	rep.Tables = append(rep.Tables, hop)
	v.Say(number.Duration(time.Since(began)) + " for all tables")
	return nil
}

// keep writes the files that were asked for.
func (f *runFlags) keep(rep *play.Report) error {
	var errs []error
	if f.json != "" {
		errs = append(errs, writeTo(f.json, rep.Write))
	}
	if f.doc != "" {
		errs = append(errs, writeTo(f.doc, func(w io.Writer) error { return rep.WriteMarkdown(w, lab.Services()) }))
	}
	return errors.Join(errs...)
}

// earlier reads the results of earlier runs; of a row that several have the last counts.
func (f *runFlags) earlier() (play.Report, error) {
	var all play.Report
	for _, path := range f.with {
		rep, err := readLab(path)
		if err != nil {
			return all, err
		}
		rep.With(all, play.Rows(lab.Services()))
		all = rep
	}
	return all, nil
}

func readLab(path string) (play.Report, error) {
	file, err := os.Open(path)
	if err != nil {
		return play.Report{}, fmt.Errorf("--with: %w", err)
	}
	defer file.Close() // it was only read
	rep, err := play.Read(file)
	if err != nil {
		return rep, fmt.Errorf("--with %s: %w", path, err)
	}
	return rep, nil
}

// writeTo writes a file whole: what it holds is made first.
func writeTo(path string, write func(io.Writer) error) error {
	var b bytes.Buffer
	if err := write(&b); err != nil {
		return err
	}
	return os.WriteFile(path, b.Bytes(), 0o644)
}
