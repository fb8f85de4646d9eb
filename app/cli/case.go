package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/gocasebook/casebook"
	"github.com/gocasebook/casebook/app/render"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/plain"
)

func caseCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "case",
		Short: "List, show, report, remove, prune, export and import cases",
		Long: `A case is a folder: case.json, the evidence in its native formats, report.html.
ID may be shortened as long as it stays unique; show and export without one
take the newest case.`,
		Example: `  casebook case ls
  casebook case show
  casebook case export -o incident.zip
  casebook case import incident.zip`,
	}
	var dir string
	cmd.PersistentFlags().StringVar(&dir, "dir", casebook.DefaultDir, "`folder` that keeps the cases")
	cmd.AddCommand(caseList(&dir), caseShow(&dir), caseRemove(&dir), casePrune(&dir), caseExport(&dir), caseImport(&dir), caseReport(&dir))
	return cmd
}

func caseList(dir *string) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "ls",
		Short: "List the cases, newest first",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			list, err := casefile.List(*dir)
			if err != nil {
				return err
			}
			if asJSON {
				return writeListJSON(cmd.OutOrStdout(), list)
			}
			printList(cmd.OutOrStdout(), *dir, list)
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func printList(w io.Writer, dir string, list []casefile.Entry) {
	if len(list) == 0 {
		fmt.Fprintf(w, "No cases in %s.\n", dir)
		return
	}
	for _, e := range list {
		switch {
		case e.Err != nil:
			fmt.Fprintf(w, "%s\n  unreadable: %s\n", render.Plain(e.ID), render.Plain(e.Err.Error()))
			continue
		case e.Unfinished:
			fmt.Fprintf(w, "%s\n  being taken, or left by a watch that was killed (the next watch finishes it)\n", render.Plain(e.ID))
			continue
		}
		opened := e.Case.Opened.Local().Format(time.DateTime)
		fmt.Fprintf(w, "%s\n  %s  %s  %s\n", render.Plain(e.ID), opened, render.Plain(e.Case.Target.Name), clip(render.Plain(headline(e.Case)), 50))
	}
}

// headline is a case in a few words: its first finding, else what tripped.
func headline(c casefile.Case) string {
	if len(c.Findings) > 0 {
		f := c.Findings[0]
		return fmt.Sprintf("%s %d: %s", f.Severity(), f.Score, f.Title)
	}
	return "no findings; " + c.Trigger.Text
}

// A listed case is one line of `case ls --json`.
type listed struct {
	ID         string         `json:"id"`
	Path       string         `json:"path"`
	Case       *casefile.Case `json:"case,omitempty"`
	Unfinished bool           `json:"unfinished,omitempty"`
	Error      string         `json:"error,omitempty"`
}

func writeListJSON(w io.Writer, list []casefile.Entry) error {
	out := make([]listed, len(list))
	for i, e := range list {
		out[i] = listed{ID: e.ID, Path: e.Path, Unfinished: e.Unfinished}
		if e.Err != nil {
			out[i].Error = e.Err.Error()
		} else {
			out[i].Case = &e.Case
		}
	}
	return writeJSON(w, out)
}

// openCase opens the case that args name, the newest in dir without one, or the folder at a path.
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
	list, err := casefile.List(dir)
	if err != nil {
		return nil, err
	}
	for _, e := range list {
		if e.Err == nil && !e.Unfinished {
			return casefile.Open(e.Path)
		}
	}
	return nil, fmt.Errorf("no case in %s; `casebook watch` makes them, --dir says where they are", dir)
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func caseRemove(dir *string) *cobra.Command {
	return &cobra.Command{
		Use:   "rm ID…",
		Short: "Remove cases",
		Args:  needArgs("the ID of a case", "casebook case rm 20261121T132512Z-gc-cpu-3f2a9c"),
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
		Short: "Write a case into a zip, as it is or anonymized",
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
	cmd.Flags().StringVarP(&file, "output", "o", "", "the zip `file`, - for standard output (default: ID.zip here)")
	anonymous.add(cmd.Flags())
	return cmd
}

// exportFile writes the zip under another name first, so that a failure leaves no half zip.
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
		_ = os.Remove(out.Name()) // the first error is the one to tell
		return fmt.Errorf("exporting case %s: %w", f.Case.ID, err)
	}
	return nil
}

func caseImport(dir *string) *cobra.Command {
	return &cobra.Command{
		Use:   "import FILE.zip…",
		Short: "Read cases from zips",
		Args:  needArgs("a zip that `casebook case export` wrote", "casebook case import incident.zip"),
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
	in, err := os.Open(file)
	if err != nil {
		return nil, fmt.Errorf("importing: %w", err)
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return nil, fmt.Errorf("importing: %w", err)
	}
	f, err := casefile.Import(dir, in, info.Size())
	if err != nil {
		return nil, fmt.Errorf("importing %s: %w", file, err)
	}
	return f, nil
}
