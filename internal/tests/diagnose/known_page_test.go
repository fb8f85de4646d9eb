package diagnose_test

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/internal/checkout"
	"github.com/gocasebook/casebook/internal/golden"
)

const knownPage = "../../../docs/known.md"

// TestKnownPage writes docs/known.md from the rows with -update, and fails when the page is out of date.
func TestKnownPage(t *testing.T) {
	checkout.Need(t)
	rows, err := known.Advices()
	if err != nil {
		t.Fatal(err)
	}
	golden.Is(t, knownPage, writeKnown(rows))
}

// knownHead has quotes where the page has backquotes.
const knownHead = `# What experts know of modules

    $ casebook known github.com/minio/minio-go/v7
    …
    An Object that is not closed keeps its goroutine and its response.
      ended by  (*Object).Close
      why       GetObject starts a goroutine that serves reads until Close or the
                end of the context.
      change    Write defer obj.Close() after GetObject.
      seen at   .(*Client).GetObject, .(*Client).GetObject.func1
      read in   github.com/minio/minio-go/v7 v7.4.1, api-get-object.go
    …

This page is for people who ask what Casebook knows of a module that they use. It knows %d things of %d modules and of
the standard library: defaults that bite, what must be closed, what is made once and kept, what grows, calls that cost
more than they look, and faults of releases. 'casebook known MODULE' prints them, with what to change and the file or page
where each was read; 'casebook known FUNCTION' those of a function as profiles name it.

A module that is merely there means nothing. A row speaks where a fact of the case stands at one of its functions: half
or more of the CPU (with what collecting its garbage takes) at a line, of the goroutines that wait, of the memory or
of the goroutines that stay. Then a finding that would advise the same in any program has the cause and the change of the
row instead, and one that knows the cause has that change behind its own. Two things rows find by themselves: what is
meant to be made once and takes 3 %% of the CPU again and again, and a second line of 15 %% of the CPU beside the hottest.
Without a case 'doctor', 'lint' and 'init' note releases with a known fault, and 'lint' defaults that the code leaves
([lint.md](lint.md#notes)).

Rows are files of text in 'diagnose/known/rows', of which 'cd lab && go run ./known pack' makes what the program has.
'cd lab && go run ./known check' downloads each module in the release in
which a row was read, and sees whether its functions, settings and files are there; that the advice is good, no tool
checks.

'go test ./internal/tests/diagnose -run TestKnownPage -update' writes this page. Do not edit it by hand.

| module | defaults | to be ended | made once | grows | costs | releases |
|---|---|---|---|---|---|---|
`

// sorts are the columns of the page.
var sorts = []known.About{known.AboutDefault, known.AboutEnd, known.AboutOnce, known.AboutGrowth, known.AboutCost,
	known.AboutFault}

func writeKnown(rows []*known.Advice) string {
	of := map[string]map[known.About]int{}
	for _, a := range rows {
		m := a.Modules[0].Path
		if of[m] == nil {
			of[m] = map[known.About]int{}
		}
		of[m][a.About]++
	}
	var b strings.Builder
	fmt.Fprintf(&b, strings.ReplaceAll(knownHead, "'", "`"), len(rows), len(of)-1)
	for _, m := range slices.Sorted(maps.Keys(of)) {
		name := m
		if m == known.Std {
			name = "the standard library"
		}
		fmt.Fprintf(&b, "| %s |", name)
		for _, sort := range sorts {
			if n := of[m][sort]; n > 0 {
				fmt.Fprintf(&b, " %d |", n)
				continue
			}
			b.WriteString(" |")
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// TestRowsArePacked: what the program has is what people wrote.
func TestRowsArePacked(t *testing.T) {
	want, err := known.PackRows(os.DirFS("../../../diagnose/known/rows"))
	if err != nil {
		t.Fatal(err)
	}
	if have, err := os.ReadFile("../../../diagnose/known/rows.gz"); err != nil || !bytes.Equal(have, want) {
		t.Errorf("diagnose/known/rows.gz is not of the files beside it (%v): cd lab && go run ./known pack", err)
	}
}
