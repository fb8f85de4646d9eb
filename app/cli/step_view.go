package cli

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/gocasebook/casebook/internal/plain"
)

// A stepView shows the progress of something long: steps with the time since the start, and one line that is rewritten.
type stepView struct {
	out   io.Writer
	began time.Time
	width int
	live  bool

	mu    sync.Mutex // guards what follows and out
	line  bool       // the rewritten line is on the terminal
	shown time.Time  // when a progress line was last written, if the output is not a terminal
}

func newStepView(out io.Writer) *stepView {
	v := &stepView{out: out, began: time.Now()}
	v.width, v.live = terminalWidth(out)
	return v
}

func (v *stepView) stamp() string {
	d := time.Since(v.began).Round(time.Second)
	return fmt.Sprintf("%d:%02d ", int(d.Minutes()), int(d.Seconds())%60)
}

func (v *stepView) Step(text string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.erase()
	stamp := v.stamp()
	p := newPrinter(v.out)
	fmt.Fprintln(v.out)
	p.text(stamp, text)
	v.shown = time.Time{}
}

func (v *stepView) Say(text string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.erase()
	p := newPrinter(v.out)
	indent := len(text) - len(strings.TrimLeft(text, " "))
	if indent > 0 { // a separate column, which must not be wrapped
		fmt.Fprintln(v.out, v.stamp()+text)
		return
	}
	p.text(v.stamp(), text)
}

func (v *stepView) Progress(text string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	text = clip(v.stamp()+text, v.width-1)
	if v.live {
		v.erase()
		fmt.Fprint(v.out, text)
		v.line = true
		return
	}
	if time.Since(v.shown) >= quietLine {
		v.shown = time.Now()
		fmt.Fprintln(v.out, text)
	}
}

// show prints a separate text.
func (v *stepView) show(write func(io.Writer) error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.erase()
	if err := write(v.out); err != nil {
		fmt.Fprintln(v.out, err)
	}
}

func (v *stepView) clear() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.erase()
}

func (v *stepView) erase() {
	if v.line {
		plain.EraseLine(v.out)
		v.line = false
	}
}
