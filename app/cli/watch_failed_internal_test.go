package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/gocasebook/casebook"
	"github.com/gocasebook/casebook/app/casework"
	"github.com/gocasebook/casebook/casefile"
)

// A rule that fires while its case cannot be written is reported with the rule's name. A case that no rule asked for is
// reported without one.
func TestFailedIsSaid(t *testing.T) {
	e := casebook.Event{Kind: casebook.Failed, CaseID: "20261121T132512Z-gc-cpu-3f2a9c",
		Err:     errors.New("the disk is full"),
		Trigger: casefile.Trigger{Rule: "gc-cpu", Signal: "gc_cpu", Text: "gc_cpu was 31 %"}}
	manual := e
	manual.Trigger = casefile.Trigger{Rule: "manual", Text: "a person asked for it"}
	for _, c := range []struct {
		event casebook.Event
		want  string
	}{
		{e, "rule gc-cpu tripped; its case could not be written: the disk is full"},
		{manual, "the case could not be written: the disk is full"},
	} {
		var out, errs bytes.Buffer
		v := newWatchView(&out, &errs, false)
		v.see(casework.Event{Event: c.event, URL: "http://127.0.0.1:6060"})
		v.end()
		if got := out.String() + errs.String(); !strings.Contains(got, c.want) || c.event.Trigger.Signal == "" &&
			strings.Contains(got, "tripped") {
			t.Errorf("it says %q, want %q", got, c.want)
		}
	}
	var out, errs bytes.Buffer
	v := newWatchView(&out, &errs, false)
	v.json = true
	v.see(casework.Event{Event: e, URL: "http://127.0.0.1:6060"})
	v.end()
	var line struct {
		Event   string
		CaseID  string `json:"case_id"`
		Error   string
		Trigger casefile.Trigger
	}
	if err := json.Unmarshal(out.Bytes(), &line); err != nil || line.Event != "failed" || line.CaseID != e.CaseID ||
		line.Error != "the disk is full" || line.Trigger.Rule != "gc-cpu" {
		t.Errorf("as JSON: %+v, %v of %s%s", line, err, out.String(), errs.String())
	}
}
