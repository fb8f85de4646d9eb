package main

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"

	"github.com/gocasebook/casebook/internal/number"
)

// printTop prints the lines that are ranked first, to be judged.
func printTop(name, src string, out []byte) error {
	var res struct {
		Reports []struct {
			Rank          int
			Check, File   string
			Line          int
			Message, Text string
			Share         float64
			By            string
		}
	}
	if err := json.Unmarshal(out, &res); err != nil {
		return err
	}
	for _, r := range res.Reports[:min(10, len(res.Reports))] {
		file, err := filepath.Rel(src, r.File)
		if err != nil {
			file = r.File
		}
		fmt.Printf("%s %d %s:%d %s %s of %s: %s\n\t%s\n", name, r.Rank, file, r.Line, r.Check, number.Share(r.Share), r.By,
			r.Message, r.Text)
	}
	fmt.Printf("%s: %s\n", name, number.Things(len(res.Reports), "report"))
	return nil
}

//go:embed judged.json
var judgedFile []byte

// A judgement is what an expert says of a ranked line, at the first look.
type judgement struct {
	Service string
	// With which profiles and checks: light load, first, after (learned from first), unseen, 3,000 ticks, "unseen, second"
	// (learned from unseen, on other services), "unseen, third" (learned from both), "unseen, fourth" (learned from all
	// three), "unseen, fifth" (learned from all four), "unseen, sixth" (from all five), "unseen, seventh" (from all six),
	// and "seen, after the fourth", "seen, after the sixth" and "seen, before the seventh": only the lines that are new
	// since, on services that the checks were made with.
	Run   string
	Rank  int
	Place string // file:line in the release
	Check string
	Share string
	Right bool // one would change it, or look at it, and the advice is what one would do
	Why   string
}

func (j judgement) good() bool { return j.Right }

//go:embed truth.json
var truthFile []byte

// A mistake is what an expert would change of a service of the fifth round, or of a later one. The list was written from
// the profiles and the source, before lint was run.
type mistake struct {
	Round   string // "": the fifth
	Service string
	Place   string
	Share   string // as go tool pprof says it
	What    string
	Said    string // the place of the report that says so among the first ten; "": none does
}

func (m mistake) good() bool { return m.Said != "" }

// printJudged prints how many were right, by run and service, by run and check, and what of the known mistakes was said.
func printJudged(out io.Writer) error {
	var all []judgement
	if err := json.Unmarshal(judgedFile, &all); err != nil {
		return fmt.Errorf("reading judged.json: %w", err)
	}
	tally(out, all, func(j judgement) string { return j.Run + ", " + j.Service })
	fmt.Fprintln(out)
	tally(out, all, func(j judgement) string { return j.Run + ", " + j.Check })
	fmt.Fprintln(out)
	tally(out, all, func(j judgement) string { return j.Run + ", together" })
	var known []mistake
	if err := json.Unmarshal(truthFile, &known); err != nil {
		return fmt.Errorf("reading truth.json: %w", err)
	}
	fmt.Fprintln(out)
	tally(out, known, func(m mistake) string { return "known mistakes that are said, " + m.Service })
	tally(out, known, func(m mistake) string { return "known mistakes that are said, " + cmp.Or(m.Round, "fifth") })
	return nil
}

// tally prints how many are good, of all that have the same name, in the order of the names' first.
func tally[T interface{ good() bool }](out io.Writer, all []T, name func(T) string) {
	var names []string
	n, good := make(map[string]int), make(map[string]int)
	for _, x := range all {
		of := name(x)
		if n[of]++; n[of] == 1 {
			names = append(names, of)
		}
		if x.good() {
			good[of]++
		}
	}
	for _, of := range names {
		fmt.Fprintf(out, "%s: %d of %d\n", of, good[of], n[of])
	}
}
