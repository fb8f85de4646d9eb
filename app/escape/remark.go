package escape

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"strings"
)

// A Place is a position in a file.
type Place struct {
	File   string `json:"file"`
	Line   int    `json:"line"` // from 1
	Column int    `json:"column,omitempty"`
}

// line is the place without its column, which profiles do not have.
func (p Place) line() Place { return Place{File: p.File, Line: p.Line} }

// Short is the place as a person needs it: the file's name and the line.
func (p Place) Short() string { return fmt.Sprintf("%s:%d", filepath.Base(p.File), p.Line) }

// A remark is what the compiler says of a place: one line of what -json=0 writes.
type remark struct {
	// At is where it is, innermost first: the source, then each call through which that was inlined. The last is in
	// the package that was compiled.
	At      []Place
	Code    string // "escape", "escapes", "leak", "cannotInlineFunction", "isInBounds" …
	Message string // "&T{...} escapes to heap"; empty for a second mention of the same place
	Flow    []flow // how it gets to the heap, from the value outward
}

// subject is the expression that the compiler says escapes, in its own words; "" for any other remark.
func (r *remark) subject() string {
	if r.Code != "escape" && r.Code != "escapes" {
		return ""
	}
	s, _ := strings.CutSuffix(r.Message, " escapes to heap")
	return s
}

// A flow is one assignment on the way to the heap: what a location's value, or its address, gets into.
type flow struct {
	Into, From string // "{heap}", "&t"
	Steps      []step
}

// A step is a reason for a flow.
type step struct {
	Expr string // the code that does it: "return &t"
	Why  string // the compiler's word for it: "return", "call parameter"
	At   Place
}

// The lines of -json=0 (cmd/compile/internal/logopt). Lines and columns are from 1, though it takes the form of the
// language server protocol, where they are from 0.
type jsonPosition struct {
	Line      int `json:"line"`
	Character int `json:"character"`
}

type jsonRange struct {
	Start jsonPosition `json:"start"`
}

type jsonRelated struct {
	Location struct {
		URI   string    `json:"uri"`
		Range jsonRange `json:"range"`
	} `json:"location"`
	Message string `json:"message"`
}

type jsonLine struct {
	Version *int          `json:"version"` // of the first line only
	File    string        `json:"file"`    // likewise
	GC      string        `json:"gc_version"`
	Range   jsonRange     `json:"range"`
	Code    string        `json:"code"`
	Message string        `json:"message"`
	Related []jsonRelated `json:"relatedInformation"`
}

// Bounds of what is read of one file. Generated code has lines of some hundred kB, where a value flows far.
const (
	maxLogLine = 16 << 20 // bytes
	maxPlace   = 1 << 30  // lines and columns; more is no source
)

// readLog reads what the compiler wrote of one source file, and notes its version. A line that is damaged is skipped
// and counted.
func readLog(r io.Reader, version *string) (remarks []remark, damaged int, err error) {
	b := bufio.NewReaderSize(r, 64<<10)
	l := logReader{version: version}
	for {
		line, long, end := readLine(b)
		line = bytes.TrimSpace(line)
		switch {
		case long:
			l.damaged++
		case len(line) > 0:
			if err := l.add(line); err != nil {
				return nil, l.damaged, err
			}
		}
		switch {
		case errors.Is(end, io.EOF):
			return l.remarks, l.damaged, nil
		case end != nil:
			return l.remarks, l.damaged, end
		}
	}
}

// A logReader gathers what the lines of a file say.
type logReader struct {
	remarks []remark
	damaged int
	file    string // the source; "" of code that the compiler makes
	version *string
	began   bool
}

// add reads a line. The first says of which file the others are.
func (r *logReader) add(line []byte) error {
	var l jsonLine
	if json.Unmarshal(line, &l) != nil {
		if !r.began {
			return errors.New("it does not begin as what go build -gcflags=-json=0 writes")
		}
		r.damaged++
		return nil
	}
	if l.Version != nil {
		if *l.Version != 0 {
			return fmt.Errorf("the compiler wrote version %d of its remarks, not 0", *l.Version)
		}
		r.file, *r.version, r.began = l.File, l.GC, true
		return nil
	}
	at, ok := place(r.file, l.Range.Start)
	switch {
	case ok && l.Code != "":
		r.remarks = append(r.remarks, newRemark(at, &l))
	case !r.began || l.Code == "": // code that the compiler makes is at no place
		r.damaged++
	}
	return nil
}

// readLine reads a line; long is true for one that is too long, of which the rest is skipped.
func readLine(b *bufio.Reader) (line []byte, long bool, err error) {
	for {
		part, err := b.ReadSlice('\n')
		if len(line)+len(part) <= maxLogLine {
			line = append(line, part...)
		} else {
			long = true
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, long && err == nil, err
		}
	}
}

func place(file string, p jsonPosition) (Place, bool) {
	ok := file != "" && p.Line > 0 && p.Line < maxPlace && p.Character >= 0 && p.Character < maxPlace
	return Place{File: filepath.Clean(file), Line: p.Line, Column: p.Character}, ok
}

// newRemark takes apart what is related to a remark: first the calls through which its place was inlined, outermost
// first, then the explanation, each line of which may be followed by such calls again.
func newRemark(at Place, l *jsonLine) remark {
	r := remark{At: []Place{at}, Code: l.Code, Message: l.Message}
	related := l.Related
	for len(related) > 0 && related[0].Message == "inlineLoc" {
		if p, ok := related[0].place(); ok {
			r.At = append(r.At, p)
		}
		related = related[1:]
	}
	for i, k := 0, len(r.At)-1; i < k; i, k = i+1, k-1 {
		r.At[i], r.At[k] = r.At[k], r.At[i]
	}
	for i := 0; i < len(related); i++ {
		p, ok := related[i].place()
		text := strings.TrimSpace(strings.TrimPrefix(related[i].Message, "escflow:"))
		for i+1 < len(related) && related[i+1].Message == "inlineLoc" {
			i++
			if inner, fine := related[i].place(); fine {
				p, ok = inner, true
			}
		}
		if ok {
			r.explain(text, p)
		}
	}
	return r
}

// explain adds a line of the explanation: "flow: {heap} ← &t:" or "from &t (address-of)".
func (r *remark) explain(text string, at Place) {
	if rest, ok := strings.CutPrefix(text, "flow: "); ok {
		rest = strings.TrimSuffix(rest, ":")
		into, from, ok := strings.Cut(rest, " ← ")
		if !ok {
			into, from, _ = strings.Cut(rest, " = ") // Go 1.24 and before
		}
		r.Flow = append(r.Flow, flow{Into: into, From: from})
		return
	}
	expr, ok := strings.CutPrefix(text, "from ")
	if !ok || len(r.Flow) == 0 {
		return
	}
	why := ""
	if i := strings.LastIndex(expr, " ("); i >= 0 && strings.HasSuffix(expr, ")") {
		expr, why = expr[:i], expr[i+2:len(expr)-1]
	}
	f := &r.Flow[len(r.Flow)-1]
	f.Steps = append(f.Steps, step{Expr: expr, Why: why, At: at})
}

// place is a location: "file:///home/x/a.go" and a line of it.
func (r *jsonRelated) place() (Place, bool) {
	u, err := url.Parse(r.Location.URI)
	if err != nil || u.Scheme != "file" {
		return Place{}, false
	}
	file := u.Path
	if len(file) > 2 && file[0] == '/' && file[2] == ':' { // file:///C:/x
		file = file[1:]
	}
	return place(file, r.Location.Range.Start)
}
