package cli

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"sync"

	"github.com/gocasebook/casebook"
	"github.com/gocasebook/casebook/app/assess"
	"github.com/gocasebook/casebook/app/casework"
	"github.com/gocasebook/casebook/app/render"
	"github.com/gocasebook/casebook/app/terminal"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
)

// watchProgress prints what happens while evidence is gathered and judged. The func that it returns is called at the
// end; it may be called again.
func watchProgress(r *assess.DiagnoseRequest, to io.Writer) (end func()) {
	v, busy := newWatchView(io.Discard, to, false), onTerminal(to)
	const judging = "reading and judging the evidence"
	busy.Say(judging)
	aside := func() (resume func()) { // what is printed by others begins on a line of its own
		v.end()
		busy.Say("")
		return func() { busy.Say(judging) }
	}
	r.Capture.On = func(e casework.Event) {
		busy.Say("")
		if v.capture(e); e.Kind == casebook.Closed {
			aside()()
		}
	}
	r.Skipped = func(p diagnose.Problem) {
		defer aside()()
		fmt.Fprintf(to, "skipped %s: %s\n", render.Plain(p.File), render.Plain(p.Reason))
	}
	r.LeftOut = func(ofBase bool, files []string) {
		defer aside()()
		printLeftOut(to, ofBase, files)
	}
	r.Kept = func(f *casefile.Folder) {
		defer aside()()
		fmt.Fprintf(to, "kept as case %s\n", f.Path)
	}
	r.Differ = func(base, now string) {
		defer aside()()
		fmt.Fprintf(to, "the base comes from %s, the other from %s: comparing two programs says little\n",
			render.Plain(base), render.Plain(now))
	}
	r.Mixed = func(t assess.Two) {
		defer aside()()
		if t.Compared {
			fmt.Fprintf(to, "%s, %s: %s. The second is judged, and compared with the first\n", render.Plain(t.A),
				render.Plain(t.B), render.Plain(t.Why))
			return
		}
		fmt.Fprintf(to, "%s, %s: %s. They are judged as one process; to compare them: casebook diagnose --base %s %s\n",
			render.Plain(t.A), render.Plain(t.B), render.Plain(t.Why), render.Plain(t.A), render.Plain(t.B))
	}
	return sync.OnceFunc(func() {
		busy.End()
		v.end()
	})
}

// capture shows what a capture for a diagnosis does: its findings are printed with all others.
func (v *watchView) capture(e casework.Event) {
	switch e.Kind {
	case casebook.Started, casebook.Capturing, casebook.Captured, casebook.Missed, casebook.Failed:
		v.see(e)
	case casebook.Sampled:
		if v.live && v.profiling(e.Time) { // its line counts the seconds
			v.see(e)
		}
	}
}

// maxNamed is how many files that were left out are named.
const maxNamed = 4

// printLeftOut prints once which files were not evidence.
func printLeftOut(to io.Writer, ofBase bool, files []string) {
	names := make([]string, 0, maxNamed)
	for _, name := range files[:min(len(files), maxNamed)] {
		names = append(names, render.Plain(filepath.Base(name)))
	}
	if more := len(files) - len(names); more > 0 {
		names = append(names, fmt.Sprintf("and %d more", more))
	}
	of := ""
	if ofBase {
		of = " of the base"
	}
	p := terminal.New(to)
	p.Text("left out"+of+", because diagnose reads no such evidence: ", strings.Join(names, ", "))
}
