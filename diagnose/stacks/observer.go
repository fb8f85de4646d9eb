package stacks

import "strings"

// The observer is in the data: taking evidence costs CPU, allocates and occupies goroutines of the process. Those
// samples are not the service's problem. They are left out when a file is read, and counted in Set.Observed.

// Watches reports whether a frame is Casebook's: what a watch inside the process takes.
func (f *Func) Watches() bool { return isCasebook(f.Package) }

// TakesProfiles reports whether a function takes profiles, or asks for them.
func (f *Func) TakesProfiles() bool { return f.observer }

// isAround tells the packages of Casebook that are around a service's own work, so that they are on all of its stacks.
func isAround(pkg string) bool {
	return pkg == casebookModule+"/middleware" || strings.HasPrefix(pkg, casebookModule+"/middleware/")
}

// isLibraryOfCasebook tells the packages of Casebook that services import: they are never a place, wherever their
// source is. The services of the lab, and what is in a testdata folder, are programs like others.
func isLibraryOfCasebook(pkg string) bool {
	rest, ok := strings.CutPrefix(pkg, casebookModule)
	return ok && (rest == "" || rest[0] == '/') && !strings.HasPrefix(rest, "/app/") &&
		!strings.HasPrefix(rest, "/lab/") && !strings.Contains(rest, "/testdata/")
}

// casebookModule is the path of the module that services import.
const casebookModule = "github.com/gocasebook/casebook"

// isCasebook tells the packages with which a service watches itself. remedy and the lab are the service's own work, and
// middleware is around it. In older evidence, target, recorder, blackbox and budget are what is now instance and
// packages below internal.
func isCasebook(pkg string) bool {
	rest, ok := strings.CutPrefix(pkg, casebookModule)
	if !ok || strings.Contains(rest, "/testdata/") {
		return false
	}
	for _, own := range []string{"/instance", "/target", "/vitals", "/rule", "/casefile", "/diagnose", "/reporter",
		"/holmes",
		"/internal", "/recorder", "/blackbox", "/budget"} {
		if rest == own || strings.HasPrefix(rest, own+"/") {
			return true
		}
	}
	return rest == ""
}

// observed reports whether a stack is the observer's. A profiler's package may have a function around the user's work,
// to label it (pyroscope.TagWrapper): its frames say so only where no line of the user's is below them, nearer to the
// leaf. Casebook, runtime/pprof and net/http/pprof run no work of the user's: what they call back is a writer or a gauge.
func (t *Table) observed(stack []FrameID) bool {
	user := false
	for _, id := range stack {
		f := t.Func(id)
		if f.observer && !(user && f.Owner == Dependency && !isCasebook(f.Package)) {
			return true
		}
		user = user || f.Owner == User
	}
	return false
}
