package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/app/store"
	"github.com/gocasebook/casebook/casefile"
)

// waiting is a case of forty goroutines that wait at a line.
func waiting(t *testing.T) *casefile.Folder {
	t.Helper()
	now := time.Now().UTC()
	w, err := casefile.Dir(t.TempDir()).Create(casefile.Case{Opened: now, Target: casefile.Target{Name: "shop"},
		Trigger: casefile.Trigger{Rule: "goroutines", Time: now, Text: "goroutines doubled"}})
	if err != nil {
		t.Fatal(err)
	}
	var dump strings.Builder
	for i := range 40 {
		fmt.Fprintf(&dump, "goroutine %d [chan receive, 9 minutes]:\nmain.(*catalogue).load(0xc000010000)\n"+
			"\t/src/shop/main.go:34 +0x1d\ncreated by main.serve in goroutine 1\n\t/src/shop/main.go:90 +0x2c\n\n", i+2)
	}
	if err := w.Add(casefile.Evidence{File: "during/goroutines.txt", Kind: casefile.GoroutineDump,
		Phase: casefile.During, Taken: now}, []byte(dump.String())); err != nil {
		t.Fatal(err)
	}
	f, err := w.Commit()
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// What comes to a server is checked against the evidence of its case, and the case stays as it is until the server
// keeps the opinion.
func TestCheckAnswer(t *testing.T) {
	f := waiting(t)
	verdictOf := func(function, diff string) string {
		t.Helper()
		text := fmt.Appendf(nil, `{"place":[{"function":%q}],"cause":"nobody sends any more","diff":%q}`, function,
			diff)
		o, err := checkAnswer(t.Context(), f, text, "ann")
		if err != nil || o.Author != "ann" || o.Given.IsZero() || o.Cause != "nobody sends any more" {
			t.Fatalf("the opinion is %+v, %v", o, err)
		}
		i := slices.IndexFunc(o.Reasons, func(r casefile.Reason) bool { return r.About == "place" })
		if i < 0 {
			t.Fatalf("nothing is said of the place: %+v", o.Reasons)
		}
		return o.Reasons[i].Verdict
	}
	if got := verdictOf("main.(*catalogue).load", ""); got != casefile.Supported {
		t.Errorf("the place that the evidence has is %s", got)
	}
	if got := verdictOf("main.(*catalogue).save",
		"--- a/x.go\n+++ b/x.go\n@@ -1 +1 @@\n-a\n+b\n"); got == casefile.Supported {
		t.Error("a place that no evidence has is supported")
	}
	for _, bad := range []string{"", "nothing", "{}", `{"cause":"x"}`} {
		if o, err := checkAnswer(t.Context(), f, []byte(bad), "ann"); !errors.Is(err, store.ErrInvalid) {
			t.Errorf("%q became %+v, %v", bad, o, err)
		}
	}
	own := `{"author":"bob","place":[{"function":"main.serve"}],"cause":"x"}`
	if o, err := checkAnswer(t.Context(), f, []byte(own), "ann"); err != nil || o.Author != "bob" {
		t.Errorf("the author is %q, %v", o.Author, err)
	}
	if now, err := casefile.Open(f.Path); err != nil || len(now.Case.Opinions) > 0 {
		t.Errorf("the case has %+v, %v", now.Case.Opinions, err)
	}
}
