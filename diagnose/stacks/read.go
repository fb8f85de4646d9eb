package stacks

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"time"
	"unicode/utf8"

	"github.com/gocasebook/casebook/internal/number"
)

// A Source is what is known about a file before it is read. Everything except Name may be zero.
type Source struct {
	Name    string    // for messages, and a hint where content is ambiguous
	Kind    string    // what the capture asked for; content overrules it, except between mutex and block
	Taken   time.Time // zero: the profile's own time
	Seconds float64   // zero: the profile's own duration
	Labels  *Labels   // what is wanted of labels; nil: nothing
}

// Read reads one file. The error is a *Problem. A panic in parsing becomes one: a hostile file must not crash the
// process that reads it.
func (t *Table) Read(src Source, data []byte) (set *Set, err error) {
	defer func() {
		if r := recover(); r != nil {
			set, err = nil, &Problem{src.Name, fmt.Sprintf("not a readable profile (%v)", r), giveProfile}
		}
	}()
	if t.held > t.room {
		return nil,
			&Problem{src.Name,
				fmt.Sprintf("not read: the files before it use %d MiB for stacks, the most that is kept at a time",
					t.held>>20), "give fewer files at a time"}
	}
	set, p := t.read(src, data)
	if p != nil {
		p.File = src.Name
		return nil, p
	}
	t.held += set.size()
	set.Table, set.Name = t, src.Name
	if !src.Taken.IsZero() {
		set.Taken = src.Taken
	}
	if seconds := plausibleSeconds(src.Seconds); seconds > 0 {
		set.Seconds = seconds
	}
	set.bound()
	return set, nil
}

// size is roughly how many bytes a set uses besides its table.
func (s *Set) size() (bytes int64) {
	const sample, frame, value = 64, 4, 8
	for i := range s.Samples {
		bytes += sample + frame*int64(len(s.Samples[i].Stack)) + value*int64(len(s.Samples[i].Values))
	}
	return bytes
}

func (t *Table) read(src Source, data []byte) (*Set, *Problem) {
	data, tail, p := unpack(data, t.left())
	if p != nil {
		return nil, p
	}
	set, p := t.readPlain(src, data)
	if p == nil && tail {
		set.addRemark("what is behind the end of the gzip stream is not read: a longer file was written over, or " +
			"something appended")
	}
	return set, p
}

// readPlain reads what is not compressed.
func (t *Table) readPlain(src Source, data []byte) (*Set, *Problem) {
	if p := notAProfile(data); p != nil {
		return nil, p
	}
	if isDump(data) {
		return t.readDump(data)
	}
	if len(data) > MaxProfile {
		return nil, problem("capture less: a shorter CPU profile, or a heap profile without debug=1",
			"larger than %d MiB, the most that is read", MaxProfile>>20)
	}
	if p := t.fits(int64(len(data))); p != nil {
		return nil, p
	}
	if isGoText(data) {
		return t.readText(data)
	}
	if isFolded(data) {
		return t.readFolded(src, data)
	}
	return t.readProfile(src, data)
}

// decompress is unpack, whatever is behind the end.
func decompress(data []byte, left int64) ([]byte, *Problem) {
	out, _, p := unpack(data, left)
	return out, p
}

// unpack undoes one layer of gzip and no more, up to MaxProfile, or the memory that is left. tail is true where bytes
// follow that are no gzip.
func unpack(data []byte, left int64) (out []byte, tail bool, p *Problem) {
	if len(data) == 0 {
		return nil, false, problem(captureAgain, "empty file")
	}
	if len(data) > MaxFile && !isDump(data) {
		return nil, false, problem("capture less, or cut the file", "%d MiB, more than the %d MiB that are read",
			len(data)>>20, MaxFile>>20)
	}
	if !IsGzip(data) {
		return data, false, nil
	}
	zr, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, false, gzipProblem(err)
	}
	b := bytes.NewBuffer(make([]byte, 0, unpackedSize(data, left)))
	_, err = b.ReadFrom(io.LimitReader(zr, sniffed))
	limit, dump := int(min(MaxProfile, left)), isDump(b.Bytes())
	if dump {
		limit = int(min(MaxDump, left))
	}
	if err == nil {
		_, err = b.ReadFrom(io.LimitReader(zr, int64(max(limit+1-b.Len(), 0))))
	}
	if tail = errors.Is(err, gzip.ErrHeader) && b.Len() > 0; err != nil && !tail {
		return nil, false, gzipProblem(err)
	}
	out = b.Bytes()
	switch {
	case len(out) > limit && limit < MaxProfile && !dump:
		return nil, false,
			problem(readElsewhere,
				"not read: it decompresses to more than the %s of memory that this process has left for evidence",
				number.Bytes(float64(left)))
	case len(out) > limit && !dump: // a dump is cut, and says so
		return nil, false, problem("capture less: a shorter CPU profile, fewer labels",
			"decompresses to more than %d MiB, the most that is read", MaxProfile>>20)
	case len(out) == 0:
		return nil, false, problem(captureAgain, "empty: a gzip file with nothing in it")
	case IsGzip(out):
		return nil, false, problem("decompress it once: gunzip FILE", "compressed twice")
	}
	return out, tail, nil
}

// unpackedSize is what the end of a gzip file says of its content's size, and room for the last read, if that is
// plausible: a growing buffer needs three times as much. Deflate compresses to a 1032nd at best.
func unpackedSize(data []byte, left int64) int {
	n := int64(binary.LittleEndian.Uint32(data[max(len(data)-4, 0):]))
	return int(min(n, MaxProfile, left, 1032*int64(len(data)))) + bytes.MinRead
}

func gzipProblem(err error) *Problem {
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		return problem(captureAgain, "truncated: the gzip stream ends before its end")
	}
	return problem(captureAgain, "damaged: %v", err)
}

// IsGzip reports whether data is gzipped, by how it begins.
func IsGzip(b []byte) bool { return len(b) >= 2 && b[0] == 0x1f && b[1] == 0x8b }

// Mistaken says what a file is that people pass by mistake: "HTML page, not a profile: is the URL right?". "" for any
// other.
func Mistaken(data []byte) string {
	if p := notAProfile(data); p != nil {
		return p.Reason
	}
	return ""
}

// notAProfile names the files that people pass by mistake.
func notAProfile(b []byte) *Problem {
	head := bytes.TrimLeft(b[:min(len(b), 512)], " \t\r\n\ufeff")
	has := func(prefix string) bool { return bytes.HasPrefix(head, []byte(prefix)) }
	if p := foreignFormat(b); p != nil {
		return p
	}
	switch {
	case len(head) == 0:
		return problem(captureAgain, "empty file")
	case (has("<?xml") || has("<svg")) && bytes.Contains(b[:min(len(b), sniffed)], []byte("<svg")):
		return problem("give the stacks that it was drawn from, folded (py-spy record -f raw, stackcollapse), or "+
			"the profile",
			"a picture of a flame graph (SVG), not a profile")
	case has("<"):
		return problem(checkURL, "HTML page, not a profile: is the URL right?")
	case has("{") || has("["):
		if json := bytes.IndexByte(head, '"'); json >= 0 && json < 8 {
			return problem(giveProfile, "JSON, not a profile")
		}
	case has("404 ") || has("Unknown profile"):
		return problem(checkURL, "an error answer of the server, not a profile: %q", firstLine(head))
	case has("go 1.") && bytes.Contains(head[:min(len(head), 16)], []byte(" trace")):
		return problem("give profiles; a trace has some: go tool trace -pprof=sync FILE > block.pb.gz (also net, "+
			"syscall, sched)",
			"an execution trace")
	case has("\x7fELF") || has("MZ") || has("\xcf\xfa\xed\xfe"):
		return problem(giveProfile, "a binary, not a profile")
	case has("PK\x03\x04"):
		return problem("unpack it, or read a case with: casebook case import FILE", "a zip archive, not a profile")
	}
	return nil
}

// firstLine is the first line of a text, shortened for a message.
func firstLine(b []byte) string {
	line, _, _ := bytes.Cut(b, []byte("\n"))
	line = bytes.TrimSpace(line)
	if len(line) > 80 {
		line = line[:80]
	}
	if !utf8.Valid(line) {
		return fmt.Sprintf("%x", line)
	}
	return string(line)
}

// What google/pprof uses while a page is made of a profile, in bytes for each record: its structs, a call graph, and the
// page. CPU profiles of 20,000 functions and 5,000, 15,000 and 95,000 stacks had 155, 402 and 1,590 MB at the peak (peek,
// the largest page), and this says 171, 335 and 1,640.
const (
	pprofSample = 250
	pprofID     = 400 // a frame of a stack
	pprofPart   = 100
	pprofTable  = 1000
)

// Unpacked is a profile as protobuf without its compression, and roughly the memory that google/pprof needs to show it,
// for code that passes it on. What Table.Read refuses by its size is refused here too, and so are other formats than
// protobuf. The error is a *Problem.
func Unpacked(name string, data []byte) (proto []byte, needed int64, err error) {
	proto, p := decompress(data, readable())
	if p == nil {
		p = notAProfile(proto)
	}
	var c wireCount
	if p == nil {
		c, p = countWire(proto)
	}
	if p != nil {
		p.File = name
		return nil, 0, p
	}
	return proto, 2*int64(len(proto)) + pprofSample*int64(c.samples) + pprofID*int64(c.ids) +
		pprofPart*int64(c.parts) + pprofTable*int64(c.table), nil
}
