// Package words says findings in words: the parts that the terminal, Markdown, the page and reporters show, each in its
// own decoration.
//
// The problem: each of them put these parts together by itself, and so what one said with its share another said
// without it, or twice. The approach: Of makes the parts of a finding, Undecided those of what could not be judged.
//
// Limits: the parts are plain text, with names from evidence in them: who prints them escapes them and breaks lines.
package words

import (
	"cmp"
	"fmt"
	"math"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/number"
	"github.com/gocasebook/casebook/internal/plain"
)

// A Finding is a finding in words. Its texts say nothing twice.
type Finding struct {
	casefile.Finding
	Head  string           // how bad it is: "CRITICAL 83"
	Cost  string           // what it costs today; empty if the summary says it with the same numbers
	Gain  string           // "20–26 % of cpu", what the remedy is expected to give back, or "unknown"; may be empty
	How   string           // how the gain was computed, or why it is unknown; may be empty
	By    []string         // who holds the memory, with their shares: "92 % by global main.cache"
	Said  []string         // what the source says: "confirms: the lock taken at :41 is held over http.Get at :47"
	Basis []casefile.Basis // the evidence, its files without their folders
	Sure  string           // "confidence 90 %, caused by GC001"
}

// Of is a finding in words.
func Of(f casefile.Finding) Finding {
	f = withoutRepetition(f)
	out := Finding{Finding: f, Head: fmt.Sprintf("%s %d", strings.ToUpper(f.Severity()), f.Score), Cost: cost(f),
		How: f.Impact.Gain.Arithmetic}
	if g := f.Impact.Gain; g.High > 0 {
		out.Gain = Gain(g) + " of " + f.Impact.Resource
	} else if g.Arithmetic != "" {
		out.Gain = "unknown"
	}
	for _, h := range f.Held {
		out.By = append(out.By, heldText(h))
	}
	for _, s := range f.Source {
		out.Said = append(out.Said, s.Verdict+": "+s.Text)
	}
	for _, b := range f.Evidence {
		out.Basis = append(out.Basis, casefile.Basis{File: Base(b.File), Text: b.Text})
	}
	out.Sure = "confidence " + number.Share(f.Confidence)
	if len(f.CausedBy) > 0 {
		out.Sure += ", caused by " + strings.Join(f.CausedBy, ", ")
	}
	return out
}

func heldText(h casefile.Held) string {
	least := ""
	if h.Least {
		least = "at least "
	}
	return least + number.Share(h.Share) + " by " + h.Text
}

// Gain is the part of what a finding costs that its remedy is expected to give back: "20–26 %".
func Gain(g casefile.Gain) string { return number.Estimate(g.Low, g.High) }

// Function is a function's name as code in another package has it, without type arguments, which can be longer than
// everything else: "gcache.(*LRUCache).set", "lru.Cache[...].Get"; "minio.(*Client).do" of package
// "github.com/minio/minio-go/v7".
func Function(name string) string {
	args, rest := "", ""
	if i, j := strings.IndexByte(name, '['), strings.LastIndexByte(name, ']'); i > 0 && j > i {
		name, args, rest = name[:i], "[...]", name[j+1:]
	}
	slash := strings.LastIndexByte(name, '/') + 1
	if dot := strings.IndexByte(name[slash:], '.'); dot > 0 {
		return packageName(name[:slash+dot]) + name[slash+dot:] + args + rest
	}
	return name[slash:] + args + rest
}

// packageName is what code calls a package, going by its path: without versions, and without that it is for Go.
func packageName(pkg string) string {
	dir, base := path.Split(Symbol(pkg))
	if dir != "" && versioned(base) {
		base = path.Base(dir)
	}
	if i := strings.LastIndexByte(base, '.'); i > 0 && (base[i:] == ".go" || versioned(base[i+1:])) {
		base = base[:i]
	}
	return cmp.Or(strings.TrimSuffix(strings.TrimPrefix(base, "go-"), "-go"), base)
}

// versioned reports whether a part of a path is that of a major version: "v2".
func versioned(s string) bool {
	return len(s) > 1 && s[0] == 'v' && strings.Trim(s[1:], "0123456789") == ""
}

// Symbol is a function's whole name as people write it: the linker escapes dots in the last element of a path.
func Symbol(name string) string { return strings.ReplaceAll(name, "%2e", ".") }

// Place is where a frame is: "main.load (cache.go:42)"; the line alone of one without a function.
func Place(f casefile.Frame) string {
	line := Line(f)
	switch {
	case line == "":
		return Symbol(f.Function)
	case f.Function == "":
		return line
	}
	return Symbol(f.Function) + " (" + line + ")"
}

// Short is a place for prose: Place with the last elements of the package's path and of the file's.
func Short(f casefile.Frame) string {
	if f.Function = Function(f.Function); f.File != "" {
		f.File = Base(f.File)
	}
	return Place(f)
}

// Line is a frame's line: "cache.go:42"; empty without a file.
func Line(f casefile.Frame) string {
	if f.File == "" || f.Line <= 0 {
		return f.File
	}
	return fmt.Sprintf("%s:%d", f.File, f.Line)
}

// Part is what a frame has to do with its finding: its share and its role, where there is one: "31.2 % caller".
func Part(f casefile.Frame) string {
	share := ""
	if f.Share > 0 {
		share = number.Share(f.Share)
	}
	return strings.TrimSpace(share + " " + f.Role)
}

// OfMemory is the share of a row of a MemoryTable, of being what its Of returns; "" of what is subtracted.
func OfMemory(r casefile.MemoryRow, of int64) string {
	if r.Bytes == nil || *r.Bytes < 0 || of <= 0 {
		return ""
	}
	return number.Share(float64(*r.Bytes) / float64(of))
}

// Base is the last element of a path of any system.
func Base(file string) string { return path.Base(strings.ReplaceAll(file, `\`, "/")) }

// figure is one with its sign of per cent or its unit of memory, as findings write them.
var figure = regexp.MustCompile(`[0-9]+(?:[.,][0-9]+)*(?: ?%| [KMGT]?i?B\b)?`)

// cost returns what a finding costs today; "" if its summary says so already: with the same numbers, whatever the
// words.
func cost(f casefile.Finding) string {
	known := figure.FindAllString(f.Summary, -1)
	fresh := func(n string) bool { return !slices.Contains(known, n) }
	if all := figure.FindAllString(f.Impact.Text, -1); len(all) > 0 && !slices.ContainsFunc(all, fresh) {
		return ""
	}
	return f.Impact.Text
}

// A SourceLine is a line of a program as people read it beside a finding.
type SourceLine struct {
	Number int
	Text   string // without the indentation that all of them have, tabs as four spaces, and nothing unprintable
	Here   bool   // it is the line that the finding names
}

// Source is the lines around a place that were read for it; none where no source was at hand.
func Source(f casefile.Frame) []SourceLine {
	if f.Source == nil {
		return nil
	}
	out := make([]SourceLine, 0, len(f.Source.Lines))
	indent := math.MaxInt
	for i, text := range f.Source.Lines {
		text = strings.TrimRight(plain.Text(strings.ReplaceAll(text, "\t", "    ")), " ")
		if text != "" {
			indent = min(indent, len(text)-len(strings.TrimLeft(text, " ")))
		}
		out = append(out, SourceLine{f.Source.First + i, text, f.Source.First+i == f.Line})
	}
	for i := range out {
		out[i].Text = out[i].Text[min(indent, len(out[i].Text)):]
	}
	return out
}

// An Open is what the same capture would decide: one profile that is missing leaves a dozen kinds undecided.
type Open struct {
	Next    string // what to capture; may be empty
	Reasons []Reason
}

// A Reason is why kinds of findings could not be judged.
type Reason struct {
	Text  string
	Kinds []string
}

// Undecided groups what could not be judged by what to capture next, then by the reason, in the order of the list.
func Undecided(all []casefile.Undecided) []Open {
	var out []Open
	at := make(map[string]int)    // of what to capture
	in := make(map[[2]string]int) // of a reason, within that
	for _, u := range all {
		i, known := at[u.CaptureNext]
		if !known {
			i = len(out)
			at[u.CaptureNext], out = i, append(out, Open{Next: u.CaptureNext})
		}
		key := [2]string{u.CaptureNext, u.Reason}
		k, known := in[key]
		if !known {
			k = len(out[i].Reasons)
			in[key], out[i].Reasons = k, append(out[i].Reasons, Reason{Text: u.Reason})
		}
		out[i].Reasons[k].Kinds = append(out[i].Reasons[k].Kinds, u.Kind)
	}
	return out
}

// Kinds are those of all reasons.
func (o Open) Kinds() []string {
	var out []string
	for _, r := range o.Reasons {
		out = append(out, r.Kinds...)
	}
	return out
}
