package ranking

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/app/engine"
	"github.com/gocasebook/casebook/app/store"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
)

// engineSource is the services of an engine.
type engineSource struct{ *engine.Directory }

// OfEngine ranks the services that an engine has, by the sum of their CPU profiles.
func OfEngine(d *engine.Directory) Source { return engineSource{d} }

// Judge runs the detectors over the CPU profile of an average instance.
func (s engineSource) Judge(ctx context.Context, t store.Turn) (store.Judged, error) {
	u, err := s.Usage(ctx, t.Service)
	if err != nil {
		return store.Judged{}, err
	}
	rep := diagnose.Run(ctx, diagnose.Input{Release: true, Evidence: []diagnose.Evidence{{Name: "cpu.pb",
		Kind: casefile.CPU, Seconds: u.Profile.Seconds, Taken: u.Profile.Taken, Data: u.Profile.Data}}}, diagnose.Options{})
	if len(rep.Problems) > 0 {
		return store.Judged{}, errors.New(rep.Problems[0].Reason)
	}
	return store.Judged{Owner: strings.Join(u.Owners[:min(len(u.Owners), maxOwners)], ", "), Cores: u.Cores,
		Version: newest(u.Versions, t.Version, t.EarlierVersion), Findings: costs(rep.Findings, u.Cores, "")}, nil
}

// maxOwners bounds those that are named: a service of more has none.
const maxOwners = 3

// newest picks the newest of the versions that run: one that was not known. Without one the known one stays, also while
// the earlier one still runs beside it; if it does not run any more, the one that does was deployed.
func newest(run []string, known, earlier string) string {
	for _, v := range run {
		if v != known && v != earlier {
			return v
		}
	}
	if len(run) == 0 || slices.Contains(run, known) {
		return known
	}
	return run[0]
}
