package history

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/gocasebook/casebook/app/tool"
)

// A Branch holds records: a file for each month, and a commit for each record. It shares no commit with others.
type Branch struct {
	Dir    string // in the repository
	Name   string // "casebook/history"
	Remote string // that has the branch; "" for this repository alone
	// Keep is how many months are kept, 24 by default. When one goes, the branch begins anew with a commit without a
	// parent, so that git can forget what it held.
	Keep int
	// RunsCode lets programs run that the repository's own configuration names for the remote: ssh, a credential helper.
	RunsCode bool
}

// DefaultBranch is what the branch is called.
const DefaultBranch = "casebook/history"

const (
	defaultKeep = 24
	tries       = 25 // of a push that somebody else's came before
	mostWait    = 2 * time.Second
)

// fileForm names the files of records: "2026-11.jsonl".
var fileForm = regexp.MustCompile(`^\d{4}-\d{2}\.jsonl$`)

func (b *Branch) ref() string { return "refs/heads/" + b.Name }

func (b *Branch) git(ctx context.Context, input []byte, subcommand string, args ...string) (string, error) {
	remote := subcommand == "ls-remote" || subcommand == "fetch" || subcommand == "push"
	out, err := tool.Git{Dir: b.Dir, Input: input, Remote: remote, RunsCode: remote && b.RunsCode}.Run(ctx, subcommand,
		args...)
	return strings.TrimSpace(string(out)), err
}

// Read returns the records, the oldest first, and what could not be read. A branch that is not there has none.
func (b *Branch) Read(ctx context.Context) (records []Record, bad []string, err error) {
	head, err := b.head(ctx)
	if err != nil || head == "" {
		return nil, nil, err
	}
	files, err := b.files(ctx, head)
	if err != nil {
		return nil, nil, err
	}
	for _, f := range files {
		data, err := tool.Git{Dir: b.Dir}.Run(ctx, "cat-file", "blob", f.blob)
		if err != nil {
			return nil, nil, fmt.Errorf("reading %s of branch %s: %w", f.name, b.Name, err)
		}
		some, wrong := parse(f.name, data)
		records, bad = append(records, some...), append(bad, wrong...)
	}
	slices.SortStableFunc(records, func(x, y Record) int { return x.Time.Compare(y.Time) })
	return records, bad, nil
}

// head returns the commit of the branch, fetched if it is a remote's; "" if there is no such branch.
func (b *Branch) head(ctx context.Context) (string, error) {
	if b.Remote == "" {
		out, err := b.git(ctx, nil, "for-each-ref", "--format=%(objectname)", b.ref())
		if err != nil {
			return "", fmt.Errorf("looking for branch %s: %w", b.Name, err)
		}
		return out, nil
	}
	out, err := b.git(ctx, nil, "ls-remote", "--", b.Remote, b.ref())
	if err != nil {
		return "", fmt.Errorf("asking %s for branch %s: %w", b.Remote, b.Name, err)
	}
	commit, _, _ := strings.Cut(out, "\t")
	if commit == "" {
		return "", nil
	}
	if _, err := b.git(ctx, nil, "cat-file", "-e", commit+"^{tree}"); err == nil {
		return commit, nil
	}
	// Another push may come between: what is fetched is then newer. Without the empty refmap git would also move the
	// clone's own record of the branch, which two at a time may not.
	fetched := "refs/casebook/fetched-" + fmt.Sprint(rand.Uint64())
	if _, err := b.git(ctx, nil, "fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--refmap=", "--", b.Remote,
		"+"+b.ref()+":"+fetched); err != nil {
		return "", fmt.Errorf("fetching branch %s of %s: %w", b.Name, b.Remote, err)
	}
	commit, err = b.git(ctx, nil, "rev-parse", "--verify", "--quiet", fetched)
	_, gone := b.git(ctx, nil, "update-ref", "-d", fetched)
	return commit, errors.Join(err, gone)
}

// A file is one of a tree.
type file struct{ name, blob string }

// files lists those of records, by name, which is by time.
func (b *Branch) files(ctx context.Context, commit string) (out []file, err error) {
	list, err := b.git(ctx, nil, "ls-tree", "-z", "--full-tree", commit)
	if err != nil {
		return nil, fmt.Errorf("listing branch %s: %w", b.Name, err)
	}
	for entry := range strings.SplitSeq(list, "\x00") {
		attributes, name, _ := strings.Cut(entry, "\t")
		if f := strings.Fields(attributes); len(f) == 3 && f[1] == "blob" && fileForm.MatchString(name) {
			out = append(out, file{name, f[2]})
		}
	}
	slices.SortFunc(out, func(x, y file) int { return cmp.Compare(x.name, y.name) })
	return out, nil
}

// errLost says that somebody else's record came first.
var errLost = errors.New("the branch has moved")

// Append adds a record. Of two at the same time the second is made again on top of the first.
func (b *Branch) Append(ctx context.Context, r *Record) error {
	line, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("writing a record: %w", err)
	}
	for try := range tries {
		err = b.append(ctx, r, append(line, '\n'))
		if !errors.Is(err, errLost) {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(rand.N(min(mostWait, 20*time.Millisecond<<min(try, 10)))):
		}
	}
	return fmt.Errorf("appending to branch %s, %d times: %w", b.Name, tries, err)
}

func (b *Branch) append(ctx context.Context, r *Record, line []byte) error {
	head, err := b.head(ctx)
	if err != nil {
		return err
	}
	var files []file
	if head != "" {
		if files, err = b.files(ctx, head); err != nil {
			return err
		}
	}
	name := r.Time.UTC().Format("2006-01") + ".jsonl"
	var old []byte
	i, there := slices.BinarySearchFunc(files, name, func(f file, n string) int { return cmp.Compare(f.name, n) })
	if !there {
		files = slices.Insert(files, i, file{name: name})
	} else if old, err = (tool.Git{Dir: b.Dir}).Run(ctx, "cat-file", "blob", files[i].blob); err != nil {
		return fmt.Errorf("reading %s of branch %s: %w", name, b.Name, err)
	}
	if len(old) > 0 && !bytes.HasSuffix(old, []byte("\n")) {
		old = append(old, '\n')
	}
	if files[i].blob, err = b.git(ctx, append(old, line...), "hash-object", "-w", "--stdin"); err != nil {
		return fmt.Errorf("writing a record: %w", err)
	}
	commit, err := b.commit(ctx, head, files, "casebook: record "+r.Commit+" on "+r.Machine.ID)
	if err != nil {
		return fmt.Errorf("writing a record: %w", err)
	}
	return b.move(ctx, head, commit)
}

// commit makes a commit of the files, on top of the head unless a month goes.
func (b *Branch) commit(ctx context.Context, head string, files []file, subject string) (string, error) {
	keep := cmp.Or(b.Keep, defaultKeep)
	args := []string{"-m", subject}
	if len(files) > keep {
		files = files[len(files)-keep:]
	} else if head != "" {
		args = append(args, "-p", head)
	}
	var tree bytes.Buffer
	for _, f := range files {
		fmt.Fprintf(&tree, "100644 blob %s\t%s\x00", f.blob, f.name)
	}
	id, err := b.git(ctx, tree.Bytes(), "mktree", "-z")
	if err != nil {
		return "", err
	}
	out, err := tool.Git{Dir: b.Dir, Set: []string{"user.name=casebook", "user.email=casebook@localhost"}}.Run(ctx,
		"commit-tree", append(args, id)...)
	return strings.TrimSpace(string(out)), err
}

// move makes the branch point to a commit if it still points to head: errLost if not.
func (b *Branch) move(ctx context.Context, head, commit string) error {
	if b.Remote == "" {
		if _, err := b.git(ctx, nil, "update-ref", b.ref(), commit, cmp.Or(head, strings.Repeat("0", len(commit)))); err != nil {
			return b.lost(ctx, head, err)
		}
		return nil
	}
	if _, err := b.git(ctx, nil, "push", "--quiet", "--no-verify", "--force-with-lease="+b.ref()+":"+head, "--", b.Remote,
		commit+":"+b.ref()); err != nil {
		return b.lost(ctx, head, err)
	}
	return nil
}

// lost tells a branch that has moved, or is being moved, from a push that is refused for good. git words both alike, in
// the user's language: what the branch points to now decides, and the words only where it has not moved yet.
func (b *Branch) lost(ctx context.Context, head string, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	now, herr := b.head(ctx)
	text := err.Error()
	if herr != nil || now != head || strings.Contains(text, "cannot lock ref") || strings.Contains(text, "stale info") ||
		strings.Contains(text, "failed to update ref") {
		return fmt.Errorf("%w: %w", errLost, errors.Join(err, herr))
	}
	return fmt.Errorf("moving branch %s: %w; pushing needs the right to write (in GitHub Actions: permissions: contents: "+
		"write)", b.Name, err)
}
