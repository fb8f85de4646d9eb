package stacks

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Labels (runtime/pprof.Do) say for whom code ran: an endpoint, a tenant; that of a heap profile says how large an
// object is. No detector reads them. Who looks at a profile may want the values of one as frames, as the options
// -tagroot and -tagleaf of go tool pprof make them, and be told which there are: both only if Source.Labels asks for
// it.

// Labels are the keys of labels whose values become frames: the outermost of each stack, and the innermost. Both may be
// empty, and have several keys with commas between them: the first is closest to the root, and the last closest to the
// leaves, as in pprof. A stack without a label gets a frame that says so.
type Labels struct{ Root, Leaf string }

// Keys are those of a list with commas; as many as are read.
func Keys(list string) (keys []string) {
	for key := range strings.SplitSeq(list, ",") {
		if key != "" && len(keys) < maxFrameKeys {
			keys = append(keys, key)
		}
	}
	return keys
}

// A Label is a key that samples of a Set are labelled with.
type Label struct {
	Key    string
	Values int       // how many different ones there are, at most MaxLabelValues
	Shares []float64 // of the values of all samples, by type: the part of those that have the label
}

// Bounds of what is read of labels. A label may be the ID of a request, and then every sample has another value.
const (
	MaxLabelKey    = 256  // bytes; longer keys are passed over
	MaxLabelValues = 1000 // of a key, that are counted
	maxLabelKeys   = 100  // that are counted: the first
	maxLabelFrames = 10_000
	maxLabelText   = 500 // bytes of a value in a frame
	maxFrameKeys   = 5   // at one end of the stacks
)

// otherValues is the frame of all values beyond maxLabelFrames.
const otherValues = "(other values)"

func withoutLabel(key string) string { return "(no " + key + ")" }

// A label is one of a sample: a text, or a number with or without a unit.
type label struct {
	key, text, unit string
	number          int64
}

// value is the label's value as pprof writes it. Go gives numbers no unit: pprof takes it from the key then, as it does
// in its report of labels (profile.NumLabelUnits).
func (l *label) value() string {
	if l.text != "" {
		return l.text
	}
	unit := l.unit
	switch {
	case unit != "":
	case l.key == "alignment", l.key == "request":
		unit = "bytes"
	default:
		unit = l.key
	}
	return scaled(l.number, unit)
}

// A labelReader reads the labels of a profile's samples.
type labelReader struct {
	table   *Table
	p       *proto
	want    Labels
	samples int32
	keys    map[string]*labelKey
	whole   []float64 // the values of all samples, by type
	of      []label   // those of the sample that is being read
	root    []*labelFrames
	leaf    []*labelFrames
}

// A labelKey is what was counted of a key.
type labelKey struct {
	last   int32 // sample with it, counted from 1
	sums   []float64
	values map[label]bool
}

// labelFrames are the frames of one key's values.
type labelFrames struct {
	key    string
	of     []FrameID // by sample
	values int
	ids    map[string]FrameID
}

// newLabelReader is nil where nobody asks for labels.
func newLabelReader(t *Table, p *proto, want *Labels) *labelReader {
	if want == nil {
		return nil
	}
	return &labelReader{table: t, p: p, want: *want, keys: make(map[string]*labelKey),
		whole: make([]float64, len(p.types)), root: framesOf(want.Root), leaf: framesOf(want.Leaf)}
}

func framesOf(list string) (all []*labelFrames) {
	for _, key := range Keys(list) {
		all = append(all, &labelFrames{key: key, ids: make(map[string]FrameID)})
	}
	return all
}

// add takes the labels of the next sample that is kept, as the file has them.
func (r *labelReader) add(raw [][]byte, values []int64) {
	r.samples++
	for k, v := range values {
		r.whole[k] += float64(max(v, 0))
	}
	r.of = r.of[:0]
	for _, b := range raw {
		if l, ok := r.read(b); ok {
			r.of = append(r.of, l)
			r.count(l, values)
		}
	}
	for _, ends := range [][]*labelFrames{r.root, r.leaf} {
		for _, f := range ends {
			f.of = append(f.of, r.frame(f))
		}
	}
}

// read decodes Label{key = 1, str = 2, num = 3, num_unit = 4}. One that makes no sense is passed over: the sample is
// still one.
func (r *labelReader) read(b []byte) (l label, ok bool) {
	var index [4]uint64 // of key, text and unit in the string table
	err := eachField(b, func(f field) error {
		switch f.num {
		case 1, 2, 4:
			index[f.num-1] = f.number()
		case 3:
			l.number = int64(f.number())
		}
		return nil
	})
	var errs [3]error
	l.key, errs[0] = r.p.text(index[0])
	l.text, errs[1] = r.p.text(index[1])
	l.unit, errs[2] = r.p.text(index[3])
	ok = firstError(err, errs[0], errs[1], errs[2]) == nil && l.key != "" && len(l.key) <= MaxLabelKey &&
		(l.text != "" || l.number != 0 || l.unit != "")
	return l, ok
}

// count adds a sample to those of a key, once however often it has the key.
func (r *labelReader) count(l label, values []int64) {
	k := r.keys[l.key]
	if k == nil {
		if len(r.keys) == maxLabelKeys {
			return
		}
		k = &labelKey{sums: make([]float64, len(r.whole)), values: make(map[label]bool)}
		r.keys[l.key] = k
	}
	if len(k.values) < MaxLabelValues {
		k.values[l] = true
	}
	if k.last == r.samples {
		return
	}
	k.last = r.samples
	for i, v := range values {
		k.sums[i] += float64(max(v, 0))
	}
}

// frame is that of a key's value in the sample that was read. Several values of one key are one value, as in pprof:
// first the texts, then the numbers.
func (r *labelReader) frame(f *labelFrames) FrameID {
	var texts, numbers []string
	for i := range r.of {
		switch l := &r.of[i]; {
		case l.key != f.key:
		case l.text != "":
			texts = append(texts, l.text)
		default:
			numbers = append(numbers, l.value())
		}
	}
	name := strings.Join(append(texts, numbers...), ",")
	if name == "" {
		name = withoutLabel(f.key)
	} else if len(name) > maxLabelText {
		name = short(name, maxLabelText) + "…"
	}
	id, known := f.ids[name]
	switch {
	case known:
		return id
	case f.values == maxLabelFrames:
		name = otherValues
		if id, known = f.ids[name]; known {
			return id
		}
	default:
		f.values++
	}
	id = r.table.labelFrame(f.key, name)
	f.ids[name] = id
	return id
}

// labelFrame is the frame of a label's value. It is not in the table by name, because a value may have the name of a
// function.
func (t *Table) labelFrame(key, name string) FrameID {
	at := funcKey{name, key}
	fn, ok := t.labelIDs[at]
	if !ok {
		if t.labelIDs == nil {
			t.labelIDs = make(map[funcKey]FuncID)
		}
		fn = FuncID(len(t.Funcs))
		t.labelIDs[at] = fn
		t.held += int64(len(name))
		t.Funcs = append(t.Funcs, Func{Name: name, File: key, Owner: LabelValue})
	}
	return t.frame(fn, 0)
}

// finish tells the set which labels there are, and puts the frames of those that are wanted into its stacks.
func (r *labelReader) finish(s *Set) error {
	for key, k := range r.keys {
		l := Label{Key: key, Values: len(k.values)}
		for i, sum := range k.sums {
			l.Shares = append(l.Shares, sum/max(r.whole[i], 1))
		}
		for len(l.Shares) < len(s.Types) { // completeCPU adds one, which is the last one times a number
			l.Shares = append(l.Shares, l.Shares[len(l.Shares)-1])
		}
		s.Labels = append(s.Labels, l)
	}
	last := len(r.whole) - 1 // the type that profiles are about, for most
	slices.SortFunc(s.Labels, func(a, b Label) int {
		return cmp.Or(cmp.Compare(b.Shares[last], a.Shares[last]), cmp.Compare(a.Key, b.Key))
	})
	more := len(r.root) + len(r.leaf)
	if more == 0 {
		return nil
	}
	var arena []FrameID
	frames, most := 0, r.table.mostFrames()
	for i := range s.Samples {
		old := s.Samples[i].Stack
		if frames += len(old) + more; frames > most {
			return errTooManyFrames
		}
		stack := make([]FrameID, 0, len(old)+more)
		stack = appendBackwards(stack, r.leaf, i) // a stack begins with its leaf
		stack = append(stack, old...)
		stack = appendBackwards(stack, r.root, i)
		s.Samples[i].Stack = keep(&arena, stack)
	}
	return nil
}

// appendBackwards adds the frames of a sample, those of the last key first.
func appendBackwards(stack []FrameID, ends []*labelFrames, sample int) []FrameID {
	for _, f := range slices.Backward(ends) {
		stack = append(stack, f.of[sample])
	}
	return stack
}

// A labelUnit is a unit that pprof knows, and how much of the smallest of its kind it is.
type labelUnit struct {
	name   string
	factor float64
	words  []string // singular
}

// labelUnits are the kinds of units of google/pprof (internal/measurement/measurement.go) that labels have: memory and
// time. Units rise. TestLabelUnitsAsPprof of app/report compares them with pprof's.
var labelUnits = [][]labelUnit{
	{{"B", 1, []string{"b", "byte"}}, {"kB", 1 << 10, []string{"kb", "kbyte", "kilobyte"}},
		{"MB", 1 << 20, []string{"mb", "mbyte", "megabyte"}}, {"GB", 1 << 30, []string{"gb", "gbyte", "gigabyte"}},
		{"TB", 1 << 40, []string{"tb", "tbyte", "terabyte"}}, {"PB", 1 << 50, []string{"pb", "pbyte", "petabyte"}}},
	{{"ns", 1, []string{"ns", "nanosecond"}}, {"us", 1e3, []string{"μs", "us", "microsecond"}},
		{"ms", 1e6, []string{"ms", "millisecond"}}, {"s", 1e9, []string{"s", "sec", "second"}},
		{"hrs", 3600e9, []string{"hour", "hr"}}},
}

// scaled is a number in the largest unit of its kind in which it is 1 or more, as measurement.ScaledLabel of pprof
// writes it. A number in a unit that pprof does not know stands alone.
func scaled(number int64, unit string) string {
	v, name := float64(number), ""
	unit = strings.ToLower(unit)
	if utf8.RuneCountInString(unit) > 2 {
		unit = strings.TrimSuffix(unit, "s")
	}
	for _, kind := range labelUnits {
		at := slices.IndexFunc(kind, func(u labelUnit) bool { return slices.Contains(u.words, unit) })
		if at < 0 {
			continue
		}
		v *= kind[at].factor
		to := kind[0]
		for _, u := range kind {
			if max(v, -v) >= u.factor {
				to = u
			}
		}
		v, name = v/to.factor, to.name
		break
	}
	text := strings.TrimSuffix(fmt.Sprintf("%.2f", v), ".00")
	if text == "0" || text == "-0" {
		return "0"
	}
	return text + name
}
