package diagnose

import (
	"slices"

	"github.com/gocasebook/casebook/casefile"
)

// CaseInput reads the evidence of a case. What cannot be read is returned as errors, one for each file; the rest is
// judged without it.
func CaseInput(f *casefile.Folder) (Input, []error) {
	in := Input{Build: f.Case.Target.Build, Limits: f.Case.Target.Limits, Tripped: f.Case.Trigger.Time, Started: f.Case.Target.Started}
	var errs []error
	for _, e := range f.Case.Evidence {
		if !readable(e.Kind) {
			continue
		}
		data, err := f.Read(e.File)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		in.Evidence = append(in.Evidence, Evidence{
			Name: e.File, Kind: e.Kind, Phase: e.Phase, Seconds: e.Seconds, Taken: e.Taken, Data: data, Collected: e.Collected,
		})
	}
	return in, errs
}

// readable reports whether evidence of a kind is for detectors. The others are for people and their tools, and for
// detectors to come.
func readable(kind string) bool {
	return !slices.Contains([]string{casefile.Trace, casefile.Prometheus}, kind)
}
