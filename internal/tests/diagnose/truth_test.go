package diagnose_test

import (
	"fmt"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/checkout"
	"github.com/gocasebook/casebook/internal/race"
)

// truthFile has a row for every recorded case: what is wrong with the program, where, what cures it, and how bad it is;
// "quiet" when nothing is. It is written by people. Nothing rewrites it: a test that fails prints the row that today's
// answer would be, for somebody to judge. Words and scores to the point are not in it, because they are no truth.
const truthFile = "../../../diagnose/testdata/truth.tsv"

// A truth is a row.
type truth struct {
	name   string
	kinds  []string // any of them first; "quiet": none that is worth knowing
	places []string // any of them among the first two places; none: the process as a whole, or several
	cure   string   // a word of one of the first two remedies; "": not asked
	band   string
	miss   string // today's answer where that is not the truth
}

// bands overlap by ten points and more, so that a score that moves a little is no news.
var bands = map[string][2]int{
	"quiet": {0, worthKnowing - 1}, "tolerated": {0, 49}, "notice": {worthKnowing - 10, 59}, "warning": {40, 84},
	"critical": {65, 100}, "notice+": {worthKnowing, 100},
}

func truths(t *testing.T) map[string]truth {
	t.Helper()
	checkout.Need(t)
	data, err := os.ReadFile(truthFile)
	if err != nil {
		t.Fatal(err)
	}
	table := make(map[string]truth)
	for line := range strings.Lines(string(data)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		row := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(row) != 6 || bands[row[4]] == [2]int{} || table[row[0]].name != "" {
			t.Fatalf("%s: %q is no row, or the second of its case", truthFile, line)
		}
		r := truth{name: row[0], kinds: strings.Split(row[1], "|"), cure: strings.TrimPrefix(row[3], "-"), band: row[4],
			miss: strings.TrimPrefix(row[5], "-")}
		if row[2] != "-" {
			r.places = strings.Split(row[2], "|")
		}
		table[r.name] = r
	}
	return table
}

// wrong says what of an answer is not the truth; "" where all is.
func (r truth) wrong(found []casefile.Finding) string {
	band, quiet := bands[r.band], r.kinds[0] == "quiet"
	if len(found) == 0 || found[0].Score < min(worthKnowing, max(band[0], 1)) {
		if quiet || r.band == "tolerated" {
			return ""
		}
		return "nothing is found"
	}
	f := found[0]
	switch {
	case f.Score < band[0] || f.Score > band[1]:
		return fmt.Sprintf("the score is %d", f.Score)
	case !quiet && !slices.Contains(r.kinds, f.Kind):
		return "the kind is another"
	case len(r.places) > 0 && !slices.ContainsFunc(f.Where[:min(2, len(f.Where))], r.blames):
		return "the place is another"
	case !r.cured(f):
		return "the cure is another"
	}
	return ""
}

// blames: the name of a function ends as a place of the row, without its literals and type arguments.
func (r truth) blames(w casefile.Frame) bool {
	name := plainName(w.Function)
	return slices.ContainsFunc(r.places, func(place string) bool {
		rest, ok := strings.CutSuffix(name, place)
		return ok && (rest == "" || strings.HasSuffix(rest, ".") || strings.HasSuffix(rest, "/") ||
			strings.HasSuffix(rest, "("))
	})
}

// anonymous is what the compiler adds to the name of a function for a literal, a go statement or a range in it.
var anonymous = regexp.MustCompile(`(\.func\d+(\.\d+)*|\.gowrap\d+|-range\d+)+$`)

// plainName is a function's name without its package's path, its literals and its type arguments.
func plainName(name string) string {
	name = strings.ReplaceAll(anonymous.ReplaceAllString(name, ""), "[...]", "")
	return name[strings.LastIndexByte(name, '/')+1:]
}

func (r truth) cured(f casefile.Finding) bool {
	return r.cure == "" || slices.ContainsFunc(f.Remedies[:min(2, len(f.Remedies))], func(m casefile.Remedy) bool {
		return strings.Contains(strings.ToLower(m.Title+" "+m.Text), strings.ToLower(r.cure))
	})
}

// answer is what a row would have of an answer.
func answer(found []casefile.Finding) string {
	if len(found) == 0 || found[0].Score < worthKnowing {
		return "quiet"
	}
	f, place := found[0], "-"
	if len(f.Where) > 0 {
		place = plainName(f.Where[0].Function)
	}
	return f.Kind + "@" + place
}

// TestCases holds every recorded case to its row. A case whose row is a miss may stay as it is; where it gets right, or
// gives another answer, that is printed, and the row is to be changed. The race detector sees the first case of each
// group: what the detectors share, each kind of evidence asks for.
func TestCases(t *testing.T) {
	table := truths(t)
	right, missed, last := 0, 0, ""
	for _, name := range checkout.Cases(t) {
		row, ok := table[name]
		delete(table, name)
		group := path.Dir(name)
		if race.Enabled && group == last {
			continue
		}
		last = group
		t.Run(name, func(t *testing.T) {
			rep := judge(t, name)
			if len(rep.Failed) > 0 {
				t.Fatalf("detectors failed: %v", rep.Failed)
			}
			wrong, now := row.wrong(rep.Findings), answer(rep.Findings)
			switch {
			case !ok:
				t.Errorf("%s has no row for it; today's answer is %s", truthFile, now)
			case row.miss != "" && wrong == "":
				t.Logf("right now: take %q out of its row in %s", row.miss, truthFile)
			case row.miss != "":
				missed++
				if now != row.miss {
					t.Logf("still missed, and answered otherwise: %s, it was %s", now, row.miss)
				}
				return
			case wrong != "":
				t.Errorf("%s: want %s at %s, %s, cure %q; got %s", wrong, row.kinds, row.places, row.band, row.cure, now)
				for i, f := range rep.Findings {
					t.Logf("%d. %s %d: %s %v %v", i+1, f.Kind, f.Score, f.Title, f.Where[:min(2, len(f.Where))],
						titles(f.Remedies))
				}
				return
			}
			right++
		})
	}
	for name := range table {
		t.Errorf("%s has a row for %s, which is not recorded", truthFile, name)
	}
	t.Logf("%d right, %d missed", right, missed)
}

// TestTruth: what a row takes and what it does not.
func TestTruth(t *testing.T) {
	finding := func(kind, function string, score int, cure string) []casefile.Finding {
		return []casefile.Finding{{Kind: kind, Score: score, Where: []casefile.Frame{{Function: function}},
			Remedies: []casefile.Remedy{{Title: cure}}}}
	}
	leak := truth{kinds: []string{"mem-leak", "goroutine-leak"}, places: []string{"main.(*hub).join"}, cure: "bound",
		band: "warning"}
	quiet := truth{kinds: []string{"quiet"}, band: "quiet"}
	for _, tt := range []struct {
		name  string
		row   truth
		found []casefile.Finding
		want  string
	}{
		{"the truth", leak, finding("mem-leak", "example.com/x/main.(*hub).join", 74, "Bound it"), ""},
		{"a literal of the place", leak, finding("mem-leak", "main.(*hub).join.func1.2", 74, "Bound it"), ""},
		{"ten points less", leak, finding("mem-leak", "main.(*hub).join", 42, "Bound it"), ""},
		{"a notice", leak, finding("mem-leak", "main.(*hub).join", 30, "Bound it"), "the score is 30"},
		{"another kind", leak, finding("timer-leak", "main.(*hub).join", 60, "Bound it"), "the kind is another"},
		{"another place", leak, finding("mem-leak", "main.(*hub).rejoin", 60, "Bound it"), "the place is another"},
		{"another that ends so", leak, finding("mem-leak", "xmain.(*hub).join", 60, "Bound it"), "the place is another"},
		{"another cure", leak, finding("mem-leak", "main.(*hub).join", 60, "Restart it"), "the cure is another"},
		{"nothing", leak, nil, "nothing is found"},
		{"nothing of a quiet one", quiet, nil, ""},
		{"little of a quiet one", quiet, finding("mem-leak", "main.f", worthKnowing-1, ""), ""},
		{"something of a quiet one", quiet, finding("mem-leak", "main.f", worthKnowing, ""), "the score is 25"},
	} {
		if got := tt.row.wrong(tt.found); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}
