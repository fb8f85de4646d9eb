package assess

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/gocasebook/casebook/app/escape"
	"github.com/gocasebook/casebook/app/revision"
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
	if why := otherRevision(ctx, cmp.Or(r.Dir, "."), h.Build); why != "" {
		report.Gaps = append(report.Gaps, escape.Gap{What: "the source", Why: why})
	}
	return &Escaped{Report: report, Build: h.Build, Failed: h.Failed}, nil
}

// otherRevision says why the source in a folder may not be that of a build; "" where it is, or where nothing tells.
func otherRevision(ctx context.Context, dir string, build casefile.Build) string {
	short := func(hash string) string { return hash[:min(len(hash), 12)] }
	if build.Revision == "" {
		return ""
	}
	out, err := revision.Run(ctx, dir, "git", "rev-parse", "HEAD")
	head := strings.TrimSpace(string(out))
	switch {
	case err != nil:
		return ""
	case head != build.Revision:
		return fmt.Sprintf("it is at revision %s, and the program was built of %s: lines may be others", short(head),
			short(build.Revision))
	case build.Modified:
		return fmt.Sprintf("the program was built of revision %s with changes that it does not have", short(head))
	}
	return ""
}
