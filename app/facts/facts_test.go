package facts_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/gocasebook/casebook/app/facts"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/internal/checkout"
	"github.com/gocasebook/casebook/internal/truth"
)

// input is the evidence of a recorded case.
func input(t testing.TB, name string) diagnose.Input {
	t.Helper()
	files := checkout.Case(t, name)
	var m struct {
		Build    casefile.Build      `json:"build"`
		Limits   casefile.Limits     `json:"limits"`
		Started  time.Time           `json:"started"`
		Triggers []casefile.Trigger  `json:"triggers"`
		Evidence []casefile.Evidence `json:"evidence"`
	}
	if err := json.Unmarshal(files["manifest.json"], &m); err != nil {
		t.Fatalf("%s/manifest.json: %v", name, err)
	}
	in := diagnose.Input{Build: m.Build, Limits: m.Limits, Started: m.Started, Triggers: m.Triggers}
	if len(m.Triggers) > 0 {
		in.Tripped = m.Triggers[0].Time
	}
	for _, e := range m.Evidence {
		in.Evidence = append(in.Evidence, diagnose.Evidence{Name: e.File, Kind: e.Kind, Phase: e.Phase, Taken: e.Taken,
			Seconds: e.Seconds, Data: files[e.File], Collected: e.Collected})
	}
	return in
}

func read(t testing.TB, in diagnose.Input) *facts.Sheet {
	t.Helper()
	s, _, err := facts.Read(context.Background(), in, facts.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// measured are the facts that say what the evidence shows of places, in their order: neither judgement nor signals.
func measured(s *facts.Sheet) []facts.Fact {
	return slices.DeleteFunc(slices.Clone(s.Facts), func(f facts.Fact) bool {
		return !slices.Contains(ofPlaces[:], f.Sort)
	})
}

// ofPlaces are the sorts of facts that were measured at places.
var ofPlaces = [...]facts.Sort{facts.Wait, facts.Hold, facts.Cost, facts.Machine}

// at is how many of some facts have to be read until one has a frame for which match is true; 0 where none has.
func at(fs []facts.Fact, match func(facts.Frame) bool) (n int, sort facts.Sort) {
	for i, f := range fs {
		for _, s := range f.Stacks {
			if slices.ContainsFunc(s.Frames, match) {
				return i + 1, f.Sort
			}
		}
	}
	return 0, ""
}

// TestPlaces holds that the place that is at fault, as people know it, is among the first facts, by a fact of the right
// sort: whoever reads them can name it.
func TestPlaces(t *testing.T) {
	for _, c := range []struct {
		name  string
		first int // how many measured facts are read
		sort  facts.Sort
		place string
	}{
		{"unseen-waits/devices", 1, facts.Wait, "main.(*bridge).onAlarm"},       // who could end it
		{"unseen-fourth/hooks", 1, facts.Hold, "main.(*hooks).run"},             // begun by it, in the standard library
		{"unseen-third/journal-watch", 2, facts.Hold, "main.(*journal).newest"}, // memory outside of Go
		{"goroutine_leak/faulty", 2, facts.Hold, ""},
		{"mem_leak/faulty", 2, facts.Hold, ""},
		{"timer_leak/faulty", 3, facts.Hold, ""},
		{"lock_held_io/faulty", 3, facts.Wait, ""},
		{"chan_bottleneck/faulty", 3, facts.Wait, ""},
		{"cpu_quadratic/faulty", 1, facts.Cost, ""},
		{"alloc_loop_invariant/faulty", 1, facts.Cost, ""},
		{"mem_off_heap/faulty", 2, facts.Hold, ""},
		{"lock_contention/faulty", 1, facts.Wait, ""},
		{"sched_hog/faulty", 1, facts.Cost, ""},
		{"holdout/turnstile", 1, facts.Cost, ""},
		{"holdout/sweeper", 3, facts.Cost, ""},
		{"holmes/alloc", 1, facts.Hold, ""},
		{"io_log/faulty", 2, facts.Wait, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			row := rows(t)[c.name]
			match := func(f facts.Frame) bool { return row.Names(f.Function) }
			if c.place != "" {
				match = func(f facts.Frame) bool { return f.Function == c.place }
			}
			fs := measured(read(t, input(t, c.name)))
			n, sort := at(fs, match)
			if n == 0 || n > c.first || c.sort != "" && sort != c.sort {
				t.Errorf("the place %s%v is in measured fact %d, of sort %q; want it in the first %d, of sort %q:\n%s",
					c.place, row.Places, n, sort, c.first, c.sort, texts(fs))
			}
		})
	}
}

// rows are what is true of the recorded cases.
func rows(t testing.TB) map[string]truth.Row {
	t.Helper()
	checkout.Need(t)
	table, err := truth.Read("../../diagnose/testdata/truth.tsv")
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func texts(fs []facts.Fact) string {
	var b strings.Builder
	for _, f := range fs[:min(len(fs), 8)] {
		fmt.Fprintf(&b, "  %s %.2f %s\n", f.ID, f.Harm, f.Text)
	}
	return b.String()
}

// TestUnseen holds the same of cases that were recorded for others: of those in which something is wrong at a place,
// nine in ten have it in the first five measured facts.
func TestUnseen(t *testing.T) {
	if testing.Short() {
		t.Skip("reads sixty cases")
	}
	all, first := 0, 0
	var late []string
	for name, row := range rows(t) {
		group, _, _ := strings.Cut(name, "/")
		place := len(row.Places) > 0 && row.Places[0] != "the process as a whole"
		if group != "unseen-waits" && group != "unseen-leaks" || row.Kinds[0] == "quiet" || !place {
			continue
		}
		all++
		n, _ := at(measured(read(t, input(t, name))), func(f facts.Frame) bool { return row.Names(f.Function) })
		if n > 0 && n <= 5 {
			first++
		} else {
			late = append(late, fmt.Sprintf("%s: %v is in fact %d", name, row.Places, n))
		}
	}
	if all < 30 || 10*first < 9*all {
		t.Errorf("%d of %d cases have the place in their first five facts; want nine in ten of 30 or more:\n%s", first,
			all, strings.Join(late, "\n"))
	}
}

// TestSheets holds what is true of any sheet.
func TestSheets(t *testing.T) {
	for _, name := range []string{"unseen-waits/devices", "mem_leak/faulty", "cpu_quota/faulty", "healthy/etcd-warm",
		"goroutine_stuck/faulty", "foreign/caddy-quota", "foreign/nats-slow", "unseen-leaks/rowsearly"} {
		t.Run(name, func(t *testing.T) {
			s := read(t, input(t, name))
			whole(t, s)
			again, err := json.Marshal(read(t, input(t, name)))
			if err != nil {
				t.Fatal(err)
			}
			if first, _ := json.Marshal(s); !bytes.Equal(first, again) {
				t.Errorf("the same evidence read twice gives\n%s\nand\n%s", first, again)
			}
		})
	}
}

// whole checks a sheet: its IDs, its order, its bounds, its numbers and its texts.
func whole(t *testing.T, s *facts.Sheet) {
	t.Helper()
	ids := make(map[string]bool)
	for i, f := range s.Facts {
		if ids[f.ID] {
			t.Errorf("two facts are %s", f.ID)
		}
		ids[f.ID] = true
		if i > 0 && s.Facts[i-1].Harm < f.Harm || f.Harm < 0 || f.Harm > 1 {
			t.Errorf("%s has a harm of %v, after %v; want them to fall, within 0 and 1", f.ID, f.Harm,
				s.Facts[max(i-1, 0)].Harm)
		}
		for _, b := range f.Bounds {
			if !(b.High >= 0 && b.High <= 1) || b.Resource == "" {
				t.Errorf("%s has the bound %+v; want a share of a resource", f.ID, b)
			}
		}
		for _, n := range f.Numbers {
			within := n.Low <= n.Value && n.Value <= n.High || n.Low == 0 && n.High == 0
			if n.Unit == "share" && !(n.Value >= 0 && n.Value <= 1) || !within {
				t.Errorf("%s has the number %+v; want shares within 0 and 1, and values within their doubt", f.ID, n)
			}
		}
		if f.Sort == facts.Felt || f.Sort == facts.Signal || slices.Contains(ofPlaces[:], f.Sort) {
			said(t, f)
		}
	}
	for _, f := range s.Facts {
		for _, of := range f.Of {
			if !ids[of] {
				t.Errorf("%s is of %s, which is no fact", f.ID, of)
			}
		}
	}
}

// said checks that every number in the words of a fact is one of its numbers. Names and places have digits, too: a word
// with a letter, a colon or a bracket in it is one.
func said(t *testing.T, f facts.Fact) {
	t.Helper()
	left := f.Text
	numbers := slices.Clone(f.Numbers)
	slices.SortFunc(numbers, func(a, b facts.Number) int { return len(b.String()) - len(a.String()) })
	for _, n := range numbers {
		left = strings.ReplaceAll(left, n.String(), "")
		left = strings.ReplaceAll(left, n.Name, "") // "process 4711 (backup)"
	}
	for word := range strings.FieldsSeq(left) {
		word = strings.Trim(word, ".,;")
		name := strings.ContainsFunc(word, unicode.IsLetter) || strings.ContainsAny(word, "():[]%")
		if strings.ContainsAny(word, "0123456789") && !name {
			t.Errorf("%s says %q, which is none of its numbers: %s", f.ID, word, f.Text)
		}
	}
}
