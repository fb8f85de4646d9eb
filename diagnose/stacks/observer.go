package stacks

import "strings"

// The observer is in the data: taking evidence costs CPU, allocates and occupies goroutines of the process. Those
// samples are not the service's problem. They are left out when a file is read, and counted in Set.Observed.

// isObserver reports whether a function is part of taking evidence.
func isObserver(name, pkg string) bool {
	switch pkg {
	case "net/http/pprof", "github.com/felixge/fgprof":
		return true
	case "runtime/pprof":
		return !isLabelCall(strings.TrimPrefix(name, "runtime/pprof."))
	case "runtime":
		return strings.HasPrefix(name, "runtime.goroutineProfile") || strings.HasPrefix(name, "runtime.sigprof")
	}
	return isCasebook(pkg) || isProfiler(pkg)
}

// Watches reports whether a frame is Casebook's: what a watch inside the process takes.
func (f *Func) Watches() bool { return isCasebook(f.Package) }

// TakesProfiles reports whether a function takes profiles, or asks for them.
func (f *Func) TakesProfiles() bool { return f.observer }

// isProfiler tells the packages of continuous profilers that run in the process.
func isProfiler(pkg string) bool {
	for _, p := range []string{"github.com/grafana/pyroscope-go", "github.com/pyroscope-io/client",
		"gopkg.in/DataDog/dd-trace-go.v1/profiler",
		"github.com/DataDog/dd-trace-go/v2/profiler", "cloud.google.com/go/profiler"} {
		if pkg == p || strings.HasPrefix(pkg, p+"/") {
			return true
		}
	}
	return false
}

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

// isLabelCall tells the functions of runtime/pprof with which a program labels its own work: its code runs below Do.
func isLabelCall(name string) bool {
	for _, p := range []string{"Do", "SetGoroutineLabels", "WithLabels", "Labels", "Label", "ForLabels"} {
		if name == p || strings.HasPrefix(name, p+".") {
			return true
		}
	}
	return false
}

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

// observed reports whether any frame of a stack is the observer's.
func (t *Table) observed(stack []FrameID) bool {
	for _, id := range stack {
		if t.Func(id).observer {
			return true
		}
	}
	return false
}
