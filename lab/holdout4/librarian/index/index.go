// Package index finds documents by the words in them. An index is built once and then only read.
package index

import (
	"slices"
	"strings"
	"unicode"
)

// Builder collects documents.
type Builder struct {
	words map[string]uint32
	lists [][]uint32
	docs  uint32
}

func NewBuilder(words int) *Builder {
	return &Builder{words: make(map[string]uint32, words)}
}

// Add takes the next document.
func (b *Builder) Add(text string) {
	for w := range strings.FieldsFuncSeq(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		n, ok := b.words[w]
		if !ok {
			n = uint32(len(b.lists))
			b.words[w] = n
			b.lists = append(b.lists, nil)
		}
		if l := b.lists[n]; len(l) == 0 || l[len(l)-1] != b.docs {
			b.lists[n] = append(l, b.docs)
		}
	}
	b.docs++
}

// Build packs the lists into one.
func (b *Builder) Build() *Index {
	total := 0
	for _, l := range b.lists {
		total += len(l)
	}
	x := &Index{words: b.words, starts: make([]uint32, 0, len(b.lists)+1), docs: make([]uint32, 0, total)}
	for _, l := range b.lists {
		x.starts = append(x.starts, uint32(len(x.docs)))
		x.docs = append(x.docs, l...)
	}
	x.starts = append(x.starts, uint32(len(x.docs)))
	return x
}

// Index has, for each word, the documents with it, in their order.
type Index struct {
	words  map[string]uint32
	starts []uint32
	docs   []uint32
}

func (x *Index) list(word string) []uint32 {
	n, ok := x.words[word]
	if !ok {
		return nil
	}
	return x.docs[x.starts[n]:x.starts[n+1]]
}

// Find appends to found the first documents, at most limit, that have all words.
func (x *Index) Find(found []uint32, limit int, words ...string) []uint32 {
	lists := make([][]uint32, len(words))
	for i, w := range words {
		lists[i] = x.list(w)
	}
	slices.SortFunc(lists, func(a, b []uint32) int { return len(a) - len(b) })
	if len(lists) == 0 {
		return found
	}
next:
	for _, d := range lists[0] {
		for i := 1; i < len(lists); i++ {
			at, ok := slices.BinarySearch(lists[i], d)
			lists[i] = lists[i][at:]
			if !ok {
				continue next
			}
		}
		if found = append(found, d); len(found) == limit {
			break
		}
	}
	return found
}
