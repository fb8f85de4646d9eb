package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/gocasebook/casebook/lab/trial"
)

// printRow prints what came of one service, over several lines when something is wrong.
func printRow(w io.Writer, j trial.Judgement) {
	verdict := "ok  "
	if !j.OK() {
		verdict = "FAIL"
	}
	fmt.Fprintf(w, "%s  %-13s %s\n", verdict, j.Name, strings.Join(words(j), "; "))
	if j.First != "" {
		fmt.Fprintf(w, "      first finding: %s\n", j.First)
	}
	if j.Later != "" && !j.OK() {
		fmt.Fprintf(w, "      right later:   %s\n", j.Later)
	}
	if j.Err != "" {
		fmt.Fprintf(w, "      error: %s\n", j.Err)
	}
}

// words say what was right and what was wrong.
func words(j trial.Judgement) []string {
	var all []string
	for _, t := range j.Early {
		all = append(all, "false alarm: "+t.String()+" ("+t.Text+")")
	}
	for _, a := range j.Alarms {
		all = append(all, "false finding: "+a)
	}
	switch {
	case j.Healthy && len(all) == 0 && j.Err == "":
		return []string{"healthy, and nothing was said"}
	case j.Healthy:
		return all
	case j.Trip == nil:
		return append(all, fmt.Sprintf("certain at %.0f s; nothing tripped", j.Certain.Seconds()))
	}
	all = append(all, fmt.Sprintf("certain at %.0f s; %v", j.Certain.Seconds(), *j.Trip))
	for _, c := range []struct {
		ok   bool
		text string
	}{{j.OnTime, "too late"}, {j.Place, "wrong place"}, {j.Remedy, "wrong remedy"}} {
		if !c.ok {
			all = append(all, c.text)
		}
	}
	return all
}

// columns is the format of a line of the table.
const columns = "%-13s %9s %9s  %-28s %-6s %-6s %s\n"

// printTable prints the totals behind a line a service.
func printTable(w io.Writer, all []trial.Judgement) {
	var sick, tripped, placed, right, healthy, quiet int
	fmt.Fprintf(w, "\n"+columns, "service", "certain", "tripped", "rule", "place", "remedy", "all")
	for _, j := range all {
		row(w, j)
		if j.Healthy {
			healthy++
			quiet += count(j.OK())
			continue
		}
		sick++
		tripped += count(j.OnTime)
		placed += count(j.OnTime && j.Place)
		right += count(j.OK())
	}
	fmt.Fprintf(w, "\n%d sick: %d tripped within a minute, %d of them named the right place first, "+
		"%d the right remedy too and without a false alarm\n", sick, tripped, placed, right)
	fmt.Fprintf(w, "%d healthy: of %d nothing was said\n", healthy, quiet)
}

func row(w io.Writer, j trial.Judgement) {
	certain, at, rule := "healthy", "-", "-"
	trip := j.Trip
	if !j.Healthy {
		certain = fmt.Sprintf("%.0f s", j.Certain.Seconds())
	} else if len(j.Early) > 0 {
		trip = &j.Early[0]
	}
	if trip != nil {
		at, rule = fmt.Sprintf("%.0f s", trip.At.Seconds()), trip.Rule
	}
	place, remedy := yes(j.Place), yes(j.Remedy)
	if j.Healthy {
		place, remedy = "", ""
	}
	fmt.Fprintf(w, columns, j.Name, certain, at, rule, place, remedy, yes(j.OK()))
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}
