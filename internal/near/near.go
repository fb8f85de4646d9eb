// Package near finds the names that a person may have meant by one that does not exist.
package near

import (
	"cmp"
	"slices"
	"strings"
)

const (
	most    = 5  // names, in an answer
	maxWord = 64 // bytes that are compared: no name is nearly as long
)

// Names are up to five names that a person may have meant by word, the nearest first: those that hold it or are held by
// it, and those a few typing errors away, whatever the case of the letters.
func Names(word string, names []string) []string {
	word = strings.ToLower(word)
	type candidate struct {
		name     string
		distance int
	}
	var found []candidate
	for _, name := range names {
		low := strings.ToLower(name)
		d := distance(word, low)
		inside := min(len(word), len(low)) > 2 && (strings.Contains(low, word) || strings.Contains(word, low))
		if inside || d <= 1+len(word)/4 {
			found = append(found, candidate{name, d})
		}
	}
	slices.SortStableFunc(found, func(a, b candidate) int { return cmp.Compare(a.distance, b.distance) })
	var out []string
	for _, c := range found[:min(len(found), most)] {
		out = append(out, c.name)
	}
	return out
}

// distance is how many bytes must be added, removed, replaced or swapped with their neighbour: the four errors of which
// Damerau (1964, "A technique for computer detection and correction of spelling errors") found one alone in 80 % of
// misspelt words.
func distance(a, b string) int {
	a, b = a[:min(len(a), maxWord)], b[:min(len(b), maxWord)]
	before, above, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before, above, row = above, row, before
		row[0] = i + 1
		for j := range len(b) {
			change := above[j]
			if a[i] != b[j] {
				change++
			}
			row[j+1] = min(change, above[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
	}
	return row[len(b)]
}
