package casefile

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/internal/race"
)

// plainCase writes a case as a folder that is there already, without waiting for the disk. serial tells it from others.
func plainCase(t testing.TB, dir string, serial int) string {
	t.Helper()
	c := newCase()
	c.Opened = opened.Add(time.Duration(serial) * time.Second)
	c.Schema, c.ID = Schema, NewID(c.Opened, "gc-cpu")
	writeCase(t, dir, &c)
	return c.ID
}

func writeCase(t testing.TB, dir string, c *Case) {
	t.Helper()
	data, err := encode(c)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, c.ID)
	if err := os.MkdirAll(path, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(path, caseName), data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// truth is Summaries of a folder that has no index.
func truth(t *testing.T, dir string) []Summary {
	t.Helper()
	entries, err := scan(dir)
	if err != nil {
		t.Fatal(err)
	}
	var list []Summary
	for i := range entries {
		s, err := summarize(entries[i])
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, s)
	}
	return list
}

// summaries is what WalkSummaries gives at a time t.
func summaries(dir string, now time.Time) (list []Summary, unmeasured, err error) {
	unmeasured, err = walkSummaries(dir, now, func(s Summary) bool {
		list = append(list, s)
		return true
	})
	return list, unmeasured, err
}

// wantTruth wants the index, later, to give what the folder holds.
func wantTruth(t *testing.T, dir string, when string) {
	t.Helper()
	got, unmeasured, err := summaries(dir, later())
	if err != nil || unmeasured != nil {
		t.Fatalf("%s: %v, %v", when, err, unmeasured)
	}
	want := truth(t, dir)
	for i := range min(len(got), len(want)) {
		if fmt.Sprint(got[i].Err) == fmt.Sprint(want[i].Err) {
			got[i].Err, want[i].Err = nil, nil
		}
		if !reflect.DeepEqual(got[i], want[i]) {
			t.Fatalf("%s: of %s the index says\n%+v, the folder\n%+v", when, want[i].ID, got[i], want[i])
		}
	}
	if len(got) != len(want) {
		t.Fatalf("%s: the index gives %d cases, the folder %d", when, len(got), len(want))
	}
}

// later is a time when everything that was just written has settled.
func later() time.Time { return time.Now().Add(time.Hour) }

// indexed counts the entries of the index that agree with the folder.
func indexed(t *testing.T, dir string) int {
	t.Helper()
	entries, err := scan(dir)
	if err != nil {
		t.Fatal(err)
	}
	x, n := openIndex(dir, later()), 0
	for i := range entries {
		if _, fits := x.look(entries[i]); fits {
			n++
		}
	}
	return n
}

// aged gives a case's folder and case.json times of their own. Between the steps of this test no time passes; in life,
// two seconds do.
func aged(t *testing.T, path string, serial int) {
	t.Helper()
	at := opened.Add(time.Duration(serial) * time.Minute)
	for _, name := range []string{path, filepath.Join(path, caseName)} {
		if err := os.Chtimes(name, at, at); err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
	}
}

// TestIndexProperties does to a folder everything that Casebook or a person may do to one. At every moment the index
// must agree with the folder.
func TestIndexProperties(t *testing.T) {
	race.Skip(t)
	seeds, steps := 4, 60
	if testing.Short() {
		seeds = 2
	}
	used := 0
	for seed := range seeds {
		rng, dir := rand.New(rand.NewPCG(uint64(seed), 7)), t.TempDir()
		for i := range 2 * indexWorth {
			plainCase(t, dir, i)
		}
		for step := range steps {
			what := disturb(t, rng, dir, 1000*(seed+1)+step)
			if rng.IntN(3) > 0 {
				wantTruth(t, dir, fmt.Sprintf("seed %d, step %d, after %s", seed, step, what))
			}
			used += indexed(t, dir)
		}
	}
	if used < seeds*steps*indexWorth {
		t.Errorf("the index was hardly used: %d times", used)
	}
}

// disturb changes something and returns what it did.
func disturb(t *testing.T, rng *rand.Rand, dir string, serial int) string {
	t.Helper()
	list, err := scan(dir)
	if err != nil {
		t.Fatal(err)
	}
	e := list[rng.IntN(len(list))]
	must := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	steps := []struct {
		name string
		do   func()
	}{
		{"a new case", func() { plainCase(t, dir, serial) }},
		{"forty new cases", func() {
			for i := range 40 {
				plainCase(t, dir, 100*serial+i)
			}
		}},
		{"an update", func() {
			f, err := Open(e.Path)
			if err == nil {
				must(f.Update(func(c *Case) {
					c.Findings = append(c.Findings, Finding{ID: "GC001", Title: fmt.Sprint(serial),
						Score: rng.IntN(100)})
				}))
			}
		}},
		{"a page", func() { must((&Folder{Path: e.Path}).AddFile("report.html", make([]byte, 1+serial))) }},
		{"a page that goes", func() { _ = os.Remove(filepath.Join(e.Path, "report.html")) }},
		{"a removal", func() { must(Dir(dir).Remove(e.ID)) }},
		{"removals", func() {
			_, err := Dir(dir).Prune(Retention{MaxCases: 40}, later())
			must(err)
		}},
		{"damage in place", func() { _ = os.Truncate(filepath.Join(e.Path, caseName), int64(rng.IntN(50))) }},
		{"a lost case.json", func() { _ = os.Remove(filepath.Join(e.Path, caseName)) }},
		{"a copy over it", func() {
			c := newCase()
			c.Schema, c.ID, c.Opened = Schema, e.ID, opened.Add(time.Duration(serial)*time.Hour)
			writeCase(t, dir, &c)
		}},
		{"a case under another name", func() {
			must(os.Rename(e.Path,
				filepath.Join(dir, NewID(opened, fmt.Sprint("r", serial)))))
		}},
		{"an unfinished case", func() { must(os.Rename(e.Path, filepath.Join(dir, tmpPrefix+e.ID))) }},
		{"an index that is gone", func() { _ = os.Remove(filepath.Join(dir, indexName)) }},
		{"a damaged index", func() { damageIndex(t, rng, dir) }},
	}
	s := steps[rng.IntN(len(steps))]
	if e.Unfinished {
		s = steps[0]
	}
	s.do()
	aged(t, e.Path, serial)
	return s.name
}

func damageIndex(t *testing.T, rng *rand.Rand, dir string) {
	t.Helper()
	path := filepath.Join(dir, indexName)
	data, err := os.ReadFile(path)
	if err != nil {
		return
	}
	switch rng.IntN(3) {
	case 0:
		data = data[:rng.IntN(len(data))]
	case 1: // one digit of a score or a size
		data[rng.IntN(len(data))] ^= 1
	case 2:
		data = bytes.Replace(data, []byte(indexVersion), []byte("casebook-index-0"), 1)
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// What changed a moment ago is not put in the index: the next change might have the same time.
func TestIndexWaitsUntilCasesSettle(t *testing.T) {
	dir := t.TempDir()
	for i := range 2 * indexWorth {
		plainCase(t, dir, i)
	}
	if err := Dir(dir).WalkSummaries(func(Summary) bool { return true }); err != nil ||
		exists(filepath.Join(dir, indexName)) {
		t.Errorf("cases of this moment are in an index (%v)", err)
	}
	wantTruth(t, dir, "later")
	if n := indexed(t, dir); n != 2*indexWorth {
		t.Errorf("later the index has %d cases, want %d", n, 2*indexWorth)
	}
}

// A folder with few cases has no index, and one more case does not rewrite an index.
func TestIndexIsWrittenWhenWorthIt(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, indexName)
	for i := range indexWorth - 1 {
		plainCase(t, dir, i)
	}
	wantTruth(t, dir, "few cases")
	if exists(path) {
		t.Error("a few cases have an index")
	}
	plainCase(t, dir, 100)
	wantTruth(t, dir, "enough cases")
	before, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	plainCase(t, dir, 101)
	wantTruth(t, dir, "one more")
	if after, err := os.Stat(path); err != nil || !os.SameFile(before, after) {
		t.Errorf("one more case wrote the index again (%v)", err)
	}
	if _, err := Dir(dir).Prune(Retention{MaxCases: 1}, later()); err != nil {
		t.Fatal(err)
	}
	wantTruth(t, dir, "hardly any left")
	if n := len(openIndex(dir, later()).known); n > 2 {
		t.Errorf("the index has %d cases of a folder with hardly any", n)
	}
}

// An index from elsewhere, none at all, or something else in its place is read anew and does no harm.
func TestIndexThatIsNone(t *testing.T) {
	for name, put := range map[string]func(path string) error{
		"another folder's": func(path string) error {
			other := t.TempDir()
			for i := range 2 * indexWorth {
				plainCase(t, other, 500+i)
			}
			wantTruth(t, other, "another folder")
			return os.Rename(filepath.Join(other, indexName), path)
		},
		"a folder":     func(path string) error { return os.MkdirAll(filepath.Join(path, "x"), 0o700) },
		"a link":       func(path string) error { return os.Symlink("/dev/zero", path) },
		"nothing":      func(path string) error { return os.WriteFile(path, nil, 0o600) },
		"a head alone": func(path string) error { return os.WriteFile(path, []byte(indexHead(nil)+"\n"), 0o600) },
		"not lines of JSON": func(path string) error {
			body := []byte("{\n[]\n1e999\n\"\"\n{\"id\":5}\n")
			return os.WriteFile(path, append([]byte(indexHead(body)+"\n"), body...), 0o600)
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			for i := range 2 * indexWorth {
				plainCase(t, dir, i)
			}
			if err := put(filepath.Join(dir, indexName)); err != nil {
				t.Fatal(err)
			}
			wantTruth(t, dir, "first")
			wantTruth(t, dir, "second")
			if n := indexed(t, dir); n != 2*indexWorth && name != "a folder" {
				t.Errorf("the index then has %d cases, want all", n)
			}
		})
	}
}

// Texts of several megabytes are left out of lists and of the index.
func TestSummaryIsShort(t *testing.T) {
	dir := t.TempDir()
	c := newCase()
	c.Schema, c.ID = Schema, NewID(opened, "gc-cpu")
	long := strings.Repeat("ä", 100_000)
	c.Target.Name, c.Trigger.Text, c.Trigger.Rule = long, long, long
	c.Findings = []Finding{{Title: long, Score: 7}, {Score: 70}}
	writeCase(t, dir, &c)
	for i := range indexWorth {
		plainCase(t, dir, i)
	}
	wantTruth(t, dir, "long texts")
	list, _, err := summaries(dir, later())
	if err != nil {
		t.Fatal(err)
	}
	s := list[slices.IndexFunc(list, func(s Summary) bool { return s.ID == c.ID })]
	if len(s.Target) != maxSummaryText || len(s.Title) != maxSummaryText || s.Score != 7 || s.Worst != 70 ||
		s.Findings != 2 || s.Rule != long {
		t.Errorf("the summary has %d bytes of a name, %d of a title, scores %d and %d, %d of a rule",
			len(s.Target), len(s.Title), s.Score, s.Worst, len(s.Rule))
	}
	if data, err := os.ReadFile(filepath.Join(dir, indexName)); err != nil || len(data) > indexWorth*2000 {
		t.Errorf("the index has %d bytes (%v)", len(data), err)
	}
}

// FuzzIndex reads any index with a valid checksum beside the same folder. An entry that does not agree with the folder
// must be ignored.
func FuzzIndex(f *testing.F) {
	dir := f.TempDir()
	id := plainCase(f, dir, 1)
	want, err := summarize(place{ID: id, Path: filepath.Join(dir, id)})
	if err != nil {
		f.Fatal(err)
	}
	text, err := json.Marshal(indexEntry{Summary: want})
	if err != nil {
		f.Fatal(err)
	}
	f.Add([]byte(id + " " + string(text)))
	f.Add([]byte("{}\n{}"))
	f.Fuzz(func(t *testing.T, body []byte) {
		if err := os.WriteFile(filepath.Join(dir, indexName), append([]byte(indexHead(body)+"\n"), body...),
			0o600); err != nil {
			t.Fatal(err)
		}
		got, unmeasured, err := summaries(dir, time.Now())
		if err != nil || unmeasured != nil || len(got) != 1 || !reflect.DeepEqual(got[0], want) {
			t.Fatalf("%+v, %v, %v", got, unmeasured, err)
		}
	})
}

// update decodes raw, applies change and encodes, as Folder.Update does.
func update(t *testing.T, raw string, change func(*Case)) string {
	t.Helper()
	old, err := Decode([]byte(raw))
	if err != nil {
		t.Fatal(err)
	}
	next, err := Decode([]byte(raw))
	if err != nil {
		t.Fatal(err)
	}
	change(&next)
	data, err := encodeKeeping([]byte(raw), &old, &next)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Decode(data); err != nil {
		t.Fatalf("what Update wrote cannot be read: %v\n%s", err, data)
	}
	return strings.Join(strings.Fields(string(data)), "")
}

func TestUpdateKeepsUnknownFields(t *testing.T) {
	head := strings.TrimSuffix(minimal, "}")
	for _, tt := range []struct {
		name, raw string
		change    func(*Case)
		want      []string
		wantNot   []string
	}{
		{"at the top", head + `,"owner":"ops","big":12345678901234567890}`, func(c *Case) { c.Tool = "v2" },
			[]string{`"owner":"ops"`, `"big":12345678901234567890`, `"tool":"v2"`}, nil},
		{"in an object", head + `,"target":{"name":"a","zone":{"id":7}}}`, func(c *Case) { c.Target.Name = "b" },
			[]string{`"zone":{"id":7}`, `"name":"b"`}, nil},
		{"in list elements that stay, not in one that changes",
			withEvidence(strings.Replace(fileJSON("a"), "}", `,"x":1}`, 1) + "," +
				strings.Replace(fileJSON("b"), "}", `,"y":2}`, 1)),
			func(c *Case) { c.Evidence[0].Note = "new" }, []string{`"y":2`, `"note":"new"`}, []string{`"x":1`}},
		{"in list elements that move", head + `,"missing":[{"kind":"a","x":1},{"kind":"b","y":2}]}`,
			func(c *Case) { c.Missing = c.Missing[1:] }, []string{`"kind":"b","phase":"","reason":"","y":2`},
			[]string{`"x":1`}},
		{"known fields that go, go", head + `,"tool":"v1","owner":"ops"}`, func(c *Case) { c.Tool = "" },
			[]string{`"owner"`}, []string{`"tool"`}},
		{"a known field in other letters is known", head + `,"Tool":"v1","TARGET":{"PID":0}}`,
			func(c *Case) { c.Tool, c.Target.PID = "v2", 5 },
			[]string{`"tool":"v2"`, `"pid":5`}, []string{`"Tool"`, `"TARGET"`, `"PID"`}},
		{"null where a list was", head + `,"findings":null,"x":1}`, func(*Case) {}, []string{`"findings":[]`, `"x":1`},
			nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := update(t, tt.raw, tt.change)
			for _, want := range tt.want {
				if !strings.Contains(got, want) {
					t.Errorf("want %s in %s", want, got)
				}
			}
			for _, not := range tt.wantNot {
				if strings.Contains(got, not) {
					t.Errorf("want no %s in %s", not, got)
				}
			}
		})
	}
}

func TestUpdateWithoutUnknownFieldsKeepsTheOrder(t *testing.T) {
	if got := update(t, minimal, func(*Case) {}); !strings.HasPrefix(got, `{"schema":1,"id":`) {
		t.Errorf("case.json begins %.60s, want schema and id first", got)
	}
}

func TestCheckName(t *testing.T) {
	for _, good := range []string{"cpu.pb.gz", "during/cpu.pb.gz", "a-b_c+d=1.txt", "A", strings.Repeat("a", 200)} {
		if err := checkName(good); err != nil {
			t.Errorf("checkName(%q) = %v", good, err)
		}
	}
	for _, bad := range []string{
		"", ".", "..", "/", "/etc/passwd", "../x", "a/../x", "a/..", "a//b", "a/", "./a", "a/.", ".hidden", "a/.b",
		"a.",
		`a\b`, `..\x`, "C:x", "a b", "a\x00b", "a\nb", "ä", "a?", "a*", "<a>", `"a"`, strings.Repeat("a", 201),
	} {
		if checkName(bad) == nil {
			t.Errorf("checkName(%q) accepts it", bad)
		}
	}
}

func TestNameSet(t *testing.T) {
	for _, tt := range []struct {
		name  string
		taken []string
		want  string // part of the error; "": no error
	}{
		{"cpu.pb.gz", nil, ""},
		{"cpu.pb.gz", []string{"heap.pb.gz"}, ""},
		{"cpu.pb.gz", []string{"cpu.pb.gz"}, "already taken"},
		{"CPU.pb.gz", []string{"cpu.pb.gz"}, "already taken"},
		{"case.json", nil, "already taken"},
		{"Case.JSON", nil, "already taken"},
		{"case.json/a", nil, `"case.json" is a file`},
		{"during/heap", []string{"during/cpu"}, ""},
		{"during", []string{"during/cpu"}, "already taken"},
		{"during/cpu", []string{"during"}, `"during" is a file`},
		{"a/b/c", []string{"A/b"}, `"a/b" is a file`},
	} {
		names := newNameSet()
		for _, n := range tt.taken {
			if err := names.take(n); err != nil {
				t.Fatal(err)
			}
		}
		err := names.take(tt.name)
		if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q after %q: %v, want an error with %q", tt.name, tt.taken, err, tt.want)
		}
	}
}
