package cli

import (
	"fmt"
	"io"
	"time"

	"github.com/gocasebook/casebook/app/prove"
	"github.com/gocasebook/casebook/app/prove/trial"
	"github.com/gocasebook/casebook/app/terminal"
	"github.com/gocasebook/casebook/internal/number"
	"github.com/gocasebook/casebook/internal/plain"
	"github.com/gocasebook/casebook/vitals"
)

// A proveView shows the progress: a line for each block, rewritten on a terminal.
type proveView struct {
	out    io.Writer
	width  int
	live   bool
	silent bool
	line   bool // the rewritten line is on the terminal
}

func newProveView(out io.Writer, silent bool) *proveView {
	width, live := terminal.Width(out)
	return &proveView{out: out, width: width, live: live, silent: silent}
}

func (v *proveView) say(format string, args ...any) {
	if v.silent {
		return
	}
	text := fmt.Sprintf(format, args...)
	if v.live {
		plain.EraseLine(v.out)
		fmt.Fprint(v.out, cut(text, v.width-1))
		v.line = true
		return
	}
	fmt.Fprintln(v.out, text)
}

// clear leaves the terminal as it was.
func (v *proveView) clear() {
	if v.line {
		plain.EraseLine(v.out)
		v.line = false
	}
}

// trial shows the progress of a trial.
func (v *proveView) trial(bound time.Duration) trial.View {
	return trial.View{
		Say: func(text string) { v.say("%s", text) },
		Block: func(n int, elapsed time.Duration, b prove.Block) {
			v.say("block %d, %s of %s at most: cpu_per_request %s, %s and B %s; p50 %s and B %s",
				n, number.Duration(elapsed), bound,
				roundText(b.A, prove.CPUPerRequest), roundText(b.A2, prove.CPUPerRequest),
				roundText(b.B, prove.CPUPerRequest),
				roundText(b.A, prove.P50), roundText(b.B, prove.P50))
		},
	}
}

func roundText(r prove.Round, name string) string {
	if v, ok := r[name]; ok {
		return vitals.Seconds.Format(v)
	}
	return "–"
}
