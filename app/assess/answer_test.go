package assess_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/app/assess"
	"github.com/gocasebook/casebook/casefile"
)

// caseOf is a case with a profile of this process's goroutines.
func caseOf(t *testing.T) *casefile.Folder {
	t.Helper()
	w, err := casefile.Dir(t.TempDir()).Create(casefile.Case{Opened: time.Now(),
		Trigger: casefile.Trigger{Rule: "manual", Time: time.Now()}, Target: casefile.Target{Name: "shop"}})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Add(casefile.Evidence{File: "goroutine.pb.gz", Kind: casefile.Goroutine, Phase: casefile.During,
		Taken: time.Now()}, dump(t)); err != nil {
		t.Fatal(err)
	}
	f, err := w.Commit()
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func answered(t *testing.T, what, text string, change func(*assess.AnswerRequest)) (*assess.Answered, error) {
	t.Helper()
	r := assess.AnswerRequest{Answer: []byte(text), Given: time.Now()}
	r.What = []string{what}
	if change != nil {
		change(&r)
	}
	return assess.Answer(t.Context(), r)
}

// An answer stays in its case once, whoever checks it again; it changes no finding.
func TestAnswerIsKept(t *testing.T) {
	f := caseOf(t)
	const text = `{"place":"main.nowhere","cause":"it waits","author":"jane"}`
	first, err := answered(t, f.Path, text, nil)
	if err != nil || first.Opinion.ID != "O1" || first.Case != f.Case.ID ||
		first.Opinion.Verdict != casefile.Unsupported {
		t.Fatalf("%+v, %v; want O1, unsupported, in the case", first, err)
	}
	again, err := answered(t, f.Path, text, nil)
	if err != nil || !again.Again || again.Opinion.ID != "O1" {
		t.Errorf("the same again: %+v, %v; want O1", again, err)
	}
	other, err := answered(t, f.Path, text, func(r *assess.AnswerRequest) { r.Author = strings.Repeat("x", 500) })
	if err != nil || other.Opinion.ID != "O2" || len([]rune(other.Opinion.Author)) > 100 {
		t.Errorf("another author: %+v, %v; want O2", other, err)
	}
	dry, err := answered(t, f.Path, `{"place":"main.x","cause":"c"}`, func(r *assess.AnswerRequest) { r.DryRun = true })
	if err != nil || dry.Case != "" {
		t.Errorf("a dry run: %+v, %v; want that it is nowhere", dry, err)
	}
	now, err := casefile.Open(f.Path)
	if err != nil || len(now.Case.Opinions) != 2 || len(now.Case.Findings) != len(f.Case.Findings) {
		t.Errorf("the case has %+v, %v; want two opinions and its findings", now.Case.Opinions, err)
	}
}

// A case has room for so many.
func TestAnswerIsBounded(t *testing.T) {
	f := caseOf(t)
	if err := f.Update(func(c *casefile.Case) {
		for i := range casefile.MaxOpinions {
			c.Opinions = append(c.Opinions, casefile.Opinion{ID: fmt.Sprint("O", i+1), Author: fmt.Sprint(i),
				Where: []casefile.At{{Function: "f"}}, Cause: "c", Verdict: casefile.Supported})
		}
	}); err != nil {
		t.Fatal(err)
	}
	_, err := answered(t, f.Path, `{"place":"main.x","cause":"c"}`, nil)
	if err == nil || !strings.Contains(err.Error(), "--dry-run") {
		t.Errorf("one more: %v; want an error that names --dry-run", err)
	}
}

// Evidence that is no case keeps nothing, and its answer is as good.
func TestAnswerOfFiles(t *testing.T) {
	file := write(t, t.TempDir(), "goroutine.pb.gz", dump(t))
	res, err := answered(t, file, "I think:\n```json\n{\"place\":\"main.nowhere\",\"cause\":\"c\"}\n```", nil)
	if err != nil || res.Case != "" || res.Opinion.Verdict != casefile.Unsupported || res.Opinion.Author == "" {
		t.Fatalf("%+v, %v; want unsupported, of an author, kept nowhere", res, err)
	}
	data, err := json.Marshal(res)
	if err != nil || !strings.Contains(string(data), `"verdict":"unsupported"`) {
		t.Errorf("%s, %v", data, err)
	}
	if !slices.ContainsFunc(res.Opinion.Reasons, func(r casefile.Reason) bool { return r.About == "place" }) {
		t.Errorf("%+v; want a reason about the place", res.Opinion.Reasons)
	}
	for name, text := range map[string]string{"prose": "the database", "empty": ""} {
		if _, err := answered(t, file, text, nil); err == nil || !strings.Contains(err.Error(), `{"place"`) {
			t.Errorf("%s: %v; want an error with the form", name, err)
		}
	}
	test := func(r *assess.AnswerRequest) { r.Test = true }
	if _, err := answered(t, file, `{"place":"x.y","cause":"c"}`, test); err == nil {
		t.Error("tests without a source: want an error")
	}
}
