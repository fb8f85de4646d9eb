package stacks

import (
	"bytes"
	"math"
	"strconv"
	"strings"

	"github.com/gocasebook/casebook/casefile"
)

// The debug=1 text of Go's own profiles. Each record is a line of numbers and addresses, then one line per frame:
//
//	goroutine profile: total 7          heap profile: 1: 32 [5: 160] @ heap/1048576     --- mutex:
//	2 @ 0x43a0d6 0x4477b1               1: 32 [5: 160] @ 0x52f1c5 0x52f0e5              12345 2 @ 0x48e1a0
//	#	0x47a1f5	main.work+0x25	/src/main.go:22
//
// google/pprof reads the addresses and leaves the names in the comments. Without the binary there is nothing else, so
// this reader uses the names.

// A textForm is one kind of debug=1 text.
type textForm struct {
	prefix string
	kind   string
	types  []ValueType
	values func(line []byte, h textHeader) ([]int64, bool)
}

// A textHeader is what the first lines say about scaling.
type textHeader struct {
	heapRate int64   // bytes between two samples of the heap
	cycles   float64 // CPU cycles a second
}

func textForms() []textForm {
	counts := func(kind string) textForm {
		return textForm{kind + " profile: total", kind, []ValueType{{kind, "count"}}, countValues}
	}
	delays := []ValueType{{"contentions", "count"}, {"delay", "nanoseconds"}}
	return []textForm{
		counts(casefile.Goroutine), counts(casefile.ThreadCreate), counts(GoroutineLeak),
		{"heap profile: ", casefile.Heap, []ValueType{
			{"alloc_objects", "count"}, {"alloc_space", "bytes"}, {"inuse_objects", "count"}, {"inuse_space", "bytes"},
		}, heapValues},
		{"--- mutex:", casefile.Mutex, delays, delayValues},
		{"--- contention:", casefile.Block, delays, delayValues},
	}
}

// isGoText recognises debug=1 text with names in it. Without names it is C++'s form, or too old.
func isGoText(b []byte) bool {
	_, ok := textFormOf(b)
	return ok && (hasTextFrames(b) || !bytes.Contains(b, []byte(" @ 0x")))
}

// hasTextFrames reports whether one of the first lines is a frame.
func hasTextFrames(b []byte) bool {
	const most = 100
	for i := 0; i < most && len(b) > 0; i++ {
		var line []byte
		line, b, _ = bytes.Cut(b, []byte("\n"))
		if isTextFrame(short(line, maxLine)) {
			return true
		}
	}
	return false
}

// isTextFrame recognises the line of a frame, also of a text that was pasted: without its "#", with spaces for tabs.
func isTextFrame(line []byte) bool {
	at := bytes.TrimLeft(line, "# \t")
	return len(at) < len(line) && bytes.HasPrefix(at, []byte("0x")) && bytes.Contains(at, []byte("+0x"))
}

func textFormOf(b []byte) (textForm, bool) {
	for _, f := range textForms() {
		if bytes.HasPrefix(b, []byte(f.prefix)) {
			return f, true
		}
	}
	return textForm{}, false
}

// readText reads debug=1 text. A record that cannot be read is left out and counted in Cut.
func (t *Table) readText(b []byte) (*Set, *Problem) {
	form, _ := textFormOf(b)
	s := &Set{Kind: form.kind, Types: form.types}
	h := textHeader{heapRate: heapRate(firstLine(b)), cycles: 1e9}
	if form.kind == casefile.Heap {
		s.Period = h.heapRate
	}
	var values []int64 // of the record that is being read; nil between records
	var stack []FrameID
	bad := 0
	flush := func() {
		if values != nil {
			t.addSample(s, stack, values)
		}
		values, stack = nil, nil
	}
	_, rest, _ := bytes.Cut(b, []byte("\n"))
	for len(rest) > 0 && len(s.Samples) < MaxSamples {
		var line []byte
		line, rest, _ = bytes.Cut(rest, []byte("\n"))
		line = short(line, maxLine)
		switch {
		case isTextFrame(line):
			if f, ok := t.textFrame(line); ok && values != nil && len(stack) < maxDepth {
				stack = append(stack, f)
			}
		case bytes.HasPrefix(line, []byte("# ")):
			s.addStat(line)
		case bytes.Contains(line, []byte(" @")):
			flush()
			v, ok := form.values(line, h)
			if !ok {
				bad++
			}
			values = v
		case bytes.HasPrefix(line, []byte("cycles/second=")):
			h.cycles = max(leadingNumber(line[len("cycles/second="):]), 1)
		}
	}
	flush()
	if bad > 0 {
		s.Cut = strconv.Itoa(bad) + " records were not readable and are left out"
	}
	return s, nil
}

// maxDepth bounds a stack: Go records 128 frames at most, and a dump prints 100.
const maxDepth = 512

// textFrame reads "#	0x47a1f5	main.work+0x25	/src/main.go:22".
func (t *Table) textFrame(line []byte) (FrameID, bool) {
	fields := bytes.Fields(bytes.TrimLeft(line, "# \t"))
	if len(fields) < 3 {
		return NoFrame, false
	}
	name := fields[1]
	if i := bytes.LastIndex(name, []byte("+0x")); i > 0 {
		name = name[:i]
	}
	place := bytes.Join(fields[2:], []byte(" ")) // a path may contain spaces
	file, num, ok := cutLast(place, ':')
	if !ok {
		return NoFrame, false
	}
	return t.intern(string(name), string(file), int64(leadingNumber(num))), true
}

// addStat reads "# HeapAlloc = 123", and "# Stack = 123 / 456" as StackInuse and StackSys. Lines of another form,
// labels among them, are skipped.
func (s *Set) addStat(line []byte) {
	name, value, ok := strings.Cut(string(line[2:]), " = ")
	if !ok || len(s.Stats) > 64 {
		return
	}
	add := func(name, value string) {
		if v, err := strconv.ParseFloat(value, 64); err == nil {
			if s.Stats == nil {
				s.Stats = make(map[string]float64)
			}
			s.Stats[name] = v
		}
	}
	if used, whole, both := strings.Cut(value, " / "); both {
		add(name+"Inuse", used)
		add(name+"Sys", whole)
		return
	}
	add(name, value)
}

func countValues(line []byte, _ textHeader) ([]int64, bool) {
	n, _, _ := bytes.Cut(line, []byte(" @"))
	v, err := strconv.ParseInt(string(n), 10, 64)
	return []int64{v}, err == nil
}

// heapValues reads "1: 32 [5: 160] @ …" and scales the sampled numbers up to the heap's.
func heapValues(line []byte, h textHeader) ([]int64, bool) {
	head, _, _ := bytes.Cut(line, []byte(" @"))
	fields := bytes.FieldsFunc(head, func(r rune) bool { return r == ' ' || r == ':' || r == '[' || r == ']' })
	if len(fields) != 4 {
		return nil, false
	}
	var v [4]int64
	for i, f := range fields {
		n, err := strconv.ParseInt(string(f), 10, 64)
		if err != nil {
			return nil, false
		}
		v[i] = n
	}
	objects, bytes := unsample(v[0], v[1], h.heapRate)
	allocObjects, allocBytes := unsample(v[2], v[3], h.heapRate)
	return []int64{allocObjects, allocBytes, objects, bytes}, true
}

// unsample scales what was sampled up to what there was. An object of size s is sampled with probability 1−exp(−s/rate)
// (runtime/mprof.go; pprof's scaleHeapSample), so each sampled one represents the inverse of that many.
func unsample(count, size, rate int64) (int64, int64) {
	if count <= 0 || size <= 0 || rate <= 1 {
		return max(count, 0), max(size, 0)
	}
	scale := 1 / (1 - math.Exp(-float64(size)/float64(count)/float64(rate)))
	return clampInt(float64(count) * scale), clampInt(float64(size) * scale)
}

func delayValues(line []byte, h textHeader) ([]int64, bool) {
	head, _, _ := bytes.Cut(line, []byte(" @"))
	fields := bytes.Fields(head)
	if len(fields) != 2 {
		return nil, false
	}
	cycles, err1 := strconv.ParseInt(string(fields[0]), 10, 64)
	count, err2 := strconv.ParseInt(string(fields[1]), 10, 64)
	return []int64{count, clampInt(float64(cycles) / h.cycles * 1e9)}, err1 == nil && err2 == nil
}

// heapRate is the sampling rate in "heap profile: … @ heap/1048576": the text carries twice the rate, as early C++
// heap profilers did.
func heapRate(header string) int64 {
	_, rate, _ := cutLast([]byte(header), '/')
	return int64(leadingNumber(rate)) / 2
}

func clampInt(f float64) int64 {
	return int64(min(max(f, 0), math.MaxInt64/2))
}

// leadingNumber reads the digits at the start of b; 0 if there are none.
func leadingNumber(b []byte) float64 {
	end := 0
	for end < len(b) && end < 18 && b[end] >= '0' && b[end] <= '9' {
		end++
	}
	n, err := strconv.ParseFloat(string(b[:end]), 64)
	if err != nil {
		return 0
	}
	return n
}

func cutLast(b []byte, sep byte) (before, after []byte, ok bool) {
	i := bytes.LastIndexByte(b, sep)
	if i < 0 {
		return b, nil, false
	}
	return b[:i], b[i+1:], true
}
