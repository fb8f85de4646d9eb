package diagnose

import (
	"bytes"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/checkout"
	"github.com/gocasebook/casebook/vitals"
)

// recordedLead reads the vitals of testdata/leads, of which it is known what follows what.
func recordedLead(t *testing.T, form string) *Reading {
	t.Helper()
	checkout.Need(t)
	data, err := checkout.Evidence(t).ReadFile("forms/leads/" + form + ".jsonl")
	if err != nil {
		t.Fatal(err)
	}
	r, _ := read(t.Context(), Input{Evidence: []Evidence{{Name: form, Data: data}}})
	return r
}

// TestRecordedLeads: what follows what, and after how long, is known of the program of testdata/leads. What a machine
// that many share has blurred may stay unsaid, but nothing may be said the wrong way round.
func TestRecordedLeads(t *testing.T) {
	const cause, effect = vitals.HTTPRate, vitals.CPU
	for _, c := range []struct {
		form    string
		by      time.Duration // 0: neither leads
		blurred bool
	}{
		{"flush", 2 * time.Second, false},
		{"archive", 5 * time.Second, true},
		{"backlog", 20 * time.Second, true},
		{"apart", 0, false},
	} {
		t.Run(c.form, func(t *testing.T) {
			r := recordedLead(t, c.form)
			text, back := orderOf(r, cause, effect), orderOf(r, effect, cause)
			t.Logf("%s → %s%q, %s → %s%q", cause, effect, text, effect, cause, back)
			for _, l := range leaders(r, effect) {
				t.Logf("%s leads by %v: %s", l.id, l.By, leadBasis(l.Lead))
				if c.by == 0 || (l.By-c.by).Abs() > c.by/2 {
					t.Errorf("%s leads by %v, want %v", l.id, l.By, c.by)
				}
			}
			if strings.Contains(text, "against") || c.by == 0 && text+back != "" {
				t.Errorf("%q and %q, want nothing against what is known", text, back)
			}
			if c.by > 0 && !c.blurred && (!strings.Contains(text, "http_rate moved "+seconds(c.by.Seconds())+" before") ||
				!strings.Contains(back, "speaks against this link")) {
				t.Errorf("%q and %q, want a lead of %v", text, back, c.by)
			}
		})
	}
}

// longVitals are the vitals of recorded cases that are long enough for a lead, by case.
func longVitals(t *testing.T) map[string]*Reading {
	t.Helper()
	out := make(map[string]*Reading)
	for _, dir := range caseFolders(t) {
		in := loadCase(t, dir)
		var own []Evidence
		for _, e := range in.Evidence {
			if e.Kind == casefile.Vitals || bytes.HasPrefix(e.Data, []byte(`{"schema":1,"units":{`)) {
				own = append(own, e)
			}
		}
		in.Evidence = own
		if r, _ := read(t.Context(), in); len(r.Vitals) >= 60 {
			out[dir] = r
		}
	}
	if len(out) < 20 {
		t.Fatalf("%d cases with 60 samples, want 20 or more", len(out))
	}
	return out
}

// TestFalseLeads counts leads among signals of recorded cases that cannot have any: one of the two is turned round by a
// random time, which is longer than any lead, or its values are shuffled. By the increments one pair in a hundred may
// say something, and of a case, for which all signals are asked at once, one in a hundred. Levels that change within
// half a minute of each other are no rarer than that: they say which was first, and not that they are related.
func TestFalseLeads(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	var all falseLeads
	long := longVitals(t)
	for range 4 {
		for _, dir := range slices.Sorted(maps.Keys(long)) {
			for _, turn := range []bool{true, false} {
				was := all.wrong
				all.count(long[dir].Vitals, turned(random, long[dir].Vitals, turn))
				if all.wrong > was {
					t.Log(dir, turn, len(long[dir].Vitals))
				}
			}
		}
	}
	share := func(n int) float64 { return 100 * float64(n) / float64(all.pairs) }
	t.Logf("of %d pairs without a relation the increments of %d say one leads if these two are asked (%.3f %%), of %d if "+
		"all signals of a case are (%.4f %%), in %d of %d cases; %d have levels in an order (%.2f %%)", all.pairs,
		all.single, share(all.single), all.whole, share(all.whole), all.wrong, all.cases, all.levels, share(all.levels))
	byChance := float64(all.cases) / 100
	byChance += 3 * math.Sqrt(byChance)
	if all.pairs < 5000 || share(all.single) > 1 || float64(all.wrong) > byChance || share(all.levels) > 5 {
		t.Errorf("want 1 %% at most, in no more than %.1f cases, and 5 %% of levels", byChance)
	}
}

// falseLeads are counts of pairs that have no relation.
type falseLeads struct{ pairs, single, whole, levels, cases, wrong int }

func (c *falseLeads) count(samples, other []vitals.Sample) {
	said := c.whole
	ys := tracks(other)
	for a, x := range tracks(samples) {
		for b, y := range ys {
			if a == b {
				continue
			}
			c.pairs++
			switch l, ok := x.Leads(y, leadMost, 1); {
			case ok && l.Lag != nil:
				c.single++
				if l, ok := x.Leads(y, leadMost, vitals.NumSignals); ok && l.Lag != nil { // which asks for more
					c.whole++
				}
			case ok:
				c.levels++
			}
		}
	}
	if c.cases++; c.whole > said {
		c.wrong++
	}
}

func tracks(samples []vitals.Sample) map[vitals.ID]*vitals.Track {
	all := make(map[vitals.ID]*vitals.Track)
	for id := range vitals.ID(vitals.NumSignals) {
		if t, ok := vitals.NewTrack(samples, id); ok {
			all[id] = &t
		}
	}
	return all
}

// turned are samples whose values are at other times: turned round by a third of them or more, or shuffled.
func turned(random *rand.Rand, samples []vitals.Sample, turn bool) []vitals.Sample {
	out := make([]vitals.Sample, len(samples))
	by := len(samples)/3 + random.IntN(len(samples)/3)
	order := random.Perm(len(samples))
	for i := range samples {
		from := order[i]
		if turn {
			from = (i + by) % len(samples)
		}
		out[i] = samples[from]
		out[i].Time = samples[i].Time
	}
	return out
}

// TestLedBy: the picture of a trip says what moved before the signal by which a rule tripped.
func TestLedBy(t *testing.T) {
	r := recordedLead(t, "flush")
	texts := strings.Join(ledBy(r, "cpu"), "; ")
	if !strings.Contains(texts, "http_") || !strings.Contains(texts, "2 s before it (rank correlation") {
		t.Errorf("before cpu moves %q, want the requests, 2 s", texts)
	}
	if got := ledBy(r, "cpu_pressure"); got != nil {
		t.Errorf("before a mean over ten seconds moves %q", got)
	}
	if got := ledBy(r, "no such signal"); got != nil {
		t.Errorf("of an unknown signal: %q", got)
	}
}
