package settled

import (
	"bytes"
	"math/rand"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"time"
)

type row struct {
	id   int
	name string
	data [600]byte
	seen time.Time
}

type table struct {
	rows  []row
	few   []*row
	words []string
	total float64
}

func (t *table) find(id int) *row {
	for i := range t.rows {
		if t.rows[i].id == id { //ask cpu-linear-search: confirms one element of t.rows after another, until one fits
			return &t.rows[i]
		}
	}
	return nil
}

func (t *table) count(word string) (n int) {
	for i := 0; i < len(t.words); i++ {
		if w := t.words[i]; strings.Contains(w, word) { //ask cpu-linear-search: confirms to the last
			n++
		}
	}
	return n
}

func (t *table) has(word string) bool {
	return slices.Contains(t.words, word) //ask cpu-linear-search: confirms slices.Contains at
}

func mix(dst, src []float64) {
	for i := range src {
		dst[i] += src[i] * 0.5 //ask cpu-linear-search: contradicts looks for none
	}
}

func smooth(dst, src []float64) {
	for i := 1; i < len(src)-1; i++ {
		dst[i] = (src[i-1] + src[i] + src[i+1]) / 3 //ask cpu-hot-function: silent
	}
}

func parse(lines []string) (out []row, err error) {
	for _, l := range lines {
		r, err := one(l) //ask cpu-hot-function: silent
		if err != nil {
			return nil, err
		}
		out = append(out, r)
	}
	return out, nil
}

func one(string) (r row, err error) { return r, nil }

func (t *table) oldest() (at int) {
	for i, r := range t.few {
		if r.seen.Before(t.few[at].seen) { //ask cpu-hot-function: confirms goes|looks at one element of t.few
			at = i
		}
	}
	return at
}

func (t *table) named(name string) (n int) {
	for _, r := range t.rows {
		n += len(r.name)
	}
	return n
}

func (t *table) lengths() (n int) {
	for _, r := range t.few {
		n += len(r.name)
	}
	return n
}

func common(a, b []string) (out []string) {
	for _, x := range a {
		for _, y := range b {
			if x == y { //ask cpu-quadratic: confirms for each of a
				out = append(out, x)
			}
		}
	}
	return out
}

func blur(dst, src []float64, w int) {
	for y := range 10 {
		for x := range w {
			dst[y*w+x] = src[y*w+x] //ask cpu-quadratic: silent
		}
	}
}

func expire(m map[string]time.Time) {
	for k, at := range m {
		if time.Since(at) > time.Hour { //ask cpu-time-now: confirms reads the clock for each of m
			delete(m, k)
		}
	}
}

func stamp() time.Time {
	return time.Now() //ask cpu-time-now: silent
}

func page(words []string) (s string) {
	for _, w := range words {
		s = s + w + "\n" //ask alloc-string-concat: confirms s grows in each turn
	}
	return s
}

func greet(name string) string {
	s := "hello, " + name + "!" //ask alloc-string-concat: silent
	return s
}

func upper(words []string) []string {
	var out []string
	for _, w := range words {
		out = append(out, strings.ToUpper(w)) //ask alloc-grow: confirms has no room for the len\(words\)
	}
	return out
}

func lower(words []string) []string {
	out := make([]string, 0, len(words))
	for _, w := range words {
		out = append(out, strings.ToLower(w)) //ask alloc-grow: silent
	}
	return out
}

func matches(s string) bool {
	return regexp.MustCompile(`^\d+$`).MatchString(s) //ask regexp-compile: confirms given nothing that changes
}

func matchesAny(s, expr string) bool {
	return regexp.MustCompile(expr).MatchString(s) //ask regexp-compile: adds depends on expr, a parameter of matchesAny
}

// A value that is given what changes from call to call, without a variable of its own.

func codeByTime() int {
	return rand.New(rand.NewSource(time.Now().UnixNano())).Int() //ask alloc-loop-invariant: silent
}

func codeByCounter() int {
	return rand.New(rand.NewSource(made.Add(1))).Int() //ask alloc-loop-invariant: silent
}

func codeBySeed() int {
	seed++
	return rand.New(rand.NewSource(seed)).Int() //ask alloc-loop-invariant: silent
}

func codesByTime(n int) (codes []int) {
	for range n {
		r := rand.New(rand.NewSource(time.Now().UnixNano())) //ask alloc-loop-invariant: silent
		codes = append(codes, r.Int())
	}
	return codes
}

func codeOfLength() int {
	return rand.New(rand.NewSource(int64(len(alphabet)))).Int() //ask alloc-loop-invariant: confirms given nothing that changes
}

func matchesQuoted(s string) bool {
	return regexp.MustCompile(regexp.QuoteMeta(alphabet)).MatchString(s) //ask regexp-compile: confirms given nothing that changes
}

var (
	made     atomic.Int64
	seed     int64
	alphabet = "abc"
)

func init() {
	digits = regexp.MustCompile(`^\d+$`) //ask regexp-compile: contradicts init, which runs once
}

var digits *regexp.Regexp

func inLoop(expr string, words []string) (n int) {
	for _, w := range words {
		if regexp.MustCompile(expr).MatchString(w) { //ask regexp-compile: confirms nothing that it is given changes there
			n++
		}
	}
	return n
}

func room() int {
	m := make(map[string]int, 100000) //ask alloc-map-temp: confirms room for 100000
	return len(m)
}

func small() int {
	m := make(map[string]int, 8) //ask alloc-map-temp: silent
	return len(m)
}

func joinBytes(parts [][]byte) []byte {
	var b bytes.Buffer
	for _, p := range parts {
		b.Write(p) //ask cpu-hot-function: silent
	}
	return b.Bytes()
}
