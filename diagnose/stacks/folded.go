package stacks

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"

	"github.com/gocasebook/casebook/casefile"
)

// Folded stacks are the text that Brendan Gregg's flame graphs are drawn from, one stack a line, the root first:
//
//	shop;runtime.goexit;net/http.(*conn).serve;main.handler;runtime.mallocgc 42
//
// The text says neither what was counted nor for how long. Mostly it is CPU samples, so it is read as such, and the set
// says so; where it came from decides whether its findings mean anything. If the name of the file says that it is
// something else (off-CPU time, memory, locks), it is refused.

// foldedLine is a stack and its count.
var foldedLine = regexp.MustCompile(`^(\S.*\S) (\d+)$`)

// foldedLines is how many lines tell that a text is folded stacks: all of the first ones must be.
const foldedLines = 5

// isFolded recognises folded stacks by their first lines: a count at the end of each, and more than one frame in some.
func isFolded(b []byte) bool {
	rest, stacks := b[:min(len(b), sniffed)], 0
	for n := 0; n < foldedLines && len(rest) > 0; n++ {
		line, after, whole := bytes.Cut(rest, []byte("\n"))
		if !whole && len(b) > sniffed {
			break
		}
		rest = after
		line = bytes.TrimRight(line, "\r")
		if len(line) == 0 && n > 0 {
			break
		}
		if bytes.ContainsFunc(line, noText) || !foldedLine.Match(line) {
			return false
		}
		stacks += min(bytes.Count(line, []byte(";")), 1)
	}
	return stacks > 0
}

// otherFolded are parts of names of files that contain something other than CPU samples.
var otherFolded = regexp.MustCompile(`(?i)off-?cpu|wall|heap|alloc|mem|mutex|block|lock|futex|diskio|wakeup`)

// foldedSample is what one count of folded stacks stands for, in ns: a sample at Go's usual 100 Hz. Only shares mean
// something: without the duration, the amount of CPU is not known.
const foldedSample = 10_000_000

// readFolded reads folded stacks of a Go program.
func (t *Table) readFolded(src Source, b []byte) (*Set, *Problem) {
	if m := otherFolded.FindString(src.Name); m != "" && src.Kind != casefile.CPU {
		return nil, problem("give folded stacks of CPU samples, or a pprof file",
			"folded stacks that are not of CPU time, by the file's name (%q)", m)
	}
	s := &Set{Table: t, Kind: casefile.CPU, Period: foldedSample,
		Types:  []ValueType{{"samples", "count"}, {"cpu", unitNs}},
		Remark: "folded stacks, read as CPU samples: they have no times and no lines, and do not say what was counted"}
	p := &proto{functions: foldedFunctions(b), types: s.Types}
	if language, isGo := madeBy(p.functions); !isGo {
		if language != "" {
			language = ": most of its functions are " + language
		}
		return nil, problem("give evidence of a Go program",
			"folded stacks that do not come from Go%s; only Go's runtime and memory can be judged here", language)
	}
	bad := 0
	for len(b) > 0 && len(s.Samples) < MaxSamples {
		var line []byte
		line, b, _ = bytes.Cut(b, []byte("\n"))
		line = short(line, maxFolded)
		m := foldedLine.FindSubmatch(bytes.TrimRight(line, "\r"))
		if m == nil {
			bad += min(len(bytes.TrimSpace(line)), 1)
			continue
		}
		n, err := strconv.ParseInt(string(m[2]), 10, 64)
		if err != nil || n <= 0 {
			continue
		}
		t.addSample(s, t.foldedStack(string(m[1])), []int64{n, mulSat(n, foldedSample)})
	}
	if bad > 0 {
		s.Cut = strconv.Itoa(bad) + " lines were not readable and are left out"
	}
	return s, nil
}

// maxFolded bounds a line, which is a whole stack; what is cut has no count, and is left out.
const maxFolded = 1 << 20

// foldedFunctions are the functions of the first stacks, enough to tell who made them.
func foldedFunctions(b []byte) (out []protoFunc) {
	seen := make(map[string]bool)
	for rest := b[:min(len(b), 1<<20)]; len(rest) > 0; {
		var line []byte
		line, rest, _ = bytes.Cut(rest, []byte("\n"))
		m := foldedLine.FindSubmatch(bytes.TrimRight(line, "\r"))
		if m == nil {
			continue
		}
		for name := range strings.SplitSeq(string(m[1]), ";") {
			if name = foldedName(name); name != "" && !seen[name] {
				seen[name] = true
				out = append(out, protoFunc{name: name})
			}
		}
	}
	return out
}

// foldedStack reads the frames of a line, the leaf first. The root may be the name of the process or of a thread.
func (t *Table) foldedStack(line string) []FrameID {
	names := strings.Split(line, ";")
	if len(names) > maxDepth {
		names = names[len(names)-maxDepth:]
	}
	if len(names) > 1 && packageOf(names[0]) == "" {
		names = names[1:]
	}
	stack := make([]FrameID, 0, len(names))
	for i := len(names) - 1; i >= 0; i-- {
		if strings.HasSuffix(names[i], "_[k]") {
			continue // the kernel's: see outside.go
		}
		stack = append(stack, t.intern(foldedName(names[i]), "", 0))
	}
	return stack
}

// foldedName is a function's name without stackcollapse's mark of where it is from: "_[i]" is inlined, "_[j]" compiled
// while running.
func foldedName(name string) string {
	for _, mark := range []string{"_[i]", "_[j]", "_[k]"} {
		name = strings.TrimSuffix(name, mark)
	}
	return strings.TrimSpace(name)
}
