package cli

import (
	"cmp"
	"slices"
	"strings"
)

// maxNear is how many names a message offers.
const maxNear = 5

// near are the names that a person may have meant, the nearest first: those that hold the word or are held by it, and those a
// few typing errors away.
func near(word string, names []string) []string {
	word = strings.ToLower(word)
	type candidate struct {
		name     string
		distance int
	}
	var found []candidate
	for _, name := range names {
		d := distance(word, strings.ToLower(name))
		inside := len(word) > 2 && (strings.Contains(strings.ToLower(name), word) || strings.Contains(word, strings.ToLower(name)))
		if inside || d <= 1+len(word)/4 {
			found = append(found, candidate{name, d})
		}
	}
	slices.SortStableFunc(found, func(a, b candidate) int { return cmp.Compare(a.distance, b.distance) })
	var out []string
	for _, c := range found[:min(len(found), maxNear)] {
		out = append(out, c.name)
	}
	return out
}

// maxWord bounds the work of distance: no name is nearly as long.
const maxWord = 64

// distance is the Levenshtein distance in bytes.
func distance(a, b string) int {
	a, b = a[:min(len(a), maxWord)], b[:min(len(b), maxWord)]
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
