// Package report writes a case, or a comparison of two measurements, as one HTML page.
//
// The problem: people read an incident on a phone at night, in a chat without Casebook, and on paper a month later. So
// the page is a single file that loads nothing else. All prose, tables and numbers are in the HTML and need no
// JavaScript; the charts and the flame graph are drawn from embedded data.
//
// It starts with what somebody on call needs: what tripped, the first finding with the place and the remedy, and the
// charts of the related signals. The rest is below, and long parts are folded.
//
// Everything in a case is hostile input: function names, URLs and notes come from another process. Text goes through
// html/template; data goes through encoding/json, which escapes <, > and &; and the page's Content-Security-Policy
// admits only the one script and the one style sheet whose hashes it names.
//
// The charts of a comparison are SVG in the HTML: they need no JavaScript and can be printed.
//
// With a template for the source's URL (package sourceurl), places are links. These are the only links out of the page.
//
// Limits: the page has at most maxPageNodes flame graph nodes and maxPoints points per signal, and says what it left
// out. Charts show time relative to the trigger; clock times are UTC.
package report

import (
	"bufio"
	"fmt"
	"html/template"
	"io"

	"github.com/gocasebook/casebook/app/sourceurl"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/vitals"
)

// An Input is what the page is made of. Only Case is needed.
type Input struct {
	Case         casefile.Case
	Vitals       []vitals.Sample // oldest first
	VitalsHeader vitals.Header   // says why signals are absent
	Profiles     []Profile       // in the order of the tabs
	Starts       []Start         // of other processes of the service
	StartsNote   string          // why they are not known
	Links        Links
	Others       Others // that a server knows
	LinesNote    string // what a reader must know of the lines of source that findings have
}

// Links say where the source that a page names can be read.
type Links struct {
	Source sourceurl.Template // the zero Template makes no links
	// the main module's folder on the reader's machine, for an editor; "" for where it was built
	Dir string
	// Lines adds what the source says to a diagnosis, with its lines, and says what a reader must know of them; nil where
	// no source is at hand
	Lines func(*casefile.Diagnosis) (note string)
	// Served is set where `casebook serve` shows the page: it links to the server's pages of the evidence. A page on
	// disk has no such links.
	Served bool
	// Answer is how the reader of a page that is served can give an opinion; "" for not at all.
	Answer Answering
}

// An Answering is a way to give an opinion.
type Answering string

// The ways.
const (
	ByCommand Answering = "command" // casebook answer, where the case's folder is
	ByForm    Answering = "form"    // of the page
)

// A Profile is one pprof protobuf of the case, gzipped or not. One that cannot be read is named on the page with the
// reason.
type Profile struct {
	File  string // as in casefile.Evidence
	Kind  string
	Phase string
	Data  []byte

	labels *stacks.Labels // what of its samples' labels is shown; nil: nothing
}

// Write writes the page. The same input gives the same bytes.
func Write(w io.Writer, in Input) error {
	p, err := newPage(in)
	if err == nil {
		err = execute(w, "page", caseTemplates, p)
	}
	if err != nil {
		return fmt.Errorf("writing the report of case %q: %w", in.Case.ID, err)
	}
	return nil
}

// execute writes a template with the script and the style sheet of its page.
func execute(w io.Writer, name string, templates func() (*template.Template, error), data any) error {
	t, err := templates()
	if err != nil {
		return err
	}
	bw := bufio.NewWriter(w)
	if err := t.ExecuteTemplate(bw, name, data); err != nil {
		return err
	}
	return bw.Flush()
}
