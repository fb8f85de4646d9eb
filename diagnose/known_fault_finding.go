package diagnose

import (
	"fmt"
	"math"
	"strings"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/known"
)

// finding is what all findings about known faults have in common.
func (s *suspect) finding(score int, sure float64, where []casefile.Frame, basis []casefile.Basis) casefile.Finding {
	name, fixed := shortModule(s.release.Module), s.release.Fixed
	if name == known.GoItself {
		fixed = strings.TrimPrefix(fixed, "go")
	}
	version := strings.TrimPrefix(s.version, "go")
	return casefile.Finding{
		Title:      fmt.Sprintf("%s %s has a known fault; %s repairs it", name, version, fixed),
		Score:      score,
		Confidence: math.Round(50*(1+sure)) / 100, // half of the doubt goes: the release and the function are known
		Summary:    fmt.Sprintf("This release %s.", s.fault.What),
		Explanation: "The fault is the release's, not the program's: no change at the calling line is worth as much " +
			"as the release that repairs it. What is known of it: " + s.fault.Page + ".",
		Where:    where,
		Evidence: basis,
		Remedies: []casefile.Remedy{s.upgrade(fixed)},
	}
}

// longModule is where a module's path becomes too long for a title: the longest of golang.org and github.com here fit.
const longModule = 40

// shortModule is a module in a title: the last two elements of a long path.
func shortModule(path string) string {
	if len(path) <= longModule {
		return path
	}
	last := strings.LastIndexByte(path, '/')
	return path[strings.LastIndexByte(path[:max(last, 0)], '/')+1:]
}

// upgrade is the remedy: the first release without the fault.
func (s *suspect) upgrade(fixed string) casefile.Remedy {
	title := fmt.Sprintf("Upgrade %s to %s or later", shortModule(s.release.Module), fixed)
	command := fmt.Sprintf("go get %s@%s", s.release.Module, fixed)
	price := "a new release of a dependency: read its notes, run the tests"
	if s.release.Module == known.GoItself {
		title = fmt.Sprintf("Build with Go %s or later", fixed)
		command = "go get toolchain@go" + fixed
		price = "a new release of Go: run the tests"
	}
	return takePackage(title, command+", then build. Source: "+s.fault.Page, price)
}

// What a release saves of what its fault takes. Below a function is also what it must do, a tenth to a quarter.
const (
	leastRepaired = 0.75
	leastOfHeld   = 0.5 // of what callers allocate: they may hold some of it themselves
)

// allButSome is the gain where next to all below the functions is the fault.
func allButSome(share float64, what string) casefile.Gain {
	return repaired(share, leastRepaired, what, "three quarters to all of it is the fault")
}

// mayBeAll is the gain where others may hold a part of the memory.
func mayBeAll(share float64, what string) casefile.Gain {
	return repaired(share, leastOfHeld, what, "half to all of it is held by the fault")
}

func repaired(share, least float64, what, why string) casefile.Gain {
	return casefile.Gain{Low: roundShare(min(share*least, mostSaved)), High: roundShare(min(share, mostSaved)),
		Arithmetic: what + "; " + why}
}
