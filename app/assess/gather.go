package assess

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/gocasebook/casebook"
	"github.com/gocasebook/casebook/app/casework"
	"github.com/gocasebook/casebook/app/compare"
	"github.com/gocasebook/casebook/app/openfile"
	"github.com/gocasebook/casebook/app/pasted"
	"github.com/gocasebook/casebook/app/trace"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/vitals"
)

// maxFile bounds one file; package stacks bounds what is in it. maxAll bounds what one call reads.
const (
	maxFile = 256 << 20
	maxAll  = 1 << 30
)

// A gatherer turns arguments into evidence. One that cannot be read does not stop the others.
type gatherer struct {
	request  *DiagnoseRequest
	in       diagnose.Input
	found    map[string]bool // files that nobody named: they are in a named folder or zip
	ignored  []string        // those of them that are not evidence
	bytes    int64           // read so far
	looked   look            // in folders
	tables   []pasted.Piece  // what go tool pprof printed
	said     []pasted.Piece  // texts that say what is wrong
	stated   []stated        // and what is wrong with goroutines of theirs
	failed   []error
	ofFolder *casefile.Folder // the case that was gathered last; nil: none
}

// problem reports a file that could not be read. A file that is merely in the same folder as evidence is skipped.
func (g *gatherer) problem(p diagnose.Problem, others bool) {
	if g.found[p.File] && others {
		if g.request.Skipped != nil {
			g.request.Skipped(p)
		}
		return
	}
	next := ""
	if p.Next != "" {
		next = "; " + p.Next
	}
	g.fail(fmt.Errorf("%s: %s%s", p.File, p.Reason, next))
}

func (g *gatherer) fail(err error) { g.failed = append(g.failed, err) }

func (g *gatherer) gather(ctx context.Context, arg string) {
	info, err := openfile.Soon(arg, func() (os.FileInfo, error) { return os.Stat(arg) })
	switch {
	case arg == "-":
		g.reader("standard input", g.request.Stdin)
	case err == nil && info.IsDir() && casework.IsCase(arg):
		g.caseFolder(arg)
	case err == nil && info.IsDir():
		g.folder(arg)
	case err == nil:
		g.file(arg)
	case strings.Contains(arg, "://") || looksLikeAddress(arg):
		g.url(ctx, arg)
	default:
		g.kept(arg)
	}
}

// kept gathers a case that is named by its ID, as `case show` takes it: whole, or as much of it as is unique.
func (g *gatherer) kept(id string) {
	dir := cmp.Or(g.request.Capture.Dir, casebook.DefaultDir)
	entry, err := casefile.Dir(dir).Find(id)
	switch {
	case err == nil:
		g.caseFolder(entry.Path)
	case errors.Is(err, fs.ErrNotExist) || strings.ContainsAny(id, `/\`):
		g.fail(fmt.Errorf("%s: no such file or folder, and no case of %s; a URL starts with http://", id, dir))
	default:
		g.fail(err)
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
	f, err := openfile.Open(name)
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
	return fmt.Errorf("%s is larger than %s; a profile of a Go process is not", name, vitals.Bytes.Format(maxFile))
}

// isZip is how a zip begins.
const isZip = "PK\x03\x04"

func (g *gatherer) reader(name string, r io.Reader) {
	head, err := io.ReadAll(io.LimitReader(r, sniffed))
	if err != nil {
		g.fail(fmt.Errorf("reading %s: %w", name, err))
		return
	}
	packed := packingOf(head)
	switch {
	case packed != nil && packed.open == nil:
		g.fail(packed.refusal(name))
		return
	case packed != nil:
	case coreOf(name, head) != nil:
		g.fail(coreOf(name, head))
		return
	case isJunk(head): // the beginning is enough to know, and the input may be endless
		g.add(name, head)
		return
	}
	data, ok := g.read(name, joined{io.MultiReader(bytes.NewReader(head), r), sizeHint(r)})
	switch {
	case !ok:
	case packed != nil:
		g.packed(name, packed, data)
	case bytes.HasPrefix(data, []byte(isZip)):
		g.zip(name, data)
	case compare.IsTar(head):
		g.tar(name, data)
	default:
		g.add(name, data)
	}
}

// isJunk reports whether data with this beginning cannot be evidence: it is not text, in which a dump may come further
// down, and no known format.
func isJunk(head []byte) bool {
	return len(head) == sniffed && bytes.IndexByte(head, 0) >= 0 && !bytes.HasPrefix(head, []byte(isZip)) &&
		!compare.IsTar(head) && !isEvidence(head)
}

// A joined is a file whose beginning has been read already, with its size.
type joined struct {
	io.Reader
	size int64
}

// add takes a file: as it is, or what a text has that was logged or pasted.
func (g *gatherer) add(name string, data []byte) {
	e := diagnose.Evidence{Name: name, Data: data}
	if trace.Is(data) {
		e.Kind = casefile.Trace
		g.in.Evidence = append(g.in.Evidence, e)
		return
	}
	pieces := pasted.Pieces(data, time.Now())
	if len(pieces) == 0 && g.refused(e) {
		return
	}
	if len(pieces) == 0 {
		g.states(name, pasted.Fault{}, data)
		g.in.Evidence = append(g.in.Evidence, e)
	}
	for i, p := range pieces {
		e := diagnose.Evidence{Name: name, Kind: p.Kind, Taken: p.Taken, Data: p.Data}
		if len(pieces) > 1 {
			e.Name = fmt.Sprintf("%s (%d of %d)", name, i+1, len(pieces))
		}
		if p.Says != "" {
			g.said = append(g.said, p)
		}
		g.states(e.Name, p.Fault, figured(&p))
		if p.Note != "" {
			e.Name += " (" + p.Note + ")"
			g.tables = append(g.tables, p)
			g.in.Build.Module = cmp.Or(g.in.Build.Module, p.Module)
		}
		if p.Kind == pasted.Table {
			e.Value = tableOf(p.Most)
		}
		g.found[e.Name] = g.found[name]
		g.in.Evidence = append(g.in.Evidence, e)
	}
}

// A tableOf is a table that no detector can use, as what it says.
type tableOf string

func (t tableOf) String() string { return "most is in " + string(t) }

// figured is the part of a piece in which numbers may say what is wrong.
func figured(p *pasted.Piece) []byte {
	if p.Kind == casefile.Metrics {
		return p.Data
	}
	return nil
}

// refused reports texts that people give and that have no evidence in them.
func (g *gatherer) refused(e diagnose.Evidence) bool {
	if diagnose.LooksLikeEvidence(e.Data) {
		return false
	}
	what, next := pasted.Named(e.Data)
	if what != "" {
		g.fail(fmt.Errorf("%s: %s; %s", e.Name, what, next))
	}
	return what != ""
}

// texts adds what texts say themselves, and what tables of go tool pprof leave open.
func (g *gatherer) texts(rep *diagnose.Report) {
	for _, p := range g.said {
		unlessDecided(rep, p.Says, p.Next)
	}
	g.crowded(rep)
	if len(g.tables) == 0 {
		return
	}
	found := len(rep.Findings)
	rep.Findings = slices.DeleteFunc(rep.Findings, func(f casefile.Finding) bool {
		return slices.ContainsFunc(f.Where, func(w casefile.Frame) bool { return w.Function == pasted.NotShown })
	})
	if len(rep.Findings) < found { // what a table does not show is no function without a name
		rep.Verdict = nil
	}
	rep.Undecided = slices.DeleteFunc(rep.Undecided, func(u casefile.Undecided) bool {
		return u.Kind == "evidence-symbols"
	})
	for _, t := range g.tables {
		next := "give the profile that it was made from: go tool pprof -proto URL > profile.pb.gz"
		if t.Source != "" {
			next = "give the profile that it was made from: casebook diagnose " + t.Source
		}
		why := "By " + t.Note + ", most is in " + t.Most + "; it does not say " + t.Lacks
		rep.Undecided = append(rep.Undecided, casefile.Undecided{ID: "EV002", Kind: "evidence-truncated", Reason: why,
			CaptureNext: next})
		unlessDecided(rep, why, next)
	}
}

// unlessDecided is the verdict where there is no better one.
func unlessDecided(rep *diagnose.Report, why, next string) {
	if v := rep.Verdict; v == nil || v.Answer == casefile.AnswerUndecided && len(rep.Findings) == 0 {
		rep.Verdict = &casefile.CaseVerdict{Answer: casefile.AnswerUndecided, Settle: next, Text: why + "."}
	}
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
		g.fail(fmt.Errorf("%s was not read: more than %s in one call; name fewer files", name,
			vitals.Bytes.Format(maxAll)))
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
	g.ofCase(f)
}

func (g *gatherer) ofCase(f *casefile.Folder) {
	g.ofFolder = f
	in, errs := diagnose.CaseInput(f, options())
	g.failed = append(g.failed, errs...)
	g.in.Build, g.in.Limits, g.in.Tripped, g.in.Started = in.Build, in.Limits, in.Tripped, in.Started
	g.in.Triggers = in.Triggers
	g.in.Evidence = append(g.in.Evidence, in.Evidence...)
}
