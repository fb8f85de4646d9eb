package server

import (
	"bytes"
	"encoding/json"
	"html"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// The page of the lab has every row with its figures, and its findings are kinds that the detectors' page knows.
func TestLabPage(t *testing.T) {
	d := json.NewDecoder(bytes.NewReader(labSummary))
	d.DisallowUnknownFields()
	var run labRun
	if err := d.Decode(&run); err != nil {
		t.Fatalf("lab.json: %v", err)
	}
	if len(run.Rows) < 20 {
		t.Fatalf("%d rows: the test proves nothing", len(run.Rows))
	}
	w := newServed(t, nil).ask("GET", "/lab", nil)
	wantCode(t, w, http.StatusOK)
	page := html.UnescapeString(w.Body.String())
	for _, r := range run.Rows {
		wants := []string{`id="` + r.Service + "-" + r.Name + `"`, r.Sick, r.Cure, r.Promise}
		for _, f := range r.Figures {
			wants = append(wants, f.Before+" → "+f.After, f.Change+", "+f.Verdict)
		}
		if r.Result != "holds" {
			wants = append(wants, r.Result)
		}
		if f := r.Finding; f != nil {
			wants = append(wants, f.Title, f.Function)
			if !slices.ContainsFunc(detectorEntries(), func(e detectorEntry) bool { return e.Kind == f.Kind }) {
				t.Errorf("%s/%s: no detector is called %s", r.Service, r.Name, f.Kind)
			}
		}
		for _, want := range wants {
			if !strings.Contains(page, want) {
				t.Errorf("%s/%s: the page does not say %q", r.Service, r.Name, want)
			}
		}
	}
	if first := newServed(t, nil).ask("GET", "/", nil).Body.String(); !strings.Contains(first, `href="/lab"`) {
		t.Error("the first page does not lead to the lab")
	}
}
