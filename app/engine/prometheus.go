package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"net/url"
	"strconv"
	"sync"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/vitals"
)

// metrics speaks Prometheus' HTTP API v1 (prometheus.io/docs/prometheus/latest/querying/api), which Mimir, Thanos and
// VictoriaMetrics answer, too.
type metrics struct {
	*client
	address *Address

	mu sync.Mutex // guards what follows
	of selector   // of the service's series; nil until it was found
}

const api = "/api/v1/"

// seconds is a time as the API has it.
func seconds(t time.Time) string {
	return strconv.FormatFloat(float64(t.UnixMilli())/1000, 'f', -1, 64)
}

// An answered is what every answer has around it.
type answered[T any] struct {
	Status, Error string
	Data          T
}

// form sends a query by POST: it may be longer than a URL should be, and access logs do not show it.
func (m *metrics) form(ctx context.Context, path string, q url.Values, out any) error {
	data, err := m.do(ctx, request{path: api + path, kind: typeForm, body: []byte(q.Encode()), most: maxJSON})
	if err != nil {
		return err
	}
	return m.decode(api+path, data, out)
}

func (m *metrics) values(ctx context.Context, label string, of selector, w window) ([]string, error) {
	q := url.Values{"start": {seconds(w.from)}, "end": {seconds(w.to)}}
	if len(of) > 0 {
		q.Set("match[]", of.String())
	}
	return m.labelValues(ctx, label, q)
}

func (m *metrics) labelValues(ctx context.Context, label string, q url.Values) ([]string, error) {
	var out answered[[]string]
	err := m.ask(ctx, request{path: api + "label/" + label + "/values", query: q}, nil, &out)
	return out.Data, err
}

// ownSeries lists without what others export of the service's containers: cAdvisor and kube-state-metrics label them
// with its name, too, and may be there before its own series are.
type ownSeries struct{ *metrics }

func (o ownSeries) values(ctx context.Context, label string, of selector, w window) ([]string, error) {
	match := of.and(`__name__!~"container_.+|kube_.+"`, label+`!=""`)
	return o.labelValues(ctx, label, url.Values{"start": {seconds(w.from)}, "end": {seconds(w.to)}, "match[]": {match}})
}

// selectors are those of the service's own series and of cAdvisor's, which know neither job nor version.
func (m *metrics) selectors(ctx context.Context, w window) (service, container selector, err error) {
	m.mu.Lock()
	service = m.of
	m.mu.Unlock()
	if service == nil {
		if service, err = findService(ctx, ownSeries{m}, m.address, w); err == nil {
			m.mu.Lock()
			m.of = service
			m.mu.Unlock()
		} else if service, err = findService(ctx, m, m.address, w); err != nil { // its containers may be all there is, yet
			return nil, nil, err
		}
	}
	container = selector{"container": m.address.Service}
	if m.address.Container != "" {
		container["container"] = m.address.Container
	}
	for _, label := range []string{"namespace", "pod", "cluster"} {
		if v, ok := m.address.Labels[label]; ok {
			container[label] = v
		}
	}
	return service, container, nil
}

// describe adds what metrics say of a service that profiles do not: the version of Go, the limits.
func (m *metrics) describe(ctx context.Context, w window, d *casefile.Target) error {
	service, _, err := m.selectors(ctx, w)
	if err != nil {
		return err
	}
	about := maps.Clone(service).with("__name__", "go_info")
	if versions, err := m.values(ctx, "version", about, w); err == nil && len(versions) == 1 { // it is a bonus
		d.Build.GoVersion = versions[0]
	}
	table := make(timeline)
	if err := m.course(ctx, window{w.to.Add(-4 * step), w.to}, table); err != nil {
		return err
	}
	for _, s := range table {
		if v, ok := s.Get(vitals.CPULimit); ok {
			d.Limits.CPUs, d.Limits.CPUQuota = v, v
		}
		if v, ok := s.Get(vitals.MemoryLimit); ok {
			d.Limits.MemoryBytes = int64(v)
		}
	}
	return nil
}

// course asks for all signals of a window at once.
func (m *metrics) course(ctx context.Context, w window, to timeline) error {
	service, container, err := m.selectors(ctx, w)
	if err != nil {
		return err
	}
	w.from, w.to = w.from.Truncate(step), w.to.Truncate(step)
	q := url.Values{"query": {query(service, container)}, "start": {seconds(w.from)}, "end": {seconds(w.to)},
		"step": {strconv.Itoa(int(step.Seconds()))}, "timeout": {strconv.Itoa(int(patience.Seconds())) + "s"}}
	var out answered[struct {
		Result []struct {
			Metric map[string]string
			Values [][2]json.RawMessage
		}
	}]
	if err := m.form(ctx, "query_range", q, &out); err != nil {
		return err
	}
	for _, r := range out.Data.Result {
		id, ok := vitals.Lookup(r.Metric[signalLabel])
		if !ok {
			return fmt.Errorf("%s: the answer has a series that was not asked for", m.address)
		}
		for _, v := range r.Values {
			at, value, err := sampleOf(v)
			if err != nil {
				return fmt.Errorf("%s: %w", m.address, err)
			}
			to.set(at, id, value)
		}
	}
	return nil
}

// sampleOf reads [1435781430.781,"1"].
func sampleOf(v [2]json.RawMessage) (at time.Time, value float64, err error) {
	var seconds float64
	var text string
	if json.Unmarshal(v[0], &seconds) != nil || json.Unmarshal(v[1], &text) != nil {
		return at, 0, fmt.Errorf("a sample is no pair of a time and a text: %.40s %.40s", v[0], v[1])
	}
	if value, err = strconv.ParseFloat(text, 64); err != nil {
		return at, 0, fmt.Errorf("a sample's value is %.40q", text)
	}
	return time.UnixMilli(int64(math.Round(seconds * 1000))), value, nil
}
