package cli

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/gocasebook/casebook"
	"github.com/gocasebook/casebook/app/casework"
	"github.com/gocasebook/casebook/app/terminal"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/blackbox"
	"github.com/gocasebook/casebook/internal/budget"
	"github.com/gocasebook/casebook/internal/number"
	"github.com/gocasebook/casebook/vitals"
)

// failedText says what did not get a case. A rule has signals; other triggers have none.
func failedText(e casebook.Event) string {
	what := "the case could not be written: "
	if e.Trigger.Signal != "" {
		what = "rule " + e.Trigger.Rule + " tripped; its case could not be written: "
	}
	return what + e.Err.Error()
}

// extra names the signals from --prometheus and --expvar: rules need their names.
func (v *watchView) extra(prefix string, catalog *vitals.Catalog) {
	var names []string
	for _, s := range catalog.Extra() {
		names = append(names, s.Name)
	}
	if len(names) > 0 {
		v.line(prefix + "more signals: " + strings.Join(names, ", "))
	}
}

// trippedText says why a case is opened: by a rule, or by a Unix signal.
func trippedText(t casefile.Trigger, tripped string) string {
	if t.Signal == "" && t.Rule == "signal" {
		return "a case by signal: " + t.Text
	}
	return "rule " + t.Rule + tripped + t.Text
}

// missedText says why evidence is missing. A refusal is not a failure, and names its kind itself.
func missedText(err error) string {
	if refused := (*budget.RefusedError)(nil); errors.As(err, &refused) {
		return "budget: " + refused.Error()
	}
	return "not taken: " + err.Error()
}

// recovered reports what an earlier process left behind: the case it was taking, or its black box.
func (v *watchView) recovered(prefix string, e casebook.Event) {
	switch {
	case e.Err != nil && e.Path == "":
		v.line(prefix + "what an earlier process left behind could not be kept: " + e.Err.Error())
		return
	case e.Case.Trigger.Rule == blackbox.Killed:
		t := e.Case.Trigger
		v.line(fmt.Sprintf("%s%s ended at %s: %s", prefix, e.Case.Target.Name, t.Time.Local().Format(time.DateTime),
			t.Text))
		v.line(prefix + "wrote a case with its last vitals: " + e.Path)
	default:
		v.line(prefix + "finished the case that an earlier watch left behind: " + e.Path)
	}
	if e.Err != nil {
		v.line(prefix + "its report could not be written: " + e.Err.Error())
	}
}

func (v *watchView) pruned(prefix string, e casebook.Event) {
	if n := len(e.Pruned.Removed); n > 0 {
		v.line(fmt.Sprintf("%sremoved %s to stay within the limits (%s)", prefix, number.Things(n, "case"),
			number.Bytes(float64(e.Pruned.Freed))))
	}
	if e.Pruned.OverBytes > 0 {
		v.line(prefix + overText(e.Pruned))
	}
	if e.Err != nil {
		v.line(prefix + "removing old cases: " + e.Err.Error())
	}
}

// closed prints the diagnosis to stdout. For a process that died, nothing has announced the case before.
func (v *watchView) closed(prefix string, e casebook.Event) {
	if t := e.Case.Trigger; t.Rule == blackbox.Killed {
		v.line(prefix + "the process that answered here is gone: " + t.Text)
	}
	v.clear()
	fmt.Fprintln(v.out)
	terminal.CaseDiagnosis(v.out, &e.Case, caseInFull)
	fmt.Fprintf(v.out, "\nCase    %s\n", e.Path)
	if e.Err != nil {
		v.line(prefix + "the report could not be written: " + e.Err.Error())
		return
	}
	fmt.Fprintf(v.out, "Report  %s\n", casework.PagePath(e.Path))
}

// describe names a process: "phones (pid 123, go1.26.8, 2 cores, 1.5 GiB)".
func describe(t casefile.Target) string {
	var facts []string
	if t.PID != 0 {
		facts = append(facts, fmt.Sprintf("pid %d", t.PID))
	}
	if t.Build.GoVersion != "" {
		facts = append(facts, t.Build.GoVersion)
	}
	if t.Limits.CPUs > 0 {
		facts = append(facts, number.Cores(t.Limits.CPUs))
	}
	if t.Limits.MemoryBytes > 0 {
		facts = append(facts, "limit "+vitals.Bytes.Format(float64(t.Limits.MemoryBytes)))
	}
	if len(facts) == 0 {
		return t.Name
	}
	return t.Name + " (" + strings.Join(facts, ", ") + ")"
}

// movedText is "heap_live ×8.30 (42.0 MiB → 347 MiB), goroutines ×6.40 (3240 → 20.6 k)"; "" for nothing.
func movedText(moves []vitals.Move) string {
	parts := make([]string, len(moves))
	for i, m := range moves {
		times := "×" + number.Digits(m.Times())
		if m.Times() < 1 {
			times = "÷" + number.Digits(1/m.Times())
		}
		parts[i] = fmt.Sprintf("%s %s (%s → %s)", m.Signal.Name, times, m.Signal.Unit.Format(m.From),
			m.Signal.Unit.Format(m.To))
	}
	return strings.Join(parts, ", ")
}
