package diagnose

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/room"
)

// CaseInput reads the evidence of a case that the detectors or derivers of opts read. Files that cannot be read, or do
// not fit into this process's memory limit, are returned as errors, one per file; the rest is judged without them.
func CaseInput(f *casefile.Folder, opts Options) (Input, []error) {
	in := Input{Build: f.Case.Target.Build, Limits: f.Case.Target.Limits, Tripped: f.Case.Trigger.Time,
		Started: f.Case.Target.Started, URL: askable(f.Case.Target.URL),
		Triggers: append([]casefile.Trigger{f.Case.Trigger}, f.Case.Also...),
		Inside:   f.Case.Target.URL == "" && f.Case.Target.PID != 0}
	var errs []error
	left := room.Parsing()
	for _, e := range f.Case.Evidence {
		if !opts.readable(e.Kind) {
			if e.Kind == casefile.Trace {
				in.UnreadTrace = f.Case.ID + "/" + e.File
			}
			continue
		}
		if left -= e.Bytes; left < 0 {
			left += e.Bytes
			errs = append(errs, fmt.Errorf("%s: not read: it has %s, and this process may load %d MiB of a "+
				"case; read it on a machine with more memory: casebook diagnose %s",
				e.File, size(float64(e.Bytes)), room.Parsing()>>20, f.Case.ID))
			continue
		}
		data, err := f.Read(e.File)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		in.Evidence = append(in.Evidence, Evidence{
			Name: e.File, Kind: e.Kind, Phase: e.Phase, Seconds: e.Seconds, Taken: e.Taken, Data: data,
			Collected: e.Collected,
		})
	}
	return in, errs
}

// askable is the address of a target behind net/http/pprof; "" for a service in an engine, which no curl can ask.
func askable(url string) string {
	for _, scheme := range []string{"http://", "https://", "unix://"} {
		if strings.HasPrefix(url, scheme) {
			return url
		}
	}
	return ""
}

// readable reports whether evidence of a kind is for detectors. The others are for people, their tools, and future
// detectors.
func readable(kind string) bool {
	return !slices.Contains([]string{casefile.Trace, casefile.Prometheus, casefile.Quote}, kind)
}
