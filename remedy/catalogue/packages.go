package catalogue

import "slices"

// Packages returns every package that a remedy names, sorted by import path.
func Packages() []Package {
	all := slices.Concat(own(), standard(), kept())
	slices.SortFunc(all, func(a, b Package) int {
		switch {
		case a.Path < b.Path:
			return -1
		case a.Path > b.Path:
			return 1
		}
		return 0
	})
	return all
}

func own() []Package {
	at := func(path, does, not string) Package {
		return Package{Path: Own + path, Module: Own, Brings: 1, Does: does, Not: not}
	}
	return []Package{
		at("/remedy/cache", "a bounded cache whose entries the garbage collector does not see, with TTL, jitter and "+
			"one load per key",
			"below about 10,000 entries, or if values are pointers that callers share: a map or otter is simpler and "+
				"faster"),
		at("/remedy/gctune", "GOGC and GOMEMLIMIT that follow the available memory, after each collection",
			"if the process has its container to itself and a fixed GOGC with GOMEMLIMIT handles its load; in a "+
				"command that runs for seconds"),
		at("/remedy/batch", "many small operations become few, with each item's own result",
			"if the backend handles one operation as cheaply as ten, or if the order between callers matters"),
		at("/remedy/hedge", "a second request when the first is late, within a budget",
			"for calls that must not happen twice, and if all calls are equally slow: more load does not help"),
	}
}

func standard() []Package {
	std := func(path, does, not string) Package {
		return Package{Path: path, Module: Standard, Does: does, Not: not}
	}
	return []Package{
		std("bufio", "one system call for many small reads or writes",
			"if each piece must have arrived when the call returns"),
		std("context", "deadlines and cancellation for waits", "as a bag of optional arguments"),
		std("encoding/json/v2",
			"JSON decoded 2 to 10 times as fast as by v1 (its authors' figures); GOEXPERIMENT=jsonv2",
			"while it is an experiment, in programs that cannot be built with a GOEXPERIMENT"),
		std("hash/maphash", "a fast hash of strings, bytes and comparable values for shards and tables",
			"if the hash is stored or sent: its seed differs in every process"),
		std("log/slog", "structured logging that formats only what is enabled, with typed attributes",
			"in loops of less than a microsecond: sample there"),
		std("runtime/debug", "SetGCPercent, SetMemoryLimit", "in a library: the program decides about its memory"),
		std("slices", "sorting and searching without reflection or interfaces",
			"if the order is needed at every change: keep a tree or a heap"),
		std("strconv", "numbers to text and back without fmt", "for text with padding and verbs that people read, at "+
			"start-up or in errors"),
		std("strings", "Builder, Cut, Contains: text without regular expressions and with one allocation",
			"for patterns with alternatives"),
		std("sync", "Pool for buffers, OnceValue for values built once, Mutex in shards",
			"a Pool for objects smaller than about 1 KiB or code that is not hot: it costs more than it saves"),
		std("sync/atomic", "a pointer to immutable data, swapped as a whole",
			"for more than one variable that must agree"),
		std("time", "one Timer that is Reset, one Ticker for many", "if each of many deadlines must be met to the "+
			"millisecond"),
	}
}

// kept are third-party packages, as their documentation and go.mod were in November 2026.
func kept() []Package {
	return []Package{
		{"github.com/BobuSumisu/aho-corasick", "github.com/BobuSumisu/aho-corasick", "v1.0.3", "MIT", 0,
			"many literal patterns searched in one walk",
			"for fewer than about ten patterns: strings.Contains is faster"},
		{"github.com/RoaringBitmap/roaring/v2", "github.com/RoaringBitmap/roaring/v2", "v2.30.0",
			"BSD-3-Clause AND Apache-2.0", 13,
			"compressed sets of integers with fast union and intersection",
			"for small sets and for random 64-bit numbers"},
		{"github.com/a-h/templ", "github.com/a-h/templ", "v0.3.977", "MIT", 20,
			"HTML templates compiled to Go", "if templates are edited while the service runs"},
		{"github.com/bytedance/sonic", "github.com/bytedance/sonic", "v1.15.5", "Apache-2.0", 11,
			"JSON by code generated at run time on amd64 and arm64, the API of encoding/json",
			"on other architectures, and if you do not want assembly and run-time code generation; it supports " +
				"new Go versions late"},
		{"github.com/cespare/xxhash/v2", "github.com/cespare/xxhash/v2", "v2.3.0", "MIT", 0,
			"a fast hash that is the same in every process",
			"against people who choose keys to collide: it has no secret"},
		{"github.com/elastic/go-freelru", "github.com/elastic/go-freelru", "v0.16.0", "Apache-2.0", 0,
			"an LRU in one block of memory, sized at the start", "if memory should follow use, or scans flush the " +
				"cache"},
		{"github.com/failsafe-go/failsafe-go", "github.com/failsafe-go/failsafe-go", "v0.9.8", "MIT", 15,
			"retries, circuit breakers, bulkheads and adaptive limits that compose",
			"for one timeout: a context does that"},
		{"github.com/fsnotify/fsnotify", "github.com/fsnotify/fsnotify", "v1.10.1", "BSD-3-Clause", 1,
			"notifications when a file changes", "on network file systems, which send no events"},
		{"github.com/jackc/pgx/v5", "github.com/jackc/pgx/v5", "v5.12.0", "MIT", 11,
			"PostgreSQL with a pool, batches, COPY and cached statements", "for other databases"},
		{"github.com/klauspost/compress", "github.com/klauspost/compress", "v1.20.3",
			"BSD-3-Clause AND MIT AND Apache-2.0", 0,
			"gzip and flate with the standard API at 2 to 3 times the speed, zstd and s2",
			"if the output must have the same bytes as that of compress/gzip"},
		{"github.com/mailru/easyjson", "github.com/mailru/easyjson", "v0.9.2", "MIT", 1,
			"generated JSON codecs", "for types defined elsewhere: the generator needs their source"},
		{"github.com/maypok86/otter/v2", "github.com/maypok86/otter/v2", "v2.4.0", "Apache-2.0", 2,
			"a cache of Go values with W-TinyLFU, expiry, refresh and loading",
			"for millions of entries with pointers: the collector visits every one"},
		{"github.com/panjf2000/ants/v2", "github.com/panjf2000/ants/v2", "v2.12.1", "MIT", 5,
			"reused goroutines, with a limit", "to save memory alone: a goroutine costs 2 to 8 KiB; " +
				"errgroup.SetLimit also limits"},
		{"github.com/planetscale/vtprotobuf", "github.com/planetscale/vtprotobuf", "v0.6.0", "BSD-3-Clause", 11,
			"protobuf marshalling code without reflection, and pools of messages",
			"with dynamic messages, and if the build has no protoc"},
		{"github.com/puzpuzpuz/xsync/v4", "github.com/puzpuzpuz/xsync/v4", "v4.5.0", "Apache-2.0", 0,
			"a concurrent map that is typed and writes in place, a striped counter, RBMutex",
			"with few cores and little writing: a map with a mutex is as fast"},
		{"github.com/redis/go-redis/v9", "github.com/redis/go-redis/v9", "v9.23.0", "BSD-2-Clause", 7,
			"Redis with pools, pipelines and MGET/MSET", "for data that fits in the process: remedy/cache answers " +
				"without the network"},
		{"github.com/rs/dnscache", "github.com/rs/dnscache", "v0.0.0-20230804202142-fc85eb664529", "MIT", 1,
			"a cache of resolved names for a Dialer", "if DNS changes must be seen within seconds, and if a resolver " +
				"runs on the machine"},
		{"github.com/rs/zerolog", "github.com/rs/zerolog", "v1.35.1", "MIT", 6,
			"JSON log lines without allocation", "if slog's handlers and API are your standard"},
		{"github.com/sasha-s/go-deadlock", "github.com/sasha-s/go-deadlock", "v0.3.9", "Apache-2.0", 1,
			"finds locks taken in different orders, in tests", "in production: it records every Lock"},
		{"github.com/sony/gobreaker/v2", "github.com/sony/gobreaker/v2", "v2.4.0", "MIT", 4,
			"a small circuit breaker", "if you also want retries and limits: failsafe-go composes them"},
		{"github.com/tidwall/btree", "github.com/tidwall/btree", "v1.8.2", "MIT", 0,
			"an ordered map", "if nobody reads in order: a map is faster"},
		{"github.com/tidwall/gjson", "github.com/tidwall/gjson", "v1.20.0", "MIT", 2,
			"single fields of JSON without decoding the rest",
			"on untrusted input that must be validated: it does not check what it skips"},
		{"github.com/valyala/bytebufferpool", "github.com/valyala/bytebufferpool", "v1.0.0", "MIT", 0,
			"a pool of byte buffers that learns their usual size", "if one sync.Pool with a size limit on returned " +
				"buffers is enough"},
		{"github.com/wasilibs/go-re2", "github.com/wasilibs/go-re2", "v1.13.0", "MIT", 1,
			"RE2 for large inputs and hard patterns", "on short inputs: package regexp is faster there"},
		{"go.uber.org/goleak", "go.uber.org/goleak", "v1.3.0", "MIT", 6,
			"fails a test that leaves goroutines behind", "in a single test among parallel ones: check in TestMain " +
				"instead"},
		{"golang.org/x/sync/errgroup", "golang.org/x/sync", "v0.24.0", "BSD-3-Clause", 0,
			"goroutines with a limit, a common end and the first error", "for work that outlives the request"},
		{"golang.org/x/sync/singleflight", "golang.org/x/sync", "v0.24.0", "BSD-3-Clause", 0,
			"one call for all callers that ask for the same key at once",
			"if a slow call must not delay everybody: its callers wait together"},
	}
}
