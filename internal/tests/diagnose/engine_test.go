package diagnose_test

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/internal/checkout"
)

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	rep := diagnose.Run(ctx, diagnose.Input{Evidence: []diagnose.Evidence{{Name: "a.pb.gz", Data: []byte("x")}}},
		diagnose.Options{})
	if len(rep.Problems) != 1 || !strings.Contains(rep.Problems[0].Reason, "cancelled") {
		t.Errorf("problems %v, want that a.pb.gz was not read because of the cancellation", rep.Problems)
	}
	if len(rep.Findings) != 0 {
		t.Errorf("findings %v, want none", rep.Findings)
	}
}

// TestNothing: without evidence every detector says what it needs.
func TestNothing(t *testing.T) {
	rep := diagnose.Run(t.Context(), diagnose.Input{}, diagnose.Options{})
	if len(rep.Undecided) != len(diagnose.Detectors()) {
		t.Errorf("%d undecided, want all %d", len(rep.Undecided), len(diagnose.Detectors()))
	}
	for _, u := range rep.Undecided {
		if u.ID == "" || u.Kind == "" || u.Reason == "" || u.CaptureNext == "" {
			t.Errorf("%+v: want every field filled in", u)
		}
	}
}

// TestDetectors: the documentation is complete and IDs and kinds are unique.
func TestDetectors(t *testing.T) {
	seen := make(map[string]bool)
	for _, d := range diagnose.Detectors() {
		if seen[d.ID] || seen[d.Kind] {
			t.Errorf("%s %s: ID or kind is there twice", d.ID, d.Kind)
		}
		seen[d.ID], seen[d.Kind] = true, true
		if d.Title == "" || len(d.Text) < 300 || len(d.Needs) == 0 || d.Run == nil {
			t.Errorf("%s: want a title, a text of some length, needs and Run", d.ID)
		}
	}
}

var brokenText = regexp.MustCompile(`%!|\b(NaN|Inf)\b`)

// TestComplete: every finding on recorded evidence has everything that a report shows.
func TestComplete(t *testing.T) {
	for _, dir := range caseFolders(t) {
		for _, f := range judged(t, dir).Findings {
			switch {
			case f.ID == "" || f.Kind == "" || f.Title == "" || f.Summary == "" || f.Explanation == "":
				t.Errorf("%s: %s: want ID, kind, title, summary and explanation", dir, f.Title)
			case f.Score < 25 || f.Score > 100 || f.Confidence <= 0 || f.Confidence > 1:
				t.Errorf("%s: %s: score %d, confidence %v; want 25–100 and 0–1", dir, f.ID, f.Score, f.Confidence)
			case len(f.Where) == 0 || f.Where[0].Function == "" || len(f.Remedies) == 0 || len(f.Evidence) == 0:
				t.Errorf("%s: %s: want places, remedies and evidence", dir, f.ID)
			case strings.HasPrefix(f.Where[0].Function, "runtime."):
				t.Errorf("%s: %s: the first place is %s, want code that a user can change", dir, f.ID,
					f.Where[0].Function)
			case f.Impact.Resource == "" || f.Impact.Text == "" || f.Impact.Gain.Low > f.Impact.Gain.High:
				t.Errorf("%s: %s: impact %+v, want a resource, a text, and a gain that is a range", dir, f.ID, f.Impact)
			}
			for _, text := range append([]string{f.Title, f.Summary, f.Explanation, f.Impact.Text,
				f.Impact.Gain.Arithmetic}, remedyTexts(f)...) {
				if brokenText.MatchString(text) {
					t.Errorf("%s: %s: broken text %q", dir, f.ID, text)
				}
			}
		}
	}
}

func remedyTexts(f casefile.Finding) []string {
	var out []string
	for _, r := range f.Remedies {
		out = append(out, r.Title, r.Text, r.Price)
	}
	return out
}

// TestTwins: the healthy programs have no finding of the kind for which they are the twin. The faulty ones have it
// first, or right behind its cause. A faulty program with CPU to spare gets a notice: what uses the CPU may be what the
// service is for.
func TestTwins(t *testing.T) {
	for folder, kind := range map[string]string{
		"gc_cpu": "gc-cpu", "gc_pointer_heap": "gc-pointer-heap", "cpu_hot_function": "cpu-hot-function",
		"alloc_site": "alloc-site", "goroutine_surge": "goroutine-surge", "lock_contention": "lock-contention",
	} {
		score := func(name string) int {
			_, score := scoreOf(t, loadCase(t, folder+"/"+name), kind)
			return score
		}
		want := 50
		if kind == "cpu-hot-function" {
			want = capNotice
		}
		if got := score("fault"); got < want {
			t.Errorf("%s: the faulty program scores %d, want %d or more", kind, got, want)
		}
		if got := score("healthy"); got >= 25 {
			t.Errorf("%s: the healthy program scores %d, want no finding", kind, got)
		}
	}
}

// TestHealthyPrograms: among the captures of real programs without a known fault, one in ten may have a finding of 50
// or more, and none a critical one.
func TestHealthyPrograms(t *testing.T) {
	dirs, err := checkout.Evidence(t).Cases("healthy/*")
	if err != nil || len(dirs) < 5 {
		t.Fatalf("%d healthy captures (%v), want five or more", len(dirs), err)
	}
	warnings := 0
	for _, dir := range dirs {
		for _, f := range judged(t, dir).Findings {
			if f.Score >= 75 {
				t.Errorf("%s: %s scores %d, want nothing critical", dir, f.Kind, f.Score)
			}
			if f.Score >= 50 {
				warnings++
			}
		}
	}
	if warnings > (len(dirs)+9)/10 {
		t.Errorf("%d findings of 50 or more in %d captures, want one in ten", warnings, len(dirs))
	}
}

// TestPprofTestdata: every file of google/pprof's own test data gives an answer or a clear error.
func TestPprofTestdata(t *testing.T) {
	for _, file := range pprofTestdata(t) {
		t.Run(filepath.Base(file), func(t *testing.T) {
			b, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			rep := diagnose.Run(t.Context(), diagnose.Input{Evidence: []diagnose.Evidence{{Name: filepath.Base(file), Data: b}}},
				diagnose.Options{})
			if len(rep.Read)+len(rep.Problems) != 1 || len(rep.Failed) > 0 {
				t.Errorf("read %v, problems %v, failed %v; want the file in one of the first two", rep.Read,
					rep.Problems, rep.Failed)
			}
			for _, p := range rep.Problems {
				if p.File == "" || p.Reason == "" || p.Next == "" {
					t.Errorf("problem %+v, want file, reason and next step", p)
				}
			}
		})
	}
}
