package shop

import (
	"net/http"
	"strings"
)

// An index has the products of every word, in rising order. It does not change once it is made.
type index struct {
	words map[string][]int32
}

func newIndex(all []product) *index {
	x := &index{words: make(map[string][]int32)}
	for i, p := range all {
		for word := range strings.FieldsSeq(p.Name) {
			x.words[word] = append(x.words[word], int32(i))
		}
	}
	return x
}

// maxHits is how many products a search answers with.
const maxHits = 10

// find is the first products that have all words.
func (x *index) find(query string) []int32 {
	hits := make([]int32, 0, maxHits)
	first, rest, _ := strings.Cut(query, " ")
	for _, candidate := range x.words[first] {
		if x.hasAll(rest, candidate) {
			hits = append(hits, candidate)
		}
		if len(hits) == maxHits {
			break
		}
	}
	return hits
}

func (x *index) hasAll(words string, candidate int32) bool {
	for word := range strings.FieldsSeq(words) {
		if !contains(x.words[word], candidate) {
			return false
		}
	}
	return true
}

// contains is a binary search.
func contains(sorted []int32, want int32) bool {
	low, high := 0, len(sorted)
	for low < high {
		mid := int(uint(low+high) >> 1)
		if sorted[mid] < want {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low < len(sorted) && sorted[low] == want
}

// search answers with the products that have all words of the query.
func (s *Shop) search(w http.ResponseWriter, r *http.Request) {
	hits := s.index.find(r.FormValue("q"))
	found := make([]product, len(hits))
	for i, hit := range hits {
		found[i] = s.catalog.products[hit]
	}
	s.catalog.answer(w, found)
}
