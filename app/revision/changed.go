package revision

import (
	"context"
	"fmt"
	"strings"
)

// Changed names the files below the folder that was asked for in which the trees a and b of one repository differ. a is
// a commit; b may be the working tree, whose files that git neither knows nor ignores count too. Names are relative to
// that folder.
func Changed(ctx context.Context, a, b *Tree) ([]string, error) {
	args := []string{"diff", "--name-only", "--relative", "-z", "--no-ext-diff", a.Commit}
	if b.Commit != "" {
		args = append(args, b.Commit)
	}
	out, err := a.git(ctx, append(args, "--", ".")...)
	if err == nil && b.Commit == "" {
		var untracked string
		untracked, err = a.git(ctx, "ls-files", "-z", "--others", "--exclude-standard")
		out += "\x00" + untracked
	}
	if err != nil {
		return nil, fmt.Errorf("asking git what differs between %s and %s: %w", a.Label(), b.Label(), err)
	}
	return strings.FieldsFunc(out, func(r rune) bool { return r == 0 }), nil
}
