package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/gocasebook/casebook/app/command"
	"github.com/gocasebook/casebook/app/heat"
	"github.com/gocasebook/casebook/app/lint"
	"github.com/gocasebook/casebook/app/render"
	"github.com/gocasebook/casebook/app/terminal"
	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/internal/number"
)

// lintOutput says in which form reports are written.
type lintOutput struct {
	json, lines, all bool
	sarif            string
}

func (o *lintOutput) add(flags *pflag.FlagSet) {
	addVerbose(flags, &o.all, "print every report, and not only the first 20")
	flags.BoolVar(&o.json, "json", false, "print JSON")
	flags.BoolVar(&o.lines, "lines", false, "print file:line:col: message, a line each, for editors")
	flags.StringVar(&o.sarif, "sarif", "",
		"write SARIF 2.1.0, for code scanning, to this `file`; - for standard output")
}

func (o *lintOutput) write(out io.Writer, res *lint.Result, m *heat.Map) error {
	if o.json && (o.lines || o.sarif == "-") || o.lines && o.sarif == "-" {
		return errors.New("--json, --lines and --sarif - all write to standard output; choose one")
	}
	if o.sarif != "" {
		var b bytes.Buffer
		if err := render.RemarksSARIF(&b, remarksOf(res)); err != nil {
			return err
		}
		if o.sarif == "-" {
			_, err := out.Write(b.Bytes())
			return err
		}
		if err := writeWhole(o.sarif, b.Bytes()); err != nil {
			return fmt.Errorf("--sarif: %w", err)
		}
	}
	switch {
	case o.json:
		return writeJSON(out, res)
	case o.lines:
		for _, r := range res.Reports {
			fmt.Fprintf(out, "%s:%d:%d: %s%s (%s)\n", nearName(r.File), r.Line, r.Column, r.Message, shareIn(&r), r.Check)
		}
	default:
		printLint(terminal.New(out), res, m, o.all)
	}
	return nil
}

// howToHeat says how the list would be ranked by what its lines cost, and what that would leave out.
func (o *lintOutput) howToHeat(out io.Writer) {
	if o.json || o.lines || o.sarif == "-" {
		return
	}
	terminal.New(out).Text("Heat     ", "none: the list is in the order of places. Heat is what profiles of the "+
		"running program say its lines cost; with it the list begins with what production pays for, and leaves out what "+
		"costs nothing: --profile cpu.pb.gz, --case ID, or the URL of net/http/pprof")
}

// remarksOf are reports as SARIF has them.
func remarksOf(res *lint.Result) render.Remarks {
	out := render.Remarks{Tool: "Casebook lint", Key: render.LintKey, Version: command.Version(), Root: res.Root}
	for _, c := range lint.Checks() {
		out.Rules = append(out.Rules, render.Rule{ID: c.Name, Source: c.Source, Text: c.Doc()})
	}
	for _, d := range diagnose.Detectors() {
		if slices.ContainsFunc(res.Reports, func(r lint.Report) bool { return r.Check == d.Kind }) {
			out.Rules = append(out.Rules, render.Rule{ID: d.Kind, Source: lint.Detector, Text: d.Title})
		}
	}
	for _, r := range res.Reports {
		out.Remarks = append(out.Remarks, render.Remark{Rule: r.Check, File: r.File, Line: r.Line, Column: r.Column,
			Text: r.Message + shareIn(&r), Identity: r.Check + "\x00" + r.Text, Share: r.Share})
	}
	for _, g := range res.Gaps {
		out.Notes = append(out.Notes, g.What+": "+g.Reason)
	}
	return out
}

// shareIn is what a report costs, to stand behind its message; "" without heat.
func shareIn(r *lint.Report) string {
	if r.By == "" {
		return ""
	}
	return " [" + shareOf(r.Share, r.By) + "]"
}

// measureWords are what shares are of.
var measureWords = map[string]string{"cpu": "of CPU", "alloc_bytes": "of allocated bytes",
	"alloc_objects": "of allocated objects", "wait": "of waiting", "live_bytes": "of live memory"}

func shareOf(share float64, by string) string { return number.Share(share) + " " + measureWords[by] }

// shownReports is how many reports a terminal shows unless it is told to show all.
const shownReports = 20

func printLint(p *terminal.Printer, res *lint.Result, m *heat.Map, all bool) {
	if m != nil {
		p.Text("Heat     ", heatWords(m))
	}
	if res.Source != "" {
		p.Text("Source   ", "other code than here may have run: "+res.Source)
	}
	p.Text("Analyzed ", number.Things(res.Packages, "package"))
	shown := res.Reports
	if !all {
		shown = shown[:min(len(shown), shownReports)]
	}
	for i := range shown {
		fmt.Fprintln(p.W)
		printReport(p, &shown[i])
	}
	fmt.Fprintln(p.W)
	if n := len(res.Reports) - len(shown); n > 0 {
		p.Text("More     ", fmt.Sprintf("%s; --verbose shows all", number.Things(n, "report")))
	}
	if len(res.Reports) == 0 {
		p.Text("Reports  ", "none")
	}
	printUnlisted(p, res)
	p.Known(res.Notes, res.Root)
}

func printReport(p *terminal.Printer, r *lint.Report) {
	label := fmt.Sprintf("%3d  ", r.Rank)
	name := r.Check
	if r.Source != r.Check {
		name = r.Source + " " + r.Check
	}
	p.Text(label, fmt.Sprintf("%s:%d:%d  %s", nearName(r.File), r.Line, r.Column, name))
	if shares := sharesOf(r); shares != "" {
		p.Text("     ", shares)
	}
	p.Text("     ", r.Message)
	if r.Stale != "" {
		p.Text("     ", "Other code may have run: "+r.Stale)
	}
	if r.Text != "" {
		p.Text("       | ", cutText(r.Text, p.Width-10))
	}
}

// sharesOf are the shares of a report that are not nothing, the largest first.
func sharesOf(r *lint.Report) string {
	if r.By == "" {
		return ""
	}
	parts := []string{shareOf(r.Share, r.By)}
	for _, m := range heat.Measures() {
		if by := m.String(); by != r.By && r.Cost[by] >= lint.MinShare {
			parts = append(parts, shareOf(r.Cost[by], by))
		}
	}
	return strings.Join(parts, ", ")
}

// printUnlisted says what is not in the list, and why.
func printUnlisted(p *terminal.Printer, res *lint.Result) {
	if len(res.Cold) > 0 {
		total, parts := 0, []string(nil)
		for _, c := range res.Cold {
			total += c.Reports
			parts = append(parts, fmt.Sprintf("%s %d", c.Check, c.Reports))
		}
		p.Text("Cold     ", fmt.Sprintf("%s below %s, not listed: %s", number.Things(total, "report"),
			number.Share(lint.MinShare), strings.Join(parts, ", ")))
	}
	if res.Known > 0 {
		p.Text("Known    ", number.Things(res.Known, "report")+" of the baseline")
	}
	if res.Written > 0 {
		p.Text("Generated ", number.Things(res.Written, "report")+" in generated files, not listed")
	}
	for i, g := range res.Gaps {
		label := "         "
		if i == 0 {
			label = "Left out "
		}
		p.Text(label, g.What+": "+g.Reason)
	}
}

// heatWords say what shares are shares of.
func heatWords(m *heat.Map) string {
	var parts []string
	for _, by := range heat.Measures() {
		t := m.Total(by)
		switch {
		case t.Value <= 0:
		case by == heat.CPU:
			parts = append(parts, fmt.Sprintf("%s of CPU in %s", number.Seconds(t.Value/1e9),
				number.Things(t.Samples, "sample")))
		case by == heat.AllocBytes:
			parts = append(parts, number.Bytes(t.Value)+" allocated")
		case by == heat.Wait:
			parts = append(parts, number.Seconds(t.Value/1e9)+" of waiting")
		}
	}
	return strings.Join(parts, ", ")
}

// nearName is a file's name from the working folder if it is below.
func nearName(file string) string {
	dir, err := os.Getwd()
	if err != nil {
		return file
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	if rel, err := filepath.Rel(dir, file); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return file
}

// cutText shortens a line of code.
func cutText(text string, width int) string {
	r := []rune(text)
	if len(r) <= width {
		return text
	}
	return string(r[:max(width-2, 1)]) + " …"
}
