package assess

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/gocasebook/casebook/app/casework"
	"github.com/gocasebook/casebook/casefile"
)

// beforeURL is how long signals are sampled before a capture: some are only informative when they change.
const beforeURL = 2 * time.Second

// url captures what the detectors need from a running service, as a case. The case is kept only if the request names a
// folder for it.
func (g *gatherer) url(ctx context.Context, arg string) {
	r := g.request.Capture
	var err error
	if r.Target, err = g.request.Reach(arg); err != nil {
		g.fail(err)
		return
	}
	keep := r.Dir != ""
	if !keep {
		temporary, err := os.MkdirTemp("", "casebook-diagnose-")
		if err != nil {
			g.fail(fmt.Errorf("capturing: %w", err))
			return
		}
		r.Dir = temporary
	}
	r.Before, r.Kinds = beforeURL, casework.DefaultKinds()
	got, err := casework.Capture(ctx, r)
	if !keep && got.Ended == nil { // a process that is gone cannot be captured again
		defer os.RemoveAll(r.Dir)
	}
	if err != nil {
		g.fail(err)
		return
	}
	g.captured(arg, keep, got)
}

func (g *gatherer) captured(arg string, keep bool, got casework.Captured) {
	if got.Ended != nil {
		g.fail(got.Ended)
		if len(got.Folder.Case.Findings) == 0 { // "nothing found" would mean nothing
			return
		}
	}
	if keep && g.request.Kept != nil {
		g.request.Kept(got.Folder)
	}
	if len(got.Folder.Case.Evidence) == 0 {
		g.fail(fmt.Errorf("%s: nothing could be captured%s", casework.Shown(arg), reasons(got.Folder.Case.Missing)))
		return
	}
	g.caseFolder(got.Folder.Path)
}

// reasons are why evidence is missing, each once.
func reasons(missing []casefile.Missing) string {
	var all []string
	for _, m := range missing {
		if !slices.Contains(all, m.Reason) {
			all = append(all, m.Reason)
		}
	}
	if len(all) == 0 {
		return ""
	}
	return ": " + strings.Join(all, "; ")
}
