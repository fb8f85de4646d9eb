package answer

import (
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// maxPatched is how many files a diff may change: more is no change that a finding asks for.
const maxPatched = 20

// A filePatch is a diff of one file.
type filePatch struct {
	name    string // within the module, with slashes
	created bool   // it must not be there
	removed bool
	hunks   []hunk
}

// A hunk is one change in a file.
type hunk struct {
	line  int // of the first of its lines in the old file, as its head says
	lines []hunkLine
	bare  bool // the new file ends without a line end
}

// A hunkLine is a line of a hunk: kept (' '), taken out ('-') or put in ('+').
type hunkLine struct {
	kind byte
	text string
}

// parsePatch reads a unified diff, as diff -u, git, and agents write it. The counts in the heads of hunks are not
// believed: agents miscount. An error says why a diff is none that may be applied.
func parsePatch(text string) ([]*filePatch, error) {
	if strings.IndexByte(text, 0) >= 0 {
		return nil, errors.New("it holds a byte that no text has")
	}
	r := &patchReader{}
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], "\r")
	}
	for i, l := range lines {
		// A line "-- x" that is taken out reads as a head, too.
		r.head = strings.HasPrefix(l, "--- ") && i+1 < len(lines) && strings.HasPrefix(lines[i+1], "+++ ")
		if err := r.line(l); err != nil {
			return nil, err
		}
	}
	if err := r.endFile(); err != nil {
		return nil, err
	}
	if len(r.files) == 0 {
		return nil, errors.New("it has no file with a change; want a unified diff: --- a/main.go, " +
			"+++ b/main.go, @@ …")
	}
	return r.files, nil
}

// A patchReader reads a diff line by line.
type patchReader struct {
	files []*filePatch
	old   string
	file  *filePatch // that is read
	hunk  *hunk      // that is read
	head  bool       // the line that is read begins a file
}

func (r *patchReader) line(l string) error {
	head := r.hunk == nil
	switch {
	case strings.HasPrefix(l, "GIT binary patch"), strings.HasPrefix(l, "Binary files ") && head:
		return errors.New("it changes a binary file")
	case strings.HasPrefix(l, "rename from "), strings.HasPrefix(l, "copy from "):
		return errors.New("it renames a file; say what changes in it")
	case head && (strings.HasPrefix(l, "new file mode ") || strings.HasPrefix(l, "new mode ")):
		mode := l[strings.LastIndexByte(l, ' ')+1:]
		if mode == "120000" || mode == "160000" {
			return errors.New("it makes a symbolic link, or a submodule")
		}
	case strings.HasPrefix(l, "diff --git "):
		return r.endFile()
	case r.head:
		if err := r.endFile(); err != nil {
			return err
		}
		r.old = headName(l[4:])
	case strings.HasPrefix(l, "+++ ") && r.file == nil:
		return r.begin(headName(l[4:]))
	case strings.HasPrefix(l, "@@"):
		return r.beginHunk(l)
	case !head:
		r.add(l)
	}
	return nil
}

// headName is the file of a head, without what diff writes behind it.
func headName(s string) string {
	s, _, _ = strings.Cut(s, "\t")
	s = strings.TrimSpace(s)
	if unquoted, err := strconv.Unquote(s); err == nil {
		s = unquoted
	}
	return s
}

// begin begins a file.
func (r *patchReader) begin(now string) error {
	f := &filePatch{created: r.old == "/dev/null", removed: now == "/dev/null"}
	name := now
	if f.removed {
		name = r.old
	}
	for _, prefix := range []string{"a/", "b/", "./"} {
		name = strings.TrimPrefix(name, prefix)
	}
	if why := unsafeName(name); why != "" {
		return fmt.Errorf("it changes %q: %s", cut(name, 200), why)
	}
	f.name = path.Clean(name)
	if len(r.files) >= maxPatched {
		return fmt.Errorf("it changes more than %d files", maxPatched)
	}
	if slices.ContainsFunc(r.files, func(o *filePatch) bool { return o.name == f.name }) {
		return fmt.Errorf("it changes %s twice", f.name)
	}
	r.file = f
	return nil
}

// unsafeName says why a name of a diff may not be written; "" if it may.
func unsafeName(name string) string {
	switch {
	case name == "":
		return "it has no name"
	case strings.Contains(name, `\`), strings.ContainsFunc(name, unicode.IsControl), strings.Contains(name, ":"):
		return "that is no name of a source file"
	case path.IsAbs(name), !filepath.IsLocal(filepath.FromSlash(name)):
		return "it is outside of the module"
	}
	for _, part := range strings.Split(name, "/") {
		if part == ".git" || part == "vendor" || part == ".." {
			return "no change of the program is in " + part
		}
	}
	return ""
}

// beginHunk begins a hunk.
func (r *patchReader) beginHunk(l string) error {
	if r.file == nil {
		return errors.New("a change stands before the name of its file; want --- a/main.go and +++ b/main.go before @@")
	}
	r.endHunk()
	r.hunk = &hunk{}
	_, rest, ok := strings.Cut(l, "-")
	if ok {
		end := strings.IndexFunc(rest, func(c rune) bool { return c < '0' || c > '9' })
		if end < 0 {
			end = len(rest)
		}
		r.hunk.line, _ = strconv.Atoi(rest[:end]) // without a number it is looked for everywhere
	}
	return nil
}

// add adds a line to a hunk.
func (r *patchReader) add(l string) {
	switch {
	case l == "":
		r.hunk.lines = append(r.hunk.lines, hunkLine{' ', ""}) // mail and agents drop the space of an empty line
	case l[0] == ' ' || l[0] == '-' || l[0] == '+':
		r.hunk.lines = append(r.hunk.lines, hunkLine{l[0], l[1:]})
	case strings.HasPrefix(l, `\ No newline`):
		n := len(r.hunk.lines)
		r.hunk.bare = n > 0 && r.hunk.lines[n-1].kind != '-'
	case strings.HasPrefix(l, "```"), strings.HasPrefix(l, "index "):
		r.endHunk()
	}
}

func (r *patchReader) endHunk() {
	if r.hunk == nil {
		return
	}
	h := r.hunk
	r.hunk = nil
	for n := len(h.lines); n > 0 && h.lines[n-1] == (hunkLine{' ', ""}); n-- { // the end of the text, or of a mail
		h.lines = h.lines[:n-1]
	}
	if slices.ContainsFunc(h.lines, func(l hunkLine) bool { return l.kind != ' ' }) {
		r.file.hunks = append(r.file.hunks, *h)
	}
}

// endFile ends a file.
func (r *patchReader) endFile() error {
	r.endHunk()
	f := r.file
	r.file, r.old = nil, ""
	switch {
	case f == nil:
		return nil
	case len(f.hunks) == 0 && !f.removed:
		return fmt.Errorf("nothing changes in %s", f.name)
	}
	r.files = append(r.files, f)
	return nil
}

// apply makes a file's change in its text. Hunks are looked for near the line that their head says, like patch does.
func (f *filePatch) apply(old string) (string, error) {
	ends := "\n"
	if strings.Contains(old, "\r\n") {
		ends = "\r\n"
	}
	text := strings.ReplaceAll(old, "\r\n", "\n")
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if text == "" {
		lines = nil
	}
	bare, from, moved := text != "" && !strings.HasSuffix(text, "\n"), 0, 0
	var out []string
	for i := range f.hunks {
		h := &f.hunks[i]
		want := h.old()
		at := find(lines, want, from, h.line-1+moved)
		if at < 0 {
			return "", fmt.Errorf("%s has no such lines as change %d takes them from, which begin with %q", f.name, i+1,
				firstOf(want))
		}
		moved = at - (h.line - 1)
		out = append(out, lines[from:at]...)
		k := at
		for _, l := range h.lines {
			switch l.kind {
			case ' ':
				out = append(out, lines[k]) // as the file has it
				k++
			case '-':
				k++
			case '+':
				out = append(out, l.text)
			}
		}
		if from = k; from == len(lines) {
			bare = h.bare
		}
	}
	out = append(out, lines[from:]...)
	if len(out) == 0 {
		return "", nil
	}
	result := strings.Join(out, ends)
	if !bare {
		result += ends
	}
	return result, nil
}

// old are the lines that a hunk wants to find.
func (h *hunk) old() (want []string) {
	for _, l := range h.lines {
		if l.kind != '+' {
			want = append(want, l.text)
		}
	}
	return want
}

func firstOf(lines []string) string {
	for _, l := range lines {
		if s := strings.TrimSpace(l); s != "" {
			return cut(s, 60)
		}
	}
	return ""
}

// find looks for lines in others, from one on, nearest to a line first: as they are, then without the space at their
// ends. It is -1 if they are nowhere.
func find(lines, want []string, from, about int) int {
	if len(want) == 0 { // it puts in alone
		return min(max(about+1, from), len(lines))
	}
	for _, same := range []func(a, b string) bool{
		func(a, b string) bool { return a == b },
		func(a, b string) bool { return strings.TrimRight(a, " \t") == strings.TrimRight(b, " \t") },
	} {
		best := -1
		for at := from; at+len(want) <= len(lines); at++ {
			if best >= 0 && distance(at, about) >= distance(best, about) {
				continue
			}
			if slices.EqualFunc(lines[at:at+len(want)], want, same) {
				best = at
			}
		}
		if best >= 0 {
			return best
		}
	}
	return -1
}

func distance(a, b int) int { return max(a-b, b-a) }
