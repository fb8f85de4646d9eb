package catalogue

// allocation: garbage that need not be made. Once instead of each time, then in the right size, then used again. A pool
// comes last, because two may use what is in it.
func allocation() map[string][]Remedy {
	return map[string][]Remedy{
		"alloc-site": {
			{"Make it once, or not at all: pass the buffer in, return by value, keep it on the stack", "", code},
			{"Size it beforehand", "", none},
			{"Keep it in a sync.Pool", "sync", shared},
		},
		"alloc-oversized": {
			{"Take the size from what is known, and limit it", "", "the size that a client may announce must be " +
				"limited"},
			{"Work on pieces through one buffer", "bufio", "no second pass over the data"},
			{"Keep the buffer in a pool", "sync", shared},
		},
		"alloc-grow": {
			{"make([]T, 0, n), Builder.Grow, Buffer.Grow", "", "an estimate that is too large wastes memory"},
			{"Reuse the slice: s[:0]", "", shared},
			{"A pool of buffers that learns their size", byteBufs, "a dependency; " + shared},
		},
		"alloc-string-concat": {
			{"strings.Builder with Grow", "strings", none},
			{"Write the pieces where they go", "bufio", "unflushed data is lost in a crash"},
			{"A struct of the parts as a map key", "", none},
		},
		"alloc-fmt": {
			{"strconv.Append… into a reused slice", "strconv", code},
			{"A struct of the parts as a map key", "", none},
			{"Structured logging instead of formatted lines", "log/slog", "other log lines"},
		},
		"alloc-bytes-string": {
			{"Stay with []byte: package bytes has the same functions as strings", "",
				"changes through several functions"},
			{"Convert once and keep it", "", "memory"},
		},
		"alloc-boxing": {
			{"A type parameter or a concrete type instead of any", "", "other signatures"},
			{"A generic sort, heap or set instead of interfaces", "slices", "Go 1.21"},
		},
		"alloc-closure": {
			{"Make the function once, outside the loop", "", "more parameters"},
		},
		"alloc-timer": {
			{"One time.Timer with Reset before the loop", "time", none},
			{"One deadline per request, passed on", "context", "one limit for all steps"},
		},
		"alloc-poolable": {
			{"A field of the worker or connection that works alone", "", none},
			{"A sync.Pool of pointers", "sync", shared},
			{"A pool of byte buffers that learns their size", byteBufs, "a dependency; " + shared},
		},
		"alloc-map-temp": {
			{"Keep the map and clear it", "", "it stays as large as its largest use"},
			{"A sorted slice for small sets", "slices", "the order changes"},
			{"Bitmaps for sets of integers", roaring, "a dependency"},
		},
		"alloc-buffer-per-call": {
			{"Reset one from a sync.Pool: gzip.Writer, bufio.Reader, json.Encoder's buffer", "sync",
				"memory for those that are kept: 800 KiB a gzip.Writer"},
			{"zstd's EncodeAll and DecodeAll: one coder for all goroutines", compress, "both ends must speak zstd"},
		},
		"regexp-compile": {
			{"Compile at start-up, into a package variable", "", none},
			{"Do without: HasPrefix, Contains, Cut", "strings", code},
			{"If patterns vary, a bounded cache of compiled ones", otter, "memory for the patterns"},
		},
		"template-parse": {
			{"Parse at start-up, execute in requests", "", "a restart, or a watcher, to pick up changed files"},
			{"Templates compiled to Go", "github.com/a-h/templ", "a generator in the build"},
		},
		"reflect-per-call": {
			{"Build a plan once per type, keep it by reflect.Type", "sync", code},
			{"Generate the code", "github.com/mailru/easyjson", "generated code to keep in sync"},
		},
		"alloc-profiler": {
			{"Take profiles less often, with one tool", "", "a spike of seconds may fall between two"},
			{"A larger runtime.MemProfileRate", "", "small allocation sites are seen less well"},
		},
		"alloc-loop-invariant": {
			{"Build it once: a package variable, a field, sync.OnceValue", "sync",
				"a helper that is not safe for concurrent use needs a pool"},
		},
	}
}
