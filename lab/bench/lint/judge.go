package main

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"slices"

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
	// three), and "seen, after the fourth": only the lines of checks that are new since, on the services that they were
	// made with.
	Run   string
	Rank  int
	Place string // file:line in the release
	Check string
	Share string
	Right bool // one would change it, or look at it, and the advice is what one would do
	Why   string
}

// printJudged prints how many were right, by run and service.
func printJudged(out io.Writer) error {
	var all []judgement
	if err := json.Unmarshal(judgedFile, &all); err != nil {
		return fmt.Errorf("reading judged.json: %w", err)
	}
	type set struct{ run, service string }
	var sets []set
	for _, j := range all {
		if s := (set{j.Run, j.Service}); !slices.Contains(sets, s) {
			sets = append(sets, s)
		}
	}
	for _, s := range sets {
		n, right := 0, 0
		for _, j := range all {
			if s != (set{j.Run, j.Service}) {
				continue
			}
			n++
			if j.Right {
				right++
			}
		}
		fmt.Fprintf(out, "%s, %s: %d of %d\n", s.run, s.service, right, n)
	}
	return nil
}
