// Command cases does what allocates, a thousand times each, and writes its heap profile. A line with "want" says which
// kind of allocation is expected there, and words of the reason and of the change.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/pprof"
	"slices"
	"strconv"
	"strings"
	"sync"

	"example.com/cases/lib"
)

func init() { runtime.MemProfileRate = 1 }

type point struct{ X, Y, Z int }

type large struct{ a [200]byte }

type keeper struct {
	p    *point
	buf  []int
	m    map[int]int
	f    func()
	any  any
	name string
}

var (
	sinkAny   any
	sinkPoint *point
	sinkBytes []byte
	sinkStr   string
	sinkInts  []int
	sinkErr   error
	sinkFunc  func()
	words     = strings.Fields(strings.Repeat("word ", 40))
	long      = strings.Repeat("x", 100)
	unknown   = func(p *point) { _ = p }
)

//go:noinline
func returned(n int) *point {
	p := point{X: n} // want variable "returned" "Return the value"
	return &p
}

//go:noinline
func returnedNew(n int) *point {
	return &point{X: n} // want new "returned" "Return the value"
}

func returnedOver(n int) *point {
	p := point{X: n} // want variable "returned" "make returnedOver cheap enough to be inlined"
	for i := range 5 {
		p.Y += (n%3 + i) * (n%7 - i)
		p.Z ^= (n%5-i)*(n%11+i) + p.Y
	}
	for i := range 3 {
		p.Y ^= (n%13-i)*(n%17+i) + p.Z
		p.Z ^= (n%19-i)*(n%23+i) + p.Y*n
	}
	return &p
}

//go:noinline
func returnedLarge() *large {
	return new(large) // want new "returned" "Let the caller pass"
}

//go:noinline
func inlined(n int) *lib.Pair {
	return lib.New(n)
}

//go:noinline
func stored(k *keeper, n int) {
	k.p = &point{X: n} // want new "stored in k.p" "Store the value"
}

//go:noinline
func sent(c chan *point, n int) {
	c <- &point{X: n} // want new "sent over the channel c" "Send the value"
}

//go:noinline
func dynamic(n int) {
	p := point{X: n} // want variable "does not know" "Call a function that the compiler knows"
	unknown(&p)
}

//go:noinline
func passed(n int) {
	p := lib.Pair{A: n} // want variable "lib.Store" ""
	lib.Store(&p)
}

//go:noinline
func captured(n int) int {
	sum := 0 // want variable "captured by reference" "argument"
	sinkFunc = func() { sum += n }
	return sum
}

//go:noinline
func closure(n int) {
	sinkFunc = func() { _ = n } // want closure "stored" "Make it once"
}

//go:noinline
func methodValue(p *point) {
	sinkFunc = p.touch // want method-value "stored" "method value once"
}

func (p *point) touch() {}

//go:noinline
func tooLarge() byte {
	b := new([100_000]byte) // want new "too large" "64 KiB"
	return b[len(long)]
}

//go:noinline
func makeUnknown(n int) byte {
	b := make([]byte, n) // want make "known only when it runs" "constant size"
	return b[n/2]
}

//go:noinline
func makeReturned(n int) []byte {
	return make([]byte, n) // want make "returned" "Let the caller pass"
}

//go:noinline
func makeRead(r io.Reader) {
	b := make([]byte, 512) // want make "r.Read" "Keep the buffer"
	r.Read(b)
}

//go:noinline
func appendLocal(xs []int) []int {
	var out []int
	for _, x := range xs {
		out = append(out, x) // want append "outgrows" "out := make([]int, 0, len(xs))"
	}
	return out
}

//go:noinline
func appendField(k *keeper, n int) {
	k.buf = nil
	for i := 0; i < n; i++ {
		k.buf = append(k.buf, i) // want append "outgrows" "s = s[:0]"
	}
}

//go:noinline
func appendCopy(b []byte) {
	sinkBytes = append([]byte(nil), b...) // want append "" "This copies"
}

//go:noinline
func appendSmall(n int) []int {
	var out []int
	for i := range n {
		out = append(out, i)
	}
	return out // want moved-slice "by the return" "Let the caller pass a slice"
}

//go:noinline
func appendMake(n int) {
	sinkBytes = append([]byte(nil), make([]byte, n)...) // want append "new slice" "Use buffers again"
}

//go:noinline
func concat(a, b string) {
	sinkStr = a + "/" + b // want concat "string" "[]byte that is used again"
}

//go:noinline
func concatKey(m map[string]int, a, b string) int {
	return m[a+"/"+b] // want concat "more than 32 bytes" "struct of the parts"
}

//go:noinline
func concatLoop(xs []string) string {
	s := ""
	for _, x := range xs {
		s += x // want concat "" "strings.Builder"
	}
	return s
}

//go:noinline
func toBytes(w io.Writer, s string) {
	w.Write([]byte(s)) // want string-to-bytes "copy" "io.WriteString"
}

//go:noinline
func toString(b []byte) {
	sinkStr = string(b) // want bytes-to-string "copy" "Keep the bytes"
}

//go:noinline
func toRunes(s string) int {
	r := []rune(s) // want string-to-bytes "" "Range over the string"
	return len(r) + int(r[0])
}

//go:noinline
func boxed(p point) {
	sinkAny = p // want box "interface" "concrete type"
}

//go:noinline
func boxedArgument(n int) {
	sinkErr = fmt.Errorf("bad number %d", n) // want box "fmt.Errorf" "Make the error once"
}

//go:noinline
func formatted(n int) {
	sinkStr = fmt.Sprintf("%d items and then some more text", n) // want bytes-to-string "" "strconv"
}

//go:noinline
func itoa(n int) {
	sinkStr = strconv.Itoa(n + 1000000) // want bytes-to-string "" "strconv.Append"
}

//go:noinline
func split(s string) int {
	return len(strings.Split(s, "x")) // want make "" "SplitSeq"
}

//go:noinline
func builder(xs []string) string {
	var b strings.Builder
	for _, x := range xs {
		b.WriteString(x) // want append "outgrows" "Grow the Builder"
	}
	return b.String()
}

//go:noinline
func library(b []byte) {
	sinkBytes = lib.Copy(b)
}

//go:noinline
func mapLocal(xs []string) int {
	m := make(map[string]int)
	for i, x := range xs {
		m[x+strconv.Itoa(i)]++ // want map-grow "grow" "make(map[string]int, len(xs))"
	}
	return len(m)
}

//go:noinline
func mapField(k *keeper, n int) {
	k.m = make(map[int]int) // want make-map "stored" "size"
	for i := range n {
		k.m[i] = i // want map-grow "grow" "clear"
	}
}

//go:noinline
func mapConstant() {
	sinkAny = map[string]int{"a": 1, "b": 2} // want map-literal "" "package's variable"
}

//go:noinline
func sliceConstant() {
	sinkInts = []int{1, 2, 3, 4} // want slice-literal "stored" "package's variable"
}

//go:noinline
func channel() {
	c := make(chan int, 1) // want make-chan "" "sync.WaitGroup"
	c <- 1
	<-c
}

//go:noinline
func goroutine(wg *sync.WaitGroup, n int) {
	wg.Add(1)
	go func() { // want closure "goroutine" "goroutines that stay"
		_ = n
		wg.Done()
	}()
	wg.Wait()
}

//go:noinline
func deferred(mus []*sync.Mutex) {
	for _, mu := range mus {
		mu.Lock()
		defer mu.Unlock() // want defer "loop" "Move the body"
	}
}

//go:noinline
func variadic(n int) {
	collect(n, n+1) // want variadic "" "as many parameters"
}

//go:noinline
func collect(xs ...int) { sinkInts = xs }

//go:noinline
func errorEach(n int) error {
	if n < 0 {
		return nil
	}
	return errors.New("always the same") // want new "" "package's variable"
}

//go:noinline
func pooled(p *sync.Pool, b []byte) {
	p.Put(b) // want box "Pool" "Put a pointer"
	p.Get()
}

//go:noinline
func generic(n int) {
	sinkAny = pointerTo(n) // want variable "" ""
}

func pointerTo[T any](x T) *T { return &x }

//go:noinline
func sorted(xs []int) {
	sinkInts = slices.Clone(xs) // want append "" "Copy only"
}

func main() {
	k := &keeper{}
	c := make(chan *point, 1)
	var wg sync.WaitGroup
	mus := make([]*sync.Mutex, 4)
	for i := range mus {
		mus[i] = new(sync.Mutex)
	}
	var pool sync.Pool
	ints := make([]int, 100)
	m := map[string]int{}
	for n := range 1000 {
		sinkPoint = returned(n)
		sinkPoint = returnedNew(n)
		sinkPoint = returnedOver(n)
		sinkAny = returnedLarge()
		sinkAny = inlined(n)
		stored(k, n)
		sent(c, n)
		<-c
		dynamic(n)
		passed(n)
		captured(n)
		closure(n)
		methodValue(sinkPoint)
		tooLarge()
		makeUnknown(200)
		makeReturned(200)
		makeRead(strings.NewReader(long))
		appendLocal(ints)
		appendField(k, 100)
		appendCopy(sinkBytes[:min(len(sinkBytes), 50)])
		sinkInts = appendSmall(3)
		appendMake(128)
		sinkBytes = make([]byte, 64)
		concat(long, "b")
		concatKey(m, long, "b")
		concatLoop(words)
		toBytes(io.Discard, long)
		toString(sinkBytes)
		toRunes(long)
		boxed(point{X: n})
		for range 30 { // small ones, that count beside the rest
			boxedArgument(n + 1000)
			formatted(n)
			itoa(n)
			sinkErr = errorEach(n)
		}
		split(long)
		builder(words)
		library(sinkBytes)
		mapLocal(words)
		mapField(k, 100)
		mapConstant()
		sliceConstant()
		channel()
		goroutine(&wg, n)
		deferred(mus)
		variadic(n)
		pooled(&pool, sinkBytes)
		generic(n)
		sorted(ints)
	}
	runtime.GC()
	if err := pprof.Lookup("heap").WriteTo(os.Stdout, 0); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
