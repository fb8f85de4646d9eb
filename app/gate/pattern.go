package gate

import (
	"regexp"
	"slices"
	"strings"

	"golang.org/x/perf/benchfmt"
)

// pattern returns what -test.bench takes to run the subjects of a package: all benchmarks they belong to. false when it
// has none.
func (p program) pattern(bench string, only map[string]bool) (string, bool) {
	if only == nil {
		return bench, true
	}
	var names []string
	for subject := range only {
		if pkg, name := splitSubject(subject); pkg == p.pkg {
			if top := regexp.QuoteMeta(topName(name)); !slices.Contains(names, top) {
				names = append(names, top)
			}
		}
	}
	slices.Sort(names)
	return "^(" + strings.Join(names, "|") + ")$", len(names) > 0
}

// topName returns the function of a benchmark: "BenchmarkA" of "BenchmarkA/size=1-8".
func topName(name string) string {
	base, _ := benchfmt.Name(strings.TrimPrefix(name, "Benchmark")).Parts()
	return "Benchmark" + string(base)
}

func subjectOf(pkg, name string) string { return pkg + " " + name }

func splitSubject(subject string) (pkg, name string) {
	pkg, name, _ = strings.Cut(subject, " ")
	return pkg, name
}

// benchPattern matches one benchmark with its sub-benchmark, element by element, without the number of CPUs at its end.
func benchPattern(name string) string {
	base, parts := benchfmt.Name(strings.TrimPrefix(name, "Benchmark")).Parts()
	pattern := "^Benchmark" + regexp.QuoteMeta(string(base)) + "$"
	for _, p := range parts {
		if sub, ok := strings.CutPrefix(string(p), "/"); ok {
			pattern += "/^" + regexp.QuoteMeta(sub) + "$"
		}
	}
	return pattern
}
