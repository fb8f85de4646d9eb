package enginetest

import (
	"bytes"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
)

func (s *Server) parca(w http.ResponseWriter, r *http.Request) error {
	path, ok := strings.CutPrefix(r.URL.Path, "/api/profiles/")
	if !ok {
		http.NotFound(w, r)
		return nil
	}
	label, isValues := strings.CutSuffix(strings.TrimPrefix(path, "labels/"), "/values")
	switch {
	case path == "writeraw" && r.Method == http.MethodPost:
		return s.writeRaw(w, r)
	case r.Method != http.MethodGet:
		http.Error(w, "Method Not Allowed", http.StatusMethodNotAllowed)
		return nil
	case strings.HasPrefix(path, "labels/") && isValues:
		return s.parcaValues(w, r, label)
	case path == "types":
		return s.parcaTypes(w, r)
	case path == "query":
		return s.query(w, r)
	case path == "query_range":
		return s.queryRange(w, r)
	}
	http.NotFound(w, r)
	return nil
}

// span reads two times as grpc-gateway does.
func span(r *http.Request, from, to string) (start, end time.Time, err error) {
	q := r.URL.Query()
	if start, err = time.Parse(time.RFC3339Nano, q.Get(from)); err == nil {
		end, err = time.Parse(time.RFC3339Nano, q.Get(to))
	}
	return start, end, err
}

// known refuses parameters that are no fields of the message.
func known(r *http.Request, names ...string) error {
	for name := range r.URL.Query() {
		if !slices.Contains(names, name) {
			return fmt.Errorf("no field %q", name)
		}
	}
	return nil
}

func (s *Server) parcaValues(w http.ResponseWriter, r *http.Request, label string) error {
	if err := known(r, "match", "start", "end", "profile_type"); err != nil {
		return err
	}
	from, to, err := span(r, "start", "end")
	if err != nil {
		return err
	}
	found, err := s.find(r.URL.Query().Get("match"), from, to)
	if err != nil {
		return err
	}
	return encode(w, map[string]any{"labelValues": values(found, label), "warnings": []string{}})
}

// delta reports whether a profile spans time: Parca tells by its duration.
func (s *stored) delta() bool { return s.only.DurationNanos != 0 }

func (s *Server) parcaTypes(w http.ResponseWriter, r *http.Request) error {
	from, to, err := span(r, "start", "end")
	if err != nil {
		return err
	}
	found, err := s.find("", from, to)
	if err != nil {
		return err
	}
	seen, all := map[string]bool{}, []map[string]any{}
	for i := range found {
		id := fmt.Sprint(found[i].id(), found[i].delta())
		if seen[id] {
			continue
		}
		seen[id] = true
		part := strings.Split(found[i].id(), ":")
		all = append(all, map[string]any{"name": part[0], "sampleType": part[1], "sampleUnit": part[2],
			"periodType": part[3], "periodUnit": part[4], "delta": found[i].delta()})
	}
	return encode(w, map[string]any{"types": all})
}

// queried finds what a query picks: name:type:unit:type:unit[:delta]{…}.
func (s *Server) queried(query string, from, to time.Time) ([]stored, error) {
	id, rest, ok := strings.Cut(query, "{")
	if !ok {
		return nil, fmt.Errorf("failed to parse query %q", query)
	}
	id, delta := strings.CutSuffix(id, ":delta")
	found, err := s.typed(id, "{"+rest, from, to)
	return slices.DeleteFunc(found, func(one stored) bool { return one.delta() != delta }), err
}

func (s *Server) query(w http.ResponseWriter, r *http.Request) error {
	if err := known(r, "mode", "merge.query", "merge.start", "merge.end", "report_type"); err != nil {
		return err
	}
	q := r.URL.Query()
	if q.Get("mode") != "MODE_MERGE" || q.Get("report_type") != "REPORT_TYPE_PPROF" {
		return fmt.Errorf("the stand-in merges into pprof, and nothing else")
	}
	from, to, err := span(r, "merge.start", "merge.end")
	if err != nil {
		return err
	}
	found, err := s.queried(q.Get("merge.query"), from, to)
	if err != nil {
		return err
	}
	p, err := merged(found, from, to)
	if err != nil {
		return err
	}
	if p == nil {
		return notFound(w, "could not find profile at requested time and selectors")
	}
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		return err
	}
	return encode(w, map[string]any{"pprof": b.Bytes(), "total": "0", "filtered": "0"})
}

func notFound(w http.ResponseWriter, text string) error {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusNotFound)
	return encode(w, map[string]any{"code": 5, "message": text, "details": []any{}})
}

// queryRange sums deltas by step into one series; of snapshots it gives the first of each step, a series for each set
// of labels (parcacol/querier.go).
func (s *Server) queryRange(w http.ResponseWriter, r *http.Request) error {
	if err := known(r, "query", "start", "end", "step", "limit", "sum_by"); err != nil {
		return err
	}
	from, to, err := span(r, "start", "end")
	if err != nil {
		return err
	}
	step, err := time.ParseDuration(r.URL.Query().Get("step"))
	if err != nil {
		return err
	}
	found, err := s.queried(r.URL.Query().Get("query"), from, to)
	if err != nil {
		return err
	}
	if len(found) == 0 {
		return notFound(w, "No data found for the query, try a different query or time range or no data has been "+
			"written to be queried yet.")
	}
	all := make(map[string][]map[string]any)
	bucket := make(map[string]map[string]any)
	for i := range found {
		key, at := fmt.Sprint(found[i].labels), found[i].at
		if found[i].delta() {
			key, at = "", at.Truncate(step)
		}
		id := key + found[i].at.Truncate(step).String()
		if old := bucket[id]; old != nil {
			if found[i].delta() {
				old["value"] = old["value"].(int64) + found[i].total()
			}
			continue
		}
		bucket[id] = map[string]any{"timestamp": at.UTC().Format(time.RFC3339Nano), "value": found[i].total(),
			"count": 1}
		all[key] = append(all[key], bucket[id])
	}
	series := []any{}
	for _, samples := range all {
		for _, one := range samples {
			one["value"] = fmt.Sprint(one["value"])
		}
		series = append(series, map[string]any{"samples": samples})
	}
	return encode(w, map[string]any{"series": series})
}

// writeRaw reads parca.profilestore.v1alpha1.WriteRawRequest.
func (s *Server) writeRaw(w http.ResponseWriter, r *http.Request) error {
	var in struct {
		Series []struct {
			Labels struct {
				Labels []struct{ Name, Value string }
			}
			Samples []struct{ RawProfile []byte }
		}
		Normalized bool
	}
	if err := decode(r.Body, &in); err != nil {
		return err
	}
	for _, one := range in.Series {
		labels := make(map[string]string)
		for _, l := range one.Labels.Labels {
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
