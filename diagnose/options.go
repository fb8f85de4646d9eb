package diagnose

import (
	"cmp"
	"fmt"
	"time"
)

// Options control how Run diagnoses. The zero value means the built-in detectors, no derivers and 20 s.
type Options struct {
	// Detectors replaces the built-in ones; nil means Detectors(). To add your own to them: append(Detectors(), own). A
	// detector without Run, ID or Kind, or with the ID or Kind of an earlier one, does not run; Report.Failed says so.
	Detectors []Detector
	// Derive turns evidence into other evidence before a detector reads it, in this order: a deriver sees what those
	// before it made.
	Derive []Deriver
	// Limit is how long all detectors together may take; zero means 20 s. On a busy machine, where the process gets
	// less CPU time than passes, it is CPU time. Detectors that are not finished are in Report.Failed. Derivers run
	// before it begins, and end with Run's context.
	Limit time.Duration
}

// detectorTime limits all detectors together: on the clock, or in CPU time of the process if it got less than that on a
// busy machine (withLimit). The slowest detector takes 0.2 s on 100,000 samples of 25 frames.
const detectorTime = 20 * time.Second

func (o Options) limit() time.Duration { return cmp.Or(max(o.Limit, 0), detectorTime) }

// detectors are those that will run, and why others cannot.
func (o Options) detectors() (ask []Detector, failed []Failure) {
	if o.Detectors == nil {
		return Detectors(), nil
	}
	ids, kinds := make(map[string]bool), make(map[string]bool)
	for _, d := range o.Detectors {
		fault := ""
		switch {
		case d.ID == "" || d.Kind == "" || d.Run == nil:
			fault = fmt.Sprintf("the detector of kind %q lacks its ID, its Kind or its Run", d.Kind)
		case ids[d.ID] || kinds[d.Kind]:
			fault = fmt.Sprintf("another detector has the ID %s or the kind %s", d.ID, d.Kind)
		}
		if fault != "" {
			failed = append(failed, Failure{cmp.Or(d.ID, d.Kind, "a detector"), fault})
			continue
		}
		ids[d.ID], kinds[d.Kind] = true, true
		ask = append(ask, d)
	}
	return ask, failed
}

// readable reports whether evidence of a kind is for detectors or derivers. The other kinds are for people and their
// tools.
func (o Options) readable(kind string) bool {
	for _, d := range o.Derive {
		if d.Kind == kind {
			return true
		}
	}
	return readable(kind)
}
