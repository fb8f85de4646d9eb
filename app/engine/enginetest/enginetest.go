// Package enginetest stands in for Pyroscope and Parca in tests.
//
// The problem: tests cannot build either server (docs/evidence/engines.md says what was tried). The approach: a server
// that
// keeps the profiles that it is pushed or given, and answers as the published protocols say (grafana/pyroscope,
// api/querier/v1, api/push/v1 and api/types/v1; parca-dev/parca, proto/parca/query/v1alpha1 and profilestore/v1alpha1):
// each value of a profile on its own, sums over what was merged, integers of JSON in quotes. It refuses fields that the
// protocol does not have, and has tenants. The limits: it is written from the same reading of the protocols as the
// client, so that a misreading of one of them fails no test; it ignores the bound on nodes.
package enginetest

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/pprof/profile"

	"github.com/gocasebook/casebook/internal/checkout"
)

// Recorded is a profile of a real program, evidence/cases/foreign, for tests of packages in app.
func Recorded(t testing.TB, program, file string) *profile.Profile {
	t.Helper()
	p, err := profile.ParseData(checkout.File(t, "foreign/"+program+"/"+file))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// A Server is an engine with profiles.
type Server struct {
	Host string // host:port
	// Refuse, when it is set, answers in place of the engine if it returns true.
	Refuse func(w http.ResponseWriter, r *http.Request) bool

	mu      sync.Mutex         // guards what follows
	tenants map[string]*Server // by the header that names them; nil: there is one, without a name
	stored  []stored
	of      map[string][]int                        // where those of a service_name are
	split   map[*profile.Profile][]*profile.Profile // into values
	asked   []*http.Request
}

// A stored profile has one value, as engines keep it.
type stored struct {
	labels map[string]string
	name   string
	at     time.Time
	only   *profile.Profile // with the one value
}

// id is how queries of Pyroscope name the value.
func (s *stored) id() string {
	t, p := s.only.SampleType[0], s.only.PeriodType
	if p == nil {
		p = &profile.ValueType{Type: t.Type, Unit: t.Unit}
	}
	return strings.Join([]string{s.name, t.Type, t.Unit, p.Type, p.Unit}, ":")
}

// NewPyroscope and NewParca start servers that end with the test.
func NewPyroscope(t testing.TB) *Server { return start(t, (*Server).pyroscope) }

// Pyroscope is a server and what answers for it, for a process that is no test.
func Pyroscope() (*Server, http.Handler) {
	s := &Server{}
	return s, s.handler((*Server).pyroscope)
}

// NewParca is NewPyroscope for the other protocol.
func NewParca(t testing.TB) *Server { return start(t, (*Server).parca) }

func start(t testing.TB, serve func(*Server, http.ResponseWriter, *http.Request) error) *Server {
	t.Helper()
	s := &Server{}
	web := httptest.NewServer(s.handler(serve))
	t.Cleanup(web.Close)
	s.Host = strings.TrimPrefix(web.URL, "http://")
	return s
}

func (s *Server) handler(serve func(*Server, http.ResponseWriter, *http.Request) error) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.asked = append(s.asked, r)
		s.mu.Unlock()
		if s.Refuse != nil && s.Refuse(w, r) {
			return
		}
		of := s.tenantOf(r)
		if of == nil {
			w.WriteHeader(http.StatusUnauthorized)
			_ = encode(w, map[string]any{"code": "unauthenticated", "message": "no org id"})
			return
		}
		if err := serve(of, w, r); err != nil {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusBadRequest)
			_ = json.NewEncoder(w).Encode(map[string]any{"code": "invalid_argument", "message": err.Error()})
		}
	})
}

// Tenant is what a server has of a tenant. With the first one it wants a tenant in each request, and what it has without
// one is not found any more.
func (s *Server) Tenant(name string) *Server {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.tenants == nil {
		s.tenants = make(map[string]*Server)
	}
	if s.tenants[name] == nil {
		s.tenants[name] = &Server{Host: s.Host}
	}
	return s.tenants[name]
}

// tenantOf is what a request may see; nil of one that names no tenant where there are some.
func (s *Server) tenantOf(r *http.Request) *Server {
	s.mu.Lock()
	several := s.tenants != nil
	s.mu.Unlock()
	switch name := r.Header.Get("X-Scope-OrgID"); {
	case !several:
		return s
	case name != "":
		return s.Tenant(name)
	}
	return nil
}

// Add keeps a profile of a service's instance under a name such as process_cpu.
func (s *Server) Add(labels map[string]string, name string, at time.Time, p *profile.Profile) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.split == nil {
		s.split, s.of = make(map[*profile.Profile][]*profile.Profile), make(map[string][]int)
	}
	if s.split[p] == nil { // tests add the same one again and again
		for i := range p.SampleType {
			s.split[p] = append(s.split[p], alone(p, i))
		}
	}
	for _, only := range s.split[p] {
		s.of[labels["service_name"]] = append(s.of[labels["service_name"]], len(s.stored))
		s.stored = append(s.stored, stored{maps.Clone(labels), name, at, only})
	}
}

// Asked returns the requests that came.
func (s *Server) Asked() []*http.Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.asked)
}

// Labels returns the labels of all that is kept, each set once, with the name.
func (s *Server) Labels() (all []map[string]string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range s.stored {
		one := maps.Clone(s.stored[i].labels)
		one["__name__"] = s.stored[i].name
		if !slices.ContainsFunc(all, func(m map[string]string) bool { return maps.Equal(m, one) }) {
			all = append(all, one)
		}
	}
	return all
}

// push keeps a pushed profile, whose time must be its own.
func (s *Server) push(labels map[string]string, raw []byte) error {
	p, err := profile.ParseData(raw)
	if err != nil {
		return err
	}
	name := labels["__name__"]
	if name == "" || labels["service_name"] == "" || p.TimeNanos == 0 {
		return fmt.Errorf("a profile without name, service or time: %v", labels)
	}
	delete(labels, "__name__")
	s.Add(labels, name, time.Unix(0, p.TimeNanos), p)
	return nil
}

var (
	selectorForm = regexp.MustCompile(`^\{(?:[a-zA-Z_]\w*="(?:[^"\\]|\\.)*"(?:,|\}$))*\}?$`)
	matcher      = regexp.MustCompile(`([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"`)
)

// find returns what a selector picks in a window.
func (s *Server) find(selector string, from, to time.Time) (found []stored, err error) {
	if selector != "" && !selectorForm.MatchString(selector) {
		return nil, fmt.Errorf("parse error: %q is no selector", selector)
	}
	wanted := make(map[string]string)
	for _, m := range matcher.FindAllStringSubmatch(selector, -1) {
		wanted[m[1]] = strings.NewReplacer(`\\`, `\`, `\"`, `"`, `\n`, "\n").Replace(m[2])
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	fits := func(one *stored) bool {
		for label, value := range wanted {
			if one.labels[label] != value {
				return false
			}
		}
		return !one.at.Before(from) && !one.at.After(to)
	}
	if service, ok := wanted["service_name"]; ok { // one of thousands
		for _, i := range s.of[service] {
			if fits(&s.stored[i]) {
				found = append(found, s.stored[i])
			}
		}
		return found, nil
	}
	for i := range s.stored {
		if fits(&s.stored[i]) {
			found = append(found, s.stored[i])
		}
	}
	return found, nil
}

// values are those of a label.
func values(of []stored, label string) []string {
	names := []string{}
	for _, one := range of {
		if v := one.labels[label]; v != "" {
			names = append(names, v)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// alone is a profile with one of its values, as engines have it.
func alone(whole *profile.Profile, value int) *profile.Profile {
	p := whole.Copy()
	kept := p.Sample[:0]
	for _, sample := range p.Sample {
		if sample.Value = []int64{sample.Value[value]}; sample.Value[0] != 0 {
			sample.Label, sample.NumLabel, sample.NumUnit = nil, nil, nil
			kept = append(kept, sample)
		}
	}
	p.Sample, p.SampleType, p.DefaultSampleType = kept, []*profile.ValueType{p.SampleType[value]}, ""
	p.Comments, p.DocURL = nil, ""
	return p
}

func (s *stored) total() (sum int64) {
	for _, sample := range s.only.Sample {
		sum += sample.Value[0]
	}
	return sum
}

// merged sums profiles; nil of none.
func merged(of []stored, from, to time.Time) (*profile.Profile, error) {
	var all []*profile.Profile
	for i := range of {
		all = append(all, of[i].only)
	}
	if len(all) == 0 {
		return nil, nil
	}
	p, err := profile.Merge(all)
	if err != nil {
		return nil, err
	}
	p.TimeNanos, p.DurationNanos = to.UnixNano(), to.Sub(from).Nanoseconds() // querier.go of Pyroscope
	p.PeriodType = sameType(p.PeriodType)                                    // it is the one of the profiles, and writing a profile writes into it
	for i, t := range p.SampleType {
		p.SampleType[i] = sameType(t)
	}
	return p, nil
}

func sameType(t *profile.ValueType) *profile.ValueType {
	if t == nil {
		return nil
	}
	return &profile.ValueType{Type: t.Type, Unit: t.Unit}
}

// decode reads JSON, and refuses fields that the message does not have.
func decode(r io.Reader, into any) error {
	d := json.NewDecoder(r)
	d.DisallowUnknownFields()
	return d.Decode(into)
}

func encode(w http.ResponseWriter, v any) error {
	w.Header().Set("Content-Type", "application/json")
	return json.NewEncoder(w).Encode(v)
}
