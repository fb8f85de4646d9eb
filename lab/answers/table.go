package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/number"
)

// A Row is what the runs on one case come to, with what they were given; those of all cases have the name "all".
type Row struct {
	Case  string `json:"case"`
	Given string `json:"given"`
	Runs  int    `json:"runs"`

	Grades  map[grade]int  `json:"grades"`
	Checks  map[string]int `json:"checks"`  // by verdict; of answers that could be read
	Seconds float64        `json:"seconds"` // median
	Size    int            `json:"characters"`
	Tokens  int            `json:"tokens,omitempty"` // median of what the agent says that it read; 0 if it says nothing
	// Agreement is the share of runs that name the place that most name; of all cases the mean. -1: one run says
	// nothing of that.
	Agreement float64 `json:"agreement"`
}

// allCases is the name of the row of all.
const allCases = "all"

// rows are those of each case and of all, in the order in which they ran.
func rows(trials []Trial) (out []Row) {
	of := func(name, what string) (some []Trial) {
		for _, t := range trials {
			if t.Given == what && (name == allCases || t.Case == name) {
				some = append(some, t)
			}
		}
		return some
	}
	var names, kinds []string
	for _, t := range trials {
		names, kinds = appendNew(names, t.Case), appendNew(kinds, t.Given)
	}
	for _, what := range kinds {
		var agreed []float64
		for _, name := range names {
			some := of(name, what)
			if len(some) == 0 {
				continue
			}
			r := rowOf(name, what, some)
			if out = append(out, r); r.Agreement >= 0 {
				agreed = append(agreed, r.Agreement)
			}
		}
		all := rowOf(allCases, what, of(allCases, what))
		all.Agreement = mean(agreed)
		out = append(out, all)
	}
	return out
}

func appendNew(list []string, s string) []string {
	if slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}

func rowOf(name, what string, trials []Trial) Row {
	r := Row{Case: name, Given: what, Runs: len(trials), Grades: map[grade]int{}, Checks: map[string]int{}}
	var seconds, sizes, tokens []float64
	places := map[string]int{}
	for _, t := range trials {
		r.Grades[t.Grade]++
		seconds, sizes = append(seconds, t.Seconds), append(sizes, float64(t.Size))
		if t.Check != "" {
			r.Checks[t.Check]++
		}
		if t.Place != "" {
			places[t.Place]++
		}
		if t.Usage != nil {
			tokens = append(tokens, float64(t.Usage.read()))
		}
	}
	r.Seconds, r.Size, r.Tokens = median(seconds), int(median(sizes)), int(median(tokens))
	r.Agreement = agreement(places, len(trials))
	return r
}

// agreement is the share of runs that name the most frequent place.
func agreement(places map[string]int, runs int) float64 {
	if runs < 2 {
		return -1
	}
	most := 0
	for _, n := range places {
		most = max(most, n)
	}
	return float64(most) / float64(runs)
}

func mean(all []float64) float64 {
	if len(all) == 0 {
		return -1
	}
	sum := 0.0
	for _, v := range all {
		sum += v
	}
	return sum / float64(len(all))
}

func median(all []float64) float64 {
	if len(all) == 0 {
		return 0
	}
	slices.Sort(all)
	return (all[(len(all)-1)/2] + all[len(all)/2]) / 2
}

// verdicts are those of a check, in the order of the table.
func verdicts() []string {
	return []string{casefile.Supported, casefile.Unsupported, casefile.Contradicted}
}

// writeTable writes rows for people, and why there was no answer where there was none.
func writeTable(w io.Writer, all []Row, trials []Trial) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	var head []string
	for _, g := range grades() {
		head = append(head, string(g))
	}
	fmt.Fprintf(t, "case\tgiven\truns\t%s\t%s\tseconds\tcharacters\ttokens\tagree\n", strings.Join(head, "\t"),
		strings.Join(verdicts(), "\t"))
	for _, r := range all {
		fmt.Fprintf(t, "%s\t%s\t%d", r.Case, r.Given, r.Runs)
		for _, g := range grades() {
			fmt.Fprintf(t, "\t%d", r.Grades[g])
		}
		for _, v := range verdicts() {
			fmt.Fprintf(t, "\t%d", r.Checks[v])
		}
		tokens, agree := "-", "-"
		if r.Tokens > 0 {
			tokens = fmt.Sprint(r.Tokens)
		}
		if r.Agreement >= 0 {
			agree = number.Share(r.Agreement)
		}
		fmt.Fprintf(t, "\t%.1f\t%d\t%s\t%s\n", r.Seconds, r.Size, tokens, agree)
	}
	if err := t.Flush(); err != nil {
		return fmt.Errorf("writing the table: %w", err)
	}
	for _, x := range trials {
		if x.Problem != "" {
			fmt.Fprintf(w, "%s, %s, run %d: no answer: %s\n", x.Case, x.Given, x.Run, x.Problem)
		}
	}
	return nil
}
