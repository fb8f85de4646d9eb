package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/gocasebook/casebook"
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
	cmd.AddCommand(caseList(&dir), caseShow(&dir), caseRemove(&dir), casePrune(&dir), caseExport(&dir), caseImport(&dir), caseReport(&dir))
	return cmd
}

// openCase opens the case that args name by its ID or path; without args, the newest case in dir.
func openCase(dir string, args []string) (*casefile.Folder, error) {
	if len(args) == 1 {
		if _, err := os.Stat(filepath.Join(args[0], "case.json")); err == nil {
			return casefile.Open(args[0])
		}
		e, err := casefile.Find(dir, args[0])
		if err != nil {
			return nil, err
		}
		return casefile.Open(e.Path)
	}
	newest := ""
	err := casefile.Walk(dir, func(e casefile.Entry) bool {
		if e.Err == nil && !e.Unfinished {
			newest = e.Path
		}
		return newest == ""
	})
	if err != nil {
		return nil, err
	}
	if newest == "" {
		return nil, fmt.Errorf("no case in %s; `casebook watch` creates cases, --dir says where they are", dir)
	}
	return casefile.Open(newest)
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func caseRemove(dir *string) *cobra.Command {
	return &cobra.Command{
		Use:   "rm ID…",
		Short: "Remove cases",
		Args:  command.NeedArgs("the ID of a case", "casebook case rm 20261121T132512Z-gc-cpu-3f2a9c"),
		RunE: func(cmd *cobra.Command, ids []string) error {
			var errs []error
			for _, id := range ids {
				e, err := casefile.Find(*dir, id)
				if err == nil {
					err = casefile.Remove(*dir, e.ID)
				}
				if err != nil {
					errs = append(errs, err)
					continue
				}
				fmt.Fprintln(cmd.OutOrStdout(), "removed", e.ID)
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
			if err := anonymous.check(); err != nil {
				return err
			}
			f, err := openCase(*dir, args)
			if err != nil {
				return err
			}
			f, done, err := anonymous.apply(cmd.Context(), f, cmd.ErrOrStderr())
			if err != nil {
				return err
			}
			defer done()
			if file == "-" {
				return casefile.Export(f, plain.Under(cmd.OutOrStdout()))
			}
			if file == "" {
				file = f.Case.ID + ".zip"
			}
			if err := exportFile(f, file); err != nil {
				return err
			}
			fmt.Fprintln(cmd.OutOrStdout(), file)
			return nil
		},
	}
	cmd.Flags().StringVarP(&file, "output", "o", "",
		"the zip `file`, - for standard output (default: ID.zip in this folder)")
	anonymous.add(cmd.Flags())
	return cmd
}

// exportFile writes the zip under another name first, so that a failure leaves no partial zip.
func exportFile(f *casefile.Folder, file string) error {
	out, err := os.OpenFile(file+".part", os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return fmt.Errorf("exporting case %s: %w", f.Case.ID, err)
	}
	err = errors.Join(casefile.Export(f, out), out.Sync(), out.Close())
	if err == nil {
		err = os.Rename(out.Name(), file)
	}
	if err != nil {
		_ = os.Remove(out.Name()) // the first error is the one to report
		return fmt.Errorf("exporting case %s: %w", f.Case.ID, err)
	}
	return nil
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
				f, err := importFile(*dir, file)
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

func importFile(dir, file string) (*casefile.Folder, error) {
	in, err := openFile(file)
	if err != nil {
		return nil, fmt.Errorf("importing: %w", err)
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return nil, fmt.Errorf("importing: %w", err)
	}
	f, err := casefile.Import(dir, in, info.Size(), casefile.TaskDraw)
	if err != nil {
		return nil, fmt.Errorf("importing %s: %w", file, err)
	}
	if err := rewriteReport(f); err != nil {
		return nil, fmt.Errorf("imported %s, but drawing its report failed: %w; try casebook case report", f.Path, err)
	}
	return f, nil
}
