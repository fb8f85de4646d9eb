package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/gocasebook/casebook/app/assess"
	"github.com/gocasebook/casebook/app/render"
	"github.com/gocasebook/casebook/app/terminal"
)

func heapCommand() *cobra.Command {
	var (
		r      assess.HeapRequest
		asJSON bool
	)
	cmd := &cobra.Command{
		Use:   "heap FILE",
		Short: "Say who holds the memory of a heap dump",
		Long: `Heap reads a file of debug.WriteHeapDump of Go 1.22 or later, whatever its size,
and prints what holds the memory: global variables, goroutines, timers,
finalizers. Below each stand the chain of pointers to the place where the memory
comes together, and the lines that allocated it. What several hold counts for
globals first, then for goroutines. A dump that is cut off or damaged is read as
far as possible.

A dump has no names of global variables. --binary takes them from the program,
an ELF file with its symbols, and checks that it is the one of the dump.
With --profile the sites of a heap profile of the same process are looked up.`,
		Example: `  casebook heap heap.dump
  casebook heap --binary ./server --profile heap.pb.gz heap.dump`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return errors.New("casebook heap takes one file of debug.WriteHeapDump")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if r.Rows < 1 {
				return fmt.Errorf("--rows %d: want at least 1", r.Rows)
			}
			r.File = args[0]
			end := busyWith(cmd.ErrOrStderr(), "reading the dump")
			s, err := assess.Heap(cmd.Context(), r)
			end()
			if err != nil {
				return err
			}
			for _, w := range s.Warnings {
				fmt.Fprintf(cmd.ErrOrStderr(), "%s: %s\n", render.Plain(s.Name), render.Plain(w))
			}
			if asJSON {
				return writeJSON(cmd.OutOrStdout(), s)
			}
			terminal.New(cmd.OutOrStdout()).Heap(s)
			return nil
		},
	}
	cmd.Flags().StringVar(&r.Binary, "binary", "", "the `program` of the process, for the names of globals")
	cmd.Flags().StringVar(&r.Profile, "profile", "", "look up the largest sites of this heap profile `file`")
	cmd.Flags().IntVar(&r.Rows, "rows", 10, "`number` of holders and of sites")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}
