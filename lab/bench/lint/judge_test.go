package main

import (
	"cmp"
	"encoding/json"
	"regexp"
	"slices"
	"testing"

	"github.com/gocasebook/casebook/internal/checkout"
	"github.com/gocasebook/casebook/lab/bench/lint/heavy"
)

var place = regexp.MustCompile(`^[^ :]+\.go:[1-9][0-9]*$`)

func read[T any](t *testing.T, data []byte) (out []T) {
	t.Helper()
	if err := json.Unmarshal(data, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// Each judgement has a reason and a place of its own, and none is there twice.
func TestJudged(t *testing.T) {
	type line struct {
		run, service string
		rank         int
	}
	seen := make(map[line]bool)
	for _, j := range read[judgement](t, judgedFile) {
		if l := (line{j.Run, j.Service, j.Rank}); seen[l] || j.Rank < 1 {
			t.Errorf("%s, %s has rank %d twice, or none", j.Run, j.Service, j.Rank)
		} else {
			seen[l] = true
		}
		if j.Why == "" || j.Check == "" || j.Share == "" || !place.MatchString(j.Place) {
			t.Errorf("%s, %s, %d says too little: %+v", j.Run, j.Service, j.Rank, j)
		}
	}
}

// lastRound is the one that no check has learned from yet. Its profiles are kept.
const lastRound = "seventh"

// What is known of the services of a round has a place, and what was said of it is among what was judged.
func TestTruth(t *testing.T) {
	judged := read[judgement](t, judgedFile)
	for _, m := range read[mistake](t, truthFile) {
		if m.What == "" || m.Share == "" || !place.MatchString(m.Place) {
			t.Errorf("%s says too little: %+v", m.Service, m)
		}
		if !slices.ContainsFunc(heavy.All(), func(s heavy.Service) bool { return s.Name == m.Service && s.Unseen }) {
			t.Errorf("%s is no unseen service of package heavy", m.Service)
		}
		if m.Round == lastRound && len(checkout.File(t, "lint/"+m.Service+"/cpu.pb.gz")) == 0 {
			t.Errorf("%s has no profile", m.Service)
		}
		run := "unseen, " + cmp.Or(m.Round, "fifth")
		if m.Said != "" && !slices.ContainsFunc(judged, func(j judgement) bool {
			return j.Run == run && j.Service == m.Service && j.Place == m.Said
		}) {
			t.Errorf("%s: %s, which says %s, is not judged in %q", m.Service, m.Said, m.Place, run)
		}
	}
}
