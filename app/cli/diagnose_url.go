package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/gocasebook/casebook"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/rule"
)

// beforeURL is how long signals are sampled before a capture: some are only informative when they change.
const beforeURL = 2 * time.Second

// url captures what the detectors need from a running service, as a case. The case is kept only with --dir.
func (g *gatherer) url(ctx context.Context, arg string) {
	dir := g.flags.dir
	if dir == "" {
		temporary, err := os.MkdirTemp("", "casebook-diagnose-")
		if err != nil {
			g.fail(fmt.Errorf("capturing: %w", err))
			return
		}
		dir = temporary
	}
	folder, err := g.capture(ctx, arg, dir)
	gone := error(nil)
	if err == nil {
		gone = endedError(folder)
	}
	if g.flags.dir == "" && gone == nil { // a process that is gone cannot be captured again
		defer os.RemoveAll(dir)
	}
	if err != nil {
		g.fail(err)
		return
	}
	if gone != nil {
		g.fail(gone)
		if len(folder.Case.Findings) == 0 { // "nothing found" would mean nothing
			return
		}
	}
	if g.flags.dir != "" {
		fmt.Fprintf(g.progress, "kept as case %s\n", folder.Path)
	}
	if len(folder.Case.Evidence) == 0 {
		g.fail(fmt.Errorf("%s: nothing could be captured", arg))
		return
	}
	g.caseFolder(folder.Path)
}

// capture takes one case into dir.
func (g *gatherer) capture(ctx context.Context, arg, dir string) (*casefile.Folder, error) {
	f := captureFlags{
		reason: "casebook diagnose", dir: dir, before: beforeURL, profile: g.flags.profile,
		kinds: rule.DefaultCapture(), budget: g.flags.budget,
	}
	t, err := g.flags.access.open(arg)
	if err != nil {
		return nil, err
	}
	cfg, err := f.config(ctx, t)
	if err != nil {
		return nil, err
	}
	links, err := g.flags.links.links()
	if err != nil {
		return nil, err
	}
	started := make(chan struct{})
	v := newWatchView(io.Discard, g.progress, false)
	catalog, err := catalogOf(cfg.Sources)
	if err != nil {
		return nil, err
	}
	w, err := newWatch(cfg, t, links, func(url string, e casebook.Event) {
		switch e.Kind {
		case casebook.Started:
			v.show(url, catalog, e)
			close(started) // once: a Watch that runs once starts once
		case casebook.Capturing, casebook.Captured, casebook.Missed, casebook.Failed:
			v.show(url, catalog, e)
		case casebook.Sampled:
			if v.live && v.profiling(e.Time) { // its line counts the seconds
				v.show(url, catalog, e)
			}
		}
	})
	if err != nil {
		return nil, err
	}
	defer v.end()
	return f.capture(ctx, w, started)
}
