package catalogue

// computing: what takes the CPU. Not doing it comes before doing it less, and that before doing it faster.
func computing() map[string][]Remedy {
	keep := func(what string) Remedy { return Remedy{"Keep " + what, ownCache, stale} }
	return map[string][]Remedy{
		"cpu-hot-function": {
			{"Do it less often: once a batch, once a change, not once a request", "", code},
			keep("the result, by its input"),
			{"Profile-guided optimization: default.pgo beside main.go", "", "a profile to keep fresh; longer builds. 2 to 14 % by the Go team's figures"},
		},
		"cpu-json": {
			{"Decode once, only the fields that are used; keep encoded answers", "", stale},
			{"JSON version 2", jsonV2, "an experiment of Go 1.25 and later; some behaviour differs"},
			{"The same API by generated machine code", "github.com/bytedance/sonic", "11 modules, assembly"},
			{"Generated codecs", "github.com/mailru/easyjson", "generated code to keep in step"},
			{"Single fields without decoding", "github.com/tidwall/gjson", "does not validate"},
		},
		"cpu-xml":      {{"Skip what is not used; keep what was decoded while it has not changed", "", stale}, keep("the encoded answer")},
		"cpu-reflect":  {{"A type switch, a method, or a type parameter", "", code}, {"A plan once a type", "sync", code}, {"Generated code", "github.com/mailru/easyjson", "generated code to keep in step"}},
		"cpu-protobuf": {{"Generated marshalling without reflection", "github.com/planetscale/vtprotobuf", "larger binaries; a generator in the build"}, {"Pass messages on in place of cloning; reuse them", "", shared}},
		"cpu-compression": {
			{"Compress once what does not change", "", stale},
			{"Level 1; nothing below 1 KiB, nothing compressed already", "", "answers are 5 to 15 % larger"},
			{"A faster implementation with the same API; zstd where both ends are yours", compress, "a dependency"},
		},
		"cpu-map-hash": {
			{"Look up once and keep the pointer; integers as keys", "", "a table that gives out the IDs"},
			{"A slice or bitmap where keys are dense integers", roaring, "a dependency"},
		},
		"cpu-linear-search": {{"A map, built where the list changes", "", "memory, and the map must follow"}, {"A sorted slice and binary search", "slices", "inserting moves elements"}, {"Many words in one walk", "github.com/BobuSumisu/aho-corasick", "a dependency"}},
		"cpu-quadratic":     {{"Remember in a map what was seen", "", "memory for the keys"}, {"Sort and compact", "slices", "the order changes"}, {"An ordered map in place of inserting into a slice", "github.com/tidwall/btree", "a dependency"}},
		"cpu-copy":          {{"Pass pointers and sub-slices; move data once", "", "what is shared must not be changed"}, {"Copy in the kernel or through one buffer: io.Copy", "bufio", none}},
		"cpu-time-now":      {{"Read the clock once a request or batch", "", "times are a little old"}, {"A clock that a ticker stores", "sync/atomic", "10 ms of error"}},
		"cpu-sort":          {{"Sort when the data changes, not when it is read", "", "writes become dearer"}, {"Generic sorting", "slices", "Go 1.21"}, {"A tree that is always in order", "github.com/tidwall/btree", "a dependency"}},
		"cpu-crypto":        {{"Check once a session; reuse connections and keys", "", "sessions must be revocable"}, {"For shards and tables a hash that need not be secure", "github.com/cespare/xxhash/v2", "no protection against chosen keys"}, keep("verified tokens until they expire")},
		"cpu-logging":       {{"Log less: levels, samples, one line a request", "", "less to read afterwards"}, {"Typed attributes, checked by level before they are built", "log/slog", code}, {"Lines without allocation", "github.com/rs/zerolog", "another API; a dependency"}, {"One write for many lines", ownBatch, "the last lines are lost in a crash"}},
		"cpu-regexp":        {{"A literal check first, or no expression at all", "strings", code}, {"RE2 for large inputs", "github.com/wasilibs/go-re2", "slower on short inputs; WebAssembly or cgo"}, {"Many words in one walk", "github.com/BobuSumisu/aho-corasick", "words only"}},
		"cpu-runtime":       {{"Larger pieces of work between goroutines", "", code}, {"Batches over channels", ownBatch, "an item waits for its batch"}, {"As many workers as CPUs", errgroup, code}},
		"cpu-spin":          {{"Wait: a channel, sync.Cond, WaitGroup", "sync", "a wake-up takes some microseconds"}, {"Counters that are not shared", xsync, "reading costs more"}},
		"cpu-cgo":           {{"Call less often with more", "", "a wider C interface"}, {"Gather items before the call", ownBatch, "an item waits for its batch"}, {"#cgo noescape and nocallback", "", "a wrong promise crashes"}},
		"io-small":          {{"A buffer between", "bufio", "what is not flushed is lost in a crash"}, {"Gather writes of many goroutines into one", ownBatch, "a write waits for its batch"}},
		"io-reread": {{"Read at start-up, or embed", "", "a restart to pick up changes"}, {"Be told of changes", "github.com/fsnotify/fsnotify", "no events on network file systems"},
			{"Keep it with an age", ownCache, stale}},
	}
}
