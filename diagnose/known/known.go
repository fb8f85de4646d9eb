// Package known is the one table of the outside world: what functions of libraries and of the standard library do.
//
// The problem: an answer that hangs on the name of a library is lost with the next library. The approach: names stand
// here and nowhere else, a row for functions that have the same roles or do the same work, and a question asks for
// that, never for a name. Without a row a fact is as true as with one: a dependency between the user's line and the
// network, a file, a lock or a timer is a call out, whatever it is called. A row adds a better word, a setting and a
// remedy. TestRenamed of package diagnose judges the recordings with all modules renamed.
//
// Limits: functions are found by their names alone; whose code a frame is, package stacks says by its file.
package known

import (
	"iter"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// A Role is what a function does, as far as an answer may depend on it. Roles are bits: a function may have several.
type Role uint64

// Is reports whether a function has all of these roles.
func (f Function) Is(role Role) bool { return role != 0 && f.Roles&role == role }

// A Row is what is known of functions.
type Row struct {
	// Functions are patterns: the whole name of a function, its closures and instances or of a package's path. One that
	// ends in a dot, a slash or a bracket is all that begins with it, and so is one that ends in a star: language.Parse
	// is not ParseAcceptLanguage, but "fmt.Fprint*" is Fprintf, too.
	Functions []string
	Except    []string // patterns of those that are left out
	Library   []string // of a pool: its library, whose calls use a connection
	Roles     Role
	Work      Work
	What      string // what a call asks, what a pool belongs to: "the database"
	Setting   string // that governs it
	Remedy    string // what its user can do
}

// A Function is what is known of one.
type Function struct {
	Roles Role
	works Works
	row   *Row // the first that says what it asks
}

// What a call of it asks: "the database"; "" if that is not known.
func (f Function) What() string {
	if f.row == nil {
		return ""
	}
	return f.row.What
}

// Of is what is known of a function; nothing, the zero value, of most.
func Of(name string) Function {
	var f Function
	if strings.Contains(name, "%2e") {
		name = strings.ReplaceAll(name, "%2e", ".") // the linker escapes dots in the last element of a path
	}
	for e := range entries(name) {
		if e.matches(name) {
			f.Roles |= e.row.Roles
			f.works[e.row.Work/64] |= 1 << (e.row.Work % 64)
			if e.row.Roles != 0 && (f.row == nil || f.row.What == "") {
				f.row = e.row
			}
		}
	}
	return f
}

// Remedy is what its user can do; "" if that is not known.
func (f Function) Remedy() string {
	if f.row == nil {
		return ""
	}
	return f.row.Remedy
}

// with is the first row with one of these roles that a function has.
func with(any Role, name string) (row *Row, ok bool) {
	if strings.Contains(name, "%2e") {
		name = strings.ReplaceAll(name, "%2e", ".")
	}
	for e := range entries(name) {
		if e.row.Roles&any != 0 && e.matches(name) {
			return e.row, true
		}
	}
	return nil, false
}

// Rows are the rows with a role, in the order of the table.
func Rows(role Role) (out []Row) {
	for _, row := range table() {
		if row.Roles&role == role {
			out = append(out, row)
		}
	}
	return out
}

// table is all rows. It is made once, because conditions ask it of every sample.
var table = sync.OnceValue(func() []Row {
	return slices.Concat(servers(), clients(), pools(), disks(), loggers(), profilers(), waits(), timers(),
		outside(), kept(), memory(), formats(), algorithms(), files(), network(), goroutines(), ended(), stores(),
		classes(), parks(), stackEnds())
})

// A pattern is one of Row.Functions.
type pattern struct {
	prefix string
	family bool // all that begins with it
}

func parse(p string) pattern {
	prefix, family := strings.CutSuffix(p, "*")
	return pattern{prefix, family || !isWord(prefix[len(prefix)-1])}
}

func (p pattern) matches(name string) bool {
	if !strings.HasPrefix(name, p.prefix) {
		return false
	}
	rest := name[len(p.prefix):]
	return p.family || rest == "" || !isWord(rest[0])
}

// key is how a pattern begins, up to its last border.
func (p pattern) key() (key string) {
	for key = range borders(p.prefix) {
	}
	return key
}

// isWord reports whether a byte is part of a Go identifier.
func isWord(b byte) bool {
	return b == '_' || b >= utf8.RuneSelf || '0' <= b && b <= '9' || 'A' <= b && b <= 'Z' || 'a' <= b && b <= 'z'
}

// An entry is a pattern with its row.
type entry struct {
	pattern pattern
	except  []pattern
	row     *Row
}

func (e entry) matches(name string) bool {
	return e.pattern.matches(name) &&
		!slices.ContainsFunc(e.except, func(p pattern) bool { return p.matches(name) })
}

// index has the table's patterns by how they begin, up to their last border, so that a name is compared with few.
var index = sync.OnceValue(func() map[string][]entry {
	out := make(map[string][]entry)
	rows := table()
	for i := range rows {
		var except []pattern
		for _, p := range rows[i].Except {
			except = append(except, parse(p))
		}
		for _, p := range rows[i].Functions {
			e := entry{parse(p), except, &rows[i]}
			out[e.pattern.key()] = append(out[e.pattern.key()], e)
		}
	}
	return out
})

// borders are the beginnings of a name that end with a slash or a dot, the shortest first; of a name without any, as
// assembly's are, the empty one.
func borders(name string) iter.Seq[string] {
	return func(yield func(string) bool) {
		if !strings.ContainsAny(name, "/.") {
			yield("")
		}
		for i := range len(name) {
			if (name[i] == '/' || name[i] == '.') && !yield(name[:i+1]) {
				return
			}
		}
	}
}

// entries are the patterns that may be a name's.
func entries(name string) iter.Seq[entry] {
	return func(yield func(entry) bool) {
		for key := range borders(name) {
			for _, e := range index()[key] {
				if !yield(e) {
					return
				}
			}
		}
	}
}
