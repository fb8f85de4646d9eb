package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gocasebook/casebook/app/assess"
	"github.com/gocasebook/casebook/app/render"
	"github.com/gocasebook/casebook/app/terminal"
	"github.com/gocasebook/casebook/app/trace"
)

func traceCommand() *cobra.Command {
	var (
		asJSON       bool
		rows         int
		profile, out string
	)
	cmd := &cobra.Command{
		Use:   "trace FILE",
		Short: "Say where the time of an execution trace went",
		Long: `Trace reads an execution trace of Go 1.22 or later, whatever its size, and prints
tables: requests and where their time went, who waited for a processor, the
collector, stops of the world, waiting by line and who ended it, system calls,
goroutines. Requests, calls, queries, DNS, dials and TLS are found by their
stacks; tasks and regions of runtime/trace are listed, too. A flight recorder's
snapshot and a trace that is cut off or damaged are read as far as possible.

With --pprof one of these goes into a file for 'go tool pprof': wall (all time),
offcpu (all waiting), sched (for a processor), assist (for the collector),
syscall, net (for the network).`,
		Example: `  curl -so trace.out 'http://127.0.0.1:6060/debug/pprof/trace?seconds=5'
  casebook trace trace.out
  casebook trace --pprof offcpu -o offcpu.pb.gz trace.out`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return errors.New("casebook trace takes one execution trace, or - for standard input")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkTraceFlags(profile, out, rows); err != nil {
				return err
			}
			end := busyWith(cmd.ErrOrStderr(), "reading the trace")
			t, err := assess.Trace(cmd.Context(),
				assess.TraceRequest{File: args[0], Stdin: cmd.InOrStdin(), Profile: profile})
			end()
			if err != nil {
				return err
			}
			for _, w := range t.Warnings {
				fmt.Fprintf(cmd.ErrOrStderr(), "%s: %s\n", render.Plain(t.Name), render.Plain(w))
			}
			switch {
			case profile != "":
				if err := assess.WriteProfile(t.Profile, out); err != nil {
					return err
				}
				_, err = fmt.Fprintf(cmd.OutOrStdout(), "Wrote %s; open it with: go tool pprof -http : %s\n", out, out)
				return err
			case asJSON:
				return writeJSON(cmd.OutOrStdout(), t)
			}
			terminal.New(cmd.OutOrStdout()).Trace(t.Summary, rows)
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.Flags().IntVar(&rows, "rows", 8, "`number` of rows of each table")
	cmd.Flags().StringVar(&profile, "pprof", "", "write this `profile`: "+strings.Join(trace.Profiles(), ", "))
	cmd.Flags().StringVarP(&out, "output", "o", "", "`file` of --pprof")
	return cmd
}

func checkTraceFlags(profile, out string, rows int) error {
	switch {
	case rows < 1:
		return fmt.Errorf("--rows %d: want at least 1", rows)
	case profile != "" && !slices.Contains(trace.Profiles(), profile):
		return fmt.Errorf("--pprof %s: want one of %s", profile, strings.Join(trace.Profiles(), ", "))
	case profile != "" && out == "":
		return errors.New("--pprof needs -o FILE")
	case profile == "" && out != "":
		return errors.New("-o is the file of --pprof; without it nothing is written")
	}
	return nil
}
