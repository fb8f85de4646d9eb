package server

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/app/store"
	"github.com/gocasebook/casebook/casefile"
)

// The page and the API say what the limits would remove, change nothing, and pin cases.
func TestRetention(t *testing.T) {
	keep := casefile.Retention{MaxBytes: 5 << 20, MaxAge: -1, MaxCases: 1}
	sv := newServed(t, func(cfg *Config) { cfg.Retention = &keep })
	var ids []string
	for range 4 { // of one service and rule: the first stays, being the first and the worst, and the last
		c, zip := newCase(t, "shop")
		wantCode(t, sv.ask("PUT", "/api/v1/cases/"+c.ID, zip), http.StatusCreated)
		ids = append(ids, c.ID)
	}
	plan := func() (p RetentionPlan) {
		t.Helper()
		readJSON(t, sv.ask("GET", "/api/v1/retention", nil), &p)
		return p
	}
	page := func() string {
		t.Helper()
		w := sv.ask("GET", "/retention", nil)
		wantCode(t, w, http.StatusOK)
		return w.Body.String()
	}
	p := plan()
	if !p.On || p.MaxCases != 1 || p.MaxBytes != 5<<20 || p.MaxAge != 0 || len(p.Removed) == 0 || p.Cases+len(p.Removed) != 4 {
		t.Fatalf("the plan is %+v, want some of four removed", p)
	}
	id := p.Removed[0].ID
	if text := page(); !strings.Contains(text, id) || !strings.Contains(text, fmt.Sprint(len(p.Removed), " of these")) ||
		!strings.Contains(text, "5 MiB of evidence, 1 case.") {
		t.Errorf("the page does not say what would be removed: %s", text)
	}
	wantCode(t, sv.ask("PUT", "/api/v1/cases/"+id+"/pin", nil), http.StatusNoContent)
	if q := plan(); q.Pinned != 1 || len(q.Removed) != len(p.Removed)-1 {
		t.Errorf("with a pin the plan is %+v", q)
	}
	if text := page(); !strings.Contains(text, "Unpin") {
		t.Errorf("the page does not show what is pinned: %s", text)
	}
	wantCode(t, sv.ask("DELETE", "/api/v1/cases/"+id+"/pin", nil), http.StatusNoContent)
	if q := plan(); q.Pinned != 0 || len(q.Removed) != len(p.Removed) {
		t.Errorf("without the pin the plan is %+v", q)
	}
	wantCode(t, sv.ask("PUT", "/api/v1/cases/20261121T132512Z-gc-cpu-000000/pin", nil), http.StatusNotFound)
	if list, err := sv.store.List(t.Context(), store.Filter{}); err != nil || len(list.Cases) != len(ids) {
		t.Errorf("%d cases are left, %v; want all %d", len(list.Cases), err, len(ids))
	}
	form := url.Values{"case": {id}, "pinned": {"yes"}}
	wantCode(t, sv.ask("POST", "/retention/pin", []byte(form.Encode()), "Content-Type",
		"application/x-www-form-urlencoded"), http.StatusSeeOther)
	if q := plan(); q.Pinned != 1 {
		t.Errorf("after the form the plan is %+v", q)
	}
}

// Without limits nothing would be removed, and the page says how to set them.
func TestNoRetention(t *testing.T) {
	sv := newServed(t, nil)
	c, zip := newCase(t, "shop")
	wantCode(t, sv.ask("PUT", "/api/v1/cases/"+c.ID, zip), http.StatusCreated)
	var p RetentionPlan
	readJSON(t, sv.ask("GET", "/api/v1/retention", nil), &p)
	if p.On || p.Cases != 1 || len(p.Removed) != 0 {
		t.Errorf("the plan is %+v, want nothing", p)
	}
	if w := sv.ask("GET", "/retention", nil); !strings.Contains(w.Body.String(), "Nothing is removed") {
		t.Errorf("the page says %s", w.Body.String())
	}
}
