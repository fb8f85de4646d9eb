package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/gocasebook/casebook/app/assess"
	"github.com/gocasebook/casebook/app/command"
	"github.com/gocasebook/casebook/app/gate"
	"github.com/gocasebook/casebook/app/openfile"
)

// plan decides what to measure, and checks what can be checked before anything is built.
func (f *gateFlags) plan(cmd *cobra.Command, args []string) error {
	if (f.config.Against == "") == (f.proof == "") {
		return errors.New("gate: want either --against, the revision to compare with, " +
			"for instance --against main; or --proof")
	}
	limits := f.limits
	if f.service.asked() {
		if f.proof != "" {
			return errors.New("gate: --proof is measured already: leave --rate out")
		}
		rest, err := f.service.plan(cmd, args, &f.config)
		if err != nil {
			return fmt.Errorf("gate: %w", err)
		}
		if args = rest; len(args) == 0 && cmd.Flags().Changed("bench") {
			args = []string{"./..."}
		}
	} else if err := notPackages(args); err != nil {
		return fmt.Errorf("gate: %w", err)
	}
	f.config.Packages = args
	if limits == "" {
		limits = f.defaultLimits()
	}
	var err error
	if f.config.Limits, err = gate.ParseLimits(limits); err != nil {
		return fmt.Errorf("--fail-on: %w", err)
	}
	if !f.output.quiet {
		f.config.Progress = cmd.ErrOrStderr()
	}
	return f.output.check()
}

// defaultLimits returns limits that can be judged on a shared machine and that few bad changes pass.
func (f *gateFlags) defaultLimits() string {
	switch {
	case f.proof != "", f.config.Service != nil && len(f.config.Packages) == 0:
		return "cpu_per_request:+5%,allocs:+1%"
	case f.config.Service != nil:
		return "time:+5%,cpu_per_request:+5%,allocs:+1%"
	}
	return "time:+5%,allocs:+1%"
}

// judge measures, or judges an existing proof.
func (f *gateFlags) judge(ctx context.Context) (*gate.Result, error) {
	if f.proof == "" {
		command.InOrder(ctx)
		return gate.Run(ctx, f.config)
	}
	file := f.proof
	if assess.HasProof(file) {
		file = filepath.Join(file, assess.ProofName)
	}
	r, err := openfile.Open(file)
	if err != nil {
		return nil, fmt.Errorf("--proof: %w", err)
	}
	defer r.Close() // it was only read
	p, err := gate.ReadProof(r)
	if err != nil {
		return nil, fmt.Errorf("--proof %s: %w", file, err)
	}
	return gate.JudgeProof(p, f.config.Limits)
}
