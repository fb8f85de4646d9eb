package revision

import (
	"context"
	"fmt"
	"strings"

	"github.com/gocasebook/casebook/app/tool"
)

// Changed names the files below the folder that was asked for in which the trees a and b of one repository differ. a is
// a commit; b may be the working tree, whose files that git neither knows nor ignores count too. Names are relative to
// that folder.
func Changed(ctx context.Context, a, b *Tree) ([]string, error) {
	args := []string{"--name-only", "--relative", "-z", a.Commit}
	if b.Commit != "" {
		args = append(args, b.Commit)
	}
	git := tool.Git{Dir: a.repository, RunsCode: true} // as CheckOut
	out, err := git.Run(ctx, "diff", append(args, "--", ".")...)
	if err == nil && b.Commit == "" {
		var untracked []byte
		untracked, err = git.Run(ctx, "ls-files", "-z", "--others", "--exclude-standard")
		out = append(append(out, 0), untracked...)
	}
	if err != nil {
		return nil, fmt.Errorf("asking git what differs between %s and %s: %w", a.Label(), b.Label(), err)
	}
	return strings.FieldsFunc(string(out), func(r rune) bool { return r == 0 }), nil
}
