package server

import (
	"encoding/json"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// An operation is a method of a path as openapi.json describes it.
type operation struct {
	path      *regexp.Regexp
	method    string
	query     []string
	responses []string
}

// operations reads openapi.json once.
var operations = sync.OnceValue(func() (all []operation) {
	type parameter struct{ Name, In string }
	var doc struct {
		Paths map[string]map[string]json.RawMessage
	}
	if err := json.Unmarshal(openAPIDocument, &doc); err != nil {
		panic(err)
	}
	segment := regexp.MustCompile(`\\\{[a-z]+\\\}`)
	for path, item := range doc.Paths {
		pattern := segment.ReplaceAllString(regexp.QuoteMeta(path), "[^/]+")
		if strings.HasSuffix(path, "{file}") { // a file may be in a folder
			pattern = strings.TrimSuffix(pattern, "[^/]+") + ".+"
		}
		for method, text := range item {
			var o struct {
				Parameters []parameter
				Responses  map[string]any
			}
			if method == "parameters" {
				continue
			}
			if err := json.Unmarshal(text, &o); err != nil {
				panic(err)
			}
			op := operation{path: regexp.MustCompile("^" + pattern + "$"), method: strings.ToUpper(method)}
			for _, p := range o.Parameters {
				if p.In == "query" {
					op.query = append(op.query, p.Name)
				}
			}
			for code := range o.Responses {
				op.responses = append(op.responses, code)
			}
			all = append(all, op)
		}
	}
	return all
})

// wantDescribed fails the test if the answer to a request has a status that openapi.json does not describe, or the
// request was answered as it asked although it has a parameter that is not described. Every request of the tests of this
// package goes through it.
func wantDescribed(t testing.TB, r *http.Request, code int) {
	t.Helper()
	at := slices.IndexFunc(operations(), func(o operation) bool {
		return o.method == r.Method && o.path.MatchString(r.URL.EscapedPath())
	})
	if at < 0 {
		return // another test compares the routes
	}
	op := operations()[at]
	if !slices.Contains(op.responses, strconv.Itoa(code)) {
		t.Errorf("%s %s is answered with %d; openapi.json describes %q", r.Method, r.URL, code, op.responses)
	}
	for name := range r.URL.Query() {
		if code < 300 && !slices.Contains(op.query, name) {
			t.Errorf("%s %s is answered with %d; openapi.json has no parameter %q", r.Method, r.URL, code, name)
		}
	}
}

// The filters of lists are those that openapi.json describes, with no other, and each is read.
func TestDescribedFilters(t *testing.T) {
	source, err := os.ReadFile("api.go")
	if err != nil {
		t.Fatal(err)
	}
	_, source2, _ := strings.Cut(string(source), "func readFilter(")
	body, _, found := strings.Cut(source2, "\n}\n")
	if !found {
		t.Fatal("api.go has no readFilter")
	}
	var read []string
	for _, line := range regexp.MustCompile(`(?m)^\s*case (".*"):`).FindAllStringSubmatch(body, -1) {
		for name := range strings.SplitSeq(line[1], ", ") {
			read = append(read, strings.Trim(name, `"`))
		}
	}
	slices.Sort(read)
	sv := newServed(t, nil)
	valid := map[string]string{"from": "2026-11-21T13:25:12Z", "to": "2026-11-21T13:25:12Z", "score": "25", "limit": "5",
		"label": "zone=eu", "after": ""}
	for _, path := range []string{"/api/v1/cases", "/api/v1/findings"} {
		at := slices.IndexFunc(operations(), func(o operation) bool { return o.path.MatchString(path) })
		described := slices.Sorted(slices.Values(operations()[at].query))
		if !slices.Equal(described, read) {
			t.Errorf("%s: openapi.json has the filters %q, and the server reads %q", path, described, read)
		}
		for _, name := range described {
			value, ok := valid[name]
			if !ok {
				value = "x"
			}
			wantCode(t, sv.ask("GET", path+"?"+name+"="+value, nil), http.StatusOK)
		}
		wantCode(t, sv.ask("GET", path+"?nonsense=x", nil), http.StatusBadRequest)
	}
}

// Findings are listed over cases, by kind, service and score, a page of cases at a time.
func TestFindings(t *testing.T) {
	sv := newServed(t, nil)
	a, zip := newCase(t, "shop")
	wantCode(t, sv.ask("PUT", "/api/v1/cases/"+a.ID, zip), http.StatusCreated)
	b, zip := newCase(t, "stock")
	wantCode(t, sv.ask("PUT", "/api/v1/cases/"+b.ID, zip), http.StatusCreated)
	list := func(query string) (page FoundPage) {
		t.Helper()
		readJSON(t, sv.ask("GET", "/api/v1/findings?"+query, nil), &page)
		return page
	}
	first := a.Findings[0]
	all := list("")
	if len(all.Findings) != len(a.Findings)+len(b.Findings) || all.Next != "" {
		t.Fatalf("two cases have the findings %+v", all)
	}
	of := list("service=shop&kind=" + first.Kind)
	if len(of.Findings) == 0 {
		t.Fatal("the service's finding is not found by its kind")
	}
	x := of.Findings[0]
	if x.Case != a.ID || x.Service != "shop" || x.Kind != first.Kind || x.Title != first.Title || x.Score != first.Score {
		t.Errorf("the finding is %+v, want %+v", x, first)
	}
	if none := list("kind=no-such-kind"); len(none.Findings) != 0 || none.Findings == nil {
		t.Errorf("of another kind there are %+v", none.Findings)
	}
	if none := list("score=" + strconv.Itoa(first.Score+1) + "&kind=" + first.Kind); len(none.Findings) != 0 {
		t.Errorf("with a higher score there are %+v", none.Findings)
	}
	one := list("limit=1")
	two := list("limit=1&after=" + one.Next)
	if one.Next == "" || two.Next != "" || len(one.Findings)+len(two.Findings) != len(all.Findings) {
		t.Errorf("in pages of a case there are %d and %d findings", len(one.Findings), len(two.Findings))
	}
}
