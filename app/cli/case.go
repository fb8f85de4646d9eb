package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/gocasebook/casebook"
	"github.com/gocasebook/casebook/app/casework"
	"github.com/gocasebook/casebook/app/command"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/plain"
)

func caseCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "case",
		Short: "List, show, report, remove, prune, export and import cases",
		Long: `A case is a folder with case.json, the evidence in its native formats, and
report.html. ID may be shortened as long as it is unique; without an ID, show,
export and report use the newest case.`,
		Example: `  casebook case ls
  casebook case show
  casebook case export -o incident.zip
  casebook case import incident.zip`,
	}
	var dir string
	cmd.PersistentFlags().StringVar(&dir, "dir", casebook.DefaultDir, "`folder` with the cases")
	cmd.AddCommand(caseList(&dir), caseShow(&dir), caseRemove(&dir), casePrune(&dir), caseExport(&dir),
		caseImport(&dir), caseReport(&dir))
	return cmd
}

// which returns the case that args name by its ID or path; without args, the newest case in dir.
func which(dir string, args []string) casework.Which {
	if len(args) == 0 {
		return casework.Which{Dir: dir, Newest: true}
	}
	return casework.Which{Dir: dir, ID: args[0]}
}

func openCase(dir string, args []string) (*casefile.Folder, error) {
	return casework.Open(which(dir, args))
}

func caseRemove(dir *string) *cobra.Command {
	return &cobra.Command{
		Use:   "rm ID…",
		Short: "Remove cases",
		Args:  command.NeedArgs("the ID of a case", "casebook case rm 20261121T132512Z-gc-cpu-3f2a9c"),
		RunE: func(cmd *cobra.Command, ids []string) error {
			var errs []error
			for _, id := range ids {
				removed, err := casework.Remove(*dir, id)
				if err != nil {
					errs = append(errs, err)
					continue
				}
				fmt.Fprintln(cmd.OutOrStdout(), "removed", removed)
			}
			return errors.Join(errs...)
		},
	}
}

func caseExport(dir *string) *cobra.Command {
	var file string
	var anonymous anonymizeFlags
	cmd := &cobra.Command{
		Use:   "export [ID]",
		Short: "Write a case to a zip, as it is or anonymized",
		Long:  exportText,
		Example: `  casebook case export -o incident.zip
  casebook case export --anonymize
  casebook case export --anonymize --keep google.golang.org/grpc`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			r := casework.ExportRequest{Case: which(*dir, args), LeftOut: leftOut(cmd.ErrOrStderr())}
			var err error
			if r.Anonymize, err = anonymous.options(); err != nil {
				return err
			}
			if r.File = file; file == "-" {
				r.File, r.To = "", plain.Under(cmd.OutOrStdout())
			}
			end := busyWith(cmd.ErrOrStderr(), "packing the case")
			written, err := casework.Export(cmd.Context(), r)
			end()
			if err == nil && r.To == nil {
				fmt.Fprintln(cmd.OutOrStdout(), written)
			}
			return err
		},
	}
	cmd.Flags().StringVarP(&file, "output", "o", "",
		"the zip `file`, - for standard output (default: ID.zip in this folder)")
	anonymous.add(cmd.Flags())
	return cmd
}

func caseImport(dir *string) *cobra.Command {
	return &cobra.Command{
		Use:   "import FILE.zip…",
		Short: "Read cases from zips",
		Long: `Import reads zips that casebook case export wrote, from anyone. It checks the
whole zip before the case appears. It takes case.json and the evidence that
case.json names, and draws a new report.html. The sender's page and all other
files are ignored.

An imported case counts towards the limits of watch and case prune. Its age
starts at the import, and it never counts as the first or the worst case of its
rule.`,
		Args: command.NeedArgs("a zip that `casebook case export` wrote", "casebook case import incident.zip"),
		RunE: func(cmd *cobra.Command, files []string) error {
			var errs []error
			for _, file := range files {
				end := busyWith(cmd.ErrOrStderr(), "checking and importing "+file)
				f, err := importFile(*dir, file)
				end()
				if err != nil {
					errs = append(errs, err)
					continue
				}
				fmt.Fprintln(cmd.OutOrStdout(), "imported", f.Path)
			}
			return errors.Join(errs...)
		},
	}
}

// importFile imports one zip; its page has the links that the environment asks for.
func importFile(dir, file string) (*casefile.Folder, error) {
	links, wrong := new(linkFlags).links()
	got, err := casework.Import(dir, file, links)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(wrong, got.Undrawn); err != nil {
		return nil, fmt.Errorf("imported %s, but drawing its report failed: %w; try casebook case report",
			got.Folder.Path, err)
	}
	return got.Folder, nil
}
