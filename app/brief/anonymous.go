package brief

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/app/anonymize"
	"github.com/gocasebook/casebook/app/facts"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// Anonymous is a sheet that can be shown to strangers: its facts under the same IDs, with stand-ins in the place of
// names, and without source of the program's own. What stays is a list, as in package anonymize: names of the standard
// library, of modules that package known has, which are public, and those below import paths to keep. A sheet of the
// same evidence has other stand-ins the next time.
//
// Limits: numbers stay, and calls into what stays. Words of a fact that are plain English ones stay, whatever the
// program calls so, but for the elements of its module's path and its own name.
func Anonymous(s *facts.Sheet, keep ...string) (*facts.Sheet, error) {
	hidden, _, err := Hide(s, keep...)
	return hidden, err
}

// Hide is Anonymous for who shows the sheet and reads an answer to it: reveal puts the names back into its text.
func Hide(s *facts.Sheet, keep ...string) (hidden *facts.Sheet, reveal func(text string) string, err error) {
	a, err := newAnonymizer(s, keep)
	if err != nil {
		return nil, nil, err
	}
	out := *s
	out.Seen = nil
	out.Subject = a.subject(s.Subject)
	out.Modules, out.Settings, out.Code, out.Facts = nil, nil, nil, nil
	for _, m := range s.Modules {
		if !a.names.Stays(m.Path) {
			m = facts.Module{Path: a.names.Package(m.Path)}
		}
		out.Modules = append(out.Modules, m)
	}
	for _, x := range s.Settings {
		out.Settings = append(out.Settings, facts.Setting{Name: x.Name, Value: settingValue(x.Value)})
	}
	left := make(map[string]bool) // excerpts that are left out
	for _, e := range s.Code {
		if !a.names.Stays(e.Function) {
			left[e.ID] = true
			continue
		}
		e.File, e.Note = a.names.File(e.File, e.Function), ""
		out.Code = append(out.Code, e)
	}
	for i := range s.Facts {
		if !left[s.Facts[i].ID] {
			out.Facts = append(out.Facts, a.fact(&s.Facts[i]))
		}
	}
	return &out, a.names.Reveal, nil
}

// settingValue is the value of a setting, without one that may tell something.
func settingValue(value string) string {
	number, unit, _ := strings.Cut(value, " ")
	units := []string{"", "B", "KiB", "MiB", "GiB", "TiB", "(environment)"}
	if anonymize.IsSetting(number) && slices.Contains(units, unit) {
		return value
	}
	return "left out"
}

// An anonymizer has the names of a sheet.
type anonymizer struct {
	names *anonymize.StandIns
	exact map[string]string // stand-ins of functions and files, as sentences have them
	own   map[string]bool   // identifiers of functions whose names do not stay
	never map[string]bool   // words that do not stay wherever they are: of the module's path, the process's name
	kept  map[string]bool   // last elements of packages whose names stay: "http" of net/http
}

func newAnonymizer(s *facts.Sheet, keep []string) (*anonymizer, error) {
	public, err := publicModules(s)
	if err != nil {
		return nil, err
	}
	n, err := anonymize.NewStandIns(anonymize.Options{Keep: slices.Concat(public, keep)})
	if err != nil {
		return nil, fmt.Errorf("--keep: %w", err)
	}
	a := &anonymizer{names: n, exact: make(map[string]string), own: make(map[string]bool), never: make(map[string]bool),
		kept: anonymize.StdBases()}
	for function, file := range s.Seen.All() {
		a.learn(function, file)
	}
	for i := range s.Facts {
		for _, stack := range s.Facts[i].Stacks {
			for _, f := range stack.Frames {
				a.learn(f.Function, f.File)
			}
		}
	}
	a.forbid(s.Subject.Module)
	a.forbid(s.Subject.Name)
	return a, nil
}

// publicModules are those that package known has, without the program's own.
func publicModules(s *facts.Sheet) (out []string, err error) {
	rows, err := known.Advices()
	if err != nil {
		return nil, err
	}
	own := ownPackages(s)
	for _, a := range rows {
		for _, m := range a.Modules {
			mine := slices.ContainsFunc(own, func(pkg string) bool { return below(pkg, m.Path) || below(m.Path, pkg) })
			if m.Path != known.Std && !mine && !slices.Contains(out, m.Path) {
				out = append(out, m.Path)
			}
		}
	}
	return out, nil
}

// ownPackages are the program's module and the packages of its functions: evidence without a build names no module.
func ownPackages(s *facts.Sheet) (out []string) {
	if s.Subject.Module != "" {
		out = append(out, s.Subject.Module)
	}
	for i := range s.Facts {
		for _, stack := range s.Facts[i].Stacks {
			for _, f := range stack.Frames {
				if f.Owner != facts.User {
					continue
				}
				pkg := stacks.FuncOf(f.Function, f.File, "").Package
				if pkg != "main" && !slices.Contains(out, pkg) {
					out = append(out, pkg)
				}
			}
		}
	}
	return out
}

// below reports whether a package is that of a path, or below it.
func below(pkg, path string) bool { return pkg == path || strings.HasPrefix(pkg, path+"/") }

// learn notes how sentences may name a function.
func (a *anonymizer) learn(function, file string) {
	if a.names.Stays(function) {
		pkg, _, _ := strings.Cut(short(function), ".")
		a.kept[pkg] = true
		if file := base(file); a.exact[file] == "" {
			a.exact[file] = file
		}
		return
	}
	to := a.names.Function(function)
	a.exact[function], a.exact[short(function)] = to, short(to)
	for _, id := range identifiers.FindAllString(function, -1) {
		a.own[id] = true
	}
	if file != "" && file != "<autogenerated>" {
		to := a.names.File(file, function)
		a.exact[file], a.exact[base(file)] = to, base(to)
	}
	// What a package is called is a word of the module's path.
	if pkg, _, ok := strings.Cut(short(function), "."); ok && pkg != "main" {
		a.never[pkg] = true
	}
}

// forbid has no word of a name stay.
func (a *anonymizer) forbid(name string) {
	const shortest = 3 // "go", "v2"
	for _, word := range identifiers.FindAllString(name, -1) {
		if len(word) >= shortest && !slices.Contains(everywhere, word) {
			a.never[word] = true
		}
	}
}

// everywhere are words of import paths that say nothing of whose they are.
var everywhere = []string{"com", "org", "net", "dev", "github", "gitlab", "main", "cmd", "internal", "pkg", "src",
	"example", "test"}

func (a *anonymizer) subject(s facts.Subject) facts.Subject {
	out := facts.Subject{Name: a.names.Word(s.Name), Module: a.names.Package(s.Module)}
	if anonymize.IsGoVersion(s.Go) {
		out.Go = s.Go
	}
	if rule, text, ok := strings.Cut(s.Tripped, ": "); ok {
		out.Tripped = a.names.Rule(rule) + ": " + a.text(text)
	}
	return out
}

// fact is one with stand-ins. What package known says has no names of the program.
func (a *anonymizer) fact(f *facts.Fact) facts.Fact {
	out := *f
	out.Stacks = make([]facts.Stack, len(f.Stacks))
	for i, stack := range f.Stacks {
		out.Stacks[i] = facts.Stack{Share: stack.Share}
		for _, x := range stack.Frames {
			out.Stacks[i].Frames = append(out.Stacks[i].Frames, a.frame(x))
		}
	}
	if f.Sort == facts.Known {
		return out
	}
	out.Text, out.Cure, out.Against = a.text(f.Text), a.texts(f.Cure), a.texts(f.Against)
	out.Numbers = slices.Clone(f.Numbers)
	for i := range out.Numbers {
		out.Numbers[i].Name = a.text(out.Numbers[i].Name)
	}
	return out
}

func (a *anonymizer) frame(f facts.Frame) facts.Frame {
	f.File, f.Function = a.names.File(f.File, f.Function), a.names.Function(f.Function)
	if f.Module != "" && !a.names.Stays(f.Module) {
		f.Module = a.names.Package(f.Module)
	}
	return f
}

func (a *anonymizer) texts(all []string) (out []string) {
	for _, text := range all {
		out = append(out, a.text(text))
	}
	return out
}
