package cli_test

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"math/rand/v2"
	"strings"
	"sync"
)

// Records of profile.proto, written by hand: google/pprof's writer would need gigabytes for so many.
func protoBytes(num byte, data []byte) []byte {
	return append(binary.AppendUvarint([]byte{num<<3 | 2}, uint64(len(data))), data...)
}

// protoHeader is the beginning of a goroutine profile with one function and n addresses.
func protoHeader(w io.Writer, n int) {
	out := protoBytes(1, []byte{8, 1, 16, 2})
	for _, s := range []string{"", "goroutine", "count", "main.main", "main.go"} {
		out = append(out, protoBytes(6, []byte(s))...)
	}
	out = append(out, protoBytes(5, []byte{8, 1, 16, 3, 32, 4})...)
	_, _ = w.Write(out) // to memory
	for i := range n {
		id := binary.AppendUvarint([]byte{8}, uint64(i+1))
		_, _ = w.Write(protoBytes(4, append(id, 34, 2, 8, 1)))
	}
}

// A packer makes a gzip file. What is repeated is compressed once: a piece ends at a whole byte, so that copies of it
// can follow each other. Compressing gigabytes would take minutes under the race detector.
type packer struct {
	plain  bytes.Buffer // not yet compressed
	packed bytes.Buffer
	sum    uint32 // CRC-32 of all that is unpacked
	size   uint32 // its bytes
}

func (p *packer) Write(piece []byte) (int, error) { return p.plain.Write(piece) }

// repeat adds n copies of a piece.
func (p *packer) repeat(piece []byte, n int) {
	p.flush()
	p.add(piece, n)
}

func (p *packer) flush() {
	if p.plain.Len() > 0 {
		p.add(p.plain.Bytes(), 1)
		p.plain.Reset()
	}
}

func (p *packer) add(piece []byte, n int) {
	var one bytes.Buffer
	fw, _ := flate.NewWriter(&one, flate.BestSpeed) // a valid level, into memory
	_, _ = fw.Write(piece)
	_ = fw.Flush()
	for range n {
		p.packed.Write(one.Bytes())
		p.sum = crc32.Update(p.sum, crc32.IEEETable, piece)
		p.size += uint32(len(piece))
	}
}

// file is the gzip file: a header, the compressed pieces, an empty last block, and what checks them (RFC 1952).
func (p *packer) file() string {
	p.flush()
	out := append([]byte("\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"), p.packed.Bytes()...)
	out = append(out, "\x01\x00\x00\xff\xff"...)
	return string(binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(out, p.sum), p.size))
}

// packed is a gzip file of what write writes, made once.
func packed(write func(*packer)) func() string {
	return sync.OnceValue(func() string {
		var p packer
		write(&p)
		return p.file()
	})
}

var (
	emptyProfile    = packed(func(w *packer) { protoHeader(w, 1) })
	packedTwice     = packed(func(w *packer) { _, _ = io.WriteString(w, emptyProfile()) })
	danglingStrings = packed(func(w *packer) {
		protoHeader(w, 1)
		_, _ = w.Write(protoBytes(5, []byte{8, 2, 16, 99, 32, 98})) // a function with the names 99 and 98, of five
		_, _ = w.Write(protoBytes(2, []byte{8, 1, 16, 1}))
	})
	heapForGoroutines = packed(func(w *packer) {
		out := protoBytes(1, []byte{8, 1, 16, 2})
		for _, s := range []string{"", "inuse_space", "bytes"} {
			out = append(out, protoBytes(6, []byte(s))...)
		}
		_, _ = w.Write(out) // to memory
	})
	oneDeepSample = packed(func(w *packer) { // 60 million addresses in one sample
		protoHeader(w, 1)
		_, _ = w.Write(binary.AppendUvarint([]byte{2<<3 | 2}, 60_000_000+5+3))
		_, _ = w.Write(binary.AppendUvarint([]byte{1<<3 | 2}, 60_000_000))
		w.repeat(bytes.Repeat([]byte{1}, 1_000_000), 60)
		_, _ = w.Write(protoBytes(2, []byte{1}))
	})
	longName = packed(func(w *packer) {
		protoHeader(w, 1)
		_, _ = w.Write(binary.AppendUvarint([]byte{6<<3 | 2}, 50_000_000))
		w.repeat(bytes.Repeat([]byte("x"), 1_000_000), 50)
		_, _ = w.Write(protoBytes(2, []byte{8, 1, 16, 1}))
	})
	manySamples = packed(func(w *packer) {
		protoHeader(w, 1)
		sample := append(protoBytes(1, bytes.Repeat([]byte{1}, 50)), protoBytes(2, []byte{1})...)
		w.repeat(bytes.Repeat(protoBytes(2, sample), 1000), 1000)
	})
	manyAddresses = packed(func(w *packer) { protoHeader(w, 3_000_000) })
	// 20,000 that share no stack: within all limits, and too many for little memory.
	manyStacks = packed(func(w *packer) {
		rng := rand.New(rand.NewPCG(5, 6))
		protoHeader(w, 10_000)
		for range 20_000 {
			var ids []byte
			for range 60 {
				ids = binary.AppendUvarint(ids, rng.Uint64N(10_000)+1)
			}
			_, _ = w.Write(protoBytes(2, append(protoBytes(1, ids), protoBytes(2, []byte{1})...)))
		}
	})
	zeros = packed(func(w *packer) { w.repeat(make([]byte, 1<<20), 2000) }) // 2 GB
	noise = sync.OnceValue(func() string {
		rng := rand.New(rand.NewPCG(1, 2))
		b := make([]byte, 100_000)
		for i := range b {
			b[i] = byte(rng.Uint32())
		}
		return string(b)
	})
	longIndex = sync.OnceValue(func() string {
		var b strings.Builder
		b.WriteString("<html><body><table>")
		for i := range 100_000 {
			fmt.Fprintf(&b, "<tr><td>%d</td><td><a href='p%d?debug=1'>p%d</a></td></tr>\n", i, i, i)
		}
		return b.String()
	})
	noiseProfile = packed(func(w *packer) { _, _ = io.WriteString(w, noise()) })
)
