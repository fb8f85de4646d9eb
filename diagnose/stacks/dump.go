package stacks

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"github.com/gocasebook/casebook/casefile"
)

// The debug=2 text of goroutines, which a crash prints too:
//
//	goroutine 18 [chan receive, 5 minutes, locked to thread]:
//	main.worker(0xc000012345, 0x2)
//		/src/main.go:22 +0x1d
//	created by main.start in goroutine 1
//		/src/main.go:14 +0x25
//
// Only this text tells how long each goroutine has waited and who started it. Goroutines with the same stack, state,
// creator and lock become one sample with their number, so that memory depends on the number of distinct stacks and not
// of goroutines.

// A Goroutine is what a dump tells beyond the stack, for all goroutines of one sample.
type Goroutine struct {
	State     string  // as printed: "chan receive", "IO wait", "sync.Mutex.Lock"
	CreatedBy FrameID // the line of the go statement; NoFrame for the main goroutine
	Minutes   int64   // the sum of whole minutes waited; below one minute nothing is printed
	Longest   int64   // minutes
	Waiting   int64   // how many waited a minute or more
	Lock      uint64  // the address of the lock they wait for; 0: none, or not printed
}

// maxLocks bounds how many locks are told apart: goroutines that wait for different ones are samples of their own.
const maxLocks = 10_000

// runtimeDump is where runtime/pprof stops writing a dump, within whatever line that is (writeGoroutineStacks in
// pprof.go).
const runtimeDump = 64 << 20

// readDump reads a dump, up to MaxDump bytes of it.
func (t *Table) readDump(b []byte) (*Set, *Problem) {
	d := dump{t: t, index: make(map[string]int), frames: make(map[string]FrameID), locks: make(map[uint64]bool),
		set: &Set{
			Kind: casefile.Goroutine, Types: []ValueType{{casefile.Goroutine, "count"}}, Goroutines: []Goroutine{},
		}}
	total := len(b)
	most := int(min(MaxDump, t.left()))
	if total > most {
		b = b[:most]
		b = b[:bytes.LastIndexByte(b, '\n')+1]
	}
	for len(b) > 0 {
		var line []byte
		line, b, _ = bytes.Cut(b, []byte("\n"))
		d.line(bytes.TrimRight(short(line, maxLine), "\r"))
	}
	torn := len(d.fn) > 0 && d.places > 0 // a function without its place
	d.flush()
	switch {
	case total == runtimeDump:
		d.set.Cut = fmt.Sprintf("Go ends a dump at %d MiB: %d goroutines are in it", runtimeDump>>20, d.count)
	case total > most:
		d.set.Cut = fmt.Sprintf("only the first %d of %d MiB were read: %d goroutines", most>>20, total>>20, d.count)
	case torn:
		d.set.Cut = fmt.Sprintf("it ends within a stack, cut when it was written or copied: %d goroutines are in it",
			d.count)
	case d.elided:
		d.set.Cut = "some stacks are cut: the runtime prints the innermost and outermost 50 frames"
	}
	return d.set, nil
}

// A dump is the state of a reader of a dump.
type dump struct {
	t      *Table
	set    *Set
	index  map[string]int     // of samples, by stack, creator and state
	frames map[string]FrameID // by function and place as printed: no allocation for a frame that was seen

	open    bool   // inside a goroutine
	state   []byte // the header's brackets
	stack   []FrameID
	created FrameID
	fn      []byte // the function of the line before, waiting for its place
	byGo    bool   // fn is the creator
	key     []byte // reused
	lock    uint64 // what the goroutine waits for, as printed
	locks   map[uint64]bool
	count   int64
	elided  bool
	places  int    // lines with a place
	crash   *Crash // whose lines are read, or were last; nil before the first
	system  bool   // inside the stack on which the runtime itself runs
}

func (d *dump) line(line []byte) {
	state, header := headerState(line)
	switch {
	case header:
		d.flush()
		d.open, d.created, d.lock = true, NoFrame, 0
		d.state = append(d.state[:0], state...)
	case !d.open:
		d.crashLine(line)
	case len(line) == 0:
		d.flush()
	case line[0] == '\t' || len(d.fn) > 0 && isPlace(line):
		d.place(bytes.TrimLeft(line, " \t"))
	case bytes.HasPrefix(line, []byte("created by ")):
		name, _, _ := bytes.Cut(line[len("created by "):], []byte(" in goroutine "))
		d.fn, d.byGo = append(d.fn[:0], name...), true
	case bytes.HasPrefix(line, []byte("...")):
		d.elided = true
	case isRemark(line):
		d.flush()
		d.crashLine(line)
	default:
		line = bytes.TrimLeft(line, " ")
		d.fn, d.byGo = append(d.fn[:0], withoutArgs(line)...), false
		d.asked(line, d.fn)
		if addr, ok := lockAddress(line[len(d.fn):], d.fn); ok {
			d.lock = addr
		}
	}
}

// place reads "/src/main.go:22 +0x1d", the line below a function.
func (d *dump) place(line []byte) {
	if len(d.fn) == 0 {
		return
	}
	d.places++
	if i := bytes.LastIndex(line, []byte(" +0x")); i >= 0 {
		line = line[:i]
	}
	d.key = append(append(append(d.key[:0], d.fn...), 0), line...)
	id, ok := d.frames[string(d.key)]
	if !ok {
		file, num, _ := cutLast(line, ':')
		id = d.t.intern(string(d.fn), string(file), int64(leadingNumber(num)))
		d.frames[string(d.key)] = id
	}
	switch {
	case d.byGo:
		d.created = id
	case len(d.stack) < maxDepth:
		d.stack = append(d.stack, id)
	}
	d.fn = d.fn[:0]
}

// flush ends a goroutine and adds it to its sample.
func (d *dump) flush() {
	if !d.open {
		return
	}
	d.open = false
	apart := d.died()
	d.system = false
	if apart {
		d.stack = d.stack[:0]
		return
	}
	d.count++
	state, minutes := parseState(d.state)
	d.key = d.key[:0]
	for _, id := range d.stack {
		d.key = binary.LittleEndian.AppendUint32(d.key, uint32(id))
	}
	d.key = binary.LittleEndian.AppendUint32(d.key, uint32(d.created))
	if d.locks[d.lock] || len(d.locks) < maxLocks {
		d.locks[d.lock] = true
	} else {
		d.lock = 0
	}
	d.key = binary.LittleEndian.AppendUint64(d.key, d.lock)
	d.key = append(d.key, state...)
	i, ok := d.index[string(d.key)]
	if !ok {
		i = d.newSample(string(state))
		d.index[string(d.key)] = i
	}
	d.stack = d.stack[:0]
	if i < 0 {
		d.set.Observed[0]++
		return
	}
	d.set.Samples[i].Values[0]++
	g := &d.set.Goroutines[i]
	g.Minutes += minutes
	g.Longest = max(g.Longest, minutes)
	if minutes > 0 {
		g.Waiting++
	}
}

// newSample adds an empty sample for the goroutine that was read and returns its index, -1 for the observer's.
func (d *dump) newSample(state string) int {
	stack := append([]FrameID(nil), d.stack...)
	if !d.t.addSample(d.set, stack, []int64{0}) {
		return -1
	}
	d.set.Goroutines = append(d.set.Goroutines, Goroutine{State: state, CreatedBy: d.created, Lock: d.lock})
	return len(d.set.Samples) - 1
}
