package cli

import (
	"errors"
	"io"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gocasebook/casebook"
	"github.com/gocasebook/casebook/app/assess"
	"github.com/gocasebook/casebook/app/casework"
	"github.com/gocasebook/casebook/app/command"
	"github.com/gocasebook/casebook/internal/settings"
)

type diagnoseFlags struct {
	output  outputFlags
	base    []string
	list    string
	profile time.Duration
	dir     string
	budget  budgetValue
	access  accessFlags
	sources sourceFlags // --http-metrics alone
	links   linkFlags
}

func diagnoseCommand() *cobra.Command {
	var f diagnoseFlags
	cmd := &cobra.Command{
		Use:   "diagnose FILE|DIR|ZIP|URL…",
		Short: "Say what is wrong, from profiles, a case, or a running service",
		Long: `Diagnose reads profiles (any pprof file of Go: CPU, heap, allocs, goroutine,
mutex, block; also the text of ?debug=1 and ?debug=2), the text of a crash,
lines of gctrace, and logs with such in them; folders, zips and tar.gz files of
these, or a case. It detects what a file is from its content. In a
folder and its direct subfolders it skips files that are not evidence, and stops
after 10,000 files, 4 GiB or two minutes. Devices, pipes and files of /proc and
/sys are not read, but for a pipe that is open already (-, /dev/stdin, <(…)).
Given the URL of net/http/pprof, it first captures what it needs, within
--budget. Everything named in one call must come from one process.

` + engineText + `

With --base it says what is new, worse, better and gone compared with earlier
evidence. That capture may be shorter or longer. If it is of the same run of the
process, growth since then is measured, at the line that keeps the memory.

With --list it shows the source of the functions whose names match instead: what
each line costs in every profile at once, and how many goroutines are there.

If --dir keeps the case, it has a page, report.html.
` + linksHelp() + `

Exit codes: 0 nothing found, 1 findings at warning or above (with --base: new
or worse ones), 2 wrong usage, or an argument could not be read.`,
		Example: `  casebook diagnose cpu.pb.gz heap.pb.gz
  casebook diagnose casebook-cases/20261121T132512Z-gc-cpu-3f2a9c
  casebook diagnose --profile 30s http://127.0.0.1:6060
  casebook diagnose --base before.zip incident.zip
  casebook diagnose --list '(*Cache).Get' cpu.pb.gz heap.pb.gz
  casebook diagnose "pyroscope://pyroscope:4040?service=shop&version=1.4.2"
  casebook diagnose --markdown incident.zip > ticket.md
  casebook diagnose --sarif findings.sarif --source ~/shop cpu.pb.gz
  curl -s http://127.0.0.1:6060/debug/pprof/heap | casebook diagnose -`,
		Args: command.NeedArgs("a file, a folder or a URL", "casebook diagnose cpu.pb.gz"),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	cmd.Flags().StringArrayVar(&f.base, "base", nil, "compare with this `file`, folder, case or zip; repeatable")
	cmd.Flags().StringVar(&f.list, "list", "", "show functions with this `name`, or a part of it, line by line")
	command.Group(cmd, "Output", f.output.add)
	command.Group(cmd, "For a URL", func(flags *pflag.FlagSet) {
		addSpan(flags, &f.profile, &settings.ProfileFor)
		flags.StringVar(&f.dir, "dir", "", "keep the capture as a case in this `folder` (default: keep nothing)")
		f.budget.add(flags)
		f.access.add(flags)
		f.sources.addRequests(flags)
		f.links.add(flags)
	})
	return cmd
}

func (f *diagnoseFlags) check() error {
	if err := settings.ProfileFor.CheckFlag(f.profile); err != nil {
		return err
	}
	if f.list != "" && (len(f.base) > 0 || f.output.markdown || f.output.sarif != "") {
		return errors.New("--list shows source; --base, --markdown and --sarif are for findings")
	}
	return f.output.check()
}

func (f *diagnoseFlags) run(cmd *cobra.Command, args []string) error {
	if err := f.check(); err != nil {
		return err
	}
	r := f.request(cmd.InOrStdin(), args)
	if f.list != "" {
		return f.runList(cmd, r)
	}
	end := watchProgress(&r, cmd.ErrOrStderr())
	res, err := assess.Diagnose(cmd.Context(), r)
	end()
	if err != nil {
		return err
	}
	if res.Read() || f.output.json {
		end := busyWith(cmd.ErrOrStderr(), "reading the source")
		err := f.output.addSource(cmd.Context(), res)
		end()
		if err != nil {
			return err
		}
		if err := f.output.write(cmd.OutOrStdout(), cmd.ErrOrStderr(), res); err != nil {
			return err
		}
	}
	switch {
	case len(res.Failed) > 0: // what could be read was judged
		return errors.Join(res.Failed...)
	case res.Worst() >= warningScore:
		return command.ErrFindings
	}
	return nil
}

// request returns what the flags say.
func (f *diagnoseFlags) request(stdin io.Reader, args []string) assess.DiagnoseRequest {
	return assess.DiagnoseRequest{
		What: args, Base: f.base, Stdin: stdin,
		Capture: casework.CaptureRequest{Reason: "casebook diagnose", Dir: f.dir, Profile: f.profile,
			Budget: casebook.Budget(f.budget.limits), Tool: command.Tool()},
		Reach: func(url string) (casework.Target, error) {
			return targetOf(url, &f.access, new(aboutFlags), &f.sources, &f.links)
		},
	}
}
