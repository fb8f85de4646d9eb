package cli

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/gocasebook/casebook/app/casework"
	"github.com/gocasebook/casebook/app/render"
	"github.com/gocasebook/casebook/app/terminal"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/number"
)

func caseList(dir *string) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "ls",
		Short: "List the cases, newest first",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			out := bufio.NewWriter(cmd.OutOrStdout())
			if asJSON {
				return errors.Join(writeListJSON(out, *dir), out.Flush())
			}
			return errors.Join(printList(out, *dir), out.Flush())
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func printList(w io.Writer, dir string) error {
	none := true
	err := casefile.Dir(dir).WalkSummaries(func(s casefile.Summary) bool {
		none = false
		fmt.Fprintf(w, "%s\n  %s\n", render.Plain(s.ID), listLine(s))
		if s.Verdict != "" {
			fmt.Fprintf(w, "  %s\n", terminal.Clip(render.Plain(s.Verdict), 78))
		}
		if s.Opinions > 0 {
			fmt.Fprintf(w, "  %s\n", number.Things(s.Opinions, "opinion"))
		}
		return true
	})
	if err == nil && none {
		fmt.Fprintf(w, "No cases in %s.\n", dir)
	}
	printMisnamed(w, dir)
	return err
}

// printMisnamed tells of cases that a list leaves out because of their folders' names.
func printMisnamed(w io.Writer, dir string) {
	names, err := casefile.Dir(dir).Misnamed()
	if err != nil || len(names) == 0 {
		return
	}
	more := ""
	if len(names) > 1 {
		more = fmt.Sprintf(" and %d more", len(names)-1)
	}
	fmt.Fprintf(w, "Not listed: %s%s. A case's folder has its ID as name (\"id\" in case.json): rename it to that.\n"+
		"Any folder can be read: casebook diagnose %s\n", render.Plain(names[0]), more,
		render.Plain(filepath.Join(dir, names[0])))
}

func listLine(s casefile.Summary) string {
	switch {
	case s.Err != nil:
		return "unreadable: " + render.Plain(s.Err.Error())
	case s.Unfinished:
		return "in progress, or left behind by a watch that was killed (the next watch finishes it)"
	}
	opened := s.Opened.Local().Format(time.DateTime)
	return fmt.Sprintf("%s  %s  %s", opened, render.Plain(s.Target), terminal.Clip(render.Plain(headline(s)), 50))
}

// headline returns a case in a few words: its first finding, otherwise what tripped.
func headline(s casefile.Summary) string {
	if s.Findings > 0 {
		return fmt.Sprintf("%s %d: %s", casefile.Finding{Score: s.Score}.Severity(), s.Score, s.Title)
	}
	return "no findings; " + cmp.Or(s.Verdict, s.Text)
}

// writeListJSON writes a list of whole cases. It holds one of them in memory at a time.
func writeListJSON(w io.Writer, dir string) error {
	between := "["
	var failed error
	err := casework.List(dir, func(l casework.Listed) bool {
		var data []byte
		if data, failed = json.MarshalIndent(l, "  ", "  "); failed == nil {
			_, failed = fmt.Fprintf(w, "%s\n  %s", between, data)
		}
		between = ","
		return failed == nil
	})
	switch {
	case err != nil || failed != nil:
		return errors.Join(err, failed)
	case between == "[":
		_, err = fmt.Fprintln(w, "[]")
	default:
		_, err = fmt.Fprintln(w, "\n]")
	}
	return err
}
