package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/gocasebook/casebook"
	"github.com/gocasebook/casebook/app/casework"
	"github.com/gocasebook/casebook/app/command"
	"github.com/gocasebook/casebook/app/render"
	"github.com/gocasebook/casebook/app/terminal"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/blackbox"
	"github.com/gocasebook/casebook/internal/budget"
	"github.com/gocasebook/casebook/internal/plain"
	"github.com/gocasebook/casebook/vitals"
)

// A watchView shows events to a person: a line that is rewritten on a terminal, a line every ten seconds elsewhere. It
// is safe for concurrent use.
type watchView struct {
	out, err io.Writer // faces of outlet
	outlet   *outlet
	json     bool
	many     bool // targets: lines carry the target's name
	width    int
	live     bool

	mu     sync.Mutex // guards what follows and the writers
	status string     // the rewritten line that is on the terminal now
	spans  spanning   // the evidence that is being taken and takes longest
	shown  map[string]time.Time
	names  map[string]string // of targets, by URL
}

func newWatchView(out, err io.Writer, many bool) *watchView {
	o := new(outlet)
	v := &watchView{
		out: command.Printable(face{o, plain.Under(out)}), err: command.Printable(face{o, plain.Under(err)}), outlet: o, many: many,
		shown: make(map[string]time.Time), names: make(map[string]string),
	}
	v.width, v.live = terminal.Width(err)
	return v
}

// show prints an event. The catalog is the one of the target's watch: it names what --json prints.
func (v *watchView) show(url string, catalog *vitals.Catalog, e casebook.Event) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.json {
		v.encode(casework.LineOf(casework.Event{Event: e, URL: url, Catalog: catalog}))
		return
	}
	v.print(url, catalog, e)
}

func (v *watchView) encode(l casework.Line) {
	if err := json.NewEncoder(v.out).Encode(l); err != nil {
		fmt.Fprintln(v.err, "casebook: writing JSON:", err)
	}
}

// see is show for the events of a use case.
func (v *watchView) see(e casework.Event) { v.show(e.URL, e.Catalog, e.Event) }

func (v *watchView) print(url string, catalog *vitals.Catalog, e casebook.Event) {
	name := v.nameOf(url, e.Target)
	prefix := e.Time.Local().Format("15:04:05 ") + name
	switch e.Kind {
	case casebook.Sampled:
		v.sample(url, prefix, e)
	case casebook.Started:
		v.line(e.Time.Local().Format("15:04:05 ") + "watching " + describe(e.Target) + " at " + url)
		v.extra(prefix, catalog)
	case casebook.Restarted:
		v.line(prefix + "restarted: now " + describe(e.Target))
	case casebook.Lost:
		v.line(prefix + "lost: " + e.Err.Error())
	case casebook.Found:
		v.line(prefix + "answers again")
	case casebook.Tripped:
		v.line(prefix + trippedText(e.Trigger, " tripped: "))
		v.line(prefix + "taking evidence for case " + e.CaseID)
	case casebook.Joined:
		v.line(prefix + trippedText(e.Trigger, " tripped, too: "))
	case casebook.Capturing:
		v.capturing(prefix, e)
	case casebook.Captured:
		v.line(fmt.Sprintf("%s  %-22s %9s%s", prefix, e.Evidence.File, terminal.Size(e.Evidence.Bytes), terminal.Tail("  ", pauseText(e.Evidence))))
	case casebook.Missed:
		v.line(prefix + "  " + missedText(e.Err))
	case casebook.Stopped:
		v.line(prefix + e.Err.Error())
	case casebook.Failed:
		v.line(prefix + failedText(e))
	case casebook.Recovered:
		v.recovered(prefix, e)
	case casebook.Pruned:
		v.pruned(prefix, e)
	case casebook.Closed:
		v.closed(prefix, e)
	}
}

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
		v.line(fmt.Sprintf("%s%s ended at %s: %s", prefix, e.Case.Target.Name, t.Time.Local().Format(time.DateTime), t.Text))
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
		v.line(fmt.Sprintf("%sremoved %s to stay within the limits (%s)", prefix, cases(n), terminal.Size(e.Pruned.Freed)))
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
	terminal.CaseDiagnosis(v.out, &e.Case, caseShowAll)
	fmt.Fprintf(v.out, "\nCase    %s\n", e.Path)
	if e.Err != nil {
		v.line(prefix + "the report could not be written: " + e.Err.Error())
		return
	}
	fmt.Fprintf(v.out, "Report  %s\n", casework.PagePath(e.Path))
}

// line prints one line. A longer line is wrapped on a terminal, but not elsewhere, so that grep finds it.
func (v *watchView) line(text string) {
	v.clear()
	text = render.Plain(text)
	if v.live && len([]rune(text)) > v.width {
		stamp, rest := text[:stampWidth], text[stampWidth:]
		text = stamp + strings.Join(terminal.Wrap(rest, v.width-stampWidth), "\n"+strings.Repeat(" ", stampWidth))
	}
	fmt.Fprintln(v.err, text)
}

// stampWidth is the width of "15:04:05 ", with which every line begins.
const stampWidth = 9

// clear removes the rewritten line from the terminal.
func (v *watchView) clear() {
	if v.status != "" {
		plain.EraseLine(v.err)
		v.status = ""
	}
}

// end removes the rewritten line and waits until everything is written: what follows may be written to the same place.
func (v *watchView) end() {
	v.mu.Lock()
	v.clear()
	v.mu.Unlock()
	v.outlet.flush()
}

// unread returns an error if the reader of the output has stopped reading.
func (v *watchView) unread() error {
	lost := v.outlet.lost()
	switch {
	case !v.outlet.flush():
		return errUnread
	case lost > 0:
		return fmt.Errorf("%s lost: the output was read too slowly", terminal.Plural(lost, "line"))
	}
	return nil
}

// errUnread ends a command without a message: nobody would read it.
var errUnread = fmt.Errorf("%w: nobody reads the output", command.ExitError(command.ExitFailure))

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
		facts = append(facts, strconv.FormatFloat(t.Limits.CPUs, 'g', 3, 64)+" cores")
	}
	if t.Limits.MemoryBytes > 0 {
		facts = append(facts, "limit "+vitals.Bytes.Format(float64(t.Limits.MemoryBytes)))
	}
	if len(facts) == 0 {
		return t.Name
	}
	return t.Name + " (" + strings.Join(facts, ", ") + ")"
}
