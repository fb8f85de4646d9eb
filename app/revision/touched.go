package revision

import (
	"context"
	"errors"
	"fmt"
	"path"
	"regexp"
	"strings"

	"github.com/gocasebook/casebook/app/tool"
)

// A Commit is one that changed something.
type Commit struct {
	ID      string `json:"id"`
	Subject string `json:"subject"`
	Time    string `json:"time"` // RFC 3339, of the commit
}

// maxTouched bounds the commits of one function.
const maxTouched = 20

// ErrUnknown says that a repository does not have what is asked for: a version, or the function in it.
var ErrUnknown = errors.New("the repository does not have it")

// Touched lists the commits after one version, up to another, that changed a function, the newest first. function is its
// name in a profile, and file the path of its source where it was built, of which the end is compared. dir is a folder
// of the repository. A version is a tag, or a tag without its v, or a commit. A method in another file of a later
// version is followed no further than git does.
func Touched(ctx context.Context, dir, from, to, function, file string) ([]Commit, error) {
	line, err := declaration(function)
	if err != nil {
		return nil, err
	}
	var commits [2]string
	for i, version := range []string{from, to} {
		if commits[i], err = resolve(ctx, dir, version); err != nil {
			return nil, err
		}
	}
	in, err := find(ctx, dir, commits[1], file)
	if err != nil || commits[0] == commits[1] {
		return nil, err
	}
	out, err := tool.Git{Dir: dir}.Run(ctx, "log", "-s", fmt.Sprint("--max-count=", maxTouched), commitFormat,
		"-L/"+line+"/,/^}/:"+in, commits[0]+".."+commits[1])
	if err != nil {
		return nil, fmt.Errorf("asking git who touched %s: %w", function, err)
	}
	return parseCommits(out), nil
}

var (
	versionForm = regexp.MustCompile(`^[0-9A-Za-z][0-9A-Za-z._+/-]*$`) // no option, and no range
	nested      = regexp.MustCompile(`(\.func\d+|\.gowrap\d+|\.\d+|-fm|-range\d+|\[\.\.\.\])+$`)
	method      = regexp.MustCompile(`^\(?\*?(\w+)(?:\[\.\.\.\])?\)?\.(\w+)$`)
	identifier  = regexp.MustCompile(`^\w+$`)
)

// declaration is a basic regular expression for the line that declares a function: there "(" is itself.
func declaration(function string) (string, error) {
	name := function[strings.LastIndex(function, "/")+1:]
	_, name, _ = strings.Cut(name, ".") // of the package
	name = nested.ReplaceAllString(name, "")
	if m := method.FindStringSubmatch(name); m != nil {
		return "^func (.*" + m[1] + "[^)]*) " + m[2] + "(", nil
	}
	name = strings.TrimSuffix(name, "[...]")
	if !identifier.MatchString(name) {
		return "", fmt.Errorf("%w: %.80q is no function of Go", ErrUnknown, function)
	}
	return "^func " + name + "[([]", nil
}

func resolve(ctx context.Context, dir, version string) (string, error) {
	if versionForm.MatchString(version) {
		for _, name := range []string{version, "v" + version} {
			out, err := tool.Git{Dir: dir}.Run(ctx, "rev-parse", "--verify", "--quiet", name+"^{commit}")
			if err == nil {
				return strings.TrimSpace(string(out)), nil
			}
			if ctx.Err() != nil {
				return "", ctx.Err()
			}
		}
	}
	return "", fmt.Errorf("%w: no tag or commit is called %.80q", ErrUnknown, version)
}

// find returns the file of a commit whose path has most of its last elements in common with that of a profile.
func find(ctx context.Context, dir, commit, file string) (string, error) {
	out, err := tool.Git{Dir: dir}.Run(ctx, "ls-tree", "-r", "-z", "--name-only", "--full-tree", commit)
	if err != nil {
		return "", fmt.Errorf("listing the files of %s: %w", commit, err)
	}
	best, most, several := "", 0, false
	for name := range strings.SplitSeq(string(out), "\x00") {
		switch n := common(name, file); {
		case n > most:
			best, most, several = name, n, false
		case n == most && n > 0:
			several = true
		}
	}
	if best == "" || several {
		return "", fmt.Errorf("%w: of its files none, or more than one, may be %.200q", ErrUnknown, file)
	}
	top, err := tool.Git{Dir: dir}.Run(ctx, "rev-parse", "--show-cdup") // -L reads names from the folder where git runs
	if err != nil {
		return "", fmt.Errorf("asking git for the top of the repository: %w", err)
	}
	return path.Join(strings.TrimSpace(string(top)), best), nil
}

// common counts the last elements that two paths share.
func common(a, b string) (n int) {
	for a != "" && path.Base(a) == path.Base(b) && path.Base(a) != "." && path.Base(a) != "/" {
		n++
		a, b = strings.TrimSuffix(a, path.Base(a)), strings.TrimSuffix(b, path.Base(b))
		a, b = strings.TrimSuffix(a, "/"), strings.TrimSuffix(b, "/")
	}
	return n
}

// Between lists the commits after one version, up to another, the newest first.
func Between(ctx context.Context, dir, from, to string) ([]Commit, error) {
	var commits [2]string
	for i, version := range []string{from, to} {
		var err error
		if commits[i], err = resolve(ctx, dir, version); err != nil {
			return nil, err
		}
	}
	out, err := tool.Git{Dir: dir}.Run(ctx, "log", "-s", commitFormat, commits[0]+".."+commits[1])
	if err != nil {
		return nil, fmt.Errorf("asking git for the commits between %s and %s: %w", from, to, err)
	}
	return parseCommits(out), nil
}

// commitFormat has git log print what parseCommits reads.
const commitFormat = "--format=%h%x00%s%x00%cI"

func parseCommits(out []byte) (all []Commit) {
	for l := range strings.Lines(string(out)) {
		if part := strings.Split(strings.TrimSpace(l), "\x00"); len(part) == 3 {
			all = append(all, Commit{part[0], part[1], part[2]})
		}
	}
	return all
}
