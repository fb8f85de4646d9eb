package ranking

import (
	"context"
	"time"

	"github.com/gocasebook/casebook/app/store"
	"github.com/gocasebook/casebook/casefile"
)

// caseSource is the services that have cases in the store.
type caseSource struct {
	store  *store.Store
	owners []string
	now    func() time.Time
}

// OfCases ranks what the diagnoses of a store's cases say of CPU. A case is of one process, and so are its cores.
// owners are the labels of a case that may have who owns the service.
func OfCases(s *store.Store, owners ...string) Source { return &caseSource{s, owners, time.Now} }

func (*caseSource) String() string { return store.SourceCases }

const (
	// recent is how old a case may be whose findings are ranked: as old as a finding that is still the same one.
	recent = 7 * 24 * time.Hour
	// maxCases bounds the cases of a service that are read; each is megabytes at most.
	maxCases = 10
)

// Services lists those whose newest case is recent.
func (s *caseSource) Services(ctx context.Context) ([]string, error) {
	all, err := s.store.Services(ctx)
	if err != nil {
		return nil, err
	}
	var names []string
	for i := range all {
		if all[i].Name != "" && all[i].Newest.After(s.now().Add(-recent)) {
			names = append(names, all[i].Name)
		}
	}
	return names, nil
}

// Judge takes each finding from the newest case that has it, of the cases that are of the same version as the newest.
func (s *caseSource) Judge(ctx context.Context, t store.Turn) (j store.Judged, err error) {
	page, err := s.store.List(ctx, store.Filter{Service: t.Service, From: s.now().Add(-recent), Limit: maxCases})
	if err != nil {
		return j, err
	}
	for i := range page.Cases {
		if page.Cases[i].Version != page.Cases[0].Version {
			break
		}
		c, err := s.store.Case(ctx, page.Cases[i].ID)
		if err != nil {
			return j, err
		}
		cores := coresOf(&c)
		if i == 0 {
			j.Version, j.Owner = page.Cases[0].Version, owner(&c, s.owners)
		}
		if j.Cores == 0 {
			j.Cores = cores
		}
		j.Findings = distinct(append(j.Findings, costs(c.Findings, cores, c.ID)...))
	}
	return j, nil
}

// coresOf is the CPU that the process of a case used while it was profiled; 0 if that is not known.
func coresOf(c *casefile.Case) float64 {
	if c.Picture == nil || c.Picture.CPU == nil || c.Picture.CPU.Unit != "cores" {
		return 0
	}
	return c.Picture.CPU.Total
}

func owner(c *casefile.Case, labels []string) string {
	for _, name := range labels {
		if v := c.Target.Labels[name]; v != "" {
			return v
		}
	}
	return ""
}
