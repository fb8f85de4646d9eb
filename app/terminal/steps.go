package terminal

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/gocasebook/casebook/internal/plain"
)

// QuietLine is the time between lines of progress where the output is not a terminal.
const QuietLine = 10 * time.Second

// Steps shows the progress of something long: steps with the time since the start, and one line that is rewritten.
type Steps struct {
	out   io.Writer
	began time.Time
	width int
	live  bool

	mu    sync.Mutex // guards what follows and out
	line  bool       // the rewritten line is on the terminal
	shown time.Time  // when a progress line was last written, if the output is not a terminal
}

// NewSteps starts to show steps, and the clock.
func NewSteps(out io.Writer) *Steps {
	v := &Steps{out: out, began: time.Now()}
	v.width, v.live = Width(out)
	return v
}

func (v *Steps) stamp() string {
	d := time.Since(v.began).Round(time.Second)
	return fmt.Sprintf("%d:%02d ", int(d.Minutes()), int(d.Seconds())%60)
}

// Step begins a step.
func (v *Steps) Step(text string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.erase()
	stamp := v.stamp()
	p := New(v.out)
	fmt.Fprintln(v.out)
	p.Text(stamp, text)
	v.shown = time.Time{}
}

// Say prints a line that stays.
func (v *Steps) Say(text string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.erase()
	p := New(v.out)
	indent := len(text) - len(strings.TrimLeft(text, " "))
	if indent > 0 { // a separate column, which must not be wrapped
		fmt.Fprintln(v.out, v.stamp()+text)
		return
	}
	p.Text(v.stamp(), text)
}

// Progress rewrites the last line of a terminal, and elsewhere prints a line every QuietLine.
func (v *Steps) Progress(text string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	text = Clip(v.stamp()+text, v.width-1)
	if v.live {
		v.erase()
		fmt.Fprint(v.out, text)
		v.line = true
		return
	}
	if time.Since(v.shown) >= QuietLine {
		v.shown = time.Now()
		fmt.Fprintln(v.out, text)
	}
}

// Show prints a separate text.
func (v *Steps) Show(write func(io.Writer) error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.erase()
	if err := write(v.out); err != nil {
		fmt.Fprintln(v.out, err)
	}
}

// Clear removes the rewritten line.
func (v *Steps) Clear() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.erase()
}

func (v *Steps) erase() {
	if v.line {
		plain.EraseLine(v.out)
		v.line = false
	}
}
