package cli_test

import (
	"path/filepath"
	"testing"

	"github.com/gocasebook/casebook/casefile"
)

// A proof of an opinion's change goes to the opinion, and counts for the finding at its place. Of CPU it closes no leak
// of goroutines, and says so.
func TestProveOpinion(t *testing.T) {
	t.Parallel()
	server, dir := buildServer(t), t.TempDir()
	id := oldCases(t, dir, 1, 1)[0]
	folder, err := casefile.Open(filepath.Join(dir, id))
	if err != nil {
		t.Fatal(err)
	}
	if err := folder.Update(func(c *casefile.Case) {
		c.Findings = []casefile.Finding{{ID: "GO001", Kind: "goroutine-leak", Title: "goroutines wait for ever",
			Score: 70,
			Where: []casefile.Frame{{Function: "main.(*shop).wait"}}, Impact: casefile.Impact{Resource: "goroutines",
				Share: 0.9}}}
		c.Opinions = []casefile.Opinion{{ID: "O1", Cause: "work is done twice", Verdict: casefile.Unsupported,
			Where: []casefile.At{{Function: "(*shop).wait"}}}}
	}); err != nil {
		t.Fatal(err)
	}
	args := short(server, "--a-args", "-rounds 300", "--b-args", "-rounds 100", "--profile", "-1s", "--case", id,
		"--dir", dir, "--opinion", "o1")
	casebook(t, t.TempDir(), args...).want(t, 0, "better", "The finding GO001 stays open: it is about goroutines",
		"--base")
	if folder, err = casefile.Open(folder.Path); err != nil {
		t.Fatal(err)
	}
	o := folder.Case.Opinion("O1")
	if o == nil || !o.Proved() || o.Proof.Summary == "" || o.Verdict != casefile.Unsupported {
		t.Errorf("the opinion is %+v", o)
	}
	p := folder.Case.Proof
	if p == nil || p.Opinion != "O1" || p.Finding == nil || p.Finding.ID != "GO001" {
		t.Errorf("the case has the proof %+v", p)
	}
	casebook(t, t.TempDir(), "case", "show", "--dir", dir).want(t, 0, "O1 UNSUPPORTED", "proof  better: ")
	casebook(t, t.TempDir(), "case", "ls", "--dir", dir).want(t, 0, "1 opinion\n")
}
