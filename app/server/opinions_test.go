package server

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"reflect"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/app/casework"
	"github.com/gocasebook/casebook/app/store"
	"github.com/gocasebook/casebook/casefile"
)

// checked stands in for the check: it takes what is JSON and has a cause.
func checked(_ context.Context, f *casefile.Folder, answer []byte, from string) (casefile.Opinion, error) {
	var in struct {
		Author, Cause, Change, Diff string
		Place                       []casefile.At
	}
	if err := json.Unmarshal(answer, &in); err != nil || in.Cause == "" {
		return casefile.Opinion{}, fmt.Errorf("%w: it is no answer: it has no cause", store.ErrInvalid)
	}
	if f.Case.ID == "" || len(f.Verify()) > 0 {
		return casefile.Opinion{}, fmt.Errorf("the evidence is not there")
	}
	return casefile.Opinion{Author: cmp.Or(in.Author, from), Given: f.Case.Opened, Where: in.Place, Cause: in.Cause,
		Change: in.Change,
		Diff:   in.Diff, Verdict: casefile.Unsupported}, nil
}

func newAnswering(t *testing.T) (sv *served, c casefile.Case) {
	t.Helper()
	sv = newServed(t, func(cfg *Config) {
		cfg.Answer, cfg.Page = checked, casework.ServedPage(cfg.Cases, true)
	})
	c, zip := newCase(t, "shop")
	wantCode(t, sv.ask("PUT", "/api/v1/cases/"+c.ID, zip), http.StatusCreated)
	return sv, c
}

const formType = "application/x-www-form-urlencoded"

// What a program says of a case, and what a person says on its page, stays in it.
func TestOpinions(t *testing.T) {
	sv, c := newAnswering(t)
	at := "/api/v1/cases/" + c.ID
	var first casefile.Opinion
	w := sv.ask("POST", at+"/opinions",
		[]byte(`{"author":"agent","place":[{"function":"main.f"}],"cause":"a <b>leak</b>"}`))
	wantCode(t, w, http.StatusCreated)
	if err := json.Unmarshal(w.Body.Bytes(), &first); err != nil {
		t.Fatal(err)
	}
	if first.ID != "O1" || first.Author != "agent" || first.Verdict != casefile.Unsupported {
		t.Errorf("the opinion became %+v", first)
	}
	form := url.Values{"function": {" main.f "}, "file": {"main.go"}, "line": {"7"}, "cause": {"two\r\nlines"},
		"diff": {"--- a/x\r\n+++ b/x"}}
	w = sv.ask("POST", "/cases/"+c.ID+"/opinions", []byte(form.Encode()), "Content-Type", formType)
	if wantCode(t, w, http.StatusSeeOther); w.Header().Get("Location") != "/cases/"+c.ID+"#opinions" {
		t.Errorf("the form leads to %q", w.Header().Get("Location"))
	}
	var got casefile.Case
	readJSON(t, sv.ask("GET", at, nil), &got)
	want := []casefile.Opinion{first, {ID: "O2", Author: "this machine", Given: c.Opened, Cause: "two\nlines",
		Where: []casefile.At{{Function: "main.f", File: "main.go", Line: 7}}, Diff: "--- a/x\n+++ b/x\n",
		Verdict: casefile.Unsupported}}
	if !reflect.DeepEqual(got.Opinions, want) {
		t.Errorf("the case has\n%+v\nwant\n%+v", got.Opinions, want)
	}
	page := sv.ask("GET", "/cases/"+c.ID, nil).Body.String()
	for _, want := range []string{"a &lt;b&gt;leak&lt;/b&gt;", `action="/cases/` + c.ID + `/opinions"`,
		"form-action &#39;self&#39;"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page has no %q", want)
		}
	}
}

// A folder of cases takes an opinion, and nothing else; a server without a place for them takes none.
func TestOpinionsOfFolder(t *testing.T) {
	dir := t.TempDir()
	c, zip := newCase(t, "shop")
	if _, err := casefile.Dir(dir).Import(bytes.NewReader(zip), int64(len(zip))); err != nil {
		t.Fatal(err)
	}
	shelf, err := store.OpenShelf(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, keeps := range []bool{true, false} {
		sv := newServed(t, func(cfg *Config) {
			cfg.Cases, cfg.Keeper, cfg.Answer = shelf, nil, checked
			cfg.Page = casework.ServedPage(shelf, false)
			if keeps {
				cfg.Opinions = shelf
			}
		})
		want, form := http.StatusNotFound, false
		if keeps {
			want, form = http.StatusSeeOther, true
		}
		text := url.Values{"function": {"main.f"}, "cause": {"a leak"}}.Encode()
		wantCode(t, sv.ask("POST", "/cases/"+c.ID+"/opinions", []byte(text), "Content-Type", formType), want)
		page := sv.ask("GET", "/cases/"+c.ID, nil).Body.String()
		if strings.Contains(page, "<form") != form || !strings.Contains(page, "a leak") {
			t.Errorf("keeps %v: the page has a form: %v; want %v, and the opinion", keeps, !form, form)
		}
		wantCode(t, sv.ask("PUT", "/api/v1/cases/"+c.ID, zip), http.StatusForbidden)
	}
}

func TestOpinionsRefuses(t *testing.T) {
	sv, c := newAnswering(t)
	at, form := "/api/v1/cases/"+c.ID+"/opinions", "/cases/"+c.ID+"/opinions"
	good := `{"cause":"x"}`
	large := `{"cause":"` + strings.Repeat("x", maxAnswer) + `"}`
	for name, r := range map[string]struct {
		path, body string
		header     []string
		want       int
	}{
		"no JSON":   {at, "cause=x", nil, 422},
		"no cause":  {at, "{}", nil, 422},
		"too large": {at, large, nil, 413},
		"a form without end": {form, "cause=" + strings.Repeat("x", maxAnswer+1), []string{"Content-Type",
			formType}, 413},
		"a form without where": {form, "cause=x", []string{"Content-Type", formType}, 422},
		"a line that is none":  {form, "cause=x&file=a.go&line=-1", []string{"Content-Type", formType}, 422},
		"no such case":         {"/api/v1/cases/20261121T132512Z-gc-cpu-000000/opinions", good, nil, 404},
		"no case's ID":         {"/api/v1/cases/..%2fx/opinions", good, nil, 404},
		"another site's form": {form, "cause=x&function=f", []string{"Content-Type", formType, "Sec-Fetch-Site",
			"cross-site"}, 403},
		"an old browser's": {at, good, []string{"Origin", "https://evil.example"}, 403},
		"no token":         {at, good, []string{"Authorization", ""}, 401},
	} {
		w := sv.ask("POST", r.path, []byte(r.body), r.header...)
		if w.Code != r.want {
			t.Errorf("%s: %d %s, want %d", name, w.Code, w.Body, r.want)
		}
	}
	token, err := sv.store.CreateToken(t.Context(), "reader", store.Viewer)
	if err != nil {
		t.Fatal(err)
	}
	viewer := []string{"Authorization", "Bearer " + token}
	wantCode(t, sv.ask("POST", at, []byte(good), viewer...), http.StatusForbidden)
	if page := sv.ask("GET", "/cases/"+c.ID, nil, viewer...).Body.String(); strings.Contains(page, "<form") {
		t.Error("a viewer gets a form")
	}
	var got casefile.Case
	readJSON(t, sv.ask("GET", "/api/v1/cases/"+c.ID, nil), &got)
	if len(got.Opinions) > 0 {
		t.Errorf("the case has %+v", got.Opinions)
	}
	for n := range casefile.MaxOpinions + 1 {
		want := http.StatusCreated
		if n == casefile.MaxOpinions {
			want = http.StatusUnprocessableEntity
		}
		wantCode(t, sv.ask("POST", at, fmt.Appendf(nil, `{"cause":"%d"}`, n)), want)
	}
}

// A server without a check, and one without a place for opinions, take none and offer no form.
func TestOpinionsNowhere(t *testing.T) {
	sv := newServed(t, func(cfg *Config) { cfg.Page = casework.ServedPage(cfg.Cases, true) })
	c, zip := newCase(t, "shop")
	wantCode(t, sv.ask("PUT", "/api/v1/cases/"+c.ID, zip), http.StatusCreated)
	wantCode(t, sv.ask("POST", "/api/v1/cases/"+c.ID+"/opinions", []byte(`{"cause":"x"}`)), http.StatusNotFound)
	if page := sv.ask("GET", "/cases/"+c.ID, nil).Body.String(); strings.Contains(page, "<form") {
		t.Error("the page has a form")
	}
	shelf := newServed(t, func(cfg *Config) {
		cfg.Keeper, cfg.Answer, cfg.Page = nil, checked, casework.ServedPage(cfg.Cases, false)
	})
	if _, err := shelf.store.Put(t.Context(), store.Upload{Body: strings.NewReader(string(zip))}); err != nil {
		t.Fatal(err)
	}
	wantCode(t, shelf.ask("POST", "/api/v1/cases/"+c.ID+"/opinions", []byte(`{"cause":"x"}`)), http.StatusNotFound)
	page := shelf.ask("GET", "/cases/"+c.ID, nil).Body.String()
	if strings.Contains(page, "<form") || !strings.Contains(page, "casebook answer "+c.ID) {
		t.Error("the page of a case in a folder has a form, or does not say which command takes an opinion")
	}
}
