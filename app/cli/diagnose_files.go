package cli

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/gocasebook/casebook/app/casework"
	"github.com/gocasebook/casebook/app/render"
	"github.com/gocasebook/casebook/app/terminal"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
)

// maxFile bounds one file; package stacks bounds what is in it. maxAll bounds what one call reads.
const (
	maxFile = 256 << 20
	maxAll  = 1 << 30
)

// problem reports a file that could not be read. A file that is merely in the same folder as evidence is skipped.
func (g *gatherer) problem(p diagnose.Problem, others bool) {
	if g.found[p.File] && others {
		fmt.Fprintf(g.progress, "skipped %s: %s\n", render.Plain(p.File), render.Plain(p.Reason))
		return
	}
	g.fail(fmt.Errorf("%s: %s%s", p.File, p.Reason, terminal.Tail("; ", p.Next)))
}

func (g *gatherer) fail(err error) { g.failed = append(g.failed, err) }

func (g *gatherer) gather(ctx context.Context, arg string) {
	info, err := os.Stat(arg)
	switch {
	case arg == "-":
		g.reader("standard input", g.stdin)
	case err == nil && info.IsDir() && casework.IsCase(arg):
		g.caseFolder(arg)
	case err == nil && info.IsDir():
		g.folder(arg)
	case err == nil:
		g.file(arg)
	case strings.Contains(arg, "://") || looksLikeAddress(arg):
		g.url(ctx, arg)
	default:
		g.fail(fmt.Errorf("%s: no such file or folder; a URL starts with http://", arg))
	}
}

// looksLikeAddress distinguishes "localhost:6060" from the name of a file that does not exist.
func looksLikeAddress(arg string) bool {
	host, port, ok := strings.Cut(arg, ":")
	if !ok || host == "" && port == "" || strings.ContainsAny(host, `/\`) {
		return false
	}
	digits, _, _ := strings.Cut(port, "/")
	return digits != "" && strings.Trim(digits, "0123456789") == ""
}

func (g *gatherer) file(name string) {
	f, err := casework.OpenFile(name)
	if err != nil {
		g.fail(err)
		return
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.Size() > maxFile {
		g.fail(tooLarge(name))
		return
	}
	g.reader(name, f)
}

func tooLarge(name string) error {
	return fmt.Errorf("%s is larger than %s; a profile of a Go process is not", name, terminal.Size(maxFile))
}

// isZip is how a zip begins.
const isZip = "PK\x03\x04"

func (g *gatherer) reader(name string, r io.Reader) {
	head, err := io.ReadAll(io.LimitReader(r, sniffed))
	if err != nil {
		g.fail(fmt.Errorf("reading %s: %w", name, err))
		return
	}
	if isJunk(head) { // the beginning is enough to know, and the input may be endless
		g.add(name, head)
		return
	}
	data, ok := g.read(name, joined{io.MultiReader(bytes.NewReader(head), r), sizeHint(r)})
	switch {
	case !ok:
	case bytes.HasPrefix(data, []byte(isZip)):
		g.zip(name, data)
	default:
		g.add(name, data)
	}
}

// isJunk reports whether what begins so can only be no evidence: it is not text, in which a dump may stand further
// down, and no form that is known.
func isJunk(head []byte) bool {
	return len(head) == sniffed && bytes.IndexByte(head, 0) >= 0 && !bytes.HasPrefix(head, []byte(isZip)) && !diagnose.LooksLikeEvidence(head)
}

// A joined is a file whose beginning has been read already, with its size.
type joined struct {
	io.Reader
	size int64
}

func (g *gatherer) add(name string, data []byte) {
	g.in.Evidence = append(g.in.Evidence, diagnose.Evidence{Name: name, Data: data})
}

func (g *gatherer) read(name string, r io.Reader) ([]byte, bool) {
	b := bytes.NewBuffer(make([]byte, 0, sizeHint(r)+bytes.MinRead))
	_, err := b.ReadFrom(io.LimitReader(r, maxFile+1))
	data := b.Bytes()
	g.bytes += int64(len(data))
	switch {
	case err != nil:
		g.fail(fmt.Errorf("reading %s: %w", name, err))
	case len(data) > maxFile:
		g.fail(tooLarge(name))
	case g.bytes > maxAll:
		g.fail(fmt.Errorf("%s was not read: more than %s in one call; name fewer files", name, terminal.Size(maxAll)))
	default:
		return data, true
	}
	return nil, false
}

// sizeHint returns a file's size, so that a large one is not copied from buffer to buffer; 0 if it is not a regular
// file.
func sizeHint(r io.Reader) int64 {
	if j, ok := r.(joined); ok {
		return j.size
	}
	if f, ok := r.(*os.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
			return min(info.Size(), maxFile)
		}
	}
	return 0
}

func (g *gatherer) caseFolder(dir string) {
	f, err := casefile.Open(dir)
	if err != nil {
		g.fail(err)
		return
	}
	in, errs := diagnose.CaseInput(f, diagnose.Options{})
	g.failed = append(g.failed, errs...)
	g.in.Build, g.in.Limits, g.in.Tripped, g.in.Started = in.Build, in.Limits, in.Tripped, in.Started
	g.in.Evidence = append(g.in.Evidence, in.Evidence...)
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
		g.fail(fmt.Errorf("%s holds %d cases, each with its own process and time; name one, for instance: "+
			"casebook diagnose %s", dir, len(cases), cases[len(cases)-1]))
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

// sniffed is how much of a file that nobody named is read to tell what it is: the numbers of expvar's page stand
// anywhere in it.
const sniffed = 1 << 20

// candidate reads a file in a folder if it is evidence.
func (g *gatherer) candidate(name string) {
	f, err := os.Open(name)
	if err != nil {
		g.fail(err)
		return
	}
	defer f.Close()
	head, err := io.ReadAll(io.LimitReader(f, sniffed))
	if err != nil {
		g.fail(fmt.Errorf("reading %s: %w", name, err))
		return
	}
	if info, err := f.Stat(); err == nil && info.Size() > maxFile && diagnose.LooksLikeEvidence(head) {
		g.fail(tooLarge(name))
		return
	}
	g.sniff(name, head, f)
}

// sniff takes a file, whose head has been read, if it is evidence. Otherwise it notes it as ignored.
func (g *gatherer) sniff(name string, head []byte, rest io.Reader) {
	if !diagnose.LooksLikeEvidence(head) {
		g.ignored = append(g.ignored, name+ignoredAs(name, head))
		return
	}
	g.found[name] = true
	if data, ok := g.read(name, io.MultiReader(bytes.NewReader(head), rest)); ok {
		g.add(name, data)
	}
}

// ignoredAs says in brackets what an ignored file is, if its name does not.
func ignoredAs(name string, head []byte) string {
	what := diagnose.NotEvidence(head)
	if what == "" || what == "JSON" && strings.EqualFold(filepath.Ext(name), ".json") {
		return ""
	}
	return " (" + what + ")"
}

// maxNamed is how many ignored files are named.
const maxNamed = 4

// tellIgnored prints once which files were not evidence.
func (g *gatherer) tellIgnored() {
	if len(g.ignored) == 0 {
		return
	}
	names := make([]string, 0, maxNamed)
	for _, name := range g.ignored[:min(len(g.ignored), maxNamed)] {
		names = append(names, render.Plain(filepath.Base(name)))
	}
	if more := len(g.ignored) - len(names); more > 0 {
		names = append(names, fmt.Sprintf("and %d more", more))
	}
	p := terminal.New(g.progress)
	p.Text("left out"+terminal.Tail(" of ", g.part)+", because diagnose reads no such evidence: ", strings.Join(names, ", "))
}
