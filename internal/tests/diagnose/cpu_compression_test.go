package diagnose_test

import (
	"strings"
	"testing"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
)

// TestCodec: what makes compressing cheaper is no remedy for decompressing, nor for what is at its lowest level; and
// where a format's cheapest codec is in use, the finding is a notice, even if the CPU is used up.
func TestCodec(t *testing.T) {
	const (
		kp   = "github.com/klauspost/compress/"
		fast = kp + "flate.(*compressor).storeFast "
	)
	for _, tt := range []struct {
		name, stack string
		least       bool
		title       string
		remedy      string // the first
		not         string // among the remedies
	}{
		{"Go's zlib at level 9", "compress/flate.(*compressor).deflate compress/flate.(*Writer).Write " +
			"compress/zlib.(*Writer).Write", false, "Compression", "Compress once", "to read"},
		{"Go's gzip at level 1", "compress/flate.(*deflateFast).encode compress/flate.(*compressor).encSpeed " +
			"compress/gzip.(*Writer).Close", false, "Compression", "Compress once", "to read"},
		{"klauspost's level 6", kp + "flate.(*fastEncL6).Encode " + fast + kp +
			"gzip.(*Writer).Write", false, "Compression", "Compress once", "to read"},
		{"zstd at its default", kp + "zstd.(*doubleFastEncoder).EncodeNoHist " + kp + "zstd.(*Encoder).EncodeAll",
			false, "Compression", "Compress once", "to read"},
		{"Go's gzip, read", "compress/flate.(*decompressor).huffmanBlock compress/flate.(*decompressor).Read " +
			"compress/gzip.(*Reader).Read", false, "Decompression",
			"Use github.com/klauspost/compress to read", "Compress less"},

		{"klauspost's level 1", kp + "flate.(*fastEncL1).Encode " + fast + kp +
			"zlib.(*Writer).Write", true, "Compression", "Compress once", "Compress less"},
		{"its Huffman codes", kp + "flate.(*huffmanBitWriter).writeTokens " + fast + kp +
			"zlib.(*Writer).Close", true, "Compression", "Compress once", "Use github.com/klauspost"},
		{"klauspost's zlib, read", kp + "flate.(*decompressor).huffmanBytesReader " + kp +
			"flate.(*decompressor).Read " + kp + "zlib.(*reader).Read", true, "Decompression",
			"Decompress once", "Compress"},
		{"zstd, read", kp + "zstd.(*blockDec).decodeBuf " + kp + "zstd.(*frameDec).runDecoder " + kp +
			"zstd.(*Decoder).DecodeAll", true, "Decompression",
			"Decompress once", "Compress"},
		{"s2", kp + "s2.encodeBlockGo " + kp + "s2.Encode", true, "Compression", "Compress once", "Compress less"},
		{"snappy, read", "github.com/golang/snappy.decode github.com/golang/snappy.Decode", true, "Decompression",
			"Decompress once", "Compress"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f, got := scoreOf(t, diagnose.Input{Limits: casefile.Limits{CPUs: 1}, Evidence: []diagnose.Evidence{cpuProfile(t, 10,
				map[string]int64{tt.stack + " " + workStack: 600, workStack: 400})}}, "cpu-compression")
			if (got > capNotice) == tt.least || got < worthKnowing || !strings.HasPrefix(f.Title, tt.title+" ") {
				t.Errorf("%d, %q; want %q, a notice at most: %v", got, f.Title, tt.title, tt.least)
			}
			if all := strings.Join(titles(f.Remedies), "; "); !strings.HasPrefix(all, tt.remedy) ||
				strings.Contains(all, tt.not) {
				t.Errorf("remedies %q, want %q first, and none that says %q", all, tt.remedy, tt.not)
			}
		})
	}
}
