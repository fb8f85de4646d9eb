package assess_test

import (
	"bytes"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/app/assess"
	"github.com/gocasebook/casebook/app/casework"
	"github.com/gocasebook/casebook/vitals"
)

// recorded is a minute of vitals in which goroutines step from 10 to high in the middle.
func recorded(t *testing.T, high float64) []byte {
	t.Helper()
	began := time.Date(2026, 11, 21, 13, 0, 0, 0, time.UTC)
	var samples []vitals.Sample
	for i := range 60 {
		s := vitals.NewSample(began.Add(time.Duration(i) * time.Second))
		s.Set(vitals.Goroutines, 10)
		if i >= 30 {
			s.Set(vitals.Goroutines, high)
		}
		samples = append(samples, s)
	}
	var b bytes.Buffer
	if err := vitals.WriteJSONL(&b, samples, nil, nil); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

const manyGoroutines = `{"schema": 1, "rules": [
	{"name": "many", "when": {"signal": "goroutines", "above": 1000, "for": "5s"}}]}`

func TestReplay(t *testing.T) {
	dir := t.TempDir()
	rules := write(t, dir, "rules.json", []byte(manyGoroutines))
	ill, well := write(t, dir, "ill.jsonl", recorded(t, 5000)), write(t, dir, "well.jsonl", recorded(t, 900))
	got, err := assess.Replay(assess.ReplayRequest{Rules: rules,
		On: []string{ill, filepath.Join(dir, "missing.jsonl")}})
	if err != nil || !got.Fired() || len(got.Rules) != 1 || len(got.Rules[0].Fired) != 1 {
		t.Fatalf("%+v, %v; want one firing", got, err)
	}
	if at := got.Rules[0].Fired[0].Time.Sub(got.From); at < 35*time.Second || at > 36*time.Second {
		t.Errorf("it fired after %s, want 30 s and the 5 s of its condition", at)
	}
	if len(got.Failed) != 1 || !strings.Contains(got.Failed[0].Error(), "missing.jsonl") {
		t.Errorf("failed: %v, want the missing file", got.Failed)
	}
	got, err = assess.Replay(assess.ReplayRequest{Rules: rules, On: []string{well}})
	if err != nil || got.Fired() || len(got.Rules[0].Closest) == 0 {
		t.Errorf("%+v, %v; want no firing, and how near it came", got, err)
	}
}

func TestReplayRefuses(t *testing.T) {
	dir := t.TempDir()
	wrong := write(t, dir, "rules.json",
		[]byte(`{"schema": 1, "rules": [{"name": "x", "when": {"signal": "nonsense", "above": 1}}]}`))
	var of *casework.RulesError
	_, err := assess.Replay(assess.ReplayRequest{Rules: wrong, On: []string{write(t, dir, "v.jsonl", recorded(t, 10))}})
	if !errors.As(err, &of) || of.File != wrong {
		t.Errorf("%v, want a RulesError of the file", err)
	}
	_, err = assess.Replay(assess.ReplayRequest{On: []string{dir + "/missing"}})
	if err == nil || !strings.Contains(err.Error(), "no samples") {
		t.Errorf("nothing to replay: %v", err)
	}
}
