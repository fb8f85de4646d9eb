package answer

import (
	"path"
	"regexp"
	"strings"

	"github.com/gocasebook/casebook/app/facts"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/internal/words"
)

// literal is how the compiler names what is inside of a function: ".func1", ".func2.1", "-range1", ".gowrap1".
var literal = regexp.MustCompile(`(\.func\d+|\.gowrap\d+|\.deferwrap\d+|-range\d+|\.\d+|-fm)+$`)

// A function is the name of one in parts.
type function struct {
	pkg  string // the path of its package, or what stands for it; "" where nothing does
	name string // "catalogue.load.func1": without what tells a pointer's method from a value's
}

// functionOf takes a name apart, as profiles and people write it.
func functionOf(s string) function {
	s = strings.TrimSuffix(strings.TrimSpace(s), "()")
	s = strings.ReplaceAll(stacks.WithoutTypes(s), "%2e", ".")
	slash := strings.LastIndexByte(s, '/') + 1
	// A method in brackets begins behind the package: "main.(*T).f", "(*T).f".
	dot := strings.IndexByte(s[slash:], '.')
	if bracket := strings.IndexByte(s[slash:], '('); bracket == 0 || dot < 0 {
		return function{strings.Trim(s[:slash], "/"), bare(s[slash:])}
	}
	return function{s[:slash+dot], bare(s[slash+dot+1:])}
}

// bare is a name without the brackets and stars of receivers.
func bare(name string) string {
	return strings.NewReplacer("(*", "", "(", "", ")", "", "*", "").Replace(name)
}

// sameFunction reports whether a function of the evidence is the one that somebody names: by its full name, by the last
// part of its package ("minio.(*Client).GetObject"), without a package, or by the function that a literal is in.
func sameFunction(said, seen string) bool {
	if said == "" || seen == "" {
		return false
	}
	x, y := functionOf(said), functionOf(seen)
	if x.name == "" {
		return false
	}
	names := x.name == y.name || x.name == literal.ReplaceAllString(y.name, "")
	if names && samePackage(x.pkg, y.pkg) {
		return true
	}
	if shown := functionOf(words.Function(seen)); x.pkg == shown.pkg &&
		(x.name == shown.name || x.name == literal.ReplaceAllString(shown.name, "")) {
		return true // as texts of facts have it: "yaml.(*Decoder).Decode" of gopkg.in/yaml.v3
	}
	// "catalogue.load" and "catalogue.load.func1" have their type where a package would be.
	whole := strings.TrimPrefix(x.pkg+"."+x.name, ".")
	return !strings.Contains(x.pkg, "/") && x.pkg != "main" &&
		(whole == y.name || whole == literal.ReplaceAllString(y.name, "") || x.pkg == "" &&
			strings.HasSuffix("."+literal.ReplaceAllString(y.name, ""), "."+x.name))
}

// samePackage reports whether a path is the package that somebody names: by its end, or as Go code would.
func samePackage(said, seen string) bool {
	if said == "" || said == seen || strings.HasSuffix(seen, "/"+said) {
		return true
	}
	if strings.Contains(said, "/") {
		return false
	}
	for range 2 { // "excelize" is github.com/xuri/excelize/v2
		base := path.Base(seen)
		if base == said || strings.Trim(strings.TrimSuffix(strings.TrimPrefix(base, "go-"), "-go"), "-") == said ||
			strings.TrimSuffix(strings.TrimPrefix(base, "go"), "go") == said {
			return true
		}
		if seen = path.Dir(seen); seen == "." {
			return false
		}
	}
	return false
}

// sameFile reports whether a file of the evidence is the one that somebody names: by its end.
func sameFile(said, seen string) bool {
	said, seen = slashed(said), slashed(seen)
	if said == "" || seen == "" {
		return false
	}
	said = strings.TrimPrefix(path.Clean(said), "./")
	return said == seen || strings.HasSuffix(seen, "/"+strings.TrimPrefix(said, "/")) ||
		path.IsAbs(said) && strings.HasSuffix(said, "/"+seen) || path.Base(seen) == said
}

func slashed(s string) string { return strings.ReplaceAll(s, `\`, "/") }

// isAt reports whether a frame is at a place, by its function where the place names one, otherwise by its line.
func isAt(at casefile.At, f facts.Frame) bool {
	switch {
	case at.Function != "":
		return sameFunction(at.Function, f.Function)
	case at.Line > 0:
		return f.Line == at.Line && sameFile(at.File, f.File)
	}
	return sameFile(at.File, f.File)
}

// placeText is a place for people: "main.(*store).load (store.go:34)".
func placeText(at casefile.At) string {
	where := at.File
	if at.Line > 0 {
		where = lineText(at.File, at.Line)
	}
	switch {
	case at.Function == "":
		return where
	case where == "":
		return at.Function
	}
	return at.Function + " (" + where + ")"
}
