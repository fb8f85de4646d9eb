package engine

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/google/pprof/profile"
	"google.golang.org/protobuf/encoding/protowire"
)

// pyroscope speaks Connect (connectrpc.com/docs/protocol): a POST of JSON, or of protobuf where the answer is a
// profile. The messages are those of grafana/pyroscope, api/querier/v1/querier.proto and api/types/v1/types.proto.
type pyroscope struct {
	*client
	nodes int
}

const querier = "/querier.v1.QuerierService/"

// A whole is an integer as protobuf's JSON has it: in quotes, because it may exceed what JavaScript holds.
type whole int64

func (w *whole) UnmarshalJSON(b []byte) error {
	n, err := strconv.ParseInt(strings.Trim(string(b), `"`), 10, 64)
	*w = whole(n)
	return err
}

// A float is a number as protobuf's JSON has it: a number, or "NaN".
type float float64

func (r *float) UnmarshalJSON(b []byte) error {
	f, err := strconv.ParseFloat(strings.Trim(string(b), `"`), 64)
	*r = float(f)
	return err
}

func (p *pyroscope) values(ctx context.Context, label string, of selector, w window) ([]string, error) {
	in := struct {
		Name     string   `json:"name"`
		Matchers []string `json:"matchers,omitempty"`
		Start    int64    `json:"start"`
		End      int64    `json:"end"`
	}{label, nil, w.from.UnixMilli(), w.to.UnixMilli()}
	if len(of) > 0 {
		in.Matchers = []string{of.String()}
	}
	var out struct{ Names []string }
	err := p.ask(ctx, request{path: querier + "LabelValues"}, in, &out)
	return out.Names, err
}

func (p *pyroscope) types(ctx context.Context, w window) ([]valueType, error) {
	in := struct {
		Start int64 `json:"start"`
		End   int64 `json:"end"`
	}{w.from.UnixMilli(), w.to.UnixMilli()}
	var out struct {
		ProfileTypes []struct{ ID, Name, SampleType, SampleUnit, PeriodType, PeriodUnit string }
	}
	if err := p.ask(ctx, request{path: querier + "ProfileTypes"}, in, &out); err != nil {
		return nil, err
	}
	var all []valueType
	for _, t := range out.ProfileTypes {
		all = append(all, valueType{id: t.ID, name: t.Name, typ: t.SampleType, unit: t.SampleUnit, period: t.PeriodType,
			per: t.PeriodUnit})
	}
	return all, nil
}

// The fields of querier.v1.SelectMergeProfileRequest.
const (
	fieldTypeID   = 1
	fieldSelector = 2
	fieldStart    = 3
	fieldEnd      = 4
	fieldMaxNodes = 5
)

// merged asks for protobuf: google.v1.Profile has the fields of pprof's own profile.proto, so that the answer is a
// profile as it is.
func (p *pyroscope) merged(ctx context.Context, t valueType, of selector, w window) (*profile.Profile, error) {
	var body []byte
	text := func(field protowire.Number, v string) {
		body = protowire.AppendString(protowire.AppendTag(body, field, protowire.BytesType), v)
	}
	number := func(field protowire.Number, v int64) {
		body = protowire.AppendVarint(protowire.AppendTag(body, field, protowire.VarintType), uint64(v)) //nolint:gosec
	}
	text(fieldTypeID, t.id)
	text(fieldSelector, of.String())
	number(fieldStart, w.from.UnixMilli())
	number(fieldEnd, w.to.UnixMilli())
	number(fieldMaxNodes, int64(p.nodes))
	path := querier + "SelectMergeProfile"
	data, err := p.do(ctx, request{path: path, kind: typeProto, body: body, most: maxProfile})
	if err != nil {
		return nil, err
	}
	return p.parse(path, data)
}

// parse reads a profile. One without samples is that of a service that has none.
func (c *client) parse(path string, data []byte) (*profile.Profile, error) {
	if len(data) == 0 {
		return &profile.Profile{}, nil
	}
	got, err := profile.ParseData(data)
	if err != nil {
		if noSamples(data) {
			return &profile.Profile{}, nil
		}
		return nil, fmt.Errorf("the answer of %s is no profile: %w", c.base.JoinPath(path).Redacted(), err)
	}
	return got, nil
}

// noSamples reports whether a message has no field sample (2): package profile refuses such a one, which lacks sample
// types, too.
func noSamples(data []byte) bool {
	const fieldSample = 2
	for len(data) > 0 {
		field, typ, n := protowire.ConsumeTag(data)
		if n < 0 || field == fieldSample {
			return false
		}
		m := protowire.ConsumeFieldValue(field, typ, data[n:])
		if m < 0 {
			return false
		}
		data = data[n+m:]
	}
	return true
}

func (p *pyroscope) course(ctx context.Context, t valueType, of selector, w window, step time.Duration, mean bool,
) ([]point, error) {
	in := struct {
		ProfileTypeID string  `json:"profileTypeID"`
		LabelSelector string  `json:"labelSelector"`
		Start         int64   `json:"start"`
		End           int64   `json:"end"`
		Step          float64 `json:"step"`
		Aggregation   string  `json:"aggregation"`
	}{t.id, of.String(), w.from.UnixMilli(), w.to.UnixMilli(), step.Seconds(), "TIME_SERIES_AGGREGATION_TYPE_SUM"}
	if mean {
		in.Aggregation = "TIME_SERIES_AGGREGATION_TYPE_AVERAGE"
	}
	var out struct {
		Series []struct {
			Points []struct {
				Value     float
				Timestamp whole
			}
		}
	}
	if err := p.ask(ctx, request{path: querier + "SelectSeries"}, in, &out); err != nil {
		return nil, err
	}
	var points []point
	for _, s := range out.Series { // one: nothing groups
		for _, v := range s.Points {
			points = append(points, point{time.UnixMilli(int64(v.Timestamp)), float64(v.Value)})
		}
	}
	return points, nil
}
