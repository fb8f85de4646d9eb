// Package trace reads execution traces and makes tables of them.
//
// The problem: a trace has millions of events a second, and `go tool trace` needs a hundred times the file's size in
// memory to show some of them. The approach: one pass over the events of golang.org/x/exp/trace. Each goroutine that
// lives has a small state; when it leaves a state, the time goes into tables by stack, by start function and by
// request. Tables have a bound; what does not fit is added up as "others". The limits: a generation of the trace (about
// a second) is held in memory whole, because its strings and stacks come anywhere in it; one larger than maxGeneration
// is skipped. What is skipped, cut off or damaged is a warning of the summary.
package trace

import (
	"context"
	"fmt"
	"io"

	xtrace "golang.org/x/exp/trace"

	"github.com/gocasebook/casebook/diagnose/traces"
)

// A Trace is what was read of one.
type Trace struct {
	name     string
	tables   *tables
	version  string
	bytes    int64
	warnings []string
}

// Read reads a trace to its end or until ctx ends. It fails if r is not a trace or nothing of it could be read;
// otherwise what could not be read is a warning of the summary.
func Read(ctx context.Context, name string, r io.Reader) (*Trace, error) {
	g, err := newGenerations(r)
	if err != nil {
		return nil, err
	}
	return read(ctx, name, g)
}

func read(ctx context.Context, name string, g *generations) (*Trace, error) {
	t := &Trace{name: name, tables: newTables(), version: g.version()}
	t.warn(g.warning)
	for g.more() && ctx.Err() == nil {
		left := g.left
		if err := t.tables.readAll(ctx, g); err != nil {
			if g.left == left { // otherwise events are missing because they were left out, which is said once
				t.warn(fmt.Sprintf("about %.1f s in: %v", t.tables.elapsed().Seconds(), err))
			}
			t.tables.restart()
			g.skip()
		}
	}
	t.bytes = g.bytes
	t.warn(g.leftOut())
	t.warn(g.ended())
	if t.tables.events == 0 {
		return nil, t.nothing()
	}
	if err := ctx.Err(); err != nil {
		t.warn("reading was interrupted")
	}
	t.tables.finish()
	return t, nil
}

// maxWarnings: a damaged file could have one for every generation.
const maxWarnings = 10

func (t *Trace) warn(text string) {
	if text != "" && len(t.warnings) < maxWarnings {
		t.warnings = append(t.warnings, text)
	}
}

func (t *Trace) nothing() error {
	if len(t.warnings) > 0 {
		return fmt.Errorf("nothing of the trace could be read: %s", t.warnings[len(t.warnings)-1])
	}
	return fmt.Errorf("the trace has no events")
}

// readAll reads events until the trace or a generation of it fails. The library trusts some numbers of a file, so that
// a damaged one can make it panic.
func (c *tables) readAll(ctx context.Context, g *generations) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the events contradict each other (%.200v)", p)
		}
	}()
	r, err := xtrace.NewReader(g.run())
	if err != nil {
		return err
	}
	const between = 1 << 14 // events between two looks at ctx
	for n := 0; ; n++ {
		if n%between == 0 && ctx.Err() != nil {
			return nil
		}
		ev, err := r.ReadEvent()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return brief(err)
		}
		c.event(&ev)
	}
}

// brief cuts the library's dump of its state off an error.
func brief(err error) error {
	text := err.Error()
	for i, r := range text {
		if r == '\n' || i > 200 {
			return fmt.Errorf("%s", text[:i])
		}
	}
	return err
}

// Summary is the trace as plain data.
func (t *Trace) Summary() *traces.Summary {
	s := t.tables.summary()
	s.Name, s.Version, s.Bytes, s.Warnings = t.name, t.version, t.bytes, t.warnings
	return s
}
