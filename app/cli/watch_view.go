package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/gocasebook/casebook"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/vitals"
)

// A watchView shows events to a person: a line that is rewritten on a terminal, a line every ten seconds elsewhere. It
// is safe for concurrent use.
type watchView struct {
	out, err io.Writer
	json     bool
	many     bool // targets: lines carry the target's name
	width    int
	live     bool

	mu     sync.Mutex // guards what follows and the writers
	status string     // the rewritten line that stands on the terminal now
	shown  map[string]time.Time
	worst  int   // score of all findings so far
	failed error // the last case that could not be written
}

func newWatchView(out, err io.Writer, many bool) *watchView {
	v := &watchView{out: out, err: err, many: many, shown: make(map[string]time.Time)}
	v.width, v.live = terminalWidth(err)
	return v
}

func (v *watchView) show(url string, e casebook.Event) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if e.Kind == casebook.Closed {
		v.worst = max(v.worst, worstScore(e.Case.Diagnosis))
	}
	if e.Kind == casebook.Failed {
		v.failed = e.Err
	}
	if v.json {
		v.printJSON(url, e)
		return
	}
	name := ""
	if v.many {
		name = url + " "
	}
	v.print(url, name, e)
}

func (v *watchView) print(url, name string, e casebook.Event) {
	stamp := e.Time.Local().Format("15:04:05 ")
	switch e.Kind {
	case casebook.Sampled:
		v.sample(url, stamp+name, e)
	case casebook.Started:
		v.line(fmt.Sprintf("%swatching %s at %s", stamp, describe(e.Target), url))
	case casebook.Restarted:
		v.line(fmt.Sprintf("%s%srestarted: now %s", stamp, name, describe(e.Target)))
	case casebook.Lost:
		v.line(stamp + name + "lost: " + e.Err.Error())
	case casebook.Found:
		v.line(stamp + name + "answers again")
	case casebook.Tripped:
		v.line(fmt.Sprintf("%s%srule %s tripped: %s", stamp, name, e.Trigger.Rule, e.Trigger.Text))
		v.line(stamp + name + "taking evidence for case " + e.CaseID)
	case casebook.Joined:
		v.line(fmt.Sprintf("%s%srule %s tripped too: %s", stamp, name, e.Trigger.Rule, e.Trigger.Text))
	case casebook.Captured:
		v.line(fmt.Sprintf("%s%s  %-21s %s", stamp, name, e.Evidence.File, vitals.Bytes.Format(float64(e.Evidence.Bytes))))
	case casebook.Missed:
		v.line(stamp + name + "  not taken: " + e.Err.Error())
	case casebook.Failed:
		v.line(stamp + name + "the case could not be written: " + e.Err.Error())
	case casebook.Recovered:
		if e.Err != nil {
			v.line(stamp + name + "a case that an earlier watch left behind could not be finished: " + e.Err.Error())
			return
		}
		v.line(stamp + name + "finished the case that an earlier watch left behind: " + e.Path)
	case casebook.Pruned:
		v.pruned(stamp+name, e)
	case casebook.Closed:
		v.closed(e)
	}
}

func (v *watchView) pruned(prefix string, e casebook.Event) {
	if n := len(e.Pruned.Removed); n > 0 {
		v.line(fmt.Sprintf("%sremoved %s that went beyond what is kept (%s)", prefix, cases(n), size(e.Pruned.Freed)))
	}
	if e.Pruned.OverBytes > 0 {
		v.line(prefix + overText(e.Pruned))
	}
	if e.Err != nil {
		v.line(prefix + "removing old cases: " + e.Err.Error())
	}
}

// closed prints the diagnosis to stdout.
func (v *watchView) closed(e casebook.Event) {
	v.clear()
	fmt.Fprintln(v.out)
	printDiagnosis(v.out, e.Case.Diagnosis)
	fmt.Fprintf(v.out, "\nCase    %s\n", e.Path)
	if e.Err != nil {
		fmt.Fprintf(v.err, "the report could not be written: %v\n", e.Err)
		return
	}
	fmt.Fprintf(v.out, "Report  %s\n", reportPath(e.Path))
}

const quietLine = 10 * time.Second // between lines when the output is no terminal

func (v *watchView) sample(url, prefix string, e casebook.Event) {
	text := prefix + sampleText(&e.Sample)
	if v.live && !v.many {
		v.clear()
		text = clip(text, v.width-1)
		fmt.Fprint(v.err, text)
		v.status = text
		return
	}
	if e.Time.Sub(v.shown[url]) >= quietLine {
		v.shown[url] = e.Time
		v.line(text)
	}
}

// sampleText shows the signals people look at first.
func sampleText(s *vitals.Sample) string {
	var parts []string
	for _, g := range [...]struct {
		id    vitals.ID
		label string
	}{
		{vitals.CPU, "cpu"}, {vitals.GCCPU, "gc"}, {vitals.HeapAlloc, "heap"}, {vitals.HeapObjects, "objects"},
		{vitals.RSS, "rss"}, {vitals.Goroutines, "goroutines"}, {vitals.Throttled, "throttled"},
	} {
		if x, ok := s.Get(g.id); ok {
			parts = append(parts, g.label+" "+g.id.Signal().Unit.Format(x))
		}
	}
	return strings.Join(parts, "  ")
}

// line prints one line; a longer one is wrapped on a terminal, and left to grep elsewhere.
func (v *watchView) line(text string) {
	v.clear()
	if v.live && len([]rune(text)) > v.width {
		stamp, rest := text[:stampWidth], text[stampWidth:]
		text = stamp + strings.Join(wrap(rest, v.width-stampWidth), "\n"+strings.Repeat(" ", stampWidth))
	}
	fmt.Fprintln(v.err, text)
}

// stampWidth is that of "15:04:05 ", with which every line begins.
const stampWidth = 9

// clear takes the rewritten line off the terminal.
func (v *watchView) clear() {
	if v.status != "" {
		fmt.Fprint(v.err, "\r\x1b[K")
		v.status = ""
	}
}

func (v *watchView) end() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.clear()
}

// A watchLine is one line of `watch --json`.
type watchLine struct {
	Event    casebook.EventKind  `json:"event"`
	Time     time.Time           `json:"time"`
	URL      string              `json:"url"`
	Target   *casefile.Target    `json:"target,omitempty"`
	Signals  map[string]float64  `json:"signals,omitempty"`
	Trigger  *casefile.Trigger   `json:"trigger,omitempty"`
	CaseID   string              `json:"case_id,omitempty"`
	Evidence *casefile.Evidence  `json:"evidence,omitempty"`
	Path     string              `json:"path,omitempty"`
	Result   *casefile.Diagnosis `json:"diagnosis,omitempty"`
	Pruned   *casefile.Pruned    `json:"pruned,omitempty"`
	Error    string              `json:"error,omitempty"`
}

func (v *watchView) printJSON(url string, e casebook.Event) {
	l := watchLine{Event: e.Kind, Time: e.Time.UTC(), URL: url, CaseID: e.CaseID, Path: e.Path}
	switch e.Kind {
	case casebook.Started, casebook.Restarted, casebook.Found:
		l.Target = &e.Target
	case casebook.Sampled:
		l.Signals = make(map[string]float64)
		for id := range vitals.ID(vitals.NumSignals) {
			if x, ok := e.Sample.Get(id); ok {
				l.Signals[id.String()] = x
			}
		}
	case casebook.Tripped, casebook.Joined:
		l.Trigger = &e.Trigger
	case casebook.Captured:
		l.Evidence = &e.Evidence
	case casebook.Closed:
		l.Result = &e.Case.Diagnosis
	case casebook.Pruned:
		l.Pruned = &e.Pruned
	}
	if e.Err != nil {
		l.Error = e.Err.Error()
	}
	if err := json.NewEncoder(v.out).Encode(l); err != nil {
		fmt.Fprintln(v.err, "casebook: writing JSON:", err)
	}
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

// clip cuts a line to a number of characters.
func clip(s string, width int) string {
	if r := []rune(s); len(r) > width {
		return string(r[:max(width-1, 0)]) + "…"
	}
	return s
}
