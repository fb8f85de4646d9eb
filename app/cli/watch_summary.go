package cli

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/gocasebook/casebook"
	"github.com/gocasebook/casebook/app/casework"
	"github.com/gocasebook/casebook/app/terminal"
	"github.com/gocasebook/casebook/internal/number"
	"github.com/gocasebook/casebook/reporter"
)

// summaries prints at the end of a watch what it did, what that cost, and what did not work.
func (v *watchView) summaries(targets []casework.Summary) {
	v.mu.Lock()
	defer v.mu.Unlock()
	p := terminal.New(v.err)
	for _, t := range targets {
		if v.json {
			v.encode(t.Line())
			continue
		}
		s, name := t.Status, ""
		if v.many {
			name = s.Target.Name + terminal.Tail(" at ", s.Target.URL) + ": "
		}
		printSummary(p, name, s)
		if text := movedText(t.Moved); text != "" {
			p.Text("moved    ", text+": casebook capture "+s.Target.URL)
		}
	}
}

func printSummary(p *terminal.Printer, name string, s casebook.Status) {
	p.Text("watched  ", name+samplesText(s))
	p.Text("cases    ", casesText(s))
	p.Text("budget   ", "captures of the last hour: "+spentText(s.Budget))
	for _, l := range summaryLines(s) {
		p.Text("         ", l)
	}
}

// samplesText counts samples, and names the kinds of bad samples only if there are any.
func samplesText(s casebook.Status) string {
	parts := []string{number.Things(int(s.Ticks), "sample")}
	for _, c := range [...]struct {
		n    uint64
		what string
	}{{s.Late, "late"}, {s.Dropped, "skipped"}, {s.Failed, "failed"}} {
		if c.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", c.n, c.what))
		}
	}
	return strings.Join(parts, ", ")
}

func casesText(s casebook.Status) string {
	text := number.Things(int(s.Cases), "case")
	if s.Joined > 0 {
		text += fmt.Sprintf(", and %s that joined one", number.Things(int(s.Joined), "trip"))
	}
	return text
}

// spentText returns what captures cost, and their limits: "CPU 1.2s of 36s, …".
func spentText(s casebook.BudgetStatus) string {
	l := s.Limits
	return fmt.Sprintf("CPU %s%s, disk %s%s, stopped world %s%s",
		number.Duration(s.Spent.CPU), atMost(l.CPU, number.Duration(l.CPU)),
		number.Bytes(float64(s.Spent.Bytes)), atMost(l.Bytes, number.Bytes(float64(l.Bytes))),
		number.Duration(s.Spent.Pause), atMost(l.Pause, number.Duration(l.Pause)))
}

// atMost is " of LIMIT"; nothing without a limit.
func atMost[T time.Duration | int64](limit T, text string) string {
	if limit < 0 {
		return ""
	}
	return " of " + text
}

// summaryLines says what was refused, and what did not work.
func summaryLines(s casebook.Status) []string {
	var lines []string
	for _, kind := range slices.Sorted(maps.Keys(s.Budget.Refused)) {
		r := s.Budget.Refused[kind]
		lines = append(lines, number.Things(r.Count, "time")+" "+r.Why)
	}
	if s.Windows != nil {
		lines = append(lines, windowsText(*s.Windows))
	}
	for _, r := range s.Reporters {
		lines = append(lines, reporterText(r))
	}
	if s.LastError != nil {
		lines = append(lines, "last error: "+s.LastError.Error())
	}
	return lines
}

func windowsText(s casebook.WindowsStatus) string {
	text := "rolling CPU profile: " + number.Things(s.Taken, "window") + " taken"
	if s.Failed > 1 { // the end of the watch cuts one window off
		text += fmt.Sprintf(", %d failed", s.Failed)
	}
	return text
}

func reporterText(s reporter.Status) string {
	parts := []string{fmt.Sprintf("%d sent", s.Sent)}
	for _, c := range [...]struct {
		n    int
		what string
	}{{s.Failed, "given up"}, {s.Dropped, "dropped"}, {s.Pending, "waiting"}} {
		if c.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", c.n, c.what))
		}
	}
	return fmt.Sprintf("reporter %s: %s%s", s.Name, strings.Join(parts, ", "), terminal.Tail("; ", s.LastError))
}
