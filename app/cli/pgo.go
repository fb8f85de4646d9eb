package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gocasebook/casebook/app/assess"
	"github.com/gocasebook/casebook/app/child"
	"github.com/gocasebook/casebook/app/command"
	"github.com/gocasebook/casebook/app/prove"
	"github.com/gocasebook/casebook/app/terminal"
	"github.com/gocasebook/casebook/casefile"
)

func pgoCommand() *cobra.Command {
	var (
		r      assess.PGORequest
		f      proveFlags // how the service is measured
		server string     // its arguments
		path   string
		asJSON bool
	)
	cmd := &cobra.Command{
		Use:   "pgo CASE|FOLDER|FILE...",
		Short: "Make the compiler's profile of production's CPU profiles",
		Long: `Pgo merges CPU profiles for profile-guided optimization: go build takes the
default.pgo beside a main package by itself. Each host and hour counts the same,
so that none outvotes the others, and only what the compiler reads is kept.

Then it says what the profile is worth:

  match           how much of the calls the source still has where they were
  age             commits since, and those that touch the hot functions' files
  representative  what profiles of different times have in common, of what is
                  possible with so many samples

Inputs are cases, folders of cases, CPU profiles, and zips of these; - is
standard input. A watch with a rule on a schedule collects them over days.

With --prove it also builds the program twice, without the profile and with it,
starts both and loads them in turns, as casebook prove does, and says whether
the profile is worth it. --prove has the arguments of the server; {port} becomes
a free port at which it must listen.

Exit codes: 0 the profile is good, or there is no source to hold it against;
1 it was made and is not worth building with, for the reasons printed; 2 wrong
usage, or an input could not be read; 3 --prove cannot tell.`,
		Example: `  casebook pgo --main ./cmd/server cases/
  casebook pgo --main ./cmd/server -o - monday.pb.gz friday.pb.gz
  casebook pgo --main ./cmd/server --prove '-addr :{port}' --url /items --rate 300 cases/`,
		Args: command.NeedArgs("CPU profiles, or the cases that have them", "casebook pgo --main ./cmd/server cases/"),
		RunE: func(cmd *cobra.Command, args []string) error {
			r.What, r.Stdin = args, cmd.InOrStdin()
			proof, err := pgoProof(cmd, &f, server, path)
			if err != nil {
				return err
			}
			if proof != nil && r.Out == "-" {
				return errors.New("--prove builds with the profile: name a file with -o, and not -")
			}
			got, err := assess.PGO(cmd.Context(), r)
			if err != nil {
				return err
			}
			if !asJSON {
				terminal.New(cmd.OutOrStdout()).PGO(got.File, got.Bytes, &got.Report)
			}
			if proof != nil {
				if err := provePGO(cmd, &r, &f, got, *proof); err != nil {
					return errors.Join(append(got.Failed, err)...)
				}
			}
			if asJSON {
				err = writeJSON(cmd.OutOrStdout(), got)
			} else if got.Proof != nil {
				err = terminal.New(cmd.OutOrStdout()).PGOProof(got.Proof.Proof, got.Proof.Worth)
			}
			return pgoEnd(got, err)
		},
	}
	cmd.Flags().StringVar(&r.Dir, "dir", "", "`folder` of the source (default: this folder)")
	cmd.Flags().StringVar(&r.Main, "main", "",
		"main `package` of the program, as go build takes it (default: that of --dir)")
	cmd.Flags().StringVarP(&r.Out, "out", "o", "",
		"`file` to write, - for none (default: default.pgo beside the main package)")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	command.Group(cmd, "Proof", func(fs *pflag.FlagSet) {
		fs.StringVar(&server, "prove", "", "measure the program under load, started with these `arguments`")
		fs.StringVar(&path, "url", "/", "`path` that --prove loads")
	})
	command.Group(cmd, "Measurement", f.addMeasurement)
	command.Group(cmd, "Requests", f.load.addRequests)
	command.Group(cmd, "Connections", f.load.addConnections)
	return cmd
}

// A pgoMeasured says how a service is measured, and with which arguments it starts.
type pgoMeasured struct {
	assess.ProveRequest
	args []string
}

// pgoProof reads what --prove and its like ask for, before anything is made; nil: nothing.
func pgoProof(cmd *cobra.Command, f *proveFlags, server, path string) (*pgoMeasured, error) {
	if server == "" {
		if f.load.rate != "" || f.load.pace != "" {
			return nil, errors.New("--rate and --pace are for --prove: give the server's arguments with it")
		}
		return nil, nil
	}
	var (
		p   pgoMeasured
		err error
	)
	if p.args, err = child.Split(server); err != nil {
		return nil, fmt.Errorf("--prove: %w", err)
	}
	started := child.Spec{Name: "--prove", Args: append([]string{"server"}, p.args...)}
	if err := started.Check(); err != nil { // before anything is built
		return nil, err
	}
	if p.URL, err = f.url([]string{path}); err != nil {
		return nil, err
	}
	if f.key == "" {
		f.key = prove.CPUPerRequest // a profile saves CPU; latency follows it only where a service is busy
	}
	p.Trial, err = f.trial(cmd, p.URL)
	return &p, err
}

// provePGO measures what the profile brings.
func provePGO(cmd *cobra.Command, r *assess.PGORequest, f *proveFlags, got *assess.PGOResult, p pgoMeasured) error {
	command.InOrder(cmd.Context())
	view := newProveView(cmd.ErrOrStderr(), f.silent)
	p.Trial.View = view.trial(p.Trial.MaxTime)
	done, err := assess.ProvePGO(cmd.Context(), r, got.File, p.args, p.ProveRequest)
	view.clear()
	if err != nil {
		return loadError(err)
	}
	for _, left := range done.Left {
		terminal.Error(cmd.ErrOrStderr(), cmd.Root().Name(), left)
	}
	got.Proof = done
	return nil
}

// pgoEnd is what the exit code says: a measurement counts for more than what the profile looks like.
func pgoEnd(got *assess.PGOResult, err error) error {
	switch {
	case err != nil:
		return err
	case len(got.Failed) > 0: // what could be read was merged
		return errors.Join(got.Failed...)
	case got.Proof != nil && got.Proof.Cut != nil:
		return loadError(got.Proof.Cut)
	case got.Proof != nil && got.Proof.Proof.Verdict == casefile.CannotTell:
		return command.ExitError(exitCannotTell)
	case got.Proof != nil && !got.Proof.Worth, got.Proof == nil && !got.Useful():
		return command.ErrFindings
	}
	return nil
}
