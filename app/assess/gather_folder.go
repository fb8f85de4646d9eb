package assess

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"github.com/gocasebook/casebook/app/casework"
	"github.com/gocasebook/casebook/app/openfile"
	"github.com/gocasebook/casebook/app/pasted"
	"github.com/gocasebook/casebook/app/trace"
	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/vitals"
)

// A ManyCasesError says that a folder holds cases that cannot be judged together.
type ManyCasesError struct {
	Dir   string
	Cases []string // their folders; the last is the newest
}

// Error counts the cases.
func (e *ManyCasesError) Error() string {
	return fmt.Sprintf("%s holds %d cases, each with its own process and time; name one", e.Dir, len(e.Cases))
}

// folder reads the evidence in a folder and in its direct subfolders, whatever their names. Hidden files are left
// alone.
func (g *gatherer) folder(dir string) {
	before, ignored := len(g.in.Evidence), len(g.ignored)
	cases := g.level(dir, true)
	switch {
	case g.looked.over != nil && !g.looked.said:
		g.looked.said = true
		g.fail(g.looked.over)
	case len(g.in.Evidence) > before:
		for _, c := range cases {
			g.ignored = append(g.ignored, c+" (a case: diagnose it separately)")
		}
	case len(cases) == 1:
		g.ignored = g.ignored[:ignored]
		g.caseFolder(cases[0])
	case len(cases) > 1:
		g.fail(&ManyCasesError{dir, cases})
	case len(g.ignored) > ignored:
		g.fail(fmt.Errorf("%s holds no evidence: none of its files is a Go profile or goroutine dump", dir))
	default:
		g.fail(fmt.Errorf("%s holds no files to read", dir))
	}
}

// level reads one folder, and with deeper the folders in it. It returns the folders that are cases.
func (g *gatherer) level(dir string, deeper bool) (cases []string) {
	entries, err := openfile.List(dir, maxLooked)
	if err != nil {
		g.fail(err)
		return nil
	}
	for _, e := range entries {
		name := filepath.Join(dir, e.Name())
		switch {
		case g.looked.enough(name) != nil:
			return cases
		case strings.HasPrefix(e.Name(), "."):
		case e.Type().IsRegular():
			g.candidate(name)
		case !e.IsDir() || !deeper:
		case casework.IsCase(name):
			cases = append(cases, name)
		default:
			g.level(name, false)
		}
	}
	return cases
}

// sniffed is how much of a file that nobody named is read to tell what it is: the numbers of expvar's page are anywhere
// in it.
const sniffed = 1 << 20

// What is looked at of the folders that one call names, to tell which of their files are evidence.
const (
	maxLooked     = 10_000
	maxLookedSize = 4 << 30 // bytes
	maxLookedTime = 2 * time.Minute
)

// A look counts what was looked at in folders, until it is too much.
type look struct {
	files int
	bytes int64
	began time.Time
	over  error // once it is too much
	said  bool
}

// enough counts an entry of a folder, and says whether that is too many.
func (l *look) enough(name string) error {
	if l.began.IsZero() {
		l.began = time.Now()
	}
	l.files++
	why := ""
	switch {
	case l.over != nil:
	case l.files > maxLooked:
		why = fmt.Sprintf("more than %d files are in it and beside it", maxLooked)
	case l.bytes > maxLookedSize:
		why = "it took " + vitals.Bytes.Format(maxLookedSize) + " to tell what its files are"
	case time.Since(l.began) > maxLookedTime:
		why = fmt.Sprintf("it took %s to tell what its files are", maxLookedTime)
	}
	if why != "" {
		l.over = fmt.Errorf("%s and what follows was not read: %s; name the files, or a folder of them alone", name,
			why)
	}
	return l.over
}

// candidate reads a file in a folder if it is evidence. A view of the kernel is none.
func (g *gatherer) candidate(name string) {
	f, err := openfile.Open(name)
	var other *openfile.NotFileError
	if errors.As(err, &other) {
		g.ignored = append(g.ignored, name)
		return
	}
	if err != nil {
		g.fail(err)
		return
	}
	defer f.Close()
	g.unnamed(name, f)
}

// unnamed reads an open file that nobody named, if it is evidence.
func (g *gatherer) unnamed(name string, f fs.File) {
	head, err := openfile.Soon(name, func() ([]byte, error) { return io.ReadAll(io.LimitReader(f, sniffed)) })
	if err != nil {
		g.fail(fmt.Errorf("reading %s: %w", name, err))
		return
	}
	g.looked.bytes += int64(len(head))
	if info, err := f.Stat(); err == nil && info.Size() > maxFile && isEvidence(head) {
		g.fail(tooLarge(name))
		return
	}
	g.sniff(name, head, f)
}

// sniff takes a file, whose head has been read, if it is evidence. Otherwise it notes it as ignored.
func (g *gatherer) sniff(name string, head []byte, rest io.Reader) {
	if !isEvidence(head) {
		g.ignored = append(g.ignored, name+ignoredAs(name, head))
		return
	}
	g.found[name] = true
	if data, ok := g.read(name, io.MultiReader(bytes.NewReader(head), rest)); ok {
		g.add(name, data)
	}
}

// isEvidence reports whether data with this beginning is worth reading: an execution trace, what package diagnose
// knows, or a text with such in it.
func isEvidence(head []byte) bool {
	return trace.Is(head) || diagnose.LooksLikeEvidence(head) || len(pasted.Pieces(head, time.Now())) > 0
}

// ignoredAs says in brackets what an ignored file is, if its name does not.
func ignoredAs(name string, head []byte) string {
	if p := packingOf(head); p != nil {
		return " (packed with " + p.name + ": name it, or unpack it)"
	}
	what := diagnose.NotEvidence(head)
	if text, _ := pasted.Named(head); what == "" {
		what, _, _ = strings.Cut(text, ":")
	}
	if what == "" || what == "JSON" && strings.EqualFold(filepath.Ext(name), ".json") {
		return ""
	}
	return " (" + what + ")"
}
