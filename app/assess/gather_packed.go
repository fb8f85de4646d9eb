package assess

import (
	"bytes"
	"compress/bzip2"
	"debug/elf"
	"errors"
	"fmt"
	"io"

	"github.com/gocasebook/casebook/vitals"
)

// People pack what they attach. bzip2 is read; of the rest the next step is said, because the standard library has no
// decoder, and one of somebody else's would read what strangers send. Gzip is read where evidence is (a profile is gzip
// itself), and zip and tar in files of their own.

// A packing is a form in which files are packed, by how it begins.
type packing struct {
	magic string
	name  string
	open  func(io.Reader) io.Reader // nil: it is not read
	next  string                    // what to do then; %s is the file
}

func packings() []packing {
	return []packing{
		{magic: "\x28\xb5\x2f\xfd", name: "zstd", next: "unpack it: zstd -dk %[1]s, and give what that writes"},
		{magic: "BZh", name: "bzip2", open: bzip2.NewReader},
		{magic: "\xfd7zXZ\x00", name: "xz", next: "unpack it: xz -dk %[1]s, and give what that writes"},
		{magic: "7z\xbc\xaf\x27\x1c", name: "7-Zip",
			next: "unpack it: 7z x -oevidence %[1]s; casebook diagnose evidence"},
		{magic: "Rar!\x1a\x07", name: "RAR", next: "unpack it: unrar x %[1]s evidence/; casebook diagnose evidence"},
		{magic: "\x04\x22\x4d\x18", name: "lz4", next: "unpack it: lz4 -dk %[1]s, and give what that writes"},
		{magic: "\x1f\x9d", name: "compress", next: "unpack it: zcat %[1]s > FILE, and give that"},
	}
}

// packingOf is how a file is packed; nil where it is not.
func packingOf(head []byte) *packing {
	for _, p := range packings() {
		if bytes.HasPrefix(head, []byte(p.magic)) {
			return &p
		}
	}
	return nil
}

// refusal says what a packed file is, and what to do with it.
func (p *packing) refusal(name string) error {
	return fmt.Errorf("%s: packed with %s, which is not read here; "+p.next, name, p.name)
}

// packed reads a packed file.
func (g *gatherer) packed(name string, p *packing, data []byte) {
	if p.open == nil {
		g.fail(p.refusal(name))
		return
	}
	plain, err := io.ReadAll(io.LimitReader(p.open(bytes.NewReader(data)), maxFile+1))
	switch {
	case err != nil && len(plain) == 0:
		g.fail(fmt.Errorf("reading %s as %s: %w; it may be truncated: copy it again", name, p.name, err))
	case len(plain) > maxFile:
		g.fail(fmt.Errorf("%s unpacks to more than %s; unpack it and give a part", name, vitals.Bytes.Format(maxFile)))
	case err == nil && packingOf(plain) != nil:
		g.fail(fmt.Errorf("%s: packed twice; unpack it once", name))
	default:
		if err != nil { // what was read is judged, and the error makes the exit code
			g.fail(fmt.Errorf("reading %s as %s: %w; what comes before is judged", name, p.name, err))
		}
		if g.bytes += int64(len(plain)); g.bytes > maxAll {
			g.fail(fmt.Errorf("%s was not read: more than %s in one call; name fewer files", name,
				vitals.Bytes.Format(maxAll)))
			return
		}
		g.reader(name, bytes.NewReader(plain))
	}
}

// coreOf says of a core dump what to do with it; nil for any other file.
func coreOf(name string, data []byte) error {
	f, err := elf.NewFile(bytes.NewReader(data))
	if err != nil {
		return nil
	}
	if f.Type != elf.ET_CORE {
		return nil
	}
	return errors.New(name + ": a core dump: dlv core PROGRAM FILE reads its goroutines (goroutines -t), as text for " +
		"a person; of the next run, kill -QUIT prints what is read here")
}
