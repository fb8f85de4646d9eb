package rule

import (
	"slices"
	"strings"

	"github.com/gocasebook/casebook/vitals"
)

// unknownSignal says which names were near an unknown one, or all of them.
func unknownSignal(name string, catalog *vitals.Catalog) string {
	var all []string
	for _, s := range catalog.Signals() {
		all = append(all, s.Name)
	}
	text := "unknown signal \"" + clip([]byte(name)) + "\"; "
	if near := nearNames(name, all); len(near) > 0 {
		return text + "near it: " + strings.Join(near, ", ")
	}
	return text + "known: " + strings.Join(all, ", ")
}

// nearNames are up to five names that a person may have meant: those a few letters away, and those that have the name as
// a part, the nearest first.
func nearNames(name string, all []string) []string {
	if name == "" || len(name) > 60 {
		return nil
	}
	type candidate struct {
		name string
		far  int
	}
	var near []candidate
	for _, s := range all {
		far := distance(name, s)
		if far <= 1+len(name)/4 || len(name) > 2 && strings.Contains(s, name) || strings.Contains(name, s) {
			near = append(near, candidate{s, far})
		}
	}
	slices.SortStableFunc(near, func(a, b candidate) int { return a.far - b.far })
	var names []string
	for _, c := range near[:min(len(near), 5)] {
		names = append(names, c.name)
	}
	return names
}

// distance is Levenshtein's: how many bytes must be added, removed or replaced.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j+1]+1, row[j]+1)
		}
	}
	return row[len(b)]
}
