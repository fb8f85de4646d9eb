package diagnose

import (
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/known"
)

// The kinds of this file are larger pieces of memory that live for one call.

func allocOversized() Detector {
	return costKind{
		id: "AL002", kind: "alloc-oversized", title: "Large objects are allocated again and again",
		what: "Allocating large objects",
		looks: "Looks for lines that allocate objects of 64 KiB or more on average and drop them. A profile cannot " +
			"show how much of such an object is used: the source at the line, or the size of what is " +
			"read into it, does. Objects above 32 KiB (maxSmallSize in runtime/sizeclasses.go) come from the heap " +
			"itself, under its lock, and are zeroed first.",
		scale: allocScale(), scaleWhy: allocScaleWhy,
		match:    match{own: true, sized: true},
		rewrites: true,
		gain:     [2]float64{0.5, 0.95}, gainWhy: "a buffer of the right size, or one that is reused, saves most of it",
		explanation: "Each one is zeroed (about 10 µs for 100 KiB), evicts other data from the CPU caches and brings " +
			"the next collection closer by its whole size, used or not.",
		fixes: []Remedy{
			byChange("", "Allocate what is used, or keep the buffer", "At {line}: if less is used than is made, take "+
				"the size from what is known (Content-Length, len, Stat), or start small and let it grow. If all of "+
				"it is: keep it for the next call.", "limit the size that a client may announce"),
			byChange("", "Keep the buffer", "At {line}: a sync.Pool of *[]byte, or one for each worker; do not put "+
				"back a buffer that has grown beyond a limit.", "code that keeps a reference reads someone else's "+
				"data").poolsIt().needs(casefile.NeedsNotKept),
			byChange("", "Stream", "Work piece by piece (bufio.Reader, Decoder) instead of all at once.", "other code"),
		},
		before: `buf := make([]byte, 1<<20); n, _ := r.Body.Read(buf) // for bodies of 2 KiB`,
		after:  `buf := make([]byte, 0, r.ContentLength)`,
	}.detector()
}

func allocPoolable() Detector {
	return costKind{
		id: "AL010", kind: "alloc-poolable", title: "Buffers are allocated for every call",
		what: "Allocating buffers and scratch objects",
		looks: "Looks for lines that make objects of 1–64 KiB on average with make, new or a literal and drop them. " +
			"Below 1 KiB a sync.Pool gains little.",
		scale: allocScale(), scaleWhy: allocScaleWhy,
		match:    match{own: true, sized: true, calls: []known.Work{known.MakesObject}},
		rewrites: true,
		gain:     [2]float64{0.5, 0.9}, gainWhy: "Get and Put of a sync.Pool take 10–20 ns",
		explanation: "Scratch memory that is dropped at the end of each call is zeroed and collected every time, " +
			"although one buffer for each CPU would be enough.",
		fixes: []Remedy{
			byChange("", "Keep it in a sync.Pool", "At {line}: pool.Get().(*T), defer pool.Put; store pointers, or "+
				"Put itself allocates.", "code that keeps a reference reads someone else's data").poolsIt().
				needs(casefile.NeedsNotKept),
			byChange("", "Give it to its worker", "A worker, connection or decoder that works alone can keep it in a "+
				"field, without a pool.", "none"),
			byChange("", "Let it stay on the stack", "An array of constant size up to 64 KiB (make([]byte, "+
				"constant)) that does not escape costs nothing; go build -gcflags=-m tells you why it escapes.",
				"deep stacks grow"),
		},
		before: `scratch := make([]byte, 16<<10)`,
		after:  `scratch := pool.Get().(*[16 << 10]byte); defer pool.Put(scratch)`,
	}.detector()
}

func allocMapTemp() Detector {
	return costKind{
		id: "AL011", kind: "alloc-map-temp", title: "Maps are built and thrown away", what: "Building maps",
		looks: "Looks for making and growing maps (makemap, rehashing, evacuating) directly below lines of the " +
			"user's code. A map that is kept shows here only while it grows. " +
			"Filling the map counts too if building it takes a quarter of the two together, or more.",
		scale: allocScale(), scaleWhy: allocScaleWhy,
		match:    match{own: true, inner: true, calls: []known.Work{known.MakesMap}},
		rewrites: true,
		gain:     [2]float64{0.5, 0.95}, gainWhy: "keeping and clearing the map saves half of making it, or more, " +
			"and none of filling it; a map that is built once, or a sorted slice of a few, nearly all",
		explanation: "A map consists of a directory, tables and groups. Filling an empty one allocates every size " +
			"along the way and rehashes all keys at each step.",
		fixes: []Remedy{
			byChange("", "Build the map once, or keep it and clear it", "At {line}: if what is in it is the same from "+
				"call to call (constants, settings, one list for all that are compared with it), build it where that "+
				"changes, and hand it on. If it differs: a map that the worker owns, or one from a sync.Pool, and "+
				"clear(m), which keeps its tables.", "a kept map stays as large as its largest use").
				needs(casefile.NeedsNotKept),
			byChange("", "Make it the right size, or use a slice", "make(map[K]V, n) does not have to grow. Up to a "+
				"few dozen keys fit a sorted slice, or one that is sorted and compacted (slices.Compact); small "+
				"integers as keys are indexes of a slice.", "none"),
		},
		before: `seen := map[string]bool{} // for every request`,
		after:  `clear(w.seen) // a field of the worker`,
	}.detector()
}

func bufferPerCall() Detector {
	return costKind{
		id: "AL012", kind: "alloc-buffer-per-call", title: "Readers, writers and compressors are made for every call",
		what: "Making readers, writers and compressors",
		looks: "Looks for constructors that allocate buffers of 4 KiB and more: bufio readers, writers and scanners, " +
			"compressors and decompressors (about 800 KiB for a gzip.Writer), encoders with buffers. A compressor " +
			"allocates when it is first written to; if a heap profile has a sample of the line that makes it, on the " +
			"path to that Write, that line is named.",
		scale: allocScale(), scaleWhy: allocScaleWhy + " Healthy servers make readers and writers for each new " +
			"connection: 6 % was seen.",
		match: match{inner: true, calls: []known.Work{known.MakesStream}},
		gain:  [2]float64{0.7, 0.95}, gainWhy: "resetting one from a pool costs a tenth or less",
		explanation: "Their buffers and tables are zeroed, filled and collected for each call: for a short response, " +
			"making the compressor costs more than compressing.",
		fixes: []Remedy{
			byChange(known.Compress, "Keep compressors in a sync.Pool", "At {line}: zw := pool.Get().(*gzip.Writer); "+
				"zw.Reset(w); put it back after Close.", "800 KiB for each that is kept").poolsIt().needs(casefile.NeedsNotKept),
			byChange(known.Zstd, "Make one for all", "At {line}: zstd.NewWriter(nil) or "+
				"NewReader(nil) once for the process; EncodeAll of one encoder may be called by many goroutines at a "+
				"time, and DecodeAll of one decoder, too. Where the data comes as a stream: a sync.Pool, and Reset. "+
				"WithDecoderMaxWindow limits the window that a sender may ask for.",
				"megabytes for as many as work at a time (WithEncoderConcurrency, WithDecoderConcurrency)"),
			byChange(known.Gob, "Keep one encoder for each connection",
				"A new gob encoder compiles and sends every type again.", "the stream must be read in order"),
			byChange("", "Keep them in a sync.Pool", "At {line}: Get, Reset(w), and Put when done; or one for each "+
				"connection or worker.", "objects in the pool must not refer to a request").but(known.Compress,
				known.Zstd, known.Gob).poolsIt().needs(casefile.NeedsNotKept),
			byChange("", "Make it smaller, or leave it out", "bufio.NewReaderSize(r, 512) for short messages; a "+
				"bytes.Reader, strings.Reader or bytes.Buffer needs no bufio around it.",
				"more system calls if it is too small"),
		},
		before: `zw := gzip.NewWriter(w); zw.Write(body); zw.Close()`,
		after:  `zw := writers.Get().(*gzip.Writer); zw.Reset(w); zw.Write(body); zw.Close(); writers.Put(zw)`,
	}.detector()
}
