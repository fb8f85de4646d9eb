package engine

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/pprof/profile"
)

// parca speaks what grpc-gateway makes of parca-dev/parca, proto/parca/query/v1alpha1/query.proto: GET with the fields
// as parameters, JSON back, bytes in it as base64.
//
// It knows no bound on the nodes of a pprof report: the size of the answer bounds it.
type parca struct{ *client }

const gateway = "/api/profiles/"

// times are the bounds of a window under the names of two parameters.
func (w window) times(from, to string) url.Values {
	return url.Values{from: {w.from.UTC().Format(time.RFC3339Nano)}, to: {w.to.UTC().Format(time.RFC3339Nano)}}
}

func (p *parca) values(ctx context.Context, label string, of selector, w window) ([]string, error) {
	q := w.times("start", "end")
	if len(of) > 0 {
		q.Set("match", of.String())
	}
	var out struct{ LabelValues []string }
	err := p.ask(ctx, request{path: gateway + "labels/" + label + "/values", query: q}, nil, &out)
	return out.LabelValues, err
}

func (p *parca) types(ctx context.Context, w window) ([]valueType, error) {
	var out struct {
		Types []struct {
			Name, SampleType, SampleUnit, PeriodType, PeriodUnit string

			Delta bool
		}
	}
	err := p.ask(ctx, request{path: gateway + "types", query: w.times("start", "end")}, nil, &out)
	if err != nil {
		return nil, err
	}
	var all []valueType
	for _, t := range out.Types {
		v := valueType{name: t.Name, typ: t.SampleType, unit: t.SampleUnit, period: t.PeriodType, per: t.PeriodUnit}
		v.id = strings.Join([]string{t.Name, t.SampleType, t.SampleUnit, t.PeriodType, t.PeriodUnit}, ":")
		if t.Delta {
			v.id += ":delta"
		}
		v.sinceStart = !t.Delta && !v.snapshot()
		all = append(all, v)
	}
	return all, nil
}

func (p *parca) merged(ctx context.Context, t valueType, of selector, w window) (*profile.Profile, error) {
	q := w.times("merge.start", "merge.end")
	q.Set("mode", "MODE_MERGE")
	q.Set("merge.query", t.id+of.String())
	q.Set("report_type", "REPORT_TYPE_PPROF")
	const path = gateway + "query"
	data, err := p.do(ctx, request{path: path, query: q, most: maxProfile * 4 / 3})
	if err != nil {
		if isNothing(err) {
			return &profile.Profile{}, nil
		}
		return nil, err
	}
	var out struct{ Pprof []byte }
	if err := p.decode(path, data, &out); err != nil {
		return nil, err
	}
	return p.parse(path, out.Pprof)
}

func (p *parca) course(ctx context.Context, t valueType, of selector, w window, step time.Duration, mean bool,
) ([]point, error) {
	q := w.times("start", "end")
	q.Set("query", t.id+of.String())
	q.Set("step", strconv.FormatFloat(step.Seconds(), 'f', -1, 64)+"s")
	var out struct {
		Series []struct {
			Samples []struct {
				Timestamp time.Time
				Value     whole
			}
		}
	}
	if err := p.ask(ctx, request{path: gateway + "query_range", query: q}, nil, &out); err != nil {
		if isNothing(err) {
			return nil, nil
		}
		return nil, err
	}
	// Of a snapshot there is a series for each set of labels, and of those in one step the first counts; of a delta one
	// series has the sums (parcacol/querier.go, queryRangeNonDelta and queryRangeDelta).
	sums, counts := make(map[time.Time]float64), make(map[time.Time]float64)
	for _, s := range out.Series {
		for _, v := range s.Samples {
			at := v.Timestamp.Truncate(step).Add(step)
			sums[at] += float64(v.Value)
			counts[at]++
		}
	}
	var points []point
	for at, sum := range sums {
		if mean {
			sum /= counts[at]
		}
		points = append(points, point{at, sum})
	}
	slices.SortFunc(points, func(a, b point) int { return a.at.Compare(b.at) })
	return points, nil
}

// isNothing reports whether Parca says that there are no profiles, which for it is an error.
func isNothing(err error) bool {
	var r *RefusedError
	return errors.As(err, &r) && r.Status == http.StatusNotFound && (strings.HasPrefix(r.Text, "No data found") ||
		strings.HasPrefix(r.Text, "could not find profile"))
}
