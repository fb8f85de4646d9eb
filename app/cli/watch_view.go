package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/gocasebook/casebook"
	"github.com/gocasebook/casebook/app/casework"
	"github.com/gocasebook/casebook/app/command"
	"github.com/gocasebook/casebook/app/render"
	"github.com/gocasebook/casebook/app/terminal"
	"github.com/gocasebook/casebook/internal/number"
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
		out: command.Printable(face{o, plain.Under(out)}), err: command.Printable(face{o, plain.Under(err)}), outlet: o,
		many:  many,
		shown: make(map[string]time.Time), names: make(map[string]string),
	}
	v.width, v.live = terminal.Width(err)
	return v
}

// inOrder is what sees the events of a watch. With the first of them the target was reached and the files that flags name
// are read: from then on the watch ends in order.
func inOrder(ctx context.Context, see func(casework.Event)) func(casework.Event) {
	return func(e casework.Event) {
		command.InOrder(ctx)
		see(e)
	}
}

// see prints an event.
func (v *watchView) see(e casework.Event) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.json {
		v.encode(casework.LineOf(e))
		return
	}
	v.print(e.URL, e.Catalog, e.Event)
	if e.Note != "" {
		v.line(e.Time.Local().Format("15:04:05 ") + v.nameOf(e.URL, e.Target) + e.Note)
	}
}

func (v *watchView) encode(l casework.Line) {
	if err := json.NewEncoder(v.out).Encode(l); err != nil {
		fmt.Fprintln(v.err, "casebook: writing JSON:", err)
	}
}

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
		v.line(fmt.Sprintf("%s  %-22s %9s%s", prefix, e.Evidence.File, number.Bytes(float64(e.Evidence.Bytes)),
			terminal.Tail("  ", pauseText(e.Evidence))))
	case casebook.Missed:
		v.line(prefix + "  " + missedText(e.Err))
	case casebook.Stopped:
		v.line(prefix + e.Err.Error())
	case casebook.Declined:
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
		return fmt.Errorf("%s lost: the output was read too slowly", number.Things(lost, "line"))
	}
	return nil
}

// errUnread ends a command without a message: nobody would read it.
var errUnread = fmt.Errorf("%w: nobody reads the output", command.ExitError(command.ExitFailure))
