package diagnose

import (
	"context"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// rowFrame is a frame of a row's function in a release of its module.
func rowFrame(m known.Release, function string) string {
	name := m.Named(function)
	if prefix, any := strings.CutSuffix(name, "*"); any || strings.HasSuffix(name, ".") || strings.HasSuffix(name, "/") {
		name = prefix + "Any"
	}
	if m.Path == known.Std {
		pkg, _, _ := strings.Cut(name[strings.LastIndexByte(name, '/')+1:], ".")
		return name + "|/usr/local/go/src/" + path.Join(path.Dir(name), pkg, "x.go")
	}
	return name + "|/root/go/pkg/mod/" + m.Path + "@" + m.Version + "/x.go"
}

const handlerFrames = "main.(*api).show|/src/main.go net/http.HandlerFunc.ServeHTTP|/usr/local/go/src/net/http/server.go"

// rowStack is a stack on which a row stands: what is below its function, and a handler of the user's above.
func rowStack(a *known.Advice, m known.Release, function string) string {
	stack := rowFrame(m, function) + " " + handlerFrames
	if len(a.Below) > 0 {
		stack = rowFrame(m, a.Below[0]) + " " + stack
	}
	return stack
}

const goRelease = "go1.26.1"

// TestRowsStand: each row is found where one of its functions stands, in each of its modules; and not where a module of
// another path has functions of the same names.
func TestRowsStand(t *testing.T) {
	all, err := known.Advices()
	if err != nil {
		t.Fatal(err)
	}
	of := map[string]*known.Advice{}
	for _, a := range all {
		for _, m := range a.Modules {
			version := m.Version
			if m.Path == known.Std {
				version = goRelease
			}
			if !a.HoldsFor(version) {
				continue // older releases have it
			}
			for _, fn := range append(slices.Clone(a.At), a.Stays...) {
				of[rowStack(a, m, fn)] = a
			}
		}
	}
	weights := map[string]int64{}
	for stack := range of {
		weights[stack] = 1
	}
	r, _ := read(context.Background(), Input{Evidence: []Evidence{{Name: "cpu.pb.gz",
		Data: framesProfile(t, cpuTypes(), weights)}}, Build: casefile.Build{GoVersion: goRelease}})
	e := r.experts()
	found := map[*known.Advice]int{}
	for _, set := range r.Sets {
		for i := range set.Set.Samples {
			for _, s := range e.on(e.frames(set.Set.Samples[i].Stack), shows(^known.Seen(0))) {
				found[s.advice]++
			}
		}
	}
	for _, a := range of {
		if found[a] == 0 {
			t.Errorf("%s: nothing is known at %q", a.Line, a.At)
		}
	}
	other := &stacks.Func{Name: "example.org/like" + all[0].Modules[0].Named(all[0].At[0]), Owner: stacks.Dependency}
	if !knowsOf(other).None() {
		t.Errorf("%s has rows", other.Name)
	}
}

// TestRowOfCPU: much CPU below a row's function is a finding at the user's line with the row's change first; the same
// names of another module's, or what is below the user's own code, has no change of a row.
func TestRowOfCPU(t *testing.T) {
	a := known.AdviceOf("github.com/xuri/excelize/v2.(*File).SetCellValue").At[0]
	stack := rowStack(a, a.Modules[0], a.At[0])
	rest := "main.(*api).other|/src/other.go " + handlerFrames
	other := strings.ReplaceAll(stack, a.Modules[0].Path, "example.org/other")
	answers := "internal/runtime/syscall.Syscall6|/usr/local/go/src/x.go net/http.(*conn).serve|/usr/local/go/src/y.go"
	for name, c := range map[string]struct {
		of   map[string]int64
		want bool
	}{
		"much":          {map[string]int64{stack: 400, rest: 600}, true},
		"little":        {map[string]int64{stack: 30, rest: 970}, false},
		"other module":  {map[string]int64{other: 400, rest: 600}, false},
		"calls us back": {map[string]int64{"main.(*api).key|/src/key.go " + stack: 400, rest: 600}, false},
	} {
		c.of[answers] = 10 // without any it is no server
		rep := Run(context.Background(), Input{Evidence: []Evidence{{Name: "cpu.pb.gz",
			Data: framesProfile(t, cpuTypes(), c.of)}}}, Options{})
		title, _ := known.Titled(a.Do[0])
		j := slices.IndexFunc(rep.Findings, func(f casefile.Finding) bool {
			return len(f.Remedies) > 0 && f.Remedies[0].Title == title
		})
		if (j >= 0) != c.want {
			t.Errorf("%s: finding %d has the row's change, want one: %v; got %+v", name, j, c.want, rep.Findings)
		}
		if j >= 0 && rep.Findings[j].Where[0].Function != "main.(*api).show" {
			t.Errorf("%s: at %s", name, rep.Findings[j].Where[0].Function)
		}
	}
}
