package server

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"path"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gocasebook/casebook/app/store"
	"github.com/gocasebook/casebook/casefile"
)

// A team is what the promise of the first page is about.
const (
	teamCases    = 1000
	teamServices = 50
	teamHours    = 13 * 24 // between the first case and the last
)

// fillTeam puts a thousand cases of fifty services into a store. Each service has a few diseases that come again.
func fillTeam(t testing.TB, st *store.Store) {
	t.Helper()
	kinds := []string{"mem-leak", "gc-frequency", "lock-contention", "cpu-json", "alloc-fmt", "goroutine-leak", "net-dns-tls"}
	now, dir := time.Now(), t.TempDir()
	parts := make(chan int)
	var work sync.WaitGroup
	for range 8 { // the store commits those together that wait
		work.Go(func() {
			for i := range parts {
				service := i % teamServices
				at := now.Add(-time.Duration(i) * teamHours * time.Hour / teamCases)
				var found []casefile.Finding
				for k := range 1 + i%3 {
					found = append(found, casefile.Finding{ID: "X001", Kind: kinds[(service+k)%len(kinds)], Confidence: 1,
						Score: 30 + (service*7+k*11)%70, Title: "Something takes 40 % of the CPU, most at shop.(*Cart).Total (cart.go:41)",
						Summary: "s", Impact: casefile.Impact{Resource: "cpu", Share: 0.4}, Where: []casefile.Frame{
							{Function: fmt.Sprintf("example.org/team/service%02d/internal/cart.(*Cart).Total%d", service, k)}}})
				}
				if err := putOne(st, dir, at, fmt.Sprintf("service-%02d", service), found); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for i := range teamCases {
		parts <- i
	}
	close(parts)
	work.Wait()
}

func putOne(st *store.Store, dir string, at time.Time, service string, found []casefile.Finding) error {
	w, err := casefile.Dir(dir).Create(casefile.Case{Schema: casefile.Schema, ID: casefile.NewID(at, "gc-cpu"), Opened: at,
		Target: casefile.Target{Name: service}, Trigger: casefile.Trigger{Rule: "gc-cpu", Time: at, Text: "gc_cpu was 31 %"},
		Diagnosis: casefile.Diagnosis{Findings: found}})
	if err != nil {
		return err
	}
	f, err := w.Commit()
	if err != nil {
		return err
	}
	var zip bytes.Buffer
	if err := casefile.Export(f, &zip); err != nil {
		return err
	}
	_, err = st.Put(context.Background(), store.Upload{ID: f.Case.ID, Body: &zip})
	return err
}

// assetOf is a file that a page loads.
var assetOf = regexp.MustCompile(`(?:src|href)="(/assets/[^"]+)"`)

// The first page of a team with a thousand cases is 200 KB with all that it loads, has each of its fifty services, and
// says of the worst findings since when they hurt. It comes within 0.3 s, in 13 ms on an idle machine
// (BenchmarkFirstPage): the test allows ten times as much, for the race detector and for others who use the machine.
func TestFirstPageOfATeam(t *testing.T) {
	sv := newServed(t, nil)
	fillTeam(t, sv.store)
	best := time.Hour
	var page string
	for range 10 { // the best: others use the machine
		began := time.Now()
		w := sv.ask("GET", "/", nil)
		best = min(best, time.Since(began))
		wantCode(t, w, http.StatusOK)
		page = w.Body.String()
	}
	size := len(page)
	for _, m := range assetOf.FindAllStringSubmatch(page, -1) {
		size += sv.ask("GET", m[1], nil).Body.Len()
	}
	t.Logf("the first page is %d bytes, %d with what it loads, and comes within %v", len(page), size, best)
	if size > 200_000 || best > 3*time.Second {
		t.Errorf("the first page is %d bytes with what it loads, and comes within %v; want 200 KB and 3 s", size, best)
	}
	for i := range teamServices {
		if name := fmt.Sprintf(`<a href="/service?name=service-%02d" data-go-row>`, i); !strings.Contains(page, name) {
			t.Errorf("the first page has no service %d", i)
		}
	}
	if n := strings.Count(page, "since yesterday</span></td>"); n != shownGroups || strings.Count(page, `data-label="since"`) != n {
		t.Errorf("the first page says of %d findings since when, want %d", n, shownGroups)
	}
	for _, at := range []string{"/findings", "/cases", "/service?name=service-07"} {
		if n := sv.ask("GET", at, nil).Body.Len(); n > 200_000 {
			t.Errorf("%s is %d bytes, want 200 KB at most", at, n)
		}
	}
}

// Each link of the lists leads to a page.
func TestListsLeadOn(t *testing.T) {
	sv := newServed(t, nil)
	now, dir := time.Now(), t.TempDir()
	whole := casefile.Finding{ID: "GC001", Kind: "gc-cpu", Score: 80, Confidence: 1, Title: "t", Summary: "s"}
	placed := casefile.Finding{ID: "CPU002", Kind: "cpu-json", Score: 60, Confidence: 1, Title: "t", Summary: "s",
		Where: []casefile.Frame{{Function: "main.a&b=\"c\""}}}
	for i := range 3 {
		if err := putOne(sv.store, dir, now.Add(-time.Duration(i)*30*time.Hour), "sh&op", []casefile.Finding{whole, placed}); err != nil {
			t.Fatal(err)
		}
	}
	link := regexp.MustCompile(`<a [^>]*href="([^"#]+)"`)
	seen := map[string]bool{}
	for _, from := range []string{"/", "/findings?range=30d", "/cases?kind=gc-cpu&function=(process)&q=t", "/service?name=sh%26op",
		"/findings?q=nothing", "/cases?q=nothing&service=x", "/compare?service=nobody"} {
		page := sv.ask("GET", from, nil).Body.String()
		for _, m := range link.FindAllStringSubmatch(page, -1) {
			to := strings.NewReplacer("&amp;", "&", "&#43;", "+", "&#34;", `"`).Replace(m[1])
			if seen[to] {
				continue
			}
			seen[to] = true
			if w := sv.ask("GET", to, nil); w.Code != http.StatusOK {
				t.Errorf("%s leads to %s, which is %d", from, to, w.Code)
			} else if path.Base(strings.Split(to, "?")[0]) == "cases" && strings.Contains(to, "function=") &&
				!strings.Contains(to, "range=") &&
				strings.Count(w.Body.String(), `<tr role="row"><th role="rowheader"`) != 3 {
				t.Errorf("%s has not the three cases of its finding", to)
			}
		}
	}
	if len(seen) < 20 {
		t.Errorf("only %d links were followed", len(seen))
	}
}

// An unknown range is said, and a case that is gone leads on in a browser; a program gets its problem.
func TestPagesSayWhatIsWrong(t *testing.T) {
	sv := newServed(t, nil)
	for _, at := range []string{"/?range=1y", "/findings?range=1y", "/cases?range=1y", "/service?name=shop&range=1y"} {
		if w := sv.ask("GET", at, nil); w.Code/100 != 4 || !strings.Contains(w.Body.String(), "want 24h, 7d, 30d or 90d") {
			t.Errorf("%s: %d %.300s", at, w.Code, w.Body)
		}
	}
	const gone = "/cases/20260101T000000Z-x-000000"
	if w := sv.ask("GET", gone, nil, "Accept", "text/html"); w.Code != http.StatusNotFound ||
		!strings.Contains(w.Body.String(), `href="/cases"`) {
		t.Errorf("for a browser: %d %.300s", w.Code, w.Body)
	}
	if w := sv.ask("GET", gone, nil); w.Code != http.StatusNotFound || w.Header().Get("Content-Type") != "application/problem+json" {
		t.Errorf("for a program: %d %.300s", w.Code, w.Body)
	}
}

func BenchmarkFirstPage(b *testing.B) {
	sv := newServed(b, nil)
	fillTeam(b, sv.store)
	b.ReportAllocs()
	for b.Loop() {
		sv.ask("GET", "/", nil)
	}
}
