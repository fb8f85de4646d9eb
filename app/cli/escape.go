package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gocasebook/casebook"
	"github.com/gocasebook/casebook/app/assess"
	"github.com/gocasebook/casebook/app/casework"
	"github.com/gocasebook/casebook/app/command"
	"github.com/gocasebook/casebook/app/terminal"
	"github.com/gocasebook/casebook/internal/number"
	"github.com/gocasebook/casebook/internal/settings"
)

type escapeFlags struct {
	profiles     []string
	caseID, dir  string
	source, tags string
	top          int
	json         bool
	diagnose     diagnoseFlags // how a URL is captured
}

func escapeCommand() *cobra.Command {
	var f escapeFlags
	cmd := &cobra.Command{
		Use:   "escape [PACKAGE…] [URL]",
		Short: "Say why hot lines allocate, and what keeps them off the heap",
		Long: `Escape takes the lines that allocate most from a heap profile, compiles their
packages, and says of each line what it costs, why the compiler or the runtime
puts the value on the heap, and which change would keep it off. What a library
allocates is charged to the line that called it. With a CPU profile it also says
what the garbage collector takes, why hot functions are not inlined, and where
hot loops check bounds.

The evidence is --profile, --case, or a URL of net/http/pprof, which is captured
first. Two heap profiles of a process, or one with ?seconds=, give rates.

PACKAGE… are patterns of the go command, run in the working folder or in
--source: the packages whose lines are wanted, all of the module by default. The
build must be of the same source as the program. Nothing is written to it; what
is compiled goes to Go's build cache. The first run builds what is not there.`,
		Example: `  casebook escape --profile heap.pb.gz
  casebook escape --profile heap.pb.gz --profile cpu.pb.gz ./internal/...
  casebook escape --case 20261121T132512Z-gc-cpu-3f2a9c
  casebook escape http://127.0.0.1:6060`,
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&f.profiles, "profile", nil, "heap or CPU profile `file`, or a folder or zip of them; repeatable")
	flags.StringVar(&f.caseID, "case", "", "the evidence of this case: its `ID`, or the beginning of it")
	flags.StringVar(&f.dir, "dir", "casebook-cases", "`folder` of the cases")
	flags.StringVar(&f.source, "source", "", "`folder` of the program's source (default: the working folder)")
	flags.StringVar(&f.tags, "tags", "", "build `tags`, separated by commas")
	flags.IntVar(&f.top, "top", 20, "`number` of lines")
	flags.BoolVar(&f.json, "json", false, "print JSON")
	command.Group(cmd, "For a URL", func(flags *pflag.FlagSet) {
		addSpan(flags, &f.diagnose.profile, &settings.ProfileFor)
		f.diagnose.budget.add(flags)
		f.diagnose.access.add(flags)
	})
	return cmd
}

func (f *escapeFlags) run(cmd *cobra.Command, args []string) error {
	r, err := f.request(args)
	if err != nil {
		return err
	}
	end := watchProgress(&r.Evidence, cmd.ErrOrStderr())
	r.Compiling = func(n int) {
		end()
		what := "compiling " + number.Things(n, "package")
		fmt.Fprintln(cmd.ErrOrStderr(), what+"; the first time what they import is built, too")
		end = busyWith(cmd.ErrOrStderr(), what)
	}
	res, err := assess.Escape(cmd.Context(), r)
	end() // the one of now
	if err != nil {
		return err
	}
	if f.json {
		err = writeJSON(cmd.OutOrStdout(), res.Report)
	} else {
		terminal.New(cmd.OutOrStdout()).Escape(res.Report)
	}
	return errors.Join(append(res.Failed, err)...)
}

// request is what the flags and arguments say.
func (f *escapeFlags) request(args []string) (r assess.EscapeRequest, err error) {
	if f.top < 1 {
		return r, fmt.Errorf("--top %d: want at least 1", f.top)
	}
	if err := settings.ProfileFor.CheckFlag(f.diagnose.profile); err != nil {
		return r, err
	}
	what := f.profiles
	for _, a := range args {
		if strings.Contains(a, "://") {
			what = append(what, a)
		} else {
			r.Packages = append(r.Packages, a)
		}
	}
	if f.caseID != "" {
		folder, err := openCase(f.dir, []string{f.caseID})
		if err != nil {
			return r, err
		}
		what = append(what, folder.Path)
	}
	if len(what) == 0 {
		return r, errors.New("nothing says what allocates: give --profile heap.pb.gz, --case ID, or the URL of " +
			"net/http/pprof")
	}
	r.Dir, r.Top = f.source, f.top
	if f.tags != "" {
		r.Flags = []string{"-tags=" + f.tags}
	}
	r.Evidence = assess.DiagnoseRequest{What: what,
		Capture: casework.CaptureRequest{Reason: "casebook escape", Profile: f.diagnose.profile,
			Budget: casebook.Budget(f.diagnose.budget.limits), Tool: command.Tool()},
		Reach: func(url string) (casework.Target, error) {
			return targetOf(url, &f.diagnose.access, new(aboutFlags), new(sourceFlags), &f.diagnose.links)
		},
	}
	return r, nil
}
