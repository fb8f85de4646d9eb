package server

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/app/access"
	"github.com/gocasebook/casebook/app/casework"
	"github.com/gocasebook/casebook/app/fleet"
	"github.com/gocasebook/casebook/app/report"
	"github.com/gocasebook/casebook/app/store"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/reporter"
)

// ours is the secret of the servers here, and of those who ask them.
var ours = access.NewSecret()

// A served is a server over a store, and what it logged.
type served struct {
	*Server
	t     testing.TB
	store *store.Store
	log   bytes.Buffer
}

func newServed(t testing.TB, change func(*Config)) *served {
	t.Helper()
	dir := t.TempDir()
	st, err := store.Open(t.Context(), store.Config{Index: "sqlite:" + filepath.Join(dir, "index.db"),
		Blobs: filepath.Join(dir, "blobs"), Scratch: filepath.Join(dir, "scratch")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := st.Close(); err != nil {
			t.Error(err)
		}
	})
	sv := &served{t: t, store: st}
	cfg := Config{Cases: st, Keeper: st, Secret: ours, Desk: access.NewDesk(ours, func(string) {}), Page: drawPage,
		Log: slog.New(slog.NewTextHandler(&sv.log, nil))}
	if change != nil {
		change(&cfg)
	}
	if sv.Server, err = New(cfg); err != nil {
		t.Fatal(err)
	}
	return sv
}

func drawPage(_ context.Context, w io.Writer, f *casefile.Folder, _ bool) error {
	return casework.Page(w, f, report.Links{})
}

// ask sends a request as if from this machine, with the secret, unless the headers have another token or none.
func (sv *served) ask(method, path string, body []byte, header ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, bytes.NewReader(body))
	r.Host, r.RemoteAddr = "127.0.0.1:7070", "127.0.0.1:5555"
	r.Header.Set("Authorization", "Bearer "+ours.Token())
	for i := 0; i < len(header); i += 2 {
		switch header[i] {
		case "Host":
			r.Host = header[i+1]
		case "From-Address":
			r.RemoteAddr = header[i+1]
			r.Header.Del("Authorization")
		default:
			r.Header.Set(header[i], header[i+1])
		}
	}
	w := httptest.NewRecorder()
	sv.Handler().ServeHTTP(w, r)
	wantDescribed(sv.t, r, w.Code)
	return w
}

// newCase makes a case with a finding, whose texts are an attacker's, and its zip.
func newCase(t testing.TB, service string) (casefile.Case, []byte) {
	t.Helper()
	at := time.Date(2026, 11, 21, 13, 25, 12, 0, time.UTC)
	w, err := casefile.Dir(t.TempDir()).Create(casefile.Case{Schema: casefile.Schema, ID: casefile.NewID(at, "gc-cpu"),
		Opened: at, Target: casefile.Target{Name: service},
		Trigger: casefile.Trigger{Rule: "gc-cpu", Time: at, Text: "gc_cpu was 31 %"},
		Diagnosis: casefile.Diagnosis{Findings: []casefile.Finding{{ID: "X001", Kind: "mem-leak", Score: 74, Confidence: 1,
			Title: "<script>alert(1)</script>", Summary: "s", Where: []casefile.Frame{{Function: "main.f"}}}}}})
	if err != nil {
		t.Fatal(err)
	}
	e := casefile.Evidence{Kind: casefile.CPU, File: "during/cpu.pb.gz", Phase: casefile.During, Taken: at}
	if err := w.Add(e, bytes.Repeat([]byte("evidence "), 500)); err != nil {
		t.Fatal(err)
	}
	return committed(t, w)
}

// committed ends a case and returns it with the zip that a sender uploads.
func committed(t testing.TB, w *casefile.Writer) (casefile.Case, []byte) {
	t.Helper()
	f, err := w.Commit()
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := casefile.Export(f, &b); err != nil {
		t.Fatal(err)
	}
	return f.Case, b.Bytes()
}

func TestUploadAndRead(t *testing.T) {
	sv := newServed(t, nil)
	c, zip := newCase(t, "shop")
	at := "/api/v1/cases/" + c.ID
	sum := sha256.Sum256(zip)
	digest := "sha-256=:" + base64.StdEncoding.EncodeToString(sum[:]) + ":"
	wantCode(t, sv.ask("PUT", at, zip, "Content-Digest", digest), http.StatusCreated)
	wantCode(t, sv.ask("PUT", at, zip), http.StatusOK)
	var page store.Page
	readJSON(t, sv.ask("GET", "/api/v1/cases?service=shop&score=50&q=mem-leak", nil), &page)
	if len(page.Cases) != 1 || page.Cases[0].ID != c.ID {
		t.Errorf("the list is %+v", page)
	}
	var got casefile.Case
	readJSON(t, sv.ask("GET", at, nil), &got)
	if got.ID != c.ID || len(got.Findings) != 1 {
		t.Errorf("the case is %+v", got)
	}
	if w := sv.ask("GET", at+"/zip", nil); !bytes.Equal(w.Body.Bytes(), zip) {
		t.Errorf("the zip differs: %d, %d bytes, want %d", w.Code, w.Body.Len(), len(zip))
	}
	file := at + "/evidence/" + c.Evidence[0].File
	if w := sv.ask("GET", file, nil); w.Code != http.StatusOK || w.Body.Len() != int(c.Evidence[0].Bytes) ||
		w.Header().Get("Content-Type") != "application/octet-stream" {
		t.Errorf("the evidence: %d, %d bytes, %v", w.Code, w.Body.Len(), w.Header())
	}
	if w := sv.ask("GET", file, nil, "Range", "bytes=9-17"); w.Code != http.StatusPartialContent ||
		w.Body.String() != "evidence " {
		t.Errorf("a part of the evidence: %d, %q", w.Code, w.Body)
	}
	if !strings.Contains(sv.log.String(), "evidence read") || !strings.Contains(sv.log.String(), "this machine") {
		t.Errorf("the log does not say who read evidence:\n%s", &sv.log)
	}
	wantCode(t, sv.ask("DELETE", at, nil), http.StatusNoContent)
	wantCode(t, sv.ask("GET", at, nil), http.StatusNotFound)
}

func wantCode(t *testing.T, w *httptest.ResponseRecorder, want int) {
	t.Helper()
	if w.Code != want {
		t.Errorf("answered %d %s, want %d", w.Code, w.Body, want)
	}
}

func readJSON(t *testing.T, w *httptest.ResponseRecorder, v any) {
	t.Helper()
	wantCode(t, w, http.StatusOK)
	if err := json.Unmarshal(w.Body.Bytes(), v); err != nil {
		t.Fatalf("%v in %s", err, w.Body)
	}
}

// The reporter of today's watches sends cases here.
func TestCollector(t *testing.T) {
	sv := newServed(t, nil)
	token, err := sv.store.CreateToken(t.Context(), "watch", store.Uploader)
	if err != nil {
		t.Fatal(err)
	}
	web := httptest.NewServer(sv.Handler())
	defer web.Close()
	c, zip := newCase(t, "shop")
	f, err := casefile.Dir(t.TempDir()).Import(bytes.NewReader(zip), int64(len(zip)))
	if err != nil {
		t.Fatal(err)
	}
	to, err := reporter.Collector(reporter.CollectorConfig{URL: web.URL, Token: token, Spool: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second time the server has it
		if err := to.Send(t.Context(), reporter.Report{Folder: f.Path, Case: f.Case}); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := sv.store.Case(t.Context(), c.ID); err != nil || got.Target.Name != "shop" {
		t.Errorf("the case in the store: %+v, %v", got, err)
	}
}

func TestRefuses(t *testing.T) {
	sv := newServed(t, func(c *Config) { c.MaxUpload = 1 << 20; c.Hosts = []string{"cases.example"} })
	tokens := map[store.Role]string{}
	for _, role := range []store.Role{store.Viewer, store.Uploader, store.Operator} {
		var err error
		if tokens[role], err = sv.store.CreateToken(t.Context(), "a "+string(role), role); err != nil {
			t.Fatal(err)
		}
	}
	c, zip := newCase(t, "shop")
	at := "/api/v1/cases/" + c.ID
	wantCode(t, sv.ask("PUT", at, zip), http.StatusCreated)
	here := []string{"From-Address", "127.0.0.1:4444"}
	far := []string{"From-Address", "192.0.2.1:4444"}
	as := func(role store.Role) []string { return append(far, "Authorization", "Bearer "+tokens[role]) }
	for _, tc := range []struct {
		name, method, path string
		body               []byte
		header             []string
		want               int
	}{
		{"a name that is not ours", "GET", "/api/v1/cases", nil, []string{"Host", "evil.example"}, 421},
		{"a name that is", "GET", "/api/v1/cases", nil, []string{"Host", "Cases.example:7070"}, 200},
		{"an address that is not ours", "GET", "/", nil, []string{"Host", "10.0.0.1"}, 421},
		{"a post from another site's page", "PUT", at, zip, []string{"Sec-Fetch-Site", "cross-site"}, 403},
		{"an old browser's", "DELETE", at, nil, []string{"Origin", "https://evil.example"}, 403},
		{"from afar without a token", "GET", "/api/v1/cases", nil, far, 401},
		{"from afar with a wrong one", "GET", "/", nil, append(far, "Authorization", "Bearer casebook_x"), 401},
		{"from afar with none at all", "GET", "/healthz", nil, far, 200},
		{"a viewer reads", "GET", at, nil, as(store.Viewer), 200},
		{"a viewer sends", "PUT", at, zip, as(store.Viewer), 403},
		{"an uploader sends", "PUT", at, zip, as(store.Uploader), 200},
		{"an uploader removes", "DELETE", at, nil, as(store.Uploader), 403},
		{"this machine without a token", "GET", "/", nil, here, 401},
		{"this machine writes without a token", "PUT", at, zip, here, 401},
		{"this machine removes without a token", "DELETE", at, nil, here, 401},
		{"through a proxy without a token", "GET", "/", nil, append(here, "X-Forwarded-For", ""), 401},
		{"through a proxy with one", "GET", "/", nil, append(here, "X-Forwarded-For", "192.0.2.1", "Authorization",
			"Bearer "+tokens[store.Viewer]), 200},
		{"a password is a token", "GET", "/", nil, append(far, "Authorization",
			"Basic "+base64.StdEncoding.EncodeToString([]byte("x:"+tokens[store.Viewer]))), 200},
		{"traversal", "GET", at + "/evidence/..%2f..%2fetc%2fpasswd", nil, nil, 404},
		{"traversal by an ID", "GET", "/api/v1/cases/..%2f..%2fetc", nil, nil, 404},
		{"an asset elsewhere", "GET", "/assets/..%2fopenapi.json", nil, nil, 404},
		{"a template is no asset", "GET", "/assets/overview.html", nil, nil, 404},
		{"a filter that does not exist", "GET", "/api/v1/cases?servce=shop", nil, nil, 400},
		{"no case", "PUT", at, []byte("hello"), nil, 422},
		{"no ID", "PUT", "/api/v1/cases/x", zip, nil, 400},
		{"a digest of something else", "PUT", at, zip, []string{"Content-Digest",
			"sha-256=:" + base64.StdEncoding.EncodeToString(make([]byte, 32)) + ":"}, 422},
		{"a digest that is none", "PUT", at, zip, []string{"Content-Digest", "sha-256=:x:"}, 400},
		{"too much", "PUT", at, make([]byte, 2<<20), nil, 413},
		{"another method", "POST", at, zip, nil, 405},
		{"no such page", "GET", "/nowhere", nil, nil, 404},
	} {
		t.Run(tc.name, func(t *testing.T) { wantCode(t, sv.ask(tc.method, tc.path, tc.body, tc.header...), tc.want) })
	}
	if err := sv.store.RevokeToken(t.Context(), "a viewer"); err != nil {
		t.Fatal(err)
	}
	wantCode(t, sv.ask("GET", at, nil, as(store.Viewer)...), 401)
	for _, token := range tokens {
		if strings.Contains(sv.log.String(), token) {
			t.Error("the log has a token in it")
		}
	}
}

// A folder of cases is shown as it is, and takes nothing in but opinions.
func TestShelf(t *testing.T) {
	dir := t.TempDir()
	c, zip := newCase(t, "shop")
	if _, err := casefile.Dir(dir).Import(bytes.NewReader(zip), int64(len(zip))); err != nil {
		t.Fatal(err)
	}
	shelf, err := store.OpenShelf(dir)
	if err != nil {
		t.Fatal(err)
	}
	sv := newServed(t, func(cfg *Config) { cfg.Cases, cfg.Keeper = shelf, nil })
	at := "/api/v1/cases/" + c.ID
	for path, want := range map[string]string{
		"/":                                    c.ID,
		"/?score=75":                           "No cases that fit",
		"/?q=main.f":                           c.ID,
		"/cases/" + c.ID:                       "gc_cpu was 31 %",
		at:                                     `"mem-leak"`,
		at + "/evidence/during/cpu.pb.gz":      "evidence evidence",
		"/api/v1/services":                     `"shop"`,
		"/api/v1/cases?kind=mem-leak&limit=10": c.ID,
		"/readyz":                              "ready",
	} {
		if w := sv.ask("GET", path, nil); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s: %d, want %q in\n%s", path, w.Code, want, w.Body)
		}
	}
	wantCode(t, sv.ask("PUT", at, zip), http.StatusForbidden)
	wantCode(t, sv.ask("DELETE", at, nil), http.StatusForbidden)
	wantCode(t, sv.ask("GET", "/", nil, "From-Address", "127.0.0.1:1"), http.StatusUnauthorized)
	wantCode(t, sv.ask("GET", "/", nil, "Authorization", "Bearer casebook_x"), http.StatusUnauthorized)
}

// What other processes wrote into a case is text on our pages.
func TestPagesEscape(t *testing.T) {
	sv := newServed(t, nil)
	c, zip := newCase(t, `"><img src=x onerror=alert(1)>`)
	wantCode(t, sv.ask("PUT", "/api/v1/cases/"+c.ID, zip), http.StatusCreated)
	for _, path := range []string{"/", "/cases/" + c.ID, "/?q=%3Cscript%3Ealert(2)%3C/script%3E", "/?x=%3Cscript%3E"} {
		w := sv.ask("GET", path, nil)
		for _, bad := range []string{"<script>alert", "<img src=x", "<script>&"} {
			if strings.Contains(w.Body.String(), bad) {
				t.Errorf("%s has %q in it", path, bad)
			}
		}
		if w.Header().Get("Content-Security-Policy") == "" || w.Header().Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s comes without its headers: %v", path, w.Header())
		}
	}
}

// openapi.json describes the routes below /api/ and the types of their answers.
func TestOpenAPI(t *testing.T) {
	var doc struct {
		Paths      map[string]map[string]json.RawMessage
		Components struct {
			Schemas map[string]struct {
				Properties map[string]any
				Required   []string
			}
		}
	}
	sv := newServed(t, nil)
	readJSON(t, sv.ask("GET", "/api/v1/openapi.json", nil), &doc)
	var described, served []string
	for path, item := range doc.Paths {
		for method := range item {
			if method != "parameters" {
				described = append(described, strings.ToUpper(method)+" "+path)
			}
		}
	}
	for _, r := range sv.table() {
		if strings.HasPrefix(r.path, "/api/") {
			served = append(served, r.method+" "+strings.ReplaceAll(r.path, "...", ""))
		}
	}
	slices.Sort(described)
	slices.Sort(served)
	if !slices.Equal(described, served) {
		t.Errorf("openapi.json describes\n%q, and the server has\n%q", described, served)
	}
	for name, typ := range map[string]reflect.Type{"Summary": reflect.TypeFor[store.Summary](),
		"Page": reflect.TypeFor[store.Page](), "Service": reflect.TypeFor[store.Service](),
		"Arrival": reflect.TypeFor[Arrival](),
		"Receipt": reflect.TypeFor[store.Receipt](), "Problem": reflect.TypeFor[problem](),
		"Target": reflect.TypeFor[fleet.Target](), "Status": reflect.TypeFor[fleet.Status](),
		"Vital": reflect.TypeFor[fleet.Vital](), "Rule": reflect.TypeFor[fleet.Rule](),
		"Capture": reflect.TypeFor[store.Capture](), "Accepted": reflect.TypeFor[Accepted](),
		"Proof": reflect.TypeFor[store.Proof](), "Opinion": reflect.TypeFor[casefile.Opinion](),
		"Ranking":   reflect.TypeFor[store.Ranking](),
		"FoundPage": reflect.TypeFor[FoundPage](), "Found": reflect.TypeFor[Found](),
		"RankedFinding": reflect.TypeFor[store.RankedFinding]()} {
		properties, required := fields(typ)
		schema := doc.Components.Schemas[name]
		var have []string
		for p := range schema.Properties {
			have = append(have, p)
		}
		slices.Sort(have)
		slices.Sort(schema.Required)
		if !slices.Equal(have, properties) || !slices.Equal(schema.Required, required) {
			t.Errorf("schema %s has %q, of which %q are required; the type has %q and %q", name, have, schema.Required,
				properties, required)
		}
	}
}

// fields lists the JSON names of a struct, and those that are always there.
func fields(t reflect.Type) (all, required []string) {
	for i := range t.NumField() {
		f := t.Field(i)
		name, rest, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous:
			a, r := fields(f.Type)
			all, required = append(all, a...), append(required, r...)
			continue
		case name == "-" || !f.IsExported():
			continue
		}
		all = append(all, name)
		if rest == "" {
			required = append(required, name)
		}
	}
	slices.Sort(all)
	slices.Sort(required)
	return all, required
}

// Serve ends when its context does, with the requests that are under way.
func TestServe(t *testing.T) {
	sv := newServed(t, nil)
	l := listen(t)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- sv.Serve(ctx, l, nil) }()
	resp, err := http.Get("http://" + l.Addr().String() + "/readyz")
	if err != nil {
		t.Fatal(err)
	}
	if err := resp.Body.Close(); err != nil || resp.StatusCode != http.StatusOK {
		t.Errorf("ready: %d, %v", resp.StatusCode, err)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Errorf("the end: %v", err)
	}
	if _, err := http.Get(fmt.Sprintf("http://%s/readyz", l.Addr())); err == nil {
		t.Error("it still answers")
	}
}
