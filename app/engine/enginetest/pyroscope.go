package enginetest

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"google.golang.org/protobuf/encoding/protowire"
)

func (s *Server) pyroscope(w http.ResponseWriter, r *http.Request) error {
	if r.Method != http.MethodPost {
		return fmt.Errorf("%s is not POST", r.Method)
	}
	service, method, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	switch {
	case service == "push.v1.PusherService" && method == "Push":
		return s.pushed(w, r)
	case service != "querier.v1.QuerierService":
		http.NotFound(w, r)
		return nil
	}
	switch method {
	case "LabelValues":
		return s.labelValues(w, r)
	case "ProfileTypes":
		return s.profileTypes(w, r)
	case "SelectMergeProfile":
		return s.selectMergeProfile(w, r)
	case "SelectSeries":
		return s.selectSeries(w, r)
	}
	http.NotFound(w, r)
	return nil
}

func (s *Server) labelValues(w http.ResponseWriter, r *http.Request) error {
	var in struct {
		Name       string
		Matchers   []string
		Start, End int64
	}
	if err := decode(r.Body, &in); err != nil {
		return err
	}
	found, err := s.find(strings.Join(in.Matchers, ""), time.UnixMilli(in.Start), time.UnixMilli(in.End))
	if err != nil {
		return err
	}
	return encode(w, map[string]any{"names": values(found, in.Name)})
}

func (s *Server) profileTypes(w http.ResponseWriter, r *http.Request) error {
	var in struct{ Start, End int64 }
	if err := decode(r.Body, &in); err != nil {
		return err
	}
	found, err := s.find("", time.UnixMilli(in.Start), time.UnixMilli(in.End))
	if err != nil {
		return err
	}
	all := []map[string]string{}
	for i := range found {
		id := found[i].id()
		part := strings.Split(id, ":")
		if !slices.ContainsFunc(all, func(t map[string]string) bool { return t["ID"] == id }) {
			all = append(all, map[string]string{"ID": id, "name": part[0], "sampleType": part[1], "sampleUnit": part[2],
				"periodType": part[3], "periodUnit": part[4]})
		}
	}
	return encode(w, map[string]any{"profileTypes": all})
}

// selectMergeProfile reads querier.v1.SelectMergeProfileRequest and answers with google.v1.Profile.
func (s *Server) selectMergeProfile(w http.ResponseWriter, r *http.Request) error {
	data, err := io.ReadAll(r.Body)
	if err != nil {
		return err
	}
	if kind := r.Header.Get("Content-Type"); kind != "application/proto" {
		return fmt.Errorf("the type is %q", kind)
	}
	texts, numbers := map[protowire.Number]string{}, map[protowire.Number]int64{}
	for len(data) > 0 {
		field, typ, n := protowire.ConsumeTag(data)
		if n < 0 {
			return protowire.ParseError(n)
		}
		data = data[n:]
		switch {
		case typ == protowire.BytesType && (field == 1 || field == 2):
			texts[field], n = protowire.ConsumeString(data)
		case typ == protowire.VarintType && field >= 3 && field <= 5:
			var v uint64
			v, n = protowire.ConsumeVarint(data)
			numbers[field] = int64(v) //nolint:gosec // times
		default:
			return fmt.Errorf("the field %d of type %d", field, typ)
		}
		if n < 0 {
			return protowire.ParseError(n)
		}
		data = data[n:]
	}
	from, to := time.UnixMilli(numbers[3]), time.UnixMilli(numbers[4])
	if numbers[5] <= 0 {
		return fmt.Errorf("no bound on the nodes")
	}
	found, err := s.typed(texts[1], texts[2], from, to)
	if err != nil {
		return err
	}
	p, err := merged(found, from, to)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/proto")
	if p == nil {
		return nil // an empty message
	}
	return p.WriteUncompressed(w)
}

// typed finds the profiles of one type.
func (s *Server) typed(id, selector string, from, to time.Time) ([]stored, error) {
	if strings.Count(id, ":") != 4 {
		return nil, fmt.Errorf("profile-type selection must be of the form <name>:<sample-type>:… (got %q)", id)
	}
	found, err := s.find(selector, from, to)
	return slices.DeleteFunc(found, func(one stored) bool { return one.id() != id }), err
}

func (s *Server) selectSeries(w http.ResponseWriter, r *http.Request) error {
	var in struct {
		ProfileTypeID, LabelSelector, Aggregation string

		Start, End int64
		Step       float64
	}
	if err := decode(r.Body, &in); err != nil {
		return err
	}
	from, to := time.UnixMilli(in.Start), time.UnixMilli(in.End)
	found, err := s.typed(in.ProfileTypeID, in.LabelSelector, from, to)
	if err != nil {
		return err
	}
	step := time.Duration(in.Step * float64(time.Second))
	if step <= 0 {
		return fmt.Errorf("step must be positive")
	}
	points := []map[string]any{}
	for at := from; !at.After(to); at = at.Add(step) {
		sum, n := 0.0, 0
		for i := range found {
			if found[i].at.After(at.Add(-step)) && !found[i].at.After(at) {
				sum, n = sum+float64(found[i].total()), n+1
			}
		}
		if n == 0 {
			continue
		}
		if in.Aggregation == "TIME_SERIES_AGGREGATION_TYPE_AVERAGE" {
			sum /= float64(n)
		}
		points = append(points, map[string]any{"value": sum, "timestamp": fmt.Sprint(at.UnixMilli())})
	}
	series := []any{}
	if len(points) > 0 {
		series = append(series, map[string]any{"labels": []any{}, "points": points})
	}
	return encode(w, map[string]any{"series": series})
}

// pushed reads push.v1.PushRequest.
func (s *Server) pushed(w http.ResponseWriter, r *http.Request) error {
	var in struct {
		Series []struct {
			Labels  []struct{ Name, Value string }
			Samples []struct {
				RawProfile []byte
				ID         string
			}
		}
	}
	if err := decode(r.Body, &in); err != nil {
		return err
	}
	for _, one := range in.Series {
		labels := make(map[string]string)
		for _, l := range one.Labels {
			labels[l.Name] = l.Value
		}
		for _, sample := range one.Samples {
			if err := s.push(labels, sample.RawProfile); err != nil {
				return err
			}
		}
	}
	return encode(w, struct{}{})
}
