package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/gocasebook/casebook"
	"github.com/gocasebook/casebook/app/casework"
	"github.com/gocasebook/casebook/app/command"
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
	got, err := g.capture(ctx, arg, dir)
	if g.flags.dir == "" && got.Ended == nil { // a process that is gone cannot be captured again
		defer os.RemoveAll(dir)
	}
	if err != nil {
		g.fail(err)
		return
	}
	if got.Ended != nil {
		g.fail(got.Ended)
		if len(got.Folder.Case.Findings) == 0 { // "nothing found" would mean nothing
			return
		}
	}
	if g.flags.dir != "" {
		fmt.Fprintf(g.progress, "kept as case %s\n", got.Folder.Path)
	}
	if len(got.Folder.Case.Evidence) == 0 {
		g.fail(fmt.Errorf("%s: nothing could be captured", arg))
		return
	}
	g.caseFolder(got.Folder.Path)
}

// capture takes one case into dir.
func (g *gatherer) capture(ctx context.Context, arg, dir string) (casework.Captured, error) {
	v := newWatchView(io.Discard, g.progress, false)
	defer v.end()
	r := casework.CaptureRequest{Reason: "casebook diagnose", Dir: dir, Before: beforeURL, Profile: g.flags.profile,
		Kinds: rule.DefaultCapture(), Budget: casebook.Budget(g.flags.budget.limits), Tool: command.Tool(), On: v.capture}
	var err error
	if r.Target, err = targetOf(arg, &g.flags.access, new(aboutFlags), new(sourceFlags), &g.flags.links); err != nil {
		return casework.Captured{}, err
	}
	return casework.Capture(ctx, r)
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
