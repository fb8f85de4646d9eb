package stacks

import (
	"cmp"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/diagnose/known"
)

// pprof's format is used by many: perf, py-spy, Node.js, async-profiler and the C++ libraries write it too. What a
// profile's functions are called, and in which files they are, tells who made it.

// madeBy tells whether Go made a profile. If not, it tells in which language most functions are ("": unknown). Many Go
// programs contain C, so C decides nothing. No other language may outnumber Go, as it would if a whole machine was
// profiled.
func madeBy(functions []protoFunc) (language string, isGo bool) {
	votes := make(map[string]int)
	others := 0
	for i := range functions {
		l := languageOf(functions[i].name, functions[i].file)
		votes[l]++
		if l != langGo && l != langC && l != "" {
			others++
		}
	}
	if votes[langGo] > 0 && votes[langGo] >= others {
		return langGo, true
	}
	delete(votes, "")
	for l, n := range votes {
		if n > votes[language] || n == votes[language] && l < language {
			language = l
		}
	}
	return language, false
}

const (
	langGo  = "Go"
	langC   = "C or C++"
	langJVM = "the JVM's" // Java and what else runs there
)

// languageOf is the language of a function; "" when neither its name nor its file tells.
func languageOf(name, file string) string {
	switch strings.ToLower(path.Ext(strings.ReplaceAll(file, `\`, "/"))) {
	case ".go":
		return langGo
	case ".s": // an idle service under the race detector may have nothing else
		if f := strings.ReplaceAll(file, `\`, "/"); strings.HasPrefix(f, "runtime/") ||
			strings.Contains(f, "/src/runtime/") || strings.Contains(f, "/src/internal/bytealg/") {
			return langGo
		}
	case ".java", ".kt", ".scala", ".groovy", ".clj":
		return langJVM
	case ".py", ".pyx":
		return "Python"
	case ".js", ".mjs", ".cjs", ".ts", ".tsx", ".jsx":
		return "JavaScript"
	case ".rb":
		return "Ruby"
	case ".rs":
		return "Rust"
	case ".jl":
		return "Julia"
	case ".cs", ".fs":
		return "C# or F#"
	case ".php":
		return "PHP"
	case ".c", ".cc", ".cpp", ".cxx", ".h", ".hpp":
		return langC
	}
	return languageOfName(name, file)
}

// How two of them write a function: "handle (app/views.py:31)", "org/apache/kafka/Log.append".
var (
	pythonPlace = regexp.MustCompile(` \([^()]*\.pyx?(?::\d+)?\)$`)
	jvmPath     = regexp.MustCompile(`^[a-z]\w*(?:/[a-z]\w*)*/[A-Z][\w$]*\.[\w$<>]+$`)
)

// languageOfName judges where the file does not tell: perf, and Java's and Node's profilers, may give none.
func languageOfName(name, file string) string {
	has := func(prefixes ...string) bool {
		return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(name, p) })
	}
	switch {
	case name == "main.main", has(known.RuntimePackage) && (file == "" || strings.HasSuffix(file, ".s")):
		return langGo
	case pythonPlace.MatchString(name):
		return "Python" // py-spy's folded stacks
	case has("jl_", "julia_", "jfptr_", "japi1_"):
		return "Julia"
	case strings.HasPrefix(file, "node:"), has("(anonymous", "(program)", "(garbage collector)"):
		return "JavaScript"
	case has("java.", "java/", "javax.", "jdk.", "sun.", "scala.", "kotlin."), jvmPath.MatchString(name):
		return langJVM
	case has("core::", "std::rt::", "alloc::", "tokio::"):
		return "Rust"
	case strings.Contains(name, "::"), has("__libc_", "_Z"):
		return langC
	case strings.Contains(name, ".(*"), strings.Contains(name, "/") && isStd(packageOf(name), ""):
		return langGo // "compress/flate.NewWriter": a text has no files
	}
	return ""
}

// hottest names the functions with the highest counts: this works for any language.
func hottest(p *proto) string {
	const shown, least = 3, 0.01
	i := slices.IndexFunc(p.types, func(v ValueType) bool { return v.Type == p.defaults })
	if i < 0 {
		i = len(p.types) - 1 // the one that go tool pprof shows
	}
	self, total := p.self(i)
	var names []string
	for name, v := range self {
		if name != "" && v > 0 && v >= least*total {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(self[b], self[a]),
			strings.Compare(a, b))
	})
	names = names[:min(len(names), shown)]
	for k, name := range names {
		names[k] = fmt.Sprintf("%s %.0f %%", firstLine([]byte(name)), 100*self[name]/total)
	}
	return fmt.Sprintf("; most of its %s is in %s", firstLine([]byte(p.types[i].Type)), strings.Join(names, ", "))
}

// self sums a value by the function at the leaf. It is empty for a profile that is damaged.
func (p *proto) self(value int) (self map[string]float64, total float64) {
	t := NewTable("")
	s := &Set{Table: t, Types: p.types}
	if err := t.addProto(s, p, nil); err != nil {
		return nil, 0
	}
	self = make(map[string]float64)
	for i := range s.Samples {
		v := float64(max(s.Samples[i].Values[value], 0))
		total += v
		if stack := s.Samples[i].Stack; len(stack) > 0 {
			self[t.Func(stack[0]).Name] += v
		}
	}
	return self, total
}
