package casefile

import (
	"errors"
	"fmt"
	"path/filepath"
	"time"
	"unicode/utf8"
)

// A Summary is what a list of cases shows of one of them, and what retention decides by.
type Summary struct {
	ID         string `json:"id"`
	Path       string `json:"-"` // the case's folder, absolute
	Unfinished bool   `json:"-"` // as in Entry
	// why the case cannot be read; nothing but ID, Path, Unfinished and Bytes is set then
	Err      error     `json:"-"`
	Opened   time.Time `json:"opened"`
	Imported time.Time `json:"imported,omitzero"` // when the case came out of a zip; zero for one that was taken here
	Target   string    `json:"target"`            // its name, cut at 500 bytes
	Rule     string    `json:"rule"`
	Text     string    `json:"text"`              // of the trigger, cut at 500 bytes
	Findings int       `json:"findings"`          // how many
	Title    string    `json:"title,omitempty"`   // of the first finding, cut at 500 bytes
	Score    int       `json:"score"`             // of the first finding
	Worst    int       `json:"worst"`             // the highest score of all findings
	Verdict  string    `json:"verdict,omitempty"` // the diagnosis in a sentence, cut at 500 bytes
	Opinions int       `json:"opinions,omitempty"`
	Bytes    int64     `json:"bytes"` // the lengths of all files in the folder
}

// WalkSummaries is Walk with summaries: newest first by the time in their IDs, a case at a time, until fn returns
// false. It reads only those cases that the folder's index does not have as they are now, and keeps the index where
// that is worth it and the folder lets it. `make bench-shelf` prints what that takes of 10,000 cases.
func (d Dir) WalkSummaries(fn func(Summary) bool) error {
	if _, err := walkSummaries(string(d), time.Now(), fn); err != nil {
		return fmt.Errorf("listing cases in %q: %w", d, explain(err))
	}
	return nil
}

// walkSummaries is WalkSummaries; unmeasured joins an error for each case whose Bytes are not the whole truth.
func walkSummaries(dir string, now time.Time, fn func(Summary) bool) (unmeasured, err error) {
	places, err := scan(dir)
	if err != nil || len(places) == 0 {
		return nil, err
	}
	var failed []error
	x := openIndex(filepath.Dir(places[0].Path), now)
	for _, p := range places {
		s, err := x.summary(p)
		if s.Err != nil && !exists(p.Path) {
			continue // removed, or committed under its final name, since the scan
		}
		if err != nil {
			failed = append(failed, fmt.Errorf("measuring case %s: %w", p.ID, err))
		}
		if !fn(s) {
			return errors.Join(failed...), nil
		}
	}
	x.save()
	return errors.Join(failed...), nil
}

// summary takes a case from the index or reads it. The error says that not all of it could be measured.
func (x *index) summary(p place) (Summary, error) {
	if s, fits := x.look(p); fits {
		return s, nil
	}
	s, err := summarize(p)
	if err == nil {
		x.note(s)
	}
	return s, err
}

// summarize reads a case. The error says that not all of it could be measured.
func summarize(p place) (Summary, error) {
	e := p.load()
	s := Summary{ID: e.ID, Path: e.Path, Unfinished: e.Unfinished, Err: e.Err}
	var err error
	s.Bytes, err = folderBytes(e.Path)
	if s.Err != nil {
		return s, err
	}
	c := &e.Case
	s.Opened, s.Target, s.Rule, s.Text = c.Opened.UTC(), cut(c.Target.Name), c.Trigger.Rule, cut(c.Trigger.Text)
	s.Imported = importedAt(e.Path)
	s.Findings, s.Opinions = len(c.Findings), len(c.Opinions)
	if c.Verdict != nil {
		s.Verdict = cut(c.Verdict.Text)
	}
	for i, f := range c.Findings {
		if i == 0 {
			s.Title, s.Score = cut(f.Title), f.Score
		}
		s.Worst = max(s.Worst, f.Score)
	}
	return s, err
}

// maxSummaryText bounds the texts of a Summary: those of a case from somewhere else may have megabytes.
const maxSummaryText = 500

// cut shortens a text between two characters.
func cut(s string) string {
	if len(s) <= maxSummaryText {
		return s
	}
	n := maxSummaryText
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
