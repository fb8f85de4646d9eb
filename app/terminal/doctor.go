package terminal

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/gocasebook/casebook/app/doctor"
	"github.com/gocasebook/casebook/app/render"
	"github.com/gocasebook/casebook/internal/number"
)

// Checkup prints what was learnt about a target, on 80 columns.
func (p *Printer) Checkup(c *doctor.Checkup) {
	d := checkup{p, c}
	d.target()
	d.evidence()
	d.signals()
	d.watching()
	d.exposure()
	d.advice()
}

type checkup struct {
	*Printer
	*doctor.Checkup
}

func (d *checkup) target() {
	t := &d.Target
	about := []string{t.URL}
	if t.PID > 0 {
		about = append(about, fmt.Sprintf("pid %d", t.PID))
	}
	if t.Build.GoVersion != "" {
		about = append(about, t.Build.GoVersion)
	}
	if t.Limits.CPUs > 0 {
		about = append(about, number.Things(t.Limits.CPUs, "CPU"))
	}
	if t.Limits.MemoryBytes > 0 {
		about = append(about, number.Bytes(float64(t.Limits.MemoryBytes))+" of memory")
	}
	d.Text(t.Name+"  ", strings.Join(about, ", "))
}

func (d *checkup) head(title string) { fmt.Fprintf(d.W, "\n%s\n", title) }

// The columns of kinds and states hold the longest.
const (
	kindWidth  = 15
	stateWidth = 10
)

func (d *checkup) evidence() {
	d.head("Evidence")
	for _, e := range d.Evidence {
		label := fmt.Sprintf("  %-*s %-*s ", kindWidth, e.Kind, stateWidth, e.State)
		d.Text(label, evidenceText(&e))
	}
}

func evidenceText(e *doctor.Evidence) string {
	var parts []string
	if e.Bytes > 0 {
		size := number.Bytes(float64(e.Bytes))
		switch {
		case e.Seconds > 0:
			size += fmt.Sprintf(" of %s, and %s more for the answer", number.Seconds(e.Seconds), took(e.Took))
		case e.Took > 0:
			size += " in " + took(e.Took)
		}
		parts = append(parts, size)
	}
	if e.Text != "" {
		parts = append(parts, e.Text)
	}
	return strings.Join(parts, "; ")
}

func (d *checkup) signals() {
	d.head(fmt.Sprintf("Signals: %d, without %d", len(d.Signals.Present), len(d.Signals.Absent)))
	names := make(map[string][]string) // by reason
	for _, name := range slices.Sorted(maps.Keys(d.Signals.Absent)) {
		why := d.Signals.Absent[name]
		names[why] = append(names[why], name)
	}
	for _, why := range slices.Sorted(maps.Keys(names)) {
		d.Text(fmt.Sprintf("  %2d absent  ", len(names[why])), why+": "+strings.Join(names[why], ", "))
	}
}

func (d *checkup) watching() {
	w := &d.Watching
	d.head("What watching costs it")
	d.Text("  always     ", fmt.Sprintf("at most %s of one core: a sample every %s is answered in %s, the memory statistics "+
		"are read every %s or less often, in %s", number.Share(w.Share), number.Duration(w.Interval), took(w.Index),
		number.Duration(w.MemStatsEvery.Round(time.Second)), took(w.MemStats)))
	d.Text("  a case     ", "about "+costText(w.Case))
	d.Text("  an hour    ", "no more than "+costText(w.Hour)+"; --budget changes that")
}

func costText(c doctor.Cost) string {
	return fmt.Sprintf("%s of CPU, %s of evidence, %s of stopped world (%s the longest)", number.Duration(c.CPU),
		number.Bytes(float64(c.Bytes)), number.Duration(c.Pause), number.Duration(c.Longest))
}

func (d *checkup) exposure() {
	x := &d.Exposure
	text := map[doctor.Scope]string{
		doctor.Protected: "it asks for credentials",
		doctor.Unseen:    "not seen through the API server: network policies of the cluster decide",
		doctor.Socket:    "users of this machine, by the mode of the socket: " + x.Mode,
		doctor.Loopback:  "users of this machine: only " + strings.Join(x.Open, ", ") + " answers",
		doctor.Private:   "the network: " + strings.Join(x.Open, ", ") + " answer without credentials",
		doctor.Public:    "the Internet: " + strings.Join(x.Open, ", ") + " answer without credentials",
	}[x.Scope]
	d.head("Who can read it")
	d.Text("  ", text)
}

func (d *checkup) advice() {
	if len(d.Advice) == 0 {
		d.head("Nothing to change.")
	}
	for _, a := range d.Advice {
		fmt.Fprintln(d.W)
		severity := strings.ToUpper(a.Severity)
		d.Text(d.Paint(a.Severity, severity)+"  ", a.Text)
		if a.Change != "" {
			d.Text(strings.Repeat(" ", len(severity)+2), render.Plain(a.Change))
		}
	}
	d.Known(d.Notes, "")
	fmt.Fprintln(d.W)
	d.Text("next  ", "casebook watch "+d.Target.URL)
}
