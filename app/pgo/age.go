package pgo

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gocasebook/casebook/app/tool"
)

// An Age is how much the source has changed since the profiles were taken.
type Age struct {
	Since   string `json:"since"`   // the revision that the oldest profile's program was built from, or of its time
	Guessed bool   `json:"guessed"` // true where the program does not say its revision
	Commits int    `json:"commits"` // to the main package's repository since then
	// Hot counts those of them that touch a file with a function of the main module in the calls that make up hotShare
	// of the weight.
	Hot   int `json:"hot_commits"`
	Files int `json:"hot_files"`
}

// hotShare is the share of the weight that the compiler calls hot (PGOInlineCDFThreshold).
const hotShare = 0.99

// AgeOf asks git. rev is the revision of the program that was profiled; "" means the last commit before at.
func (t *Tree) AgeOf(ctx context.Context, c Calls, rev string, at time.Time) (Age, error) {
	a := Age{Since: rev}
	if rev == "" {
		a.Guessed = true
		out, err := t.git(ctx, "rev-list", "-1", "--before="+at.Format(time.RFC3339), "HEAD")
		if err != nil {
			return Age{}, err
		}
		if a.Since = out; out == "" {
			return Age{}, fmt.Errorf("no commit is older than the profiles of %s", at.Format(time.DateOnly))
		}
	}
	var err error
	if a.Commits, err = t.commits(ctx, a.Since); err != nil {
		return Age{}, err
	}
	files := t.hotFiles(c)
	if a.Files = len(files); a.Files > 0 {
		a.Hot, err = t.commits(ctx, a.Since, files...)
	}
	return a, err
}

// commits counts those since a revision that touch files; all without any.
func (t *Tree) commits(ctx context.Context, since string, files ...string) (int, error) {
	out, err := t.git(ctx, "rev-list", append([]string{"--count", since + "..HEAD", "--"}, files...)...)
	if err != nil {
		return 0, fmt.Errorf("counting commits since %s: %w", short(since), err)
	}
	return strconv.Atoi(out)
}

func short(rev string) string { return rev[:min(len(rev), 12)] }

func (t *Tree) git(ctx context.Context, subcommand string, args ...string) (string, error) {
	out, err := tool.Git{Dir: t.dir}.Run(ctx, subcommand, args...)
	return strings.TrimSpace(string(out)), err
}

// hotFiles are those of the main module that have a hot function.
func (t *Tree) hotFiles(c Calls) []string {
	var files []string
	for _, call := range c.Heaviest(hotShare) {
		for _, name := range [...]string{call.Caller, call.Callee} {
			if t.owner(name) != Own {
				continue
			}
			if b, ok := t.body(name); ok {
				files = append(files, b.files()...)
			}
		}
	}
	slices.Sort(files)
	return slices.Compact(files)
}
