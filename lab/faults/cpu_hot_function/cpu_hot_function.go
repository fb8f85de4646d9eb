// Package cpu_hot_function answers which words somebody may have meant.
//
// The fault: the distance of a typed word to every word of the dictionary is computed in full, though few can be near.
package cpu_hot_function

import (
	"io"
	"math/bits"
	"net/http"
	"strconv"
	"strings"

	"github.com/gocasebook/casebook/lab/faults"
)

// near is how many letters may differ.
const near = 2

// A Speller has a dictionary.
type Speller struct {
	words   []word
	similar func(s *Speller, typed string) []string
}

// A word has its letters as bits, which tell that two words differ without comparing them.
type word struct {
	text    string
	letters uint32
}

func letters(text string) (set uint32) {
	for i := range len(text) {
		set |= 1 << (text[i] & 31)
	}
	return set
}

func newSpeller(n int, similar func(*Speller, string) []string) *Speller {
	s := &Speller{similar: similar}
	for i := range n {
		var b strings.Builder
		for k := i + 11; k > 0 || b.Len() < 5; k /= 13 {
			b.WriteByte("etaoinshrdlcu"[k%13])
			b.WriteByte("aeioubcdfghkl"[(k+i)%13])
		}
		s.words = append(s.words, word{b.String(), letters(b.String())})
	}
	return s
}

// ServeHTTP answers with the words near to the one that is asked for.
func (s *Speller) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	n, _ := strconv.Atoi(r.FormValue("n"))
	typed := s.words[n*7919%len(s.words)].text
	io.WriteString(w, strings.Join(s.similar(s, typed[1:]), " "))
}

func (s *Speller) all(typed string) (out []string) {
	for _, w := range s.words {
		if distance(typed, w.text) <= near {
			out = append(out, w.text)
		}
	}
	return out
}

// candidates leaves out words whose length or letters differ by more than so few edits can do.
func (s *Speller) candidates(typed string) (out []string) {
	set := letters(typed)
	for _, w := range s.words {
		far := bits.OnesCount32(w.letters^set) > 2*near || max(len(w.text)-len(typed), len(typed)-len(w.text)) > near
		if !far && distance(typed, w.text) <= near {
			out = append(out, w.text)
		}
	}
	return out
}

// distance is how many letters must be put in, taken out or changed to make b of a (Levenshtein).
func distance(a, b string) int {
	var row [32]int
	for j := range row[:len(b)+1] {
		row[j] = j
	}
	for i := range len(a) {
		left, corner := i+1, i
		for j := range len(b) {
			cost := corner
			if a[i] != b[j] {
				cost = 1 + min(corner, left, row[j+1])
			}
			row[j], corner, left = left, row[j+1], cost
		}
		row[len(b)] = left
	}
	return row[len(b)]
}

func service(words int, similar func(*Speller, string) []string, perSecond float64) faults.Service {
	return faults.Service{Handler: newSpeller(words, similar),
		Load: []faults.Call{{Path: "/similar?n=%d", PerSecond: perSecond}}}
}

// Fault is the kind with its variants.
func Fault() faults.Fault {
	return faults.Fault{
		Kind: "cpu-hot-function", Text: "a typed word is compared in full with every word of a dictionary",
		Culprit:  "cpu_hot_function.distance",
		Faulty:   func() faults.Service { return service(8000, (*Speller).all, 400) },
		Repaired: func() faults.Service { return service(8000, (*Speller).candidates, 400) },
		Limit:    func() faults.Service { return service(2400, (*Speller).all, 400) },
	}
}
