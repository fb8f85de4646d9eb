// Package truth reads diagnose/testdata/truth.tsv and judges answers by it.
//
// The table has a row for every recorded case: what is wrong with the program, where, what cures it, and how bad it is;
// "quiet" when nothing is. It is written by people. Nothing rewrites it: who finds another answer prints the row that
// this would be, for somebody to judge. Words and scores to the point are not in it, because they are no truth. The
// recorded case is judged by it, and the same program when it runs (lab/field).
package truth

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/casefile"
)

// WorthKnowing is the lowest score of a finding that says something.
const WorthKnowing = 25

// A Row is what is true of a case.
type Row struct {
	Name   string
	Kinds  []string // any of them first; "quiet": none that is worth knowing
	Places []string // any of them among the first two places; none: the process as a whole, or several
	Cure   string   // a word of one of the first two remedies; "": not asked
	Band   string
	Miss   string // today's answer where that is not the truth
}

// bands overlap by ten points and more, so that a score that moves a little is no news.
var bands = map[string][2]int{
	"quiet": {0, WorthKnowing - 1}, "tolerated": {0, 49}, "notice": {WorthKnowing - 10, 59}, "warning": {40, 84},
	"critical": {65, 100}, "notice+": {WorthKnowing, 100},
}

// Read reads the table, by the names of the cases.
func Read(file string) (map[string]Row, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	table := make(map[string]Row)
	for line := range strings.Lines(string(data)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		row := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(row) != 6 || bands[row[4]] == [2]int{} || table[row[0]].Name != "" {
			return nil, fmt.Errorf("%s: %q is no row, or the second of its case", file, line)
		}
		r := Row{Name: row[0], Kinds: strings.Split(row[1], "|"), Cure: strings.TrimPrefix(row[3], "-"), Band: row[4],
			Miss: strings.TrimPrefix(row[5], "-")}
		if row[2] != "-" {
			r.Places = strings.Split(row[2], "|")
		}
		table[r.Name] = r
	}
	return table, nil
}

// Wrong says what of an answer is not the truth; "" where all is.
func (r Row) Wrong(found []casefile.Finding) string {
	band, quiet := bands[r.Band], r.Kinds[0] == "quiet"
	if len(found) == 0 || found[0].Score < min(WorthKnowing, max(band[0], 1)) {
		if quiet || r.Band == "tolerated" {
			return ""
		}
		return "nothing is found"
	}
	f := found[0]
	switch {
	case f.Score < band[0] || f.Score > band[1]:
		return fmt.Sprintf("the score is %d", f.Score)
	case !quiet && !slices.Contains(r.Kinds, f.Kind):
		return "the kind is another"
	case len(r.Places) > 0 && !slices.ContainsFunc(f.Where[:min(2, len(f.Where))], r.blames):
		return "the place is another"
	case !r.cured(f):
		return "the cure is another"
	}
	return ""
}

func (r Row) blames(w casefile.Frame) bool { return r.Names(w.Function) }

// Names reports whether the name of a function ends as a place of the row, without its literals and type arguments.
func (r Row) Names(function string) bool {
	name := plainName(function)
	return slices.ContainsFunc(r.Places, func(place string) bool {
		rest, ok := strings.CutSuffix(name, place)
		return ok && (rest == "" || strings.HasSuffix(rest, ".") || strings.HasSuffix(rest, "/") ||
			strings.HasSuffix(rest, "("))
	})
}

// anonymous is what the compiler adds to the name of a function for a literal, a go statement or a range in it.
var anonymous = regexp.MustCompile(`(\.func\d+(\.\d+)*|\.gowrap\d+|-range\d+)+$`)

// plainName is a function's name without its package's path, its literals and its type arguments.
func plainName(name string) string {
	name = strings.ReplaceAll(anonymous.ReplaceAllString(name, ""), "[...]", "")
	return name[strings.LastIndexByte(name, '/')+1:]
}

func (r Row) cured(f casefile.Finding) bool {
	return r.Cure == "" || slices.ContainsFunc(f.Remedies[:min(2, len(f.Remedies))], func(m casefile.Remedy) bool {
		return strings.Contains(strings.ToLower(m.Title+" "+m.Text), strings.ToLower(r.Cure))
	})
}

// Answer is what a row would have of an answer.
func Answer(found []casefile.Finding) string {
	if len(found) == 0 || found[0].Score < WorthKnowing {
		return "quiet"
	}
	f, place := found[0], "-"
	if len(f.Where) > 0 {
		place = plainName(f.Where[0].Function)
	}
	return f.Kind + "@" + place
}
