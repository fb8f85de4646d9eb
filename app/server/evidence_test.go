package server

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"runtime/pprof"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/app/casework"
	"github.com/gocasebook/casebook/app/report"
	"github.com/gocasebook/casebook/app/store"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/checkout"
	"github.com/gocasebook/casebook/vitals"
)

// An evidenceSite is a server in which cases can be looked into, at an address.
type evidenceSite struct {
	*served
	url string
}

// ofThisFolder is a service whose source is the folder of this test.
const ofThisFolder = "of-this-folder"

func newEvidenceSite(t *testing.T) *evidenceSite {
	t.Helper()
	sv := newServed(t, func(c *Config) {
		c.Views, c.Pprof = casework.Views(c.Cases, map[string]string{ofThisFolder: "."}),
			casework.PprofPages(c.Cases)
		c.Page = casework.ServedPage(c.Cases, true)
	})
	web := httptest.NewServer(sv.Handler())
	t.Cleanup(web.Close)
	return &evidenceSite{sv, web.URL}
}

// A file is evidence and its bytes.
type file struct {
	casefile.Evidence
	data []byte
}

// put makes a case of files and sends it.
func (s *evidenceSite) put(t *testing.T, c casefile.Case, files ...file) casefile.Case {
	t.Helper()
	at := time.Date(2026, 11, 21, 13, 25, 12, 0, time.UTC)
	c.Schema, c.ID, c.Opened = casefile.Schema, casefile.NewID(at, "gc-cpu"), at
	c.Trigger = casefile.Trigger{Rule: "gc-cpu", Time: at, Text: "gc_cpu was 31 %"}
	c, zip := committed(t, written(t, c, files))
	wantCode(t, s.ask("PUT", "/api/v1/cases/"+c.ID, zip), http.StatusCreated)
	return c
}

// written makes a folder of a case and its files, to be committed.
func written(t *testing.T, c casefile.Case, files []file) *casefile.Writer {
	t.Helper()
	w, err := casefile.Dir(t.TempDir()).Create(c)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if err := w.Add(f.Evidence, f.data); err != nil {
			t.Fatal(err)
		}
	}
	return w
}

// recorded reads the evidence of a recorded case: modules/grpc.
func recorded(t *testing.T, folder string) (casefile.Case, []file) {
	t.Helper()
	recorded := checkout.Case(t, folder)
	var manifest struct {
		Build    casefile.Build
		Evidence []casefile.Evidence
	}
	if err := json.Unmarshal(recorded["manifest.json"], &manifest); err != nil {
		t.Fatal(err)
	}
	c := casefile.Case{Target: casefile.Target{Name: folder, Build: manifest.Build}}
	var files []file
	for _, e := range manifest.Evidence {
		e.GoFormat = strings.HasSuffix(e.File, ".pb.gz")
		files = append(files, file{e, recorded[e.File]})
	}
	return c, files
}

// profileOf is a runtime profile of this process.
func profileOf(t *testing.T, name string, debug int) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := pprof.Lookup(name).WriteTo(&b, debug); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// Pages of evidence come with their own policy, and say what is not there.
func TestEvidencePages(t *testing.T) {
	s := newEvidenceSite(t)
	c, files := recorded(t, "foreign/nats-memory")
	c = s.put(t, c, files...)
	other, _ := newCase(t, "other")
	at := "/cases/" + c.ID
	heap := at + "/profile?file=heap.pb.gz"
	for _, tc := range []struct {
		path string
		code int
		want string
	}{
		{at + "/profile", 200, "cpu · during"},
		{heap + "&base=" + c.ID + "/heap-before.pb.gz", 200, "Values are those of the two moments"},
		{heap + "&base=" + c.ID + "/cpu.pb.gz", 200, "They cannot be compared"},
		{at + "/profile?file=vitals-during.jsonl", 200, "cannot be drawn"},
		{at + "/profile?file=../case.json", 404, "no such evidence"},
		{heap + "&base=heap", 422, "want CASE/FILE"},
		{heap + "&base=" + other.ID + "/heap.pb.gz", 404, "no such"},
		{at + "/goroutines", 200, "goroutines"},
		{at + "/goroutines?file=heap.pb.gz", 404, "no such evidence"},
		{at + "/goroutines?file=goroutine.pb.gz&base=goroutine-dump.txt", 404, "no such evidence"},
		{at + "/memory", 200, "does not say what the memory is made of"},
		{at + "/trace", 404, "no such evidence"},
		{"/cases/" + other.ID + "/profile", 404, "no such"},
		{at, 200, `href="` + at + `/profile?file=cpu.pb.gz"`},
		{at, 200, `href="` + at + `/goroutines"`},
	} {
		w := s.ask("GET", tc.path, nil)
		if w.Code != tc.code || !strings.Contains(w.Body.String(), tc.want) {
			t.Errorf("%s: %d, want %d and %q in\n%.400s", tc.path, w.Code, tc.code, tc.want, w.Body)
		}
		policy := w.Header().Get("Content-Security-Policy")
		if w.Code == http.StatusOK && (!strings.Contains(policy, "connect-src 'none'") ||
			!strings.Contains(w.Body.String(), "script-src &#39;sha256-")) {
			t.Errorf("%s comes without its policy: %q", tc.path, policy)
		}
	}
	if log := s.log.String(); !strings.Contains(log, "page=profile") || !strings.Contains(log, "file=heap.pb.gz") {
		t.Errorf("the log does not say who read evidence:\n%s", log)
	}
}

// A case's page on disk has no links to a server.
func TestPageOnDiskHasNoLinks(t *testing.T) {
	c, files := recorded(t, "foreign/nats-memory")
	c.Schema, c.ID, c.Opened = casefile.Schema, casefile.NewID(time.Now(), "manual"), time.Now()
	f, err := written(t, c, files).Commit()
	if err != nil {
		t.Fatal(err)
	}
	var page bytes.Buffer
	if err := casework.Page(&page, f, report.Links{}); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(page.String(), `href="/`) {
		t.Error("the page on disk links to a server")
	}
}

// A server without views has no pages of evidence, and says so.
func TestNoViews(t *testing.T) {
	sv := newServed(t, nil)
	c, zip := newCase(t, "shop")
	wantCode(t, sv.ask("PUT", "/api/v1/cases/"+c.ID, zip), http.StatusCreated)
	wantCode(t, sv.ask("GET", "/cases/"+c.ID+"/profile", nil), http.StatusNotFound)
}

// The page of a case marks the starts of other instances of its service that other cases tell of.
func TestStartsOfOthers(t *testing.T) {
	s := newEvidenceSite(t)
	opened := time.Date(2026, 11, 21, 13, 25, 12, 0, time.UTC)
	var history bytes.Buffer
	var samples []vitals.Sample
	for i := range 120 {
		sample := vitals.NewSample(opened.Add(time.Duration(i-100) * time.Second))
		sample.Set(vitals.Goroutines, float64(i))
		samples = append(samples, sample)
	}
	if err := vitals.WriteJSONL(&history, samples, nil, nil); err != nil {
		t.Fatal(err)
	}
	instance := func(service, host string, ago time.Duration, version string) casefile.Case {
		return casefile.Case{Target: casefile.Target{Name: service, URL: "http://" + host, PID: 7,
			Started: opened.Add(-ago), Build: casefile.Build{Version: version}}}
	}
	c := s.put(t, instance("shop", "10.0.0.7:6060", time.Hour, "v1.4.0"),
		file{casefile.Evidence{Kind: casefile.Vitals, File: "vitals.jsonl", Phase: casefile.Before}, history.Bytes()})
	s.put(t, instance("shop", "10.0.0.8:6060", 30*time.Second, "v1.5.0"))
	s.put(t, instance("shop", "10.0.0.8:6060", 30*time.Second, "v1.5.0"))
	s.put(t, instance("shop", "10.0.0.9:6060", 10*time.Minute, "v1.3.0"))
	s.put(t, instance("stock", "10.0.0.6:6060", 30*time.Second, "v9.9.9"))
	page := s.ask("GET", "/cases/"+c.ID, nil).Body.String()
	if n := strings.Count(page, ">−0:30</span> start of v1.5.0 at 10.0.0.8:6060<"); n != 1 {
		t.Errorf("the page has the start of the other instance %d times, want once", n)
	}
	for _, version := range []string{"v1.3.0", "v9.9.9"} {
		if strings.Contains(page, version) {
			t.Errorf("the page has the start of %s", version)
		}
	}
}

// A case of any version has OpenTelemetry's names in the API, and is found by them.
func TestResourceNames(t *testing.T) {
	s := newEvidenceSite(t)
	c := s.put(t, casefile.Case{Target: casefile.Target{Name: "shop", URL: "http://10.0.0.7:6060",
		Build: casefile.Build{Version: "v1.4.0"}, Labels: map[string]string{"pod": "shop-7"}}})
	s.put(t, casefile.Case{Target: casefile.Target{Name: "shop", Labels: map[string]string{"pod": "shop-8"}}})
	var got casefile.Case
	readJSON(t, s.ask("GET", "/api/v1/cases/"+c.ID, nil), &got)
	want := map[string]string{"service.name": "shop", "service.version": "v1.4.0", "k8s.pod.name": "shop-7",
		"service.instance.id": "shop-7"}
	if !maps.Equal(got.Target.Resource, want) {
		t.Errorf("the case has %v, want %v", got.Target.Resource, want)
	}
	var page store.Page
	readJSON(t, s.ask("GET", "/api/v1/cases?label=k8s.pod.name=shop-7&label=service.name=shop", nil), &page)
	if len(page.Cases) != 1 || page.Cases[0].ID != c.ID {
		t.Errorf("by the name of its pod these are found: %+v", page.Cases)
	}
	if body := s.ask("GET", "/cases/"+c.ID, nil).Body.String(); strings.Contains(body, "k8s.pod.name=shop-8") {
		t.Error("the page has the name of another pod")
	}
}
