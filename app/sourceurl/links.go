package sourceurl

import (
	"path"
	"regexp"
	"strconv"
	"strings"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// Links makes the addresses of one build's source.
type Links struct {
	template Template
	build    casefile.Build
	source   string // the folder of the main module on the reader's machine; "" for where the build found it
	root     string // the folder of the main module when it was built; "" while it is not known
	votes    map[string]int
}

// New returns the links of a build. With the zero Template there are none. source is the folder of the main module on
// this machine for a template with {file}; "" takes the files to be where the build found them.
func New(t Template, build casefile.Build, source string) *Links {
	return &Links{template: t, build: build, source: strings.TrimRight(slashed(source), "/"),
		votes: make(map[string]int)}
}

// None reports whether there is no template: no place has an address.
func (l *Links) None() bool { return l == nil || l.template.IsZero() }

// Why says why no place of the user's code has an address; "" if it may have.
func (l *Links) Why() string {
	switch {
	case l.None():
		return ""
	case l.template.names("revision") && l.revision() == "":
		return "the build has no revision (it was built without version control, or with -buildvcs=false)"
	case l.template.names("version") && strings.HasPrefix(l.build.Version, "("),
		l.template.names("version") && l.build.Version == "":
		return "the build has no version"
	case l.template.names("module") && l.build.Module == "":
		return "the build has no module"
	}
	return ""
}

// Learn takes the folder of the main module from where its functions are: a package's folder ends with the package's
// place in the module. Many functions vote, because a generated file can be elsewhere.
func (l *Links) Learn(function, file string) {
	f := stacks.FuncOf(function, file, l.build.Module)
	file = slashed(file)
	rel, ok := l.inModule(f.Package)
	if !ok || f.Owner != stacks.User || !rooted(file) {
		return
	}
	dir := path.Dir(file)
	if rel != "" {
		cut, found := strings.CutSuffix(dir, "/"+rel)
		if !found {
			return
		}
		dir = cut
	}
	l.votes[dir]++
	if best := l.votes[l.root]; l.root == "" || l.votes[dir] > best {
		l.root = dir
	}
}

// inModule returns a package's place in the main module: "" for the module's own folder.
func (l *Links) inModule(pkg string) (rel string, ok bool) {
	if pkg == "main" {
		if pkg = l.build.Path; pkg == "" || pkg == "command-line-arguments" {
			return "", false
		}
	}
	rest, ok := strings.CutPrefix(pkg, l.build.Module)
	if !ok || l.build.Module == "" || rest != "" && rest[0] != '/' {
		return "", false
	}
	return strings.TrimPrefix(rest, "/"), true
}

// LineMark is the place of the line in the address of a file. No address has braces otherwise: they are escaped.
const LineMark = "{}"

// File returns the address of a file with LineMark instead of the line. It is "" if there is none.
func (l *Links) File(function, file string) string {
	if l.None() || file == "" {
		return ""
	}
	f := stacks.FuncOf(function, file, l.build.Module)
	file = slashed(file)
	if l.template.names("file") && !l.template.names("path") {
		return l.inEditor(f, file)
	}
	switch {
	case f.Owner == stacks.Std || f.Owner == stacks.Runtime:
		return l.std(file)
	case f.Owner == stacks.Dependency && !l.inRoot(file):
		return dependency(f.Package, file)
	}
	rel := l.path(f, file)
	if rel == "" {
		return ""
	}
	return l.filled(f, rel, l.local(rel, file))
}

// URL returns the address of a line; without a line, of the file's first.
func (l *Links) URL(function, file string, line int) string {
	return strings.ReplaceAll(l.File(function, file), LineMark, strconv.Itoa(max(line, 1)))
}

func (l *Links) filled(f stacks.Func, rel, file string) string {
	return l.template.fill(func(name string) string {
		switch name {
		case "revision":
			return l.revision()
		case "path":
			return rel
		case "file":
			return file
		case "package":
			return f.Package
		case "module":
			return l.build.Module
		}
		return l.build.Version
	})
}

// inEditor returns the address of a file on this machine: of the user's code in the folder given, of others where the
// build found it.
func (l *Links) inEditor(f stacks.Func, file string) string {
	rel := ""
	if f.Owner == stacks.User || l.inRoot(file) {
		rel = l.path(f, file)
	}
	if file = l.local(rel, file); !rooted(file) || climbs(file) {
		return ""
	}
	return l.filled(f, rel, file)
}

// local returns where a file of the main module is on this machine.
func (l *Links) local(rel, file string) string {
	if l.source != "" && rel != "" {
		return l.source + "/" + rel
	}
	return file
}

func (l *Links) inRoot(file string) bool { return l.root != "" && strings.HasPrefix(file, l.root+"/") }

// path returns a file's place in the main module: by its name if that says it (-trimpath, the module cache, the folder
// learnt), otherwise by the place of the package that its function is in. It is "" when neither says it.
func (l *Links) path(f stacks.Func, file string) string {
	rel, ok := "", false
	switch mod := l.build.Module; {
	case l.inRoot(file):
		rel, ok = file[len(l.root)+1:], true
	case mod != "" && strings.HasPrefix(file, mod+"/"): // -trimpath
		rel, ok = file[len(mod)+1:], true
	default:
		if of, _, inside, cached := inCache(file); cached && of == mod { // go install path@version
			rel, ok = inside, true
			break
		}
		if rel, ok = l.inModule(f.Package); ok {
			rel = path.Join(rel, path.Base(file))
		}
	}
	if !ok || climbs(rel) {
		return ""
	}
	return rel
}

// pseudo is the end of a version that is a commit: the time and twelve digits of the hash.
var pseudo = regexp.MustCompile(`[-.](\d{14})-([0-9a-f]{12})$`)

// revision returns what the code's host knows the build by.
func (l *Links) revision() string {
	if l.build.Revision != "" {
		return l.build.Revision
	}
	return versionTag(l.build.Version)
}

// versionTag returns the tag or commit of a module's version; "" of "(devel)".
func versionTag(version string) string {
	version, _, _ = strings.Cut(version, "+") // +incompatible, +dirty
	if m := pseudo.FindStringSubmatch(version); m != nil {
		return m[2]
	}
	if !strings.HasPrefix(version, "v") {
		return ""
	}
	return version
}

func slashed(file string) string { return strings.ReplaceAll(file, `\`, "/") }

// rooted reports whether a path is absolute, on any system.
func rooted(file string) bool {
	return strings.HasPrefix(file, "/") || len(file) > 2 && file[1] == ':' && file[2] == '/'
}

// climbs reports whether a path has an element that leads out of its folder.
func climbs(file string) bool {
	for _, e := range strings.Split(file, "/") {
		if e == ".." {
			return true
		}
	}
	return false
}
