package diagnose

import (
	"slices"
	"strings"

	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// compressors are what encoders write into, and decoders read from, a call for each piece.
func compressors() []known.Work { return []known.Work{known.Compresses} }

func cpuCompression() Detector {
	return costKind{
		id: "CPU006", kind: "cpu-compression", title: "Compression takes much of the CPU", what: "Compression",
		purpose: true,
		looks: "Looks for compress/*, klauspost/compress, zstd, snappy, lz4, brotli and pgzip below lines of the " +
			"user's code, or of a dependency if none is the user's. " +
			"Making a compressor is another kind, alloc-buffer-per-call. Where most of it is decompressing, or " +
			"compressing at the lowest level of a fast package, the remedies are others, and the finding is a notice " +
			"at most where no faster package reads or writes the format. Where most of what comes out of a " +
			"compressor is " +
			"stored as it was (a block of deflate that would not become smaller), the data is compressed already.",
		scale: jobScale(), scaleWhy: jobScaleWhy, whole: true,
		match: match{calls: []known.Work{known.Compresses}},
		gain:  [2]float64{0.3, 0.9}, gainWhy: "a lower level or a faster package saves a third or more, keeping the " +
			"compressed form saves nearly all",
		explanation: "One level higher costs up to twice the CPU for a few per cent of size. Data that does not " +
			"change is compressed again for every client.",
		least: []known.Work{known.LeastCodec},
		slow: &slowForm{
			calls: []known.Work{known.SearchesMatches},
			gain:  [2]float64{0.3, 0.9}, gainWhy: "most of it is the search of a high level for the longest match: a " +
				"lower level saves a third or more, keeping the compressed form saves nearly all",
		},
		fixes: []Remedy{
			byChange("", "Compress once", "At {line}: keep the compressed form of data that does not change, or "+
				"compress it when it is written.", "memory, and a cached response can be stale"),
			byChange("", "Compress less", "At {line}, or where the writer is made: level 1 "+
				"(gzip.BestSpeed) or zstd's fastest. Leave out bodies below about "+
				"1 KiB and data that is already compressed (images, archives).", "responses are 5–15 % larger"),
			byPackage(known.Compress, "Use github.com/klauspost/compress",
				"The same API: its level 1 writes zlib and gzip about twice as fast as Go's level 1 and ten times as "+
					"fast as Go's level 9, and it reads them 1.5 times as fast. It has zstd if you control both ends.",
				"a dependency"),
		},
		before: `zw, _ := gzip.NewWriterLevel(w, gzip.BestCompression)`,
		after:  `zw, _ := gzip.NewWriterLevel(w, gzip.BestSpeed) // or w.Write(compressedOnce)`,
	}.detector()
}

func decompresses(name string) bool {
	return !strings.Contains(name, "ReadFrom") && hasAny(name, known.DecompressWords()...)
}

// forCodec is the row for lines that mostly decompress, or whose codec does the least already: what makes compressing
// cheaper does not help them. The ratios are of messages of 13 kB and 1.5 MB of JSON, Go 1.26, klauspost/compress
// v1.18: zstd decodes 2.3 times as fast as that package's zlib, s2 2.5 to 6 times; s2 encodes 2 to 2.7 times as fast as
// its level 1, and makes the result 1.7 times as large.
func (k costKind) forCodec(c *costView, lines []*lineCost, sum lineCost) costKind {
	if k.kind != "cpu-compression" || c.cpu == nil {
		return k
	}
	least := k.isLeast(sum)
	format := "zstd is decoded about twice as fast as zlib and gzip, s2 three times and more."
	switch reads := c.decompressing(lines) > 0.5; {
	case reads:
		k.what = "Decompression"
		k.explanation = "Decompressing has no levels: its cost depends on the format, the package, and how often the " +
			"same data is read."
		k.fixes = []Remedy{
			byChange("", "Decompress once", "At {line}: keep the decompressed form of data that is read more than "+
				"once, and pass data on compressed that nobody looks into.", "memory"),
			byChange("", "Take a format that is cheaper to read", "At {line}: if you write the data as well: "+format,
				"both ends change; s2 is larger by half and more"),
		}
		k.gain, k.gainWhy = [2]float64{0.3, 0.8}, "another format costs half or less, what is not read again nothing"
		if !least {
			k.fixes = append([]Remedy{byPackage(known.Compress, "Use github.com/klauspost/compress to read",
				"The same API: it reads zlib and gzip 1.5 to 1.9 times as fast as the standard library.",
				"a dependency")},
				k.fixes...)
		}
	case c.stores():
		k.explanation = "Most of what comes out of the compressor was put there as it came in, in blocks that are " +
			"only " +
			"stored: it does not become smaller, as it is compressed already (images, video, archives, fonts), or " +
			"encrypted."
		k.own = true
		k.fixes = []Remedy{byChange("", "Do not compress what is compressed already", "At {line}, or where the "+
			"compressing middleware is set up: compress by content type (text, JSON, XML, SVG), and pass images, "+
			"video, "+
			"archives and fonts on as they are.", "none"), k.fixes[0]}
		k.gain, k.gainWhy = [2]float64{0.7, 0.95}, "what is passed on is only copied"
	case 2*sum.slow > sum.cpu: // a high level: at the usual one that search is less than half
		k.fixes = slices.Clone(k.fixes)
		k.fixes[0], k.fixes[1] = k.fixes[1], k.fixes[0]
	case least:
		k.explanation = "It is compressed at the lowest level already."
		k.fixes = []Remedy{k.fixes[0], byChange("", "Take a format that is cheaper to write", "At {line}: if you read "+
			"the data as well, s2 takes half of the CPU of zlib's level 1 and less; and leave out what is below about "+
			"1 KiB, or compressed already (images, archives).", "both ends change; s2 is larger by half and more")}
		k.gain, k.gainWhy = [2]float64{0.3, 0.8}, "another format costs half, what is not compressed again nothing"
	}
	if least {
		k.explanation += " There is no lower level and no faster package for this format that we know: nothing at " +
			"this line is wrong, so it is a notice at most."
	}
	return k
}

// mostStored is the part of what compressors put out, by the CPU of putting it out, that is stored as it came in.
const mostStored = 0.6

// stores reports whether most of what compressors put out is as it came in.
func (c *costView) stores() bool {
	all, stored, ticks := 0.0, 0.0, 0.0
	count := stacks.ByValue(c.cpu.set.Value("samples", "count"))
	for i := range c.cpu.set.Samples {
		s := &c.cpu.set.Samples[i]
		if !c.x.t.Has(s.Stack, withWork(known.PutsOut)) {
			continue
		}
		w := float64(c.cpu.weight(s))
		all, ticks = all+w, ticks+float64(count(s))
		if c.x.t.Has(s.Stack, withWork(known.StoresAsIs)) {
			stored += w
		}
	}
	return ticks >= minSeenTicks && stored >= mostStored*all
}

// isLeast reports whether most of the cost is of a form that costs least.
func (k costKind) isLeast(sum lineCost) bool { return k.least != nil && 2*sum.least > sum.cpu }

// decompressing is the share of the calls' CPU that decompresses.
func (c *costView) decompressing(lines []*lineCost) float64 {
	all, reads := 0.0, 0.0
	for _, l := range lines {
		for id, w := range l.calls {
			all += w
			if id != stacks.NoFrame && decompresses(c.x.t.Func(id).Name) {
				reads += w
			}
		}
	}
	return reads / max(all, 1)
}
