package casefile

import (
	"bufio"
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gocasebook/casebook/internal/checkout"
	"github.com/gocasebook/casebook/internal/filetest"
)

// writeIndexes is the child of TestIndexKill: it writes the index of dir in an endless loop.
func writeIndexes(dir string) error {
	for {
		places, err := scan(dir)
		if err != nil {
			return err
		}
		x := openIndex(dir, later())
		for _, p := range places {
			if _, err := x.summary(p); err != nil {
				return err
			}
		}
		x.dead += indexWorth // as if that many cases had been removed
		x.save()
		fmt.Println("written")
	}
}

// TestIndexKill kills writers of the index with SIGKILL at random moments. They leave a whole index, the old one or the
// new one, and it agrees with the folder.
func TestIndexKill(t *testing.T) {
	moments := 40
	if testing.Short() {
		moments = 5
	}
	dir := t.TempDir()
	parts := func() int {
		found, err := filepath.Glob(filepath.Join(dir, partPrefix+"*"))
		if err != nil {
			t.Fatal(err)
		}
		return len(found)
	}
	for i := range 4 * indexWorth {
		plainCase(t, dir, i)
	}
	i := 0
	for ; i < moments || parts() == 0 && i < 20*moments; i++ { // one in ten comes while the file is written
		killedIndexer(t, dir, i)
		if fits := indexed(t, dir); fits != 4*indexWorth {
			t.Errorf("moment %d: %d entries of the index fit, want all %d", i, fits, 4*indexWorth)
		}
		plainCase(t, dir, 10_000+i) // and the killed one did not note everything
		wantTruth(t, dir, fmt.Sprint("moment ", i))
		if err := Dir(dir).Remove(newestID(t, dir)); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("attack: %d of %d kills came while the index was written; it was whole after each", parts(), i)
	if errs := clearLeftovers(dir, later()); errs != nil || parts() > 0 {
		t.Errorf("%d leftovers stay: %v", parts(), errs)
	}
}

func newestID(t *testing.T, dir string) string {
	t.Helper()
	list, err := scan(dir)
	if err != nil {
		t.Fatal(err)
	}
	return list[0].ID
}

func killedIndexer(t *testing.T, dir string, seed int) {
	t.Helper()
	random := rand.New(rand.NewPCG(uint64(seed), 2))
	cmd := filetest.Child(t, childVar, "index", dir)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for range 1 + random.IntN(3) {
		if !lines.Scan() {
			t.Error("the child ended on its own")
		}
	}
	time.AfterFunc(time.Duration(random.IntN(30_000))*time.Microsecond, func() { _ = cmd.Process.Kill() })
	for lines.Scan() { // until it is killed
	}
	_ = cmd.Wait() // killed, as the test wants
}

// Many processes that list and change one folder at the same time do not disturb each other, and leave an index that
// agrees with the folder.
func TestIndexAtTheSameTime(t *testing.T) {
	dir := t.TempDir()
	for i := range 4 * indexWorth {
		plainCase(t, dir, i)
	}
	var all sync.WaitGroup
	for worker := range 4 {
		all.Go(func() {
			for i := range 10 {
				if _, err := walkSummaries(dir, later(), func(Summary) bool { return true }); err != nil {
					t.Error(err)
				}
				if worker == 0 {
					plainCase(t, dir, 1000+i)
				}
				if worker == 1 {
					_ = os.Remove(filepath.Join(dir, indexName))
				}
			}
		})
	}
	all.Wait()
	wantTruth(t, dir, "afterwards")
	wantTruth(t, dir, "and again")
}

// BenchmarkDecode reads a case.json of ordinary size, and the one that costs the most memory of those that are
// accepted.
func BenchmarkDecode(b *testing.B) {
	ordinary := sampleCase()
	data, err := encode(&ordinary)
	if err != nil {
		b.Fatal(err)
	}
	worst := minimal[:len(minimal)-1] + `,"findings":[{}` + string(bytes.Repeat([]byte(",{}"), maxCaseCommas-2)) + `]}`
	for _, in := range []struct{ name, data string }{{"ordinary", string(data)}, {"worst", worst}} {
		b.Run("case="+in.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Decode([]byte(in.data)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// minimal is the shortest case.json.
const minimal = `{"schema":1,"id":"20261121T132512Z-gc-cpu-3f2a9c"}`

const someSum = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

// withEvidence is a case.json whose evidence is the given JSON.
func withEvidence(elements string) string {
	return strings.TrimSuffix(minimal, "}") + `,"evidence":[` + elements + `]}`
}

func fileJSON(name string) string {
	return `{"file":"` + name + `","kind":"cpu","phase":"during","bytes":1,"sha256":"` + someSum + `"}`
}

func TestEncodeDecode(t *testing.T) {
	want := sampleCase()
	data, err := encode(&want)
	if err != nil {
		t.Fatal(err)
	}
	got, err := Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("a case came back changed:\n%+v\nwant\n%+v", got, want)
	}
}

func TestEncodeWritesListsNotNull(t *testing.T) {
	c := Case{Schema: 1, ID: NewID(opened, "x"), Proof: &Proof{}, Opinions: []Opinion{{ID: "O1"}},
		Diagnosis: Diagnosis{Findings: []Finding{{ID: "GC001"}}}}
	data, err := encode(&c)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(data), "null") {
		t.Errorf("null in case.json:\n%s", data)
	}
	if c.Findings[0].Where != nil || c.Proof.Figures != nil || c.Evidence != nil ||
		c.Opinions[0].Where != nil {
		t.Error("encode changed the case it was given")
	}
}

func TestEncodeRefusesWhatDecodeWould(t *testing.T) {
	id := NewID(opened, "x")
	for name, c := range map[string]Case{
		"no ID":        {Schema: 1},
		"other schema": {Schema: 2, ID: id},
		"not a number": {Schema: 1, ID: id, Trigger: Trigger{Value: math.NaN()}},
		"traversal":    {Schema: 1, ID: id, Evidence: []Evidence{{File: "../x", Bytes: 1, SHA256: someSum}}},
		"too large":    {Schema: 1, ID: id, Tool: strings.Repeat("x", maxCaseBytes)},
		"total size": {Schema: 1, ID: id, Evidence: []Evidence{
			{File: "a", Bytes: MaxFileBytes, SHA256: someSum}, {File: "b", Bytes: MaxFileBytes, SHA256: someSum},
			{File: "c", Bytes: MaxFileBytes, SHA256: someSum}, {File: "d", Bytes: MaxFileBytes, SHA256: someSum},
			{File: "e", Bytes: 1, SHA256: someSum}}},
	} {
		if data, err := encode(&c); err == nil {
			t.Errorf("%s: encode wrote %.200s", name, data)
		}
	}
}

func FuzzDecode(f *testing.F) {
	whole := sampleCase()
	data, err := encode(&whole)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add([]byte(minimal))
	f.Add([]byte(withEvidence(fileJSON("a") + "," + fileJSON("b/c"))))
	f.Add([]byte(withEvidence(fileJSON("../x"))))
	f.Add([]byte(`{"schema":2}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := Decode(data)
		if err != nil {
			if !strings.Contains(err.Error(), caseName) {
				t.Errorf("the error does not name %s: %v", caseName, err)
			}
			return
		}
		again, err := encodeKeeping(data, &c, &c)
		if err != nil {
			return // a time zone that time.Time parses but does not write
		}
		back, err := Decode(again)
		if err != nil {
			t.Fatalf("what was read and written cannot be read: %v\n%s", err, again)
		}
		if len(back.Evidence) != len(c.Evidence) || len(back.Findings) != len(c.Findings) || back.ID != c.ID {
			t.Errorf("a case came back changed:\n%s\n%s", data, again)
		}
	})
}

const schemaDoc = "../docs/case.md"

// TestSchemaDocExample reads the example. It must be a case that this package could have written.
func TestSchemaDocExample(t *testing.T) {
	checkout.Need(t)
	doc, err := os.ReadFile(schemaDoc)
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?s)```json\n(.*?)```").FindAllSubmatch(doc, -1)
	if len(blocks) != 1 {
		t.Fatalf("%s has %d blocks of JSON, want the example alone", schemaDoc, len(blocks))
	}
	c, err := Decode(blocks[0][1])
	if err != nil {
		t.Fatal(err)
	}
	data, err := encode(&c)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Join(strings.Fields(string(data)), "") != strings.Join(strings.Fields(string(blocks[0][1])), "") {
		t.Errorf("the example is not what Casebook writes:\n%s", data)
	}
	if len(c.Evidence) == 0 || len(c.Findings) == 0 || c.Proof == nil || len(c.Missing) == 0 {
		t.Error("the example lacks evidence, a finding, a proof or something missing")
	}
}

func TestNewID(t *testing.T) {
	berlin := time.FixedZone("CET", 3600)
	at := time.Date(2026, 11, 21, 14, 25, 12, 999, berlin)
	for _, tt := range []struct{ rule, prefix string }{
		{"gc-cpu", "20261121T132512Z-gc-cpu-"},
		{"GC CPU > 25 %", "20261121T132512Z-gc-cpu-25-"},
		{"", "20261121T132512Z-case-"},
		{"../../etc", "20261121T132512Z-etc-"},
		{"größe\x00", "20261121T132512Z-gr-e-"},
		{strings.Repeat("a", 500), "20261121T132512Z-" + strings.Repeat("a", 40) + "-"},
		{strings.Repeat("a-", 500), "20261121T132512Z-" + strings.Repeat("a-", 20)},
	} {
		id := NewID(at, tt.rule)
		suffix, ok := strings.CutPrefix(id, tt.prefix)
		if !ok || len(suffix) != 6 || !isHex(suffix) {
			t.Errorf("NewID(%.20q) = %q, want %s and six hexadecimal digits", tt.rule, id, tt.prefix)
		}
		if !ValidID(id) {
			t.Errorf("NewID(%.20q) = %q, which ValidID refuses", tt.rule, id)
		}
	}
}
