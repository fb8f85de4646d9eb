package cli

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/gocasebook/casebook/app/assess"
	"github.com/gocasebook/casebook/app/terminal"
)

// runList shows functions line by line.
func (f *diagnoseFlags) runList(cmd *cobra.Command, r assess.DiagnoseRequest) error {
	r.Places = assess.SourceIn(f.output.source)
	end := watchProgress(&r, cmd.ErrOrStderr())
	l, err := assess.List(cmd.Context(), r, f.list)
	end()
	switch {
	case err != nil:
		return err
	case f.output.json:
		err = writeJSON(cmd.OutOrStdout(), l.Listing)
	default:
		terminal.New(cmd.OutOrStdout()).Listing(l.Listing)
	}
	return errors.Join(append(l.Failed, err)...)
}
