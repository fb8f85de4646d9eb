package casefile_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/gocasebook/casebook"
	"github.com/gocasebook/casebook/casefile"
)

// opinions are two: one as a program writes it, with everything, and one as a person does.
func opinions() []casefile.Opinion {
	return []casefile.Opinion{
		{Author: "a program", Given: opened, Cause: "nobody receives", Change: "give it a buffer",
			Verdict: casefile.Supported,
			Where:   []casefile.At{{Function: "main.(*catalogue).load", File: "main.go", Line: 34}},
			Diff:    "--- a/main.go\n+++ b/main.go\n@@ -34 +34 @@\n-x\n+y\n", Rests: []string{"W1"},
			Gain: &casefile.Claim{Resource: "goroutines", Low: 0.5, High: 0.9},
			Reasons: []casefile.Reason{{Verdict: casefile.Supported, About: "place", Text: "W1 has it",
				Facts: []string{"W1"}}},
			Proof: &casefile.OpinionProof{Taken: opened, Verdict: casefile.Better, Summary: "fewer goroutines"}},
		{Author: "Ann", Given: opened, Cause: "the disk is slow", Verdict: casefile.Unsupported,
			Where: []casefile.At{{File: "store.go"}}},
	}
}

// withOpinions is a case that two have answered.
func withOpinions(t *testing.T, dir string) (f *casefile.Folder, want []casefile.Opinion) {
	t.Helper()
	f = mustCommit(t, dir, newCase(), map[string]string{"during/cpu.pb.gz": "x"})
	for i, o := range opinions() {
		var id string
		err := f.Update(func(c *casefile.Case) { id, _ = c.AddOpinion(o) })
		if err != nil || id != fmt.Sprintf("O%d", i+1) {
			t.Fatalf("the opinion became %q, %v", id, err)
		}
		o.ID = id
		want = append(want, o)
	}
	return f, want
}

// An opinion stays what it was, whatever is done with its case afterwards.
func TestOpinionsStay(t *testing.T) {
	f, want := withOpinions(t, t.TempDir())
	same := func(when string, f *casefile.Folder) {
		t.Helper()
		if !reflect.DeepEqual(f.Case.Opinions, want) {
			t.Errorf("%s the opinions are\n%+v\nwant\n%+v", when, f.Case.Opinions, want)
		}
	}
	same("as given,", wantVerified(t, f.Path))
	_ = casebook.Diagnose(t.Context(), f) // the evidence is none
	if len(f.Case.Undecided) == 0 {
		t.Error("the case was not diagnosed: the test proves nothing")
	}
	same("after another diagnosis", wantVerified(t, f.Path))
	if err := f.Update(func(c *casefile.Case) { c.Proof = &casefile.Proof{Summary: "a proof"} }); err != nil {
		t.Fatal(err)
	}
	same("after a proof", f)
	var zip bytes.Buffer
	if err := casefile.Export(f, &zip); err != nil {
		t.Fatal(err)
	}
	there, err := casefile.Dir(t.TempDir()).Import(bytes.NewReader(zip.Bytes()), int64(zip.Len()))
	if err != nil {
		t.Fatal(err)
	}
	same("elsewhere", wantVerified(t, there.Path))
	n := -1
	err = casefile.Dir(there.Path + "/..").WalkSummaries(func(s casefile.Summary) bool { n = s.Opinions; return true })
	if n != len(want) || err != nil {
		t.Errorf("the summary counts %d opinions, %v; want %d", n, err, len(want))
	}
}

// What a newer Casebook, or another program, adds to an opinion stays when another opinion comes.
func TestOpinionsKeepUnknownFields(t *testing.T) {
	f, _ := withOpinions(t, t.TempDir())
	data, err := f.Read("case.json")
	if err != nil {
		t.Fatal(err)
	}
	more := strings.Replace(string(data), `"author": "Ann"`, `"author": "Ann", "mood": "sure"`, 1)
	if err := os.WriteFile(filepath.Join(f.Path, caseName), []byte(more), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := f.Update(func(c *casefile.Case) { _, err = c.AddOpinion(opinions()[0]) }); err != nil {
		t.Fatal(err)
	}
	if data, _ = f.Read("case.json"); err != nil || !strings.Contains(string(data), `"mood": "sure"`) {
		t.Errorf("%v; the field is lost:\n%s", err, data)
	}
}

func TestOpinionIDs(t *testing.T) {
	c := casefile.Case{Opinions: []casefile.Opinion{{ID: "O2"}, {ID: "O99999999999999999999"}, {ID: "x"}}}
	for _, o := range []struct{ said, want string }{{"a", "O4"}, {"b", "O5"}, {"a", "O4"}} { // a is said twice
		id, err := c.AddOpinion(casefile.Opinion{ID: "O2", Cause: o.said, Verdict: o.want})
		if id != o.want || err != nil || c.Opinion(id).Verdict != o.want {
			t.Errorf("%s became %q, %v; want %s", o.said, id, err, o.want)
		}
	}
	if len(c.Opinions) != 5 {
		t.Errorf("there are %d opinions, want 5", len(c.Opinions))
	}
	if o := c.Opinion("O4"); o == nil || o != &c.Opinions[3] {
		t.Error("O4 is not found")
	}
	if c.Opinion("O1") != nil {
		t.Error("O1 is found, and the case has none")
	}
}

// Opinions leave room for a diagnosis and a proof.
func TestOpinionsAreBounded(t *testing.T) {
	for name, o := range map[string]casefile.Opinion{
		"bytes":  {Diff: strings.Repeat("x", 3<<20)},
		"commas": {Cause: strings.Repeat(",", 26_000)},
		"number": {},
	} {
		c := newCase()
		n := 0
		for ; n <= casefile.MaxOpinions; n++ {
			o.Author = fmt.Sprint(n)
			if _, err := c.AddOpinion(o); err != nil {
				break
			}
		}
		if len(c.Opinions) != n || n > casefile.MaxOpinions || (name == "number") != (n == casefile.MaxOpinions) {
			t.Errorf("%s: %d opinions were taken, and the case has %d", name, n, len(c.Opinions))
		}
	}
}

// The proof of an opinion's change is the opinion's. It is the case's where it cures a finding.
func TestOpinionProof(t *testing.T) {
	before := &casefile.Proof{Summary: "before"}
	finding := &casefile.Treated{ID: "GC003"}
	for _, c := range []struct {
		name   string
		proof  casefile.Proof
		cures  bool // it becomes the case's
		judges bool // it becomes the opinion's
	}{
		{"of a finding", casefile.Proof{Verdict: casefile.Worse, Finding: finding}, true, false},
		{"better, at a finding", casefile.Proof{Opinion: "O2", Verdict: casefile.Better, Finding: finding}, true, true},
		{"better, at none", casefile.Proof{Opinion: "O2", Verdict: casefile.Better}, false, true},
		{"worse, at a finding", casefile.Proof{Opinion: "O2", Verdict: casefile.Worse, Finding: finding}, false, true},
		{"of an opinion that is gone", casefile.Proof{Opinion: "O7", Verdict: casefile.Worse, Finding: finding},
			false, false},
	} {
		k := casefile.Case{Opinions: []casefile.Opinion{{ID: "O1"}, {ID: "O2"}}, Proof: before}
		c.proof.Summary, c.proof.Taken = "after", opened
		k.AddProof(&c.proof)
		if cured := k.Proof == &c.proof; cured != c.cures {
			t.Errorf("%s: it is the case's: %t, want %t", c.name, cured, c.cures)
		}
		want := casefile.OpinionProof{Taken: opened, Verdict: c.proof.Verdict, Summary: "after"}
		if o := k.Opinions[1]; (o.Proof != nil) != c.judges || c.judges && *o.Proof != want {
			t.Errorf("%s: the opinion has %+v, want it: %t", c.name, o.Proof, c.judges)
		}
		if k.Opinions[0].Proof != nil || k.Opinions[1].Proved() != (c.judges && c.proof.Verdict == casefile.Better) {
			t.Errorf("%s: the opinions are %+v", c.name, k.Opinions)
		}
	}
}
