package server

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/app/assess"
	"github.com/gocasebook/casebook/app/casework"
	"github.com/gocasebook/casebook/app/engine"
	"github.com/gocasebook/casebook/app/engine/enginetest"
	"github.com/gocasebook/casebook/app/ranking"
	"github.com/gocasebook/casebook/app/report"
	"github.com/gocasebook/casebook/app/store"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/checkout"
)

// withPages adds the pages that casebook serve draws.
func withPages(c *Config) {
	c.Compare = func(ctx context.Context, w io.Writer, a, b *casefile.Folder) error {
		page, err := assess.CompareCases(ctx, a, b)
		if err != nil {
			return errors.Join(ErrIncomparable, err)
		}
		page.Served = "/compare"
		return report.WriteComparison(w, page)
	}
	c.Proof = func(w io.Writer, p casefile.Proof) error {
		page := report.OfProof(p, nil)
		page.Served = "/cases/proof"
		return report.WriteComparison(w, page)
	}
	c.Page = casework.ServedPage(c.Cases, c.Keeper != nil)
}

// rank has an engine with services that are programs of others, and ranks them and the cases of the store.
func rank(t *testing.T, st *store.Store, programs ...string) {
	t.Helper()
	e := enginetest.NewPyroscope(t)
	for _, program := range programs {
		p := enginetest.Recorded(t, program, "cpu.pb.gz")
		for i := range 24 {
			e.Add(map[string]string{"service_name": program, "service_version": "v1.4.2", "team": "platform"}, "process_cpu",
				time.Now().Add(time.Minute-time.Duration(i)*15*time.Second), p)
		}
	}
	d, err := engine.NewDirectory("pyroscope://"+e.Host, engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := ranking.New(ranking.Config{Store: st, Sources: []ranking.Source{ranking.OfEngine(d), ranking.OfCases(st)}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Round(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// recordedCase makes a case of a program of others with its profiles, and its zip. Its texts are an attacker's.
func recordedCase(t *testing.T, program string, ago time.Duration) (casefile.Case, []byte) {
	t.Helper()
	at := time.Now().Add(-ago).UTC().Truncate(time.Second)
	w, err := casefile.Dir(t.TempDir()).Create(casefile.Case{Schema: casefile.Schema, ID: casefile.NewID(at, "gc-cpu"),
		Opened: at, Target: casefile.Target{Name: "registry<script>"},
		Trigger: casefile.Trigger{Rule: "gc-cpu", Time: at, Text: "gc_cpu was 31 %"},
		Diagnosis: casefile.Diagnosis{Findings: []casefile.Finding{{ID: "CPU003", Kind: "cpu-json", Score: 60, Confidence: 1,
			Title: "<script>alert(1)</script>", Summary: "s", Where: []casefile.Frame{{Function: "main.f"}},
			Impact: casefile.Impact{Resource: "cpu", Share: 0.4}}},
			Picture: &casefile.Picture{CPU: &casefile.PictureLine{Total: 1.5, Unit: "cores"}}}})
	if err != nil {
		t.Fatal(err)
	}
	recorded := checkout.Case(t, "foreign/"+program)
	for file, kind := range map[string]string{"cpu.pb.gz": casefile.CPU, "heap-after.pb.gz": casefile.Heap} {
		data, ok := recorded[file]
		if !ok {
			continue
		}
		e := casefile.Evidence{Kind: kind, File: "during/" + file, Phase: casefile.During, Taken: at, GoFormat: true}
		if err := w.Add(e, data); err != nil {
			t.Fatal(err)
		}
	}
	return committed(t, w)
}

func putRecorded(t *testing.T, st *store.Store, program string, ago time.Duration) casefile.Case {
	t.Helper()
	c, zip := recordedCase(t, program, ago)
	if _, err := st.Put(t.Context(), store.Upload{ID: c.ID, Body: bytes.NewReader(zip)}); err != nil {
		t.Fatal(err)
	}
	return c
}

// aProof says that a remedy helped.
func aProof(taken time.Time, summary string) casefile.Proof {
	return casefile.Proof{Taken: taken, Verdict: casefile.Better, Summary: summary, Method: "Twelve blocks.",
		Load: "500 req/s", Before: casefile.Variant{Label: "v1"}, After: casefile.Variant{Label: "v2"},
		Figures: []casefile.Figure{{Name: "cpu_per_request", Unit: "seconds", Better: "lower", Key: true,
			Before: casefile.Stat{Value: 0.004, Low: 0.0039, High: 0.0041, N: 12},
			After:  casefile.Stat{Value: 0.003, Low: 0.0029, High: 0.0031, N: 12},
			Effect: &casefile.Effect{Value: -0.25, Low: -0.28, High: -0.22, Noise: 0.02}, Verdict: casefile.Better, P: 0.001}}}
}

// What detectors say of services in an engine is ranked by cores, in the API and first on the first page.
func TestRankingOfAnEngine(t *testing.T) {
	sv := newServed(t, withPages)
	putRecorded(t, sv.store, "registry-catalogue", time.Hour)
	rank(t, sv.store, "registry-catalogue", "caddy-list", "etcd-healthy")
	var list store.Ranking
	readJSON(t, sv.ask("GET", "/api/v1/ranking", nil), &list)
	if list.Services != 4 || len(list.Findings) < 2 {
		t.Fatalf("the ranking is %+v", list)
	}
	for i := 1; i < len(list.Findings); i++ {
		if list.Findings[i].Cores > list.Findings[i-1].Cores {
			t.Errorf("row %d costs more than the one before it", i)
		}
	}
	page := sv.ask("GET", "/", nil).Body.String()
	at := strings.Index(page, "What costs most CPU")
	if at < 0 || at > strings.Index(page, "The newest cases") {
		t.Error("the first page has no ranking before the cases")
	}
	for _, want := range []string{"owner: platform", "v1.4.2", list.Findings[0].Kind, "What hurts now", "cases per day"} {
		if !strings.Contains(page, want) {
			t.Errorf("the first page has no %q", want)
		}
	}
	if strings.Contains(page, "<script>") {
		t.Error("a name on the first page is markup")
	}
	if page := sv.ask("GET", "/?q=nothing", nil).Body.String(); strings.Contains(page, "What costs most CPU") {
		t.Error("a search shows the ranking, too")
	}
	readJSON(t, sv.ask("GET", "/api/v1/ranking?limit=1", nil), &list)
	if len(list.Findings) != 1 {
		t.Errorf("%d findings, want the first", len(list.Findings))
	}
	if w := sv.ask("GET", "/api/v1/ranking?limit=many", nil); w.Code != http.StatusBadRequest {
		t.Errorf("a limit that is no number: %d", w.Code)
	}
}

// A folder has no ranking, and its first page is there nevertheless.
func TestRankingOfAFolder(t *testing.T) {
	shelf, err := store.OpenShelf(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	sv := newServed(t, func(c *Config) { c.Cases, c.Keeper = shelf, nil })
	if w := sv.ask("GET", "/api/v1/ranking", nil); w.Code != http.StatusForbidden {
		t.Errorf("the ranking of a folder: %d", w.Code)
	}
	if w := sv.ask("GET", "/", nil); w.Code != http.StatusOK {
		t.Errorf("the first page: %d %s", w.Code, w.Body)
	}
}

func TestDetectorsPage(t *testing.T) {
	sv := newServed(t, nil)
	for path, want := range map[string]struct {
		code  int
		texts []string
		n     int
	}{
		"/detectors": {200, []string{"gc-pointer-heap", "Remedies", "Before", "thresholds"},
			len(detectorEntries())},
		"/detectors?kind=gc-cpu":     {200, []string{"GC001", "open>"}, 1},
		"/detectors?kind=gc001":      {200, []string{"gc-cpu"}, 1},
		"/detectors?q=json+encoding": {200, []string{"cpu-json", "Show all"}, -1},
		"/detectors?q=%3Cscript%3E":  {200, []string{"&lt;script&gt;", "No detector"}, 0},
		"/detectors?kind=nothing":    {404, []string{"No detector"}, 0},
	} {
		w := sv.ask("GET", path, nil)
		if w.Code != want.code {
			t.Errorf("%s: %d, want %d", path, w.Code, want.code)
		}
		for _, text := range want.texts {
			if !strings.Contains(w.Body.String(), text) {
				t.Errorf("%s has no %q", path, text)
			}
		}
		if n := strings.Count(w.Body.String(), `<details class="detector"`); n != want.n && want.n >= 0 {
			t.Errorf("%s has %d detectors, want %d", path, n, want.n)
		}
	}
}

// Two cases are compared as casebook compare does, and whoever names one that does not exist may choose again.
func TestComparePage(t *testing.T) {
	sv := newServed(t, withPages)
	a := putRecorded(t, sv.store, "etcd-healthy", 2*time.Hour)
	b := putRecorded(t, sv.store, "registry-catalogue", time.Hour)
	broken, zip := newCase(t, "shop")
	if _, err := sv.store.Put(t.Context(), store.Upload{ID: broken.ID, Body: bytes.NewReader(zip)}); err != nil {
		t.Fatal(err)
	}
	w := sv.ask("GET", "/compare?a="+a.ID+"&b="+b.ID, nil)
	if page := w.Body.String(); w.Code != http.StatusOK || !strings.Contains(page, b.ID+" against "+a.ID) {
		t.Errorf("the comparison: %d, %.300s", w.Code, page)
	}
	if policy := w.Header().Get("Content-Security-Policy"); !strings.Contains(policy, "connect-src 'none'") {
		t.Errorf("its policy is %q", policy)
	}
	for path, want := range map[string]struct {
		code int
		text string
	}{
		"/compare":                             {200, `<option value="` + a.ID},
		"/compare?service=shop&a=" + broken.ID: {200, "selected"},
		"/compare?a=" + a.ID + "&b=20260101T000000Z-x-000000": {404, "no such case"},
		"/compare?a=../../etc&b=" + a.ID:                      {404, "no such case"},
		"/compare?a=" + a.ID + "&b=" + broken.ID:              {422, "cannot be compared"},
	} {
		w := sv.ask("GET", path, nil)
		if w.Code != want.code || !strings.Contains(w.Body.String(), want.text) {
			t.Errorf("%s: %d, want %d and %q in %.600s", path, w.Code, want.code, want.text, w.Body)
		}
		if strings.Contains(w.Body.String(), "<script>") || strings.Contains(w.Body.String(), os.TempDir()) {
			t.Errorf("%s has markup of a name, or a path", path)
		}
	}
	if w := newServed(t, nil).ask("GET", "/compare?a="+a.ID+"&b="+b.ID, nil); w.Code != http.StatusNotFound {
		t.Errorf("a server that draws no comparisons: %d", w.Code)
	}
}

// Proofs are numbered from the first that was taken, so that links stay right.
func TestProofPage(t *testing.T) {
	sv := newServed(t, withPages)
	c := putRecorded(t, sv.store, "registry-catalogue", time.Hour)
	for i := range 2 {
		p := aProof(c.Opened.Add(time.Duration(i)*time.Minute), fmt.Sprintf("Measurement %d: a quarter less CPU.", i+1))
		if _, err := sv.store.AddProof(t.Context(), c.ID, p, "ci"); err != nil {
			t.Fatal(err)
		}
	}
	for n, want := range map[string]string{"1": "Measurement 1", "2": "Measurement 2", "latest": "Measurement 2"} {
		w := sv.ask("GET", "/cases/"+c.ID+"/proofs/"+n, nil)
		if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), want) {
			t.Errorf("proof %s: %d, want %q in %.400s", n, w.Code, want, w.Body)
		}
	}
	for _, path := range []string{c.ID + "/proofs/0", c.ID + "/proofs/3", c.ID + "/proofs/x", "nothing/proofs/1"} {
		if w := sv.ask("GET", "/cases/"+path, nil); w.Code != http.StatusNotFound {
			t.Errorf("%s: %d, want 404", path, w.Code)
		}
	}
	if page := sv.ask("GET", "/", nil).Body.String(); !strings.Contains(page, "/cases/"+c.ID+"/proofs/latest") {
		t.Error("the first page has no link to the proof")
	}
}

// What a release changed is a page and JSON. Why there is nothing is said, and what an engine answered is not.
func TestReleasePage(t *testing.T) {
	sv := newServed(t, func(c *Config) {
		c.Release = func(_ context.Context, service string) (Release, error) {
			switch service {
			case "shop":
				return Release{Report: map[string]string{"old": "v1"}, Page: func(w io.Writer) error {
					_, err := io.WriteString(w, "v2 against v1")
					return err
				}}, nil
			case "young":
				return Release{}, fmt.Errorf("%w: one version of <b>young</b>", ErrNoRelease)
			}
			return Release{}, errors.New("http://10.0.0.7 answered 500")
		}
	})
	for path, want := range map[string]struct {
		code int
		text string
	}{
		"/release?service=shop": {200, "v2 against v1"}, "/api/v1/release?service=shop": {200, `"old": "v1"`},
		"/release?service=young": {404, "one version of &lt;b&gt;"}, "/api/v1/release?service=young": {404, "one version"},
		"/release?service=cart": {502, "log says why"}, "/api/v1/release?service=cart": {502, "log says why"},
		"/release": {400, "Name a service"}, "/api/v1/release": {400, "Name a service"},
	} {
		w := sv.ask("GET", path, nil)
		page := w.Body.String()
		if w.Code != want.code || !strings.Contains(page, want.text) || strings.Contains(page, "10.0.0.7") {
			t.Errorf("%s: %d, want %d and %q in %.800s", path, w.Code, want.code, want.text, page)
		}
	}
	if w := newServed(t, nil).ask("GET", "/release?service=shop", nil); w.Code != http.StatusNotFound {
		t.Errorf("without an engine: %d", w.Code)
	}
}

// Prometheus gets the score and the cost of each finding of the ranking and of open cases.
func TestFindingMetrics(t *testing.T) {
	sv := newServed(t, withPages)
	c := putRecorded(t, sv.store, "registry-catalogue", time.Hour)
	rank(t, sv.store, "caddy-list")
	w := sv.ask("GET", "/metrics", nil)
	wantCode(t, w, http.StatusOK)
	got := map[string]map[string]string{} // metric, by service: its value
	for line := range strings.Lines(w.Body.String()) {
		name, rest, found := strings.Cut(line, "{")
		if !found || !strings.HasPrefix(name, "casebook_finding_") {
			continue
		}
		_, service, _ := strings.Cut(rest, `service_name="`)
		service, _, _ = strings.Cut(service, `"`)
		if got[name] == nil {
			got[name] = map[string]string{}
		}
		got[name][service] = strings.TrimSpace(line[strings.LastIndex(line, " ")+1:])
		if service == c.Target.Name && name == "casebook_finding_cost_ratio" && !strings.Contains(rest,
			`function="main.f",id="CPU003",kind="cpu-json",resource="cpu"`) {
			t.Errorf("the labels are %s", rest)
		}
	}
	for name, want := range map[string]string{"casebook_finding_score": "60", "casebook_finding_cost_ratio": "0.4",
		"casebook_finding_cost_cores": "0.6000000000000001"} { // of 1.5 cores
		if got[name][c.Target.Name] != want {
			t.Errorf("%s of the case is %q, want %s", name, got[name][c.Target.Name], want)
		}
		if got[name]["caddy-list"] == "" {
			t.Errorf("%s of the engine's service is missing", name)
		}
	}
	if !strings.Contains(w.Body.String(), "casebook_findings_left_out 0\n") {
		t.Error("it does not say that none is left out")
	}
	if t.Failed() {
		t.Log(w.Body)
	}
	sv = newServed(t, func(c *Config) { withPages(c); c.MetricFindings = 1 })
	c = putRecorded(t, sv.store, "registry-catalogue", time.Hour)
	err := sv.store.Change(t.Context(), c.ID, func(c *casefile.Case) {
		c.Findings = append(c.Findings, casefile.Finding{ID: "MEM001", Kind: "mem-leak", Title: "t", Score: 40})
	})
	if err != nil {
		t.Fatal(err)
	}
	text := sv.ask("GET", "/metrics", nil).Body.String()
	if n := strings.Count(text, "\ncasebook_finding_score{"); n != 1 ||
		!strings.Contains(text, "casebook_findings_left_out 1\n") {
		t.Errorf("with a bound of 1 it has %d findings, of 2:\n%s", n, text)
	}
}

// twins are findings that differ in what no label may have.
type twins struct{ Keeper }

func (twins) Costs(context.Context, int) ([]store.Cost, int, error) {
	of := func(service string) store.Cost {
		return store.Cost{Service: service, Source: "case", ID: "MEM001", Kind: "mem-leak", Score: 40}
	}
	return []store.Cost{of("shop\x1b[2J\n"), of("shop\x1c[2J "), of("shop\xff"), of("stock")}, 0, nil
}

// No name brings an escape or a line end into /metrics, and none that looks like another's breaks the page.
func TestHostileLabels(t *testing.T) {
	sv := newServed(t, func(c *Config) { c.Keeper = twins{c.Keeper} })
	w := sv.ask("GET", "/metrics", nil)
	text := w.Body.String()
	if n := strings.Count(text, "\ncasebook_finding_score{"); w.Code != 200 || n != 3 || strings.ContainsAny(text, "\x1b\x1c") ||
		strings.Contains(text, `2J\n"`) {
		t.Errorf("answered %d with %d findings, want 3 without control characters:\n%.3000s", w.Code, n, text)
	}
}
