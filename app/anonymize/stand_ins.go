package anonymize

import (
	"regexp"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/diagnose/stacks"
)

// A StandIns makes stand-ins for the names in what was made of evidence, by the same rules.
type StandIns struct{ n *names }

// NewStandIns makes them as the options say. A StandIns is for one goroutine.
func NewStandIns(o Options) (*StandIns, error) {
	n, err := newNames(o)
	if err != nil {
		return nil, err
	}
	return &StandIns{n}, nil
}

// Stays reports whether the names of a package stay, or of that of a function.
func (s *StandIns) Stays(name string) bool {
	f := stacks.FuncOf(name, "", "")
	return s.n.stays(name) || f.Package != "" && s.n.stays(f.Package) || f.Package == "" && symbols.MatchString(name)
}

// Function is the stand-in of a function's name.
func (s *StandIns) Function(name string) string { return s.n.function(name) }

// File is the stand-in of the file of a function.
func (s *StandIns) File(file, function string) string { return s.n.file(file, function) }

// Package is the stand-in of an import path.
func (s *StandIns) Package(path string) string { return s.n.pkgPath(path) }

// Path is the stand-in of a path of which nobody knows what it is.
func (s *StandIns) Path(path string) string {
	parts := strings.Split(path, "/")
	for i, part := range parts {
		parts[i] = s.n.element(part)
	}
	return strings.Join(parts, "/")
}

// Identifier is the stand-in of a part of a function's name; what the compiler writes stays, and methods of Go's
// interfaces.
func (s *StandIns) Identifier(id string) string { return s.n.identifier(id) }

// Word is the stand-in of a word.
func (s *StandIns) Word(word string) string { return s.n.word(word) }

// Program is the stand-in of a process's name.
func (s *StandIns) Program(name string) string {
	if slices.Contains(publicPrograms[:], name) {
		return name
	}
	return s.n.word(name)
}

// Signal is the stand-in of a signal's name; a built-in one stays.
func (s *StandIns) Signal(name string) string { return s.n.signal(name) }

// Rule is the stand-in of a rule's name; a default one stays.
func (s *StandIns) Rule(name string) string { return s.n.ruleName(name) }

// standInForm is what a stand-in looks like, as word and element write it.
var standInForm = regexp.MustCompile(`\bx[0-9a-v]{8}(\.x\b)?`)

// Reveal puts names in the place of the stand-ins in a text, for whoever has this StandIns.
func (s *StandIns) Reveal(text string) string {
	words := make(map[string]string, len(s.n.seen))
	for word, standIn := range s.n.seen {
		words[standIn] = word
	}
	return standInForm.ReplaceAllStringFunc(text, func(found string) string {
		bare, dot := strings.CutSuffix(found, ".x") // of an element of a path that has a dot
		word := words[bare]
		switch {
		case word == "":
			return found
		case dot && !strings.Contains(word, "."):
			return word + ".x"
		}
		return word
	})
}

// IsSetting reports whether the value of a setting tells nothing of the program: a size, a number, a switch.
func IsSetting(value string) bool { return setting.MatchString(value) }

// IsGoVersion reports whether a text is a release of Go.
func IsGoVersion(text string) bool { return goVersion.MatchString(text) }

// StdBases are the last elements of the packages of the standard library, as sentences have them: "http" of net/http.
func StdBases() map[string]bool {
	out := make(map[string]bool)
	for pkg := range stdPackages() {
		out[pkg[strings.LastIndexByte(pkg, '/')+1:]] = true
	}
	return out
}

// IsSourceFile reports whether a file's name is that of source.
func IsSourceFile(name string) bool {
	return slices.ContainsFunc(extensions, func(ext string) bool { return strings.HasSuffix(name, ext) })
}
