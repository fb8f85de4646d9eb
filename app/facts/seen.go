package facts

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/diagnose/traces"
	"github.com/gocasebook/casebook/internal/near"
)

// Seen are the functions, files and lines of all stacks of the evidence. It answers for places as people write them:
// "main.(*catalogue).load", "(*catalogue).load", "minio.(*Client).GetObject", "main.go:34", "app/main.go:34".
type Seen struct {
	functions map[string]*seenFunction // by their full names
	names     []string                 // sorted
	byLast    map[string][]string      // full names by what follows the last dot
	files     map[string][]string      // paths by their last elements
	lines     map[string]map[int][]string
}

// A seenFunction is one function of the evidence.
type seenFunction struct {
	file  string
	start int // 0: not known
	lines []int
}

// A Sight is what the evidence has of a place that somebody wrote.
type Sight struct {
	Known bool // the function is in the evidence; of a line, that line is
	// Functions are the full names that fit, at most 8: several where the place was written without its package.
	Functions []string
	// File has the place; of several files the first that has the line.
	File string
	// Lines are those that the evidence has: of the function, of the file otherwise. At most 40.
	Lines []int
	// Near are names, or lines as "file:line", that may be meant by one that is not there.
	Near []string
}

// What is kept of an answer.
const (
	mostFits  = 8
	mostLines = 40
)

// newSeen reads all frames of the evidence.
func newSeen(t *stacks.Table, trace *traces.Summary) *Seen {
	s := &Seen{functions: make(map[string]*seenFunction), byLast: make(map[string][]string),
		files: make(map[string][]string), lines: make(map[string]map[int][]string)}
	for id := range t.Frames {
		f := t.Func(stacks.FrameID(id))
		s.add(f.Name, f.File, int(f.Start), t.Line(stacks.FrameID(id)))
	}
	for _, stack := range tracedStacks(trace) {
		for _, f := range stack {
			s.add(f.Function, f.File, 0, f.Line)
		}
	}
	for name, f := range s.functions {
		slices.Sort(f.lines)
		f.lines = slices.Compact(f.lines)
		s.names = append(s.names, name)
		last := name[strings.LastIndexByte(name, '.')+1:]
		s.byLast[last] = append(s.byLast[last], name)
	}
	slices.Sort(s.names)
	for last := range s.byLast {
		slices.Sort(s.byLast[last])
	}
	for base := range s.files {
		slices.Sort(s.files[base])
	}
	return s
}

// tracedStacks are the stacks of a trace that facts may name.
func tracedStacks(t *traces.Summary) (out []traces.Stack) {
	for i := range t.Blocking {
		out = append(out, t.Blocking[i].Stack)
		for _, w := range t.Blocking[i].Wakers {
			out = append(out, w.Stack)
		}
	}
	for _, sites := range [][]traces.Site{t.Syscalls, t.Preempted, t.GC.Assists} {
		for _, site := range sites {
			out = append(out, site.Stack)
		}
	}
	return out
}

func (s *Seen) add(name, file string, start, line int) {
	name, file = clean(name), clean(file)
	f := s.functions[name]
	if f == nil {
		f = &seenFunction{file: file, start: start}
		s.functions[name] = f
	}
	f.file, f.start = cmp.Or(f.file, file), cmp.Or(f.start, start)
	if line > 0 {
		f.lines = append(f.lines, line)
	}
	if file == "" {
		return
	}
	if s.lines[file] == nil {
		s.lines[file] = make(map[int][]string)
		base := baseName(file)
		s.files[base] = append(s.files[base], file)
	}
	if line > 0 && !slices.Contains(s.lines[file][line], name) {
		s.lines[file][line] = append(s.lines[file][line], name)
	}
}

// Function looks for a function by its name, with or without its package's path, its package, or its arguments.
func (s *Seen) Function(name string) Sight {
	name = strings.TrimSuffix(strings.TrimSpace(clean(name)), "()")
	fits := s.fitting(name)
	if len(fits) == 0 {
		return Sight{Near: s.nearNames(name)}
	}
	out := Sight{Known: true, Functions: fits[:min(len(fits), mostFits)], File: s.functions[fits[0]].file}
	for _, full := range out.Functions {
		out.Lines = append(out.Lines, s.functions[full].lines...)
	}
	out.Lines = bounded(out.Lines)
	return out
}

// fitting are the full names that a name may be, the exact one alone where there is one.
func (s *Seen) fitting(name string) (out []string) {
	if s.functions[name] != nil {
		return []string{name}
	}
	plain := stacks.WithoutTypes(name)
	for _, full := range s.byLast[name[strings.LastIndexByte(name, '.')+1:]] {
		if fits(full, name) {
			out = append(out, full)
		}
	}
	if len(out) > 0 || name == "" {
		return out
	}
	for _, full := range s.names { // of a generic function, whose arguments may have dots
		if fits(stacks.WithoutTypes(full), plain) {
			out = append(out, full)
		}
	}
	return out
}

// fits reports whether a full name ends with a name, at the beginning of a part of it.
func fits(full, name string) bool {
	name = strings.TrimPrefix(name, "*") // "*T.Get" and "T.Get" are written for "(*T).Get"
	for _, full := range []string{full, strings.NewReplacer("(*", "", ")", "").Replace(full)} {
		if rest, ok := strings.CutSuffix(full, name); ok && (rest == "" || strings.HasSuffix(rest, ".") ||
			strings.HasSuffix(rest, "/")) {
			return true
		}
	}
	return false
}

// nearNames are names that may be meant, as their package's last element and what follows it.
func (s *Seen) nearNames(name string) []string {
	short := make([]string, 0, len(s.names))
	for _, full := range s.names {
		short = append(short, shortName(full))
	}
	slices.Sort(short)
	return near.Names(shortName(name), slices.Compact(short))
}

// Line looks for a line of a file: "main.go", "app/main.go" or a whole path.
func (s *Seen) Line(file string, line int) Sight {
	file = strings.TrimPrefix(strings.ReplaceAll(clean(file), `\`, "/"), "./")
	var out Sight
	var others []int
	for _, full := range s.files[baseName(file)] {
		if !isFile(full, file) {
			continue
		}
		out.File = cmp.Or(out.File, full)
		at, ok := s.lines[full][line]
		if ok && !out.Known {
			out.Known, out.File = true, full
		}
		out.Functions = append(out.Functions, at...)
		for l := range s.lines[full] {
			others = append(others, l)
		}
	}
	slices.Sort(out.Functions)
	out.Functions = slices.Compact(out.Functions)
	out.Functions = out.Functions[:min(len(out.Functions), mostFits)]
	out.Lines = nearest(others, line)
	switch {
	case out.File == "":
		out.Near = near.Names(baseName(file), slices.Sorted(keys(s.files)))
	case !out.Known:
		for _, l := range out.Lines[:min(len(out.Lines), 5)] {
			out.Near = append(out.Near, baseName(out.File)+":"+strconv.Itoa(l))
		}
	}
	return out
}

// keys are those of a map.
func keys(m map[string][]string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// isFile reports whether a path of the evidence is what a file is called: its end, by whole elements. What the evidence
// has without folders, or of another checkout, fits where one is the end of the other.
func isFile(full, file string) bool {
	full = strings.ReplaceAll(full, `\`, "/")
	return full == file || strings.HasSuffix(full, "/"+file) || strings.HasSuffix(file, "/"+full)
}

// nearest are lines by how near they are to one, bounded.
func nearest(lines []int, to int) []int {
	lines = slices.Clone(lines)
	slices.SortFunc(lines, func(x, y int) int {
		return cmp.Or(cmp.Compare(max(x-to, to-x), max(y-to, to-y)), cmp.Compare(x, y))
	})
	lines = slices.Compact(lines)
	return lines[:min(len(lines), mostLines)]
}

// bounded are sorted lines, as many as are kept.
func bounded(lines []int) []int {
	slices.Sort(lines)
	lines = slices.Compact(lines)
	return lines[:min(len(lines), mostLines)]
}

// At looks for a line of a function: Known says that the function has it in the evidence. A line below the first of the
// function and before its last one seen may be right and on no stack: then Near says the lines that are.
func (s *Seen) At(function string, line int) Sight {
	out := s.Function(function)
	if !out.Known || line <= 0 {
		return out
	}
	out.Known = false
	for _, full := range out.Functions {
		f := s.functions[full]
		if slices.Contains(f.lines, line) || f.start == line {
			out.Known, out.File = true, f.file
		}
	}
	if !out.Known {
		out.Lines = nearest(out.Lines, line)
		for _, l := range out.Lines[:min(len(out.Lines), 5)] {
			out.Near = append(out.Near, baseName(out.File)+":"+strconv.Itoa(l))
		}
	}
	return out
}

// ParsePlace reads a place as people write it: "main.go:34", "main.load (main.go:34)", "main.load", "main.load:34".
func ParsePlace(text string) (function, file string, line int) {
	text = strings.Trim(strings.TrimSpace(clean(text)), "`\"'")
	if head, tail, ok := strings.Cut(text, " "); ok {
		f, _, _ := ParsePlace(head)
		_, file, line = ParsePlace(strings.Trim(tail, "()[] "))
		if f != "" {
			return f, file, line
		}
	}
	if i := strings.LastIndexByte(text, ':'); i > 0 {
		if n, err := strconv.Atoi(text[i+1:]); err == nil && n > 0 {
			text, line = text[:i], n
		}
	}
	if strings.HasSuffix(text, ".go") || strings.HasSuffix(text, ".s") || strings.HasSuffix(text, ".c") {
		return "", text, line
	}
	return strings.TrimSuffix(text, "()"), "", line
}
