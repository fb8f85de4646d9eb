package trace

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// generations is the byte stream of a trace, cut where generations begin. A generation needs nothing of the one before
// it, so that reading can go on after a damaged one. It knows only the frame of the format: a header of 16 bytes, and
// batches of type, generation, thread, time and length (internal/trace/tracev2 of Go 1.26, doc.go).
type generations struct {
	in      *bufio.Reader
	minor   int    // 26 in "go 1.26 trace"
	bytes   int64  // read
	warning string // about the version
	err     error  // why the stream ended; io.EOF: as it should

	current uint64 // generation of the last batch; 0 before the first
	size    int64  // of the current generation so far
	latest  uint64 // when the last of its batches began that was given out
	full    bool   // its size is at the bound
	skipped uint64 // the generation to leave out; 0: none
	pending []byte // the head of a batch, not given out yet
	body    []byte // what comes after it: a part of buffer
	buffer  []byte // what the library reads, it copies
	header  []byte // still to be given out in this run
	most    int64  // bytes of a generation whose events are given out
	left    int64  // bytes of events that were left out of generations larger than that
}

// Bounds of a generation. The runtime begins a new one each second; busy services write about 35 MB in that time, and
// the library holds two at once. Of a larger one the first part is read, with all of its stacks and names, which the
// runtime writes last. A thread that does little writes its batch when the generation ends, and without it nothing can
// be put in order: so what is left out is what began later than the last batch before the bound.
const (
	maxGeneration = 64 << 20
	maxBatch      = 64 << 10 // tracev2.MaxBatchSize
	bufioSize     = 4 << 10  // of the library's bufio.Reader, which reads more than that directly
)

// Types of batches, and the versions that this reader knows.
const (
	eventBatch        = 1
	experimentalBatch = 49
	endOfGeneration   = 52

	headerSize = 16
	oldest     = 22
	newest     = 26 // Go 1.27 writes this version, too
	endsMarked = 26 // the first version with endOfGeneration
)

// isTable reports whether a batch has no events: its first byte is EvStacks, EvStrings, EvCPUSamples, EvFrequency or
// EvSync (tracev2/events.go).
func isTable(body []byte) bool {
	return len(body) > 0 && bytes.IndexByte([]byte{2, 4, 6, 8, 50}, body[0]) >= 0
}

// Is reports whether data begins as an execution trace does.
func Is(data []byte) bool {
	return bytes.HasPrefix(data, []byte("go 1.")) && len(data) >= headerSize &&
		bytes.HasSuffix(bytes.TrimRight(data[:headerSize], "\x00"), []byte(" trace"))
}

func newGenerations(r io.Reader) (*generations, error) {
	g := &generations{in: bufio.NewReaderSize(r, 256<<10), buffer: make([]byte, maxBatch), most: maxGeneration}
	head := make([]byte, headerSize)
	if _, err := io.ReadFull(g.in, head); err != nil {
		return nil, errors.New("not a Go execution trace: it is shorter than a header")
	}
	text, ok := strings.CutPrefix(strings.TrimRight(string(head), "\x00"), "go 1.")
	text, ok2 := strings.CutSuffix(text, " trace")
	minor, err := strconv.Atoi(text)
	switch {
	case !ok || !ok2 || err != nil:
		return nil, errors.New("not a Go execution trace: it does not begin with go 1.N trace")
	case minor < oldest:
		return nil, fmt.Errorf("the trace is of Go 1.%d; Casebook reads those of Go 1.%d and later", minor, oldest)
	case minor > newest:
		g.warning = fmt.Sprintf("the trace has the format of Go 1.%d, which this Casebook does not know: read as that "+
			"of Go 1.%d", minor, newest)
	}
	g.minor, g.bytes = minor, headerSize
	return g, nil
}

func (g *generations) version() string { return "go 1." + strconv.Itoa(g.minor) }

// more reports whether there may be something left to read.
func (g *generations) more() bool { return g.err == nil }

// run is a trace that begins with the next generation.
func (g *generations) run() io.Reader {
	g.header = fmt.Appendf(nil, "go 1.%d trace\x00\x00\x00", min(g.minor, newest))
	return g
}

// skip leaves out what is left of the generation that could not be read.
func (g *generations) skip() {
	g.skipped = g.current
	g.drop()
}

// drop forgets a batch that is not given out.
func (g *generations) drop() { g.pending, g.body = nil, nil }

// leftOut says what of large generations was not read; "" if everything was.
func (g *generations) leftOut() string {
	if g.left == 0 {
		return ""
	}
	return fmt.Sprintf("%.0f MiB of events were left out: of a second of the trace no more than %d MiB are read",
		float64(g.left)/(1<<20), g.most>>20)
}

// ended says why the stream did not end as it should; "" if it did.
func (g *generations) ended() string {
	if g.err == nil || g.err == io.EOF {
		return ""
	}
	return fmt.Sprintf("after %d bytes: %v", g.bytes, g.err)
}

// Read gives out no more than the head of a batch or what comes after it, so that what buffers above it holds nothing of
// the next generation.
//
// With the last byte of a batch of a size that bufio.Reader does not buffer it says io.EOF, though there is more. The
// library copies such a batch into a bytes.Buffer that has just its size, and the buffer wants 512 bytes more before it
// asks whether that was the end: it becomes twice as large, which was most of the memory of reading, and is copied once
// more. A reader that ignores an io.EOF beside the bytes that it asked for, as io.ReadFull does, loses nothing by it.
func (g *generations) Read(p []byte) (int, error) {
	if len(g.header) > 0 {
		n := copy(p, g.header)
		g.header = g.header[n:]
		return n, nil
	}
	for len(g.pending)+len(g.body) == 0 {
		if g.err != nil {
			return 0, g.err
		}
		if g.err = g.next(); g.err != nil {
			return 0, g.err
		}
	}
	if len(g.pending) > 0 {
		n := copy(p, g.pending)
		g.pending = g.pending[n:]
		return n, nil
	}
	whole := len(p) == len(g.body) && len(p) > bufioSize
	n := copy(p, g.body)
	g.body = g.body[n:]
	if whole {
		return n, io.EOF
	}
	return n, nil
}

// next reads one batch into pending and body; nothing if it is to be left out.
func (g *generations) next() error {
	kind, err := g.in.ReadByte()
	if err != nil {
		return err
	}
	batch := []byte{kind}
	if kind == endOfGeneration && g.minor >= endsMarked {
		return g.take(batch, nil, g.current, 0)
	}
	switch kind {
	case eventBatch:
	case experimentalBatch:
		b, err := g.in.ReadByte()
		if err != nil {
			return cutOff(err)
		}
		batch = append(batch, b)
	default:
		return fmt.Errorf("what follows is no batch of events (type %d)", kind)
	}
	var numbers [4]uint64 // generation, thread, time, length
	for i := range numbers {
		if numbers[i], err = binary.ReadUvarint(g.in); err != nil {
			return cutOff(err)
		}
		batch = binary.AppendUvarint(batch, numbers[i])
	}
	if numbers[3] > maxBatch {
		return fmt.Errorf("a batch says that it has %d bytes", numbers[3])
	}
	body := g.buffer[:numbers[3]]
	if _, err := io.ReadFull(g.in, body); err != nil {
		return cutOff(err)
	}
	return g.take(batch, body, numbers[0], numbers[2])
}

// take gives a batch out, unless its generation is left out.
func (g *generations) take(head, body []byte, generation, began uint64) error {
	size := int64(len(head) + len(body))
	g.bytes += size
	if generation != g.current {
		g.current, g.size, g.latest, g.full = generation, 0, 0, false
	}
	if g.skipped != 0 && generation == g.skipped {
		return nil
	}
	g.skipped = 0
	if len(body) > 0 && !isTable(body) {
		g.full = g.full || g.size+size > g.most
		if g.full && began > g.latest {
			g.left += size
			return nil
		}
		g.latest = max(g.latest, began)
	}
	g.size += size
	g.pending, g.body = head, body
	return nil
}

func cutOff(err error) error {
	if err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("the trace is cut off")
	}
	return err
}
