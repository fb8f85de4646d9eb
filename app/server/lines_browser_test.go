package server

import (
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gocasebook/casebook/app/browsertest"
	"github.com/gocasebook/casebook/casefile"
)

// The lines of this test, whose goroutines are known, with the source that its own folder has; and of a service whose
// repository nobody named, without.
func TestLinesPage(t *testing.T) {
	s := newEvidenceSite(t)
	stop := make(chan struct{})
	var all sync.WaitGroup
	parked(t, 20, 20, "few", stop, &all)
	at := time.Date(2026, 11, 21, 13, 25, 14, 0, time.UTC)
	var files []file
	for _, kind := range []string{casefile.Goroutine, casefile.Heap} {
		files = append(files, file{casefile.Evidence{Kind: kind, File: kind + ".pb.gz", Phase: casefile.During, Taken: at,
			GoFormat: true}, profileOf(t, kind, 0)})
	}
	close(stop)
	all.Wait()
	build := casefile.Build{Path: "github.com/gocasebook/casebook/app/server.test", Module: "github.com/gocasebook/casebook/app"}
	here := s.put(t, casefile.Case{Target: casefile.Target{Name: ofThisFolder, Build: build}}, files...)
	there := s.put(t, casefile.Case{Target: casefile.Target{Name: "elsewhere", Build: build}}, files...)
	b := browse(t)
	const waits = "?function=server.parked.func1.1"
	openPage(b, s.url+"/cases/"+here.ID+"/lines"+waits, 1280, "light")
	row := `[...document.querySelectorAll('.listing tr')].find(r => r.innerText.includes('<-stop }'))?.innerText ?? ''`
	if got := browsertest.Eval[string](b, row); !strings.Contains(got, "20") || !strings.Contains(got, "pprof.Do(") {
		t.Errorf("the line at which goroutines wait is %q, want it with 20 of them", got)
	}
	wantText(b, "thead", "goroutines", "Source")
	wantText(b, "main", "Lines are those of the repository today")
	look(b, s.url+"/cases/"+here.ID+"/lines"+waits, "lines")
	openPage(b, s.url+"/cases/"+there.ID+"/lines"+waits, 1280, "light")
	wantText(b, "main", "the source is not here", "20")
	if got := text(b, "main"); strings.Contains(got, "<-stop") {
		t.Errorf("without a repository the page has source:\n%s", got)
	}
	quiet(b, s.url)
}

// The page of a case leads to the lines of its findings, and a name that nothing has is said.
func TestCaseLeadsToLines(t *testing.T) {
	s := newEvidenceSite(t)
	c := pictures[1].put(t, s)
	page := s.ask("GET", "/cases/"+c.ID, nil).Body.String()
	place := c.Findings[0].Where[0].Function
	if want := "/lines?function="; !strings.Contains(page, want) {
		t.Errorf("the case's page does not lead to %s", want)
	}
	lines := s.ask("GET", "/cases/"+c.ID+"/lines", nil)
	wantCode(t, lines, http.StatusOK)
	if body := lines.Body.String(); !strings.Contains(body, `class="listing"`) || !strings.Contains(body, ">CPU</th>") {
		t.Errorf("the lines of %s are not on the page:\n%.3000s", place, body)
	}
	for _, name := range []string{"no.such", `<script>alert(1)</script>`, strings.Repeat("x", 5000)} {
		w := s.ask("GET", "/cases/"+c.ID+"/lines?function="+url.QueryEscape(name), nil)
		wantCode(t, w, http.StatusOK)
		if body := w.Body.String(); !strings.Contains(body, "No function whose name") || strings.Contains(body, "<script>alert") {
			t.Errorf("of %.40q the page says %.500s", name, body)
		}
	}
	wantCode(t, s.ask("GET", "/cases/20260101T000000Z-x-000000/lines", nil), http.StatusNotFound)
}
