package lint

import (
	"path/filepath"
	"slices"

	"github.com/gocasebook/casebook/app/heat"
	"github.com/gocasebook/casebook/casefile"
)

// A Finding is what a detector found in the profiles at a line of the code, with its file on this machine.
type Finding struct {
	casefile.Finding
	File string
}

// Detector is the source of reports that come from the profiles and not from the code.
const Detector = "diagnose"

// notice is the score from which a finding is reported: below it, it is for who asks for all (casefile.Finding). One of
// less than a warning is no reason to wake anybody, and yet a line that an expert would look at.
const notice = 25

// warning is the score that a search needs: a profile shows that much is compared, and not that it is a search.
const warning = 50

// least is the score from which a finding of a kind is reported.
func least(kind string) int {
	if kind == "cpu-linear-search" {
		return warning
	}
	return notice
}

// atLines are the kinds of findings that are a mistake at a line, with the measure that they are about. Others name a
// line, too, but there is nothing to change there: a setting is wrong, another service is slow, a format is expensive.
func atLines() map[string]heat.Measure {
	return map[string]heat.Measure{
		"alloc-oversized": heat.AllocBytes, "alloc-grow": heat.AllocBytes, "alloc-string-concat": heat.AllocBytes,
		"alloc-fmt": heat.AllocBytes, "alloc-bytes-string": heat.AllocBytes, "alloc-boxing": heat.AllocBytes,
		"alloc-closure": heat.AllocBytes, "alloc-timer": heat.AllocBytes, "alloc-poolable": heat.AllocBytes,
		"alloc-map-temp": heat.AllocBytes, "alloc-buffer-per-call": heat.AllocBytes, "alloc-loop-invariant": heat.CPU,
		"regexp-compile": heat.CPU, "template-parse": heat.CPU, "reflect-per-call": heat.CPU,
		"cpu-linear-search": heat.CPU, "cpu-quadratic": heat.CPU, "cpu-time-now": heat.CPU, "cpu-compression": heat.CPU,
		"cpu-logging": heat.CPU, "cpu-regexp": heat.CPU, "context-chain": heat.CPU, "io-small": heat.CPU,
		"io-reread": heat.CPU, "cpu-json": heat.CPU, "lock-contention": heat.Wait,
	}
}

// detected are the reports of what detectors found at lines of the packages in some folders.
func (r *Request) detected(dirs []string) (out []Report) {
	kinds := atLines()
	for _, f := range r.Findings {
		by, ok := kinds[f.Kind]
		if !ok || f.Score < least(f.Kind) || len(f.Where) == 0 || !slices.Contains(dirs, filepath.Dir(f.File)) {
			continue
		}
		line := f.Where[0].Line
		cost := r.Heat.Lines(f.File, line, line)
		if f.Impact.Resource == heat.CPU.String() {
			by = heat.CPU
		}
		rep := Report{Check: f.Kind, Source: Detector, File: f.File, Line: line, Column: 1, End: line, Message: f.Title,
			Share: round(min(f.Impact.Share, 1)), By: by.String(), Cost: map[string]float64{by.String(): round(cost[by])},
			Lines: r.shares(cost)}
		if len(f.Remedies) > 0 {
			rep.Message += ": " + f.Remedies[0].Title
		}
		rep.Gain = rep.Share
		if g := f.Impact.Gain; g.High > 0 {
			rep.Gain = round(min(rep.Share, (g.Low+g.High)/2))
		}
		out = append(out, rep)
	}
	return out
}

// dirsOf are the folders of packages.
func dirsOf(pkgs []listed) (out []string) {
	for i := range pkgs {
		out = append(out, pkgs[i].Dir)
	}
	return out
}
