package diagnose

import (
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// A Start is where a function begins in the program's build. It tells whether source is that of the build.
type Start struct {
	Function, File string
	Line           int
}

// Starts are the functions with samples in the files that findings name, as far as profiles say where they begin.
func Starts(t *stacks.Table, findings []casefile.Finding) (out []Start) {
	files := make(map[string]bool)
	for _, f := range findings {
		for _, w := range f.Where {
			files[w.File] = w.File != ""
		}
	}
	for i := range t.Funcs {
		if f := &t.Funcs[i]; f.Start > 0 && files[f.File] {
			out = append(out, Start{f.Name, f.File, int(f.Start)})
		}
	}
	return out
}
