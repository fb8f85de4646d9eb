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
	return isCasebook(pkg)
}

// isLabelCall tells the functions of runtime/pprof with which a program labels its own work: its code runs below Do.
func isLabelCall(name string) bool {
	for _, p := range []string{"Do", "SetGoroutineLabels", "WithLabels", "Labels", "Label", "ForLabels"} {
		if name == p || strings.HasPrefix(name, p+".") {
			return true
		}
	}
	return false
}

// isCasebook tells the packages with which a service watches itself. remedy and app/lab are the service's own work.
func isCasebook(pkg string) bool {
	rest, ok := strings.CutPrefix(pkg, "github.com/gocasebook/casebook")
	if !ok || strings.Contains(rest, "/testdata/") {
		return false
	}
	for _, own := range []string{"/target", "/vitals", "/rule", "/casefile", "/diagnose"} {
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
