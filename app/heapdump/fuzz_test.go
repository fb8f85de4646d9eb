package heapdump

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/diagnose/refs"
)

// A dumpWriter writes a dump as the runtime does.
type dumpWriter struct{ bytes.Buffer }

func (d *dumpWriter) ints(v ...uint64) {
	for _, x := range v {
		d.Write(binary.AppendUvarint(nil, x))
	}
}

func (d *dumpWriter) text(s string) {
	d.ints(uint64(len(s)))
	d.WriteString(s)
}

// memory writes words, and which of them are pointers.
func (d *dumpWriter) memory(words []uint64) {
	d.ints(uint64(len(words) * wordSize))
	for _, w := range words {
		d.Write(binary.LittleEndian.AppendUint64(nil, w))
	}
}

func (d *dumpWriter) pointers(words []uint64) {
	for i, w := range words {
		if w != 0 {
			d.ints(fieldPointer, uint64(i*wordSize))
		}
	}
	d.ints(fieldEnd)
}

func (d *dumpWriter) object(address uint64, words ...uint64) {
	d.ints(tagObject, address)
	d.memory(words)
	d.pointers(words)
}

func (d *dumpWriter) section(tag, address uint64, words ...uint64) {
	d.ints(tag, address)
	d.memory(words)
	d.pointers(words)
}

func (d *dumpWriter) begin() {
	d.WriteString(header)
	d.ints(tagParams, 0, wordSize, 0x1000, 0x9000)
	d.text("amd64")
	d.text("go1.26.8")
	d.ints(2)
}

func (d *dumpWriter) goroutine(function string, words ...uint64) {
	d.ints(tagGoroutine, 0x500, 0x600, 7, 0, 4, 0, 0, 0)
	d.text("chan receive")
	d.ints(0, 0, 0, 0)
	d.ints(tagStackFrame, 0x600, 0, 0)
	d.memory(words)
	d.ints(0x400, 0x410, 0x410)
	d.text(function)
	d.pointers(words)
}

// smallDump has each kind of record: a list of three objects in a global, one held by a goroutine, one by a finalizer,
// and garbage.
func smallDump() []byte {
	var d dumpWriter
	d.begin()
	d.ints(tagType, 0x700, 64)
	d.text("main.order")
	d.ints(1, tagItab, 0x710, 0x700)
	d.object(0x1000, 0x1010, 0)
	d.object(0x1010, 0x1020, 0)
	d.object(0x1020, 0, 0)
	d.object(0x1030, 0x1030, 0)
	d.object(0x2000, make([]uint64, 4)...)
	d.object(0x3000, make([]uint64, 8)...)
	d.goroutine("main.work", 0x2000, 0)
	d.ints(tagDefer, 0x10, 0, 0, 0, 0x2000, 0, 0)
	d.ints(tagPanic, 0x10, 0, 0, 0x2000, 0, 0)
	d.ints(tagOSThread, 1, 2, 3)
	d.section(tagData, 0x8000, 0, 0x1000)
	d.section(tagBSS, 0x9000)
	d.ints(tagFinalizer, 0x3000, 0, 0x410, 0, 0)
	d.ints(tagQueuedFinalizer, 0x3000, 0, 0x410, 0, 0)
	d.ints(tagOtherRoot)
	d.text("other")
	d.ints(0x2000)
	d.ints(tagMemStats)
	d.ints(slices.Repeat([]uint64{1}, 24+pauses+1)...)
	d.ints(tagMemProf, 0x99, 16, 2)
	d.text("runtime.mallocgc")
	d.text("malloc.go")
	d.ints(1)
	d.text("main.fill")
	d.text("main.go")
	d.ints(12, 5, 1, tagAllocSample, 0x1010, 0x99, tagEOF)
	return d.Bytes()
}

func TestSmall(t *testing.T) {
	s, err := Read(t.Context(), "small", bytes.NewReader(smallDump()), Options{})
	if err != nil || len(s.Warnings) > 0 {
		t.Fatalf("%v, %v", err, s)
	}
	if s.Objects != 6 || s.Bytes != 4*16+32+64 || s.Reached != (refs.Amount{Bytes: 3*16 + 32 + 64, Objects: 5}) {
		t.Errorf("%d objects, %d bytes, reached %+v", s.Objects, s.Bytes, s.Reached)
	}
	want := []struct {
		kind  refs.RootKind
		name  string
		bytes uint64
	}{{refs.Finalizer, "code at 0x410", 64}, {refs.Global, "data+0x8", 48}, {refs.Goroutine, "main.work", 32}}
	for i, w := range want {
		if len(s.Holders) <= i {
			t.Fatalf("%d holders, want %d", len(s.Holders), len(want))
		}
		if h := s.Holders[i]; h.Root.Kind != w.kind || h.Root.Name != w.name || h.Bytes != w.bytes {
			t.Errorf("holder %d is %+v, want %+v", i, h, w)
		}
	}
	if a := s.Holders[1].Allocated; len(a) != 1 || a[0].Site != (refs.Site{Function: "main.fill", File: "main.go", Line: 12}) {
		t.Errorf("allocated by %+v", a)
	}
}

// TestCut reads a dump that ends at every byte.
func TestCut(t *testing.T) {
	whole := smallDump()
	for n := range len(whole) - 1 {
		s, err := Read(t.Context(), "cut", bytes.NewReader(whole[:n]), Options{})
		switch {
		case err != nil && n > 45:
			t.Errorf("%d bytes: %v", n, err)
		case err == nil && (len(s.Warnings) == 0 || !strings.Contains(s.Warnings[0], "read up to here")):
			t.Errorf("%d bytes: no warning: %+v", n, s)
		}
	}
}

// TestFuture reads a dump with a kind of record that is not known yet.
func TestFuture(t *testing.T) {
	data := smallDump()
	data[len(data)-1] = 40
	s, err := Read(t.Context(), "future", bytes.NewReader(data), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Holders) != 3 || len(s.Warnings) != 1 || !strings.Contains(s.Warnings[0], "record of kind 40") {
		t.Errorf("got %+v", s)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(smallDump())
	f.Add([]byte(header))
	for _, name := range []string{"list", "huge", "deep"} {
		f.Add(craftedDump(name))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, _ = Read(t.Context(), "fuzzed", bytes.NewReader(data), Options{}) // it must return, whatever
		runtime.ReadMemStats(&after)
		if got := after.TotalAlloc - before.TotalAlloc; got > uint64(64<<20+200*len(data)) {
			t.Errorf("%d bytes allocated for a dump of %d", got, len(data))
		}
	})
}

// craftedDump is a dump that claims more than it has.
func craftedDump(name string) []byte {
	var d dumpWriter
	d.begin()
	switch name {
	case "huge": // an object of an exabyte
		d.ints(tagObject, 0x1000, 1<<60)
	case "deep": // overlapping objects
		for i := range uint64(64) {
			d.object(0x1000+i, 0x1000+i+1, 0x1000, 0x1001)
		}
	default: // a list
		for i := range uint64(2000) {
			d.object(0x1000+16*i, 0x1000+16*(i+1), 0x1000)
		}
	}
	d.goroutine("main.main", 0x1000)
	d.section(tagData, 0x100, 0x1000)
	d.section(tagBSS, 0x200, 0x1000)
	d.ints(tagEOF)
	return d.Bytes()
}

// TestLarge reads objects that do not fit the buffers.
func TestLarge(t *testing.T) {
	var d dumpWriter
	d.begin()
	all := make([]uint64, 100_000)
	for i := range all {
		all[i] = 0x1000_0000 + 64*uint64(i)
		d.object(all[i], make([]uint64, 8)...)
	}
	d.object(0x8000_0000, all...)
	d.goroutine("main.main")
	d.section(tagData, 0x100, 0x8000_0000)
	d.section(tagBSS, 0x200)
	d.ints(tagEOF)
	file := filepath.Join(t.TempDir(), "dump")
	if err := os.WriteFile(file, d.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	s, err := Read(t.Context(), "large", f, Options{})
	if err != nil || len(s.Holders) != 1 || s.Holders[0].Objects != 100_001 {
		t.Errorf("%v, %+v", err, s)
	}
}
