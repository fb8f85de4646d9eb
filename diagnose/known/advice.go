package known

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"
)

// What experts know of the modules people use is data: files of rows, in rows/. A Row of the table says what a function
// does; an Advice says what is wrong where a fact of a case stands at a function, and what its user changes. It speaks
// through facts alone: that a module is there means nothing.

// An About is the sort of an advice.
type About string

// The sorts, by the words with which their rows begin.
const (
	AboutDefault About = "default" // a setting whose default bites
	AboutEnd     About = "end"     // what must be closed, stopped or cancelled
	AboutOnce    About = "once"    // what is expensive to make, and meant to be kept
	AboutGrowth  About = "grows"   // what grows by what it is given
	AboutCost    About = "costs"   // what costs more than it looks, where a better call is known
	AboutFault   About = "fault"   // what some releases do badly
)

// A Seen is by which facts an advice shows. Seens are bits.
type Seen uint8

// The facts.
const (
	OnCPU   Seen = 1 << iota // CPU, or garbage
	Waiting                  // goroutines that serve requests wait
	Holding                  // live memory
	Staying                  // goroutines that stay
	Silence                  // many wait for answers on few connections, on which nothing comes
)

// An Advice is what is known to be wrong where a fact stands at functions, and what to do.
type Advice struct {
	About   About
	Subject string // the setting and its default, what ends it, what is made; of a fault its releases: "v1.2.0 v1.4.1"
	Modules []Release
	At      []string // functions at which the fact stands, relative to the module
	Below   []string // where one of these is further down on the stack; nil: always
	Stays   []string // the functions of what stays, where At is not on its stack
	Seen    Seen
	Says    string // a clause that is true where the fact stands: the headline
	Why     string
	Do      []string // what the user changes, the best first: "Title: how", or a sentence
	Cost    string   // of doing it
	Source  string   // file of the module, or page
	Holds   string   // releases for which it is true: "v1.2.0 v1.4.1"; "" for all
	Unset   []string // literals whose zero field is the default: ".Writer.BatchTimeout Async"; further fields avoid it
	Line    string   // where the row is: "rows/queues.txt:12"
}

// A Release is a module and the release in which its functions were read.
type Release struct{ Path, Version string }

// Std is the module of the standard library, whose functions are named in full.
const Std = "std"

// Named is the full name of one of an advice's functions in a module: ".(*Writer).Close" is of its root package,
// "/sub.New" of another one, and a name that begins otherwise is of another module, or the standard library's.
func (m Release) Named(function string) string {
	if m.Path == Std || !strings.HasPrefix(function, ".") && !strings.HasPrefix(function, "/") {
		return function
	}
	return m.Path + function
}

// Show reports whether an advice shows by one of some facts.
func (a *Advice) Show(by Seen) bool { return a.Seen&by != 0 }

// Titled is a change of Do as a title, and how it is done; "" where the title says all of it.
func Titled(do string) (title, how string) {
	if title, how, ok := strings.Cut(do, ": "); ok {
		return title, how
	}
	title = strings.TrimSuffix(do, ".")
	whole := title
	for _, end := range []string{"; ", ". ", ", or ", ", and ", " or ", " and ", ", "} {
		if len(title) > longTitle {
			title, _, _ = strings.Cut(title, end)
		}
	}
	if title == whole {
		return title, ""
	}
	return title, do
}

// longTitle is in bytes: what stands in a line.
const longTitle = 90

// HoldsFor reports whether an advice is true of a release. One that is not known is as any other, but has no faults.
func (a *Advice) HoldsFor(version string) bool {
	rule := a.Holds
	if a.About == AboutFault {
		rule = a.Subject
	}
	if rule == "" || !IsRelease(version) {
		return a.About != AboutFault
	}
	from, before, two := strings.Cut(rule, " ")
	if !two {
		from, before = "", rule
	}
	return (from == "" || CompareReleases(version, from) >= 0) && CompareReleases(version, before) < 0
}

// packedRows are the files of rows/, as PackRows has them: text takes three times as much of each binary.
//
//go:embed rows.gz
var packedRows []byte

// Advices are all advices, in the order of their files; err names rows that cannot be read, which are left out.
var Advices = sync.OnceValues(func() (out []*Advice, err error) {
	z, err := gzip.NewReader(bytes.NewReader(packedRows))
	if err != nil {
		return nil, err
	}
	all, err := io.ReadAll(z)
	if err != nil {
		return nil, err
	}
	var wrong []string
	for _, file := range strings.Split(string(all), fileStart)[1:] {
		name, data, _ := strings.Cut(file, "\n")
		rows, problems := ParseAdvices(path.Join("rows", name), data)
		out, wrong = append(out, rows...), append(wrong, problems...)
	}
	if len(wrong) > 0 {
		err = fmt.Errorf("%d rows are wrong: %s", len(wrong), strings.Join(wrong, "; "))
	}
	return out, err
})

// fileStart stands before the name of a file of rows among the packed ones.
const fileStart = "\x00"

// PackRows are the files of a folder of rows as the package keeps them. The same files give the same bytes.
func PackRows(rows fs.FS) ([]byte, error) {
	names, err := fs.Glob(rows, "*.txt")
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	z, _ := gzip.NewWriterLevel(&out, gzip.BestCompression)
	for _, name := range names {
		data, err := fs.ReadFile(rows, name)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(z, "%s%s\n%s", fileStart, name, data)
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// A place is by which of an advice's lists of functions it is found.
type place uint8

const (
	inAt place = iota
	inBelow
	inStays
)

// adviceEntry is a pattern of an advice.
type adviceEntry struct {
	pattern
	in     place
	advice *Advice
}

// adviceIndex has the patterns of all advices by how they begin, as index has those of the table.
var adviceIndex = sync.OnceValue(func() map[string][]adviceEntry {
	out := make(map[string][]adviceEntry)
	all, _ := Advices()
	for _, a := range all {
		for in, functions := range [][]string{inAt: a.At, inBelow: a.Below, inStays: a.Stays} {
			for _, m := range a.Modules {
				for _, fn := range functions {
					e := adviceEntry{parse(m.Named(fn)), place(in), a}
					out[e.key()] = append(out[e.key()], e)
				}
			}
		}
	}
	return out
})

// AdviceFor is what is known where a function is on the stack of a fact.
type AdviceFor struct {
	At, Below, Stays []*Advice
}

// None reports whether nothing is known.
func (f AdviceFor) None() bool { return len(f.At)+len(f.Below)+len(f.Stays) == 0 }

// AdviceOf is what is known of a function, by its name as package stacks has it: an instance's is "F[...]", and the
// linker escapes dots in the last element of a path.
func AdviceOf(name string) (out AdviceFor) {
	name = strings.ReplaceAll(strings.ReplaceAll(name, "%2e", "."), "[...]", "")
	lists := [...]*[]*Advice{inAt: &out.At, inBelow: &out.Below, inStays: &out.Stays}
	for key := range borders(name) {
		for _, e := range adviceIndex()[key] {
			if list := lists[e.in]; e.matches(name) && !slices.Contains(*list, e.advice) {
				*list = append(*list, e.advice)
			}
		}
	}
	return out
}
