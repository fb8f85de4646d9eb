package grafana

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gocasebook/casebook/app/store"
	_ "github.com/gocasebook/casebook/app/store/drivers"
	"github.com/gocasebook/casebook/casefile"
)

// recorder stands in for Grafana, which no package of Debian has: it answers as the documentation of the annotations
// API says, keeps what it gets, and finds it by tag.
type recorder struct {
	mu   sync.Mutex // guards what follows
	kept []annotation
	code int // to answer with instead
}

func (g *recorder) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	g.mu.Lock()
	defer g.mu.Unlock()
	switch {
	case g.code != 0:
		http.Error(w, "no", g.code)
	case r.URL.Path != "/grafana/api/annotations" || r.Header.Get("Authorization") != "Bearer t0ken":
		http.Error(w, `{"message":"Unauthorized"}`, http.StatusUnauthorized)
	case r.Method == http.MethodGet:
		list := []map[string]any{}
		for i, a := range g.kept {
			if slices.Contains(a.Tags, r.URL.Query().Get("tags")) {
				list = append(list, map[string]any{"id": i, "text": a.Text, "tags": a.Tags, "time": a.Time})
			}
		}
		_ = json.NewEncoder(w).Encode(list)
	default:
		data, _ := io.ReadAll(r.Body)
		var a annotation
		if err := json.Unmarshal(data, &a); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		g.kept = append(g.kept, a)
		fmt.Fprintf(w, `{"message":"Annotation added","id":%d}`, len(g.kept))
	}
}

// stored puts a case into a store that annotates.
func stored(t *testing.T, change func(*casefile.Case)) (*store.Store, casefile.Case) {
	t.Helper()
	dir := t.TempDir()
	st, err := store.Open(t.Context(), store.Config{Index: "sqlite:" + filepath.Join(dir, "index.db"),
		Blobs: filepath.Join(dir, "blobs"), Scratch: filepath.Join(dir, "scratch"), Annotate: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = st.Close() })
	at := time.Now().UTC().Truncate(time.Second)
	c := casefile.Case{Schema: casefile.Schema, ID: casefile.NewID(at, "gc-cpu"), Opened: at,
		Target:  casefile.Target{Name: `shop<script>`},
		Trigger: casefile.Trigger{Rule: "gc-cpu", Time: at, Text: "gc_cpu was 31 %"},
		Diagnosis: casefile.Diagnosis{Findings: []casefile.Finding{{ID: "X001", Kind: "mem-leak", Score: 74, Confidence: 1,
			Title: `"><img onerror=x>`, Summary: "s"}}}}
	change(&c)
	w, err := casefile.Dir(t.TempDir()).Create(c)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Add(casefile.Evidence{Kind: casefile.CPU, File: "cpu.pb.gz", Phase: casefile.During, Taken: at},
		[]byte("evidence")); err != nil {
		t.Fatal(err)
	}
	f, err := w.Commit()
	if err != nil {
		t.Fatal(err)
	}
	var zip bytes.Buffer
	if err := casefile.Export(f, &zip); err != nil {
		t.Fatal(err)
	}
	if _, err := st.Put(t.Context(), store.Upload{Body: &zip}); err != nil {
		t.Fatal(err)
	}
	return st, f.Case
}

func TestAnnotate(t *testing.T) {
	var g recorder
	web := httptest.NewServer(&g)
	defer web.Close()
	st, c := stored(t, func(*casefile.Case) {})
	j, err := st.TakeJob(t.Context(), "me", time.Minute, store.Annotate)
	if err != nil || j.Case != c.ID {
		t.Fatalf("the job of the case is %+v, %v", j, err)
	}
	to, err := New(Config{URL: web.URL + "/grafana/", Token: "t0ken", Pages: "https://cases.example.org/"})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // a process that died in between does it again
		if err := to.Annotate(t.Context(), st, c.ID); err != nil {
			t.Fatal(err)
		}
	}
	if len(g.kept) != 1 {
		t.Fatalf("Grafana has %+v, want one annotation", g.kept)
	}
	a := g.kept[0]
	if a.Time != c.Opened.UnixMilli() || !slices.Contains(a.Tags, "casebook") || !slices.Contains(a.Tags, "gc-cpu") ||
		!strings.Contains(a.Text, `<a href="https://cases.example.org/cases/`+c.ID+`">`) || !strings.Contains(a.Text, "(74)") {
		t.Errorf("the annotation is %+v", a)
	}
	if strings.Contains(a.Text, "<img") || strings.Contains(a.Text, "<script") {
		t.Errorf("the annotation has markup of the case in it: %s", a.Text)
	}
	g.code = http.StatusForbidden
	if err := to.Annotate(t.Context(), st, c.ID); err == nil || !strings.Contains(err.Error(), "annotations:create") ||
		strings.Contains(err.Error(), "t0ken") {
		t.Errorf("a token without the right: %v", err)
	}
	if err := to.Annotate(t.Context(), st, "20261121T132512Z-gc-cpu-000000"); err != nil {
		t.Errorf("a case that was removed: %v", err)
	}
}

// A case is annotated when it has its diagnosis.
func TestAnnotateWaits(t *testing.T) {
	st, c := stored(t, func(c *casefile.Case) { c.Diagnosis = casefile.Diagnosis{} })
	to, err := New(Config{URL: "http://127.0.0.1:1", Token: "t", Pages: "http://127.0.0.1:7070"})
	if err != nil {
		t.Fatal(err)
	}
	if err := to.Annotate(t.Context(), st, c.ID); !errors.Is(err, errNotDiagnosed) {
		t.Errorf("a case without a diagnosis: %v", err)
	}
}

func TestNewRefuses(t *testing.T) {
	for _, c := range []Config{{}, {URL: "grafana", Token: "t", Pages: "http://h"}, {URL: "http://u:p@h", Token: "t",
		Pages: "http://h"}, {URL: "http://h", Token: "t", Pages: "javascript:alert(1)"}, {URL: "http://h", Pages: "http://h"}} {
		if _, err := New(c); err == nil {
			t.Errorf("%+v passes", c)
		}
	}
}
