package assess

import (
	"cmp"
	"context"

	"github.com/gocasebook/casebook/app/escape"
	"github.com/gocasebook/casebook/app/source"
	"github.com/gocasebook/casebook/casefile"
)

// An EscapeRequest names the evidence of a program, and where its source is.
type EscapeRequest struct {
	Evidence DiagnoseRequest
	Dir      string   // in the module of the program
	Packages []string // whose lines are wanted; none: those of the module
	Flags    []string // further flags of go build
	Top      int      // lines that are listed

	Compiling func(packages int) // is called before packages are compiled; nil: nobody is told
}

// Escaped is why lines allocate.
type Escaped struct {
	*escape.Report
	Build  casefile.Build
	Failed []error // evidence that could not be read; the rest was used
}

// Escape says why the lines that allocate most put values on the heap.
func Escape(ctx context.Context, r EscapeRequest) (*Escaped, error) {
	h, err := Heat(ctx, r.Evidence, nil)
	if err != nil {
		return nil, err
	}
	report, err := escape.Run(ctx, escape.Config{Map: h.Map, Dir: r.Dir, Packages: r.Packages, Flags: r.Flags,
		Main: h.Build.Path, Module: h.Build.Module, Built: h.Build.GoVersion, Top: r.Top, Compiling: r.Compiling})
	if err != nil {
		return nil, err
	}
	// Lines that moved are the report's own gaps. A folder that is another module's has the program as a dependency.
	if p, err := source.FindPlaces(ctx, cmp.Or(r.Dir, "."), h.Build); err == nil {
		if m := p.Match(ctx, nil); m.Stale() {
			report.Gaps = append(report.Gaps, escape.Gap{What: "the source", Why: m.String() + ": lines may be others"})
		}
	}
	return &Escaped{Report: report, Build: h.Build, Failed: h.Failed}, nil
}
