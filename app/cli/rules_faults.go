package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gocasebook/casebook/app/casework"
	"github.com/gocasebook/casebook/app/render"
	"github.com/gocasebook/casebook/vitals"
)

func signalFlag(cmd *cobra.Command, declared *[]string) {
	cmd.Flags().StringArrayVar(declared, "signal", nil, "`name:unit` of a signal that is not built in; repeatable")
}

// declaredSignals reads values of --signal.
func declaredSignals(declared []string) (*vitals.Catalog, error) {
	var extra []vitals.Signal
	for _, d := range declared {
		name, unit, ok := strings.Cut(d, ":")
		if !ok {
			return nil, fmt.Errorf("--signal %s has no unit; for instance: --signal %s:count", d, d)
		}
		extra = append(extra, vitals.Signal{Name: name, Unit: vitals.Unit(unit), Text: "declared with --signal"})
	}
	catalog, err := vitals.NewCatalog(extra...)
	if err != nil {
		return nil, fmt.Errorf("--signal: %w", err)
	}
	return catalog, nil
}

// rulesFault puts each fault of a rules file on its own line.
func rulesFault(err error) error {
	var wrong *casework.RulesError
	var list interface{ Unwrap() []error }
	if !errors.As(err, &wrong) || !errors.As(wrong.Err, &list) || len(list.Unwrap()) < 2 {
		return withSignalHint(err)
	}
	var text strings.Builder
	fmt.Fprintf(&text, "rules file %s has %d faults:", wrong.File, len(list.Unwrap()))
	for _, fault := range list.Unwrap() {
		text.WriteString("\n  " + render.Plain(fault.Error()))
	}
	return withSignalHint(errors.New(text.String()))
}

// withSignalHint says how to declare a signal.
func withSignalHint(err error) error {
	if !strings.Contains(err.Error(), "unknown signal") {
		return err
	}
	return fmt.Errorf("%w\n(check and explain learn signals that are not built in from --signal name:unit, "+
		"test from the recording)", err)
}
