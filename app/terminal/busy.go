package terminal

import (
	"io"
	"strings"
	"sync"
	"time"
)

// patience is how long a command may be silent: whoever waits longer for an answer wants to know for what.
const patience = 2 * time.Second

// Busy says what a command does that takes more than patience: a line with the time since the start, which a terminal
// rewrites each second, and other outputs get once and again each QuietLine.
type Busy struct {
	steps *Steps
	stop  chan struct{}
	ended sync.WaitGroup

	mu  sync.Mutex // guards now
	now string
}

// NewBusy begins; End must follow. Nothing is shown before Say.
func NewBusy(out io.Writer) *Busy {
	b := &Busy{steps: NewSteps(out), stop: make(chan struct{})}
	b.ended.Go(b.run)
	return b
}

// Say is what is done now; "" is nothing that needs to be said.
func (b *Busy) Say(text string) {
	b.mu.Lock()
	b.now = text
	b.mu.Unlock()
	if text == "" {
		b.steps.Clear()
	}
}

// Write prints lines that stay. The last one is what is done now.
func (b *Busy) Write(lines []byte) (int, error) {
	text := strings.TrimSpace(string(lines))
	b.Say(text[strings.LastIndexByte(text, '\n')+1:])
	b.steps.Show(func(out io.Writer) error { _, err := out.Write(lines); return err })
	return len(lines), nil
}

// End removes the line. It is called once.
func (b *Busy) End() {
	close(b.stop)
	b.ended.Wait()
	b.steps.Clear()
}

func (b *Busy) run() {
	next := time.NewTimer(patience)
	defer next.Stop()
	for {
		select {
		case <-b.stop:
			return
		case <-next.C:
			b.show()
			next.Reset(time.Second)
		}
	}
}

func (b *Busy) show() {
	b.mu.Lock()
	text := b.now
	b.mu.Unlock()
	if text != "" {
		b.steps.Progress(text)
	}
}
