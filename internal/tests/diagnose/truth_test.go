package diagnose_test

import (
	"encoding/json"
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/internal/checkout"
	"github.com/gocasebook/casebook/internal/race"
	"github.com/gocasebook/casebook/internal/truth"
)

// truthFile has a row for every recorded case: package truth.
const truthFile = "../../../diagnose/testdata/truth.tsv"

func truths(t *testing.T) map[string]truth.Row {
	t.Helper()
	checkout.Need(t)
	table, err := truth.Read(truthFile)
	if err != nil {
		t.Fatal(err)
	}
	return table
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
			plainTexts(t, &rep)
			wrong, now := row.Wrong(rep.Findings), truth.Answer(rep.Findings)
			switch {
			case !ok:
				t.Errorf("%s has no row for it; today's answer is %s", truthFile, now)
			case row.Miss != "" && wrong == "":
				t.Logf("right now: take %q out of its row in %s", row.Miss, truthFile)
			case row.Miss != "":
				missed++
				if now != row.Miss {
					t.Logf("still missed, and answered otherwise: %s, it was %s", now, row.Miss)
				}
				return
			case wrong != "":
				t.Errorf("%s: want %s at %s, %s, cure %q; got %s", wrong, row.Kinds, row.Places, row.Band, row.Cure, now)
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

// unplain are what no text for people has: a path as the linker escapes it, a version where a package's name stands,
// and a share outside of 0 to 100 %. cpu_share and memory_share are parts of limits, which may be passed.
var unplain = regexp.MustCompile(`%2e|(^|[^\w/.@-])v\d+\.[(A-Z]|` +
	`(^|_share |[^\d.,–])(10[1-9]|1[1-9]\d|[2-9]\d\d|\d{4,}|\d{1,3}(,\d{3})+|[−-]\d+)(\.\d+)? %`)

// plainTexts looks for these in all that an answer says; names of functions and files are data.
func plainTexts(t *testing.T, rep *diagnose.Report) {
	t.Helper()
	data, err := json.Marshal(rep)
	if err != nil {
		t.Fatal(err)
	}
	var all any
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	var walk func(key string, v any)
	walk = func(key string, v any) {
		switch v := v.(type) {
		case map[string]any:
			for key, v := range v {
				walk(key, v)
			}
		case []any:
			for _, v := range v {
				walk(key, v)
			}
		case string:
			at := unplain.FindString(v)
			switch lower := strings.ToLower(key); {
			case at == "" || strings.HasPrefix(at, "_share "):
			case strings.Contains(lower, "function") || strings.Contains(lower, "file"):
			default:
				t.Errorf("%s: %q has %q", key, v, at)
			}
		}
	}
	walk("", all)
}

// TestUnplain: what the expression takes for a slip and what it does not.
func TestUnplain(t *testing.T) {
	for text, slip := range map[string]bool{
		"at yaml%2ev3.(*Decoder).Decode": true, "At v7.(*Client).do": true, "what v4.ParseSigned makes": true,
		"936 % heap objects": true, "1,225 % live": true, "saves −8 % of": true, "101.5 % of": true,
		"at minio.(*Client).do": false, "v1.2.3 of minio-go/v7": false, "100 % by main.cache": false, "20–26 %": false,
		"append_v2.go": false, "99.9 % of": false,
	} {
		if got := unplain.MatchString(text); got != slip {
			t.Errorf("%q: a slip is %v, want %v", text, got, slip)
		}
	}
}

// TestTruth: what a row takes and what it does not.
func TestTruth(t *testing.T) {
	finding := func(kind, function string, score int, cure string) []casefile.Finding {
		return []casefile.Finding{{Kind: kind, Score: score, Where: []casefile.Frame{{Function: function}},
			Remedies: []casefile.Remedy{{Title: cure}}}}
	}
	leak := truth.Row{Kinds: []string{"mem-leak", "goroutine-leak"}, Places: []string{"main.(*hub).join"},
		Cure: "bound", Band: "warning"}
	quiet := truth.Row{Kinds: []string{"quiet"}, Band: "quiet"}
	for _, tt := range []struct {
		name  string
		row   truth.Row
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
		if got := tt.row.Wrong(tt.found); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}
