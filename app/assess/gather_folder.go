package assess

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/gocasebook/casebook/app/casework"
	"github.com/gocasebook/casebook/app/trace"
	"github.com/gocasebook/casebook/diagnose"
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
	entries, err := os.ReadDir(dir)
	if err != nil {
		g.fail(err)
		return nil
	}
	for _, e := range entries {
		name := filepath.Join(dir, e.Name())
		switch {
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

// candidate reads a file in a folder if it is evidence.
func (g *gatherer) candidate(name string) {
	f, err := os.Open(name)
	if err != nil {
		g.fail(err)
		return
	}
	defer f.Close()
	g.unnamed(name, f)
}

// unnamed reads an open file that nobody named, if it is evidence.
func (g *gatherer) unnamed(name string, f fs.File) {
	head, err := io.ReadAll(io.LimitReader(f, sniffed))
	if err != nil {
		g.fail(fmt.Errorf("reading %s: %w", name, err))
		return
	}
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

// isEvidence reports whether data with this beginning is worth reading: an execution trace, or what package diagnose
// knows.
func isEvidence(head []byte) bool { return trace.Is(head) || diagnose.LooksLikeEvidence(head) }

// ignoredAs says in brackets what an ignored file is, if its name does not.
func ignoredAs(name string, head []byte) string {
	what := diagnose.NotEvidence(head)
	if what == "" || what == "JSON" && strings.EqualFold(filepath.Ext(name), ".json") {
		return ""
	}
	return " (" + what + ")"
}
