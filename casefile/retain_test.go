package casefile

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
)

const mib = 1 << 20

// ago is a case of a rule, opened some hours before the pruning. Its ID is its rule and its age.
func ago(hours int, rule string, score int, bytes int64) Keepsake {
	return Keepsake{ID: fmt.Sprintf("%s-%d", rule, hours), Scores: map[string]int{rule: score},
		Since: opened.Add(-time.Duration(hours) * time.Hour), Bytes: bytes}
}

func imported(c Keepsake) Keepsake {
	c.Imported = true
	return c
}

func pinned(c Keepsake) Keepsake {
	c.Pinned = true
	return c
}

func fixedCase(id string, bytes int64) Keepsake { return Keepsake{ID: id, Bytes: bytes, Fixed: true} }

func TestRetentionDrops(t *testing.T) {
	five := []Keepsake{ // the last is the first of its rule, the fourth is the worst
		ago(1, "a", 50, mib), ago(2, "a", 10, mib), ago(3, "a", 40, mib), ago(4, "a", 90, mib), ago(5, "a", 0, mib),
	}
	for _, tt := range []struct {
		name  string
		keep  Retention
		cases []Keepsake
		want  string // IDs
	}{
		{"nothing there", Retention{MaxCases: 1}, nil, ""},
		{"within all limits", Retention{MaxCases: 5, MaxBytes: 5 * mib, MaxAge: 5 * time.Hour}, five, ""},
		{"one too many", Retention{MaxCases: 4}, five, "a-3"},
		{"two too many", Retention{MaxCases: 3}, five, "a-3 a-2"},
		{"first, worst and newest stay", Retention{MaxCases: 1}, five, "a-3 a-2"},
		{"a byte too much", Retention{MaxBytes: 5*mib - 1}, five, "a-3"},
		{"too old", Retention{MaxAge: 90 * time.Minute}, five, "a-3 a-2"},
		{"as old as the limit", Retention{MaxAge: 2 * time.Hour}, five, "a-3"},
		{"no limits", KeepAll(), append([]Keepsake{ago(24*365, "a", 1, 1<<40)}, five...), ""},
		{"defaults: age", Retention{}, []Keepsake{ago(24*40, "a", 0, 1), ago(24*31, "a", 0, 1), ago(24*30, "a", 0, 1),
			ago(1, "a", 0, 1)}, "a-744"},
		{"defaults: bytes", Retention{}, []Keepsake{ago(4, "a", 0, 1), ago(3, "a", 0, 1<<29), ago(2, "a", 0, 1<<29),
			ago(1, "a", 0, 1)}, "a-3"},
		{"each rule has its own first and worst", Retention{MaxCases: 1},
			[]Keepsake{ago(9, "a", 1, 1), ago(8, "b", 1, 1), ago(7, "a", 9, 1), ago(6, "b", 2, 1), ago(5, "a", 8, 1),
				ago(4, "b", 1, 1), ago(3, "a", 1, 1)},
			"a-5 b-4"},
		{"of equally bad ones the earliest is the worst", Retention{MaxCases: 1},
			[]Keepsake{ago(4, "a", 1, 1), ago(3, "a", 9, 1), ago(2, "a", 9, 1), ago(1, "a", 1, 1)}, "a-2"},
		{"what is pinned stays, and is the first and the worst", Retention{MaxCases: 1},
			[]Keepsake{pinned(ago(5, "a", 9, 1)), pinned(ago(4, "a", 1, 1)), ago(3, "a", 1, 1), ago(2, "a", 8, 1),
				ago(1, "a", 1, 1)}, "a-3 a-2"},
		{"a case may be the first of one finding and the worst of another", Retention{MaxCases: 1},
			[]Keepsake{{ID: "x", Scores: map[string]int{"a": 1, "b": 9}, Since: opened.Add(-4)},
				{ID: "y", Scores: map[string]int{"a": 5, "b": 1}, Since: opened.Add(-3)},
				{ID: "z", Scores: map[string]int{"a": 5}, Since: opened.Add(-2)}, {ID: "none", Since: opened.Add(-2)},
				{ID: "newest", Since: opened}}, "none z"},
		{"what is fixed counts and stays", Retention{MaxCases: 5},
			append([]Keepsake{fixedCase("x", 1), fixedCase("y", 1)}, five...), "a-3 a-2"},
		{"what is fixed is no first, worst or newest", Retention{MaxCases: 1},
			[]Keepsake{fixedCase("x", 1), ago(2, "a", 1, 1), ago(1, "a", 1, 1)}, ""},
		{"the newest stays although it alone is too large", Retention{MaxBytes: mib},
			[]Keepsake{ago(3, "a", 1, 1), ago(2, "a", 1, 1), ago(1, "a", 1, 9*mib)}, "a-2"},
		{"an imported case is no first and no worst", Retention{MaxCases: 1},
			[]Keepsake{imported(ago(9, "a", 99, 1)), ago(8, "a", 1, 1), ago(7, "a", 9, 1), imported(ago(6, "z", 1, 1)),
				ago(1, "a", 1, 1)}, "a-9 z-6"},
		{"a case that was just imported is the newest", Retention{MaxCases: 1},
			[]Keepsake{ago(8, "a", 9, 1), ago(7, "a", 1, 1), imported(ago(0, "a", 1, 1))}, "a-7"},
		{"a clock that was set back drops nothing for its age", Retention{MaxAge: time.Minute},
			[]Keepsake{ago(-1, "a", 0, 1), ago(-2, "a", 0, 1), ago(-3, "a", 0, 1)}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := names(tt.keep.Drop(tt.cases, opened)); got != tt.want {
				t.Errorf("drop = %q, want %q", got, tt.want)
			}
		})
	}
}

func names(cases []Keepsake) string {
	var ids []string
	for _, c := range cases {
		ids = append(ids, c.ID)
	}
	return strings.Join(ids, " ")
}

// TestRetentionProperties checks the promises of retention on 3,000 random folders.
func TestRetentionProperties(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	var dropped, over int
	for i := range 3000 {
		cases, keep := randomCases(rng), Retention{
			MaxBytes: int64(rng.IntN(40)-2) * mib, MaxAge: time.Duration(rng.IntN(90)-2) * time.Hour,
			MaxCases: rng.IntN(40) - 2,
		}
		out := keep.Drop(cases, opened)
		dropped += len(out)
		left := slices.DeleteFunc(slices.Clone(cases), func(c Keepsake) bool {
			return slices.ContainsFunc(out, func(o Keepsake) bool { return o.ID == c.ID })
		})
		if len(left)+len(out) != len(cases) {
			t.Fatalf("%d: %d cases, dropped %q", i, len(cases), names(out))
		}
		for _, c := range out {
			if why := mustStay(c, cases); why != "" {
				t.Errorf("%d: dropped %s, which is %s", i, c.ID, why)
			}
		}
		if !slices.IsSortedFunc(out, func(a, b Keepsake) int { return a.Since.Compare(b.Since) }) {
			t.Errorf("%d: not the oldest first: %q", i, names(out))
		}
		if exceeds(keep, left) {
			over++
			for _, c := range left {
				if mustStay(c, cases) == "" {
					t.Errorf("%d: above the limits, and yet %s was kept", i, c.ID)
				}
			}
		}
		if n := len(out); n > 0 && !exceeds(keep, append(left, out[n-1])) {
			t.Errorf("%d: %s was dropped without need", i, out[n-1].ID)
		}
		if again := keep.Drop(left, opened); len(again) > 0 {
			t.Errorf("%d: dropped %q at once and %q when asked again", i, names(out), names(again))
		}
		rng.Shuffle(len(cases), func(a, b int) { cases[a], cases[b] = cases[b], cases[a] })
		if other := keep.Drop(cases, opened); names(other) != names(out) {
			t.Errorf("%d: dropped %q, and %q of the same cases in another order", i, names(out), names(other))
		}
	}
	if dropped < 3000 || over < 100 || over > 2900 {
		t.Errorf("the folders are too tame: %d cases dropped, %d of 3000 stayed above their limits", dropped, over)
	}
}

func randomCases(rng *rand.Rand) []Keepsake {
	var cases []Keepsake
	for i := range rng.IntN(50) {
		c := ago(rng.IntN(100), string(rune('a'+rng.IntN(3))), rng.IntN(5)*20, int64(rng.IntN(3))*mib/2)
		c.ID = fmt.Sprintf("%s-%d", c.ID, i)
		if rng.IntN(10) == 0 {
			c.Fixed = true
		}
		c.Imported, c.Pinned = rng.IntN(5) == 0, rng.IntN(10) == 0
		cases = append(cases, c)
	}
	return cases
}

// mustStay says why pruning must keep c, by looking at every other case.
func mustStay(c Keepsake, cases []Keepsake) string {
	first, worst, newest := true, true, true
	for _, o := range cases {
		if o.Fixed || o.ID == c.ID {
			continue
		}
		older := o.Since.Before(c.Since) || o.Since.Equal(c.Since) && o.ID < c.ID
		if !older {
			newest = false
		}
		if o.Imported {
			continue
		}
		for rule, score := range c.Scores { // one
			other, same := o.Scores[rule]
			if same && older {
				first = false
			}
			if same && (other > score || other == score && older) {
				worst = false
			}
		}
	}
	switch {
	case c.Fixed:
		return "fixed"
	case c.Pinned:
		return "pinned"
	case first && !c.Imported:
		return "the first of its rule"
	case worst && !c.Imported:
		return "the worst of its rule"
	case newest:
		return "the newest of all"
	}
	return ""
}

// exceeds is the definition of Retention, for limits that are not the defaults.
func exceeds(keep Retention, cases []Keepsake) bool {
	keep = keep.withDefaults()
	old := slices.ContainsFunc(cases, func(c Keepsake) bool {
		return !c.Fixed && opened.Sub(c.Since) > keep.MaxAge && mustStay(c, cases) == ""
	})
	return keep.MaxCases > 0 && len(cases) > keep.MaxCases || keep.MaxBytes > 0 && sumBytes(cases) > keep.MaxBytes ||
		keep.MaxAge > 0 && old
}

func TestRetentionIsValidated(t *testing.T) {
	for _, tt := range []struct {
		keep Retention
		want []string
	}{
		{Retention{}, nil},
		{KeepAll(), nil},
		{Retention{MaxBytes: 1 << 20, MaxAge: time.Minute, MaxCases: 1}, nil},
		{Retention{MaxBytes: 1024}, []string{"field MaxBytes is 1024"}},
		{Retention{MaxBytes: 1, MaxAge: 30}, []string{"field MaxBytes is 1;", "field MaxAge is 30ns"}},
	} {
		err := tt.keep.Validate()
		if (err == nil) != (tt.want == nil) {
			t.Errorf("%+v: %v, want %q", tt.keep, err, tt.want)
		}
		for _, want := range tt.want {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%+v: %v, want %q in it", tt.keep, err, want)
			}
		}
	}
}
