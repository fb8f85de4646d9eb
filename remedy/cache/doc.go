// Package cache keeps millions of entries where the garbage collector does not look.
//
// # Problem
//
// A map of 5 million strings is 10 million heap objects, and a cache library around it makes 15 to 35 million of them.
// Every collection visits each one: up to three seconds of CPU a cycle, taken from requests. The libraries that keep
// bytes instead of objects copy each value that is read, and evict the oldest, whatever it is worth.
//
// # Approach
//
// Entries are stored one after another in segments, pieces of memory without pointers, and are not changed there. An
// index of 8-byte words says where (index.go). So the collector sees some hundred objects, whatever the number of
// entries, and a reader needs no lock: it reads a word, then the record, then checks that the word is still the same. A
// segment that is no longer used goes to the collector, which keeps it as long as somebody has a string from it: Get
// returns strings without copying them.
//
// Eviction is S3-FIFO (Yang et al., SOSP 2023), whose queues are the order of the records in memory. It has three
// settings, and the requests decide which one is used (tune.go): a sample of the keys is played with each of them in a
// miniature all the time. Scans pass through, a working set that shifts is followed, and of a loop that is larger than
// the cache as much as fits is kept.
//
//	phones, err := cache.New(cache.Config[string, string]{
//		MaxBytes: 256 << 20,
//		TTL:      15 * time.Minute,
//	})
//	…
//	phone, err := phones.GetOrLoad(ctx, "user 1", askBackend)
//
// # What holds
//
// Keys are compared in full: equal hashes never return another key's value (TestEqualHashes). MaxBytes bounds segments,
// index and ghosts together (TestInvariants). A Get that begins after a Set has returned finds that value or a newer
// one, or nothing. A key is loaded once, however many ask (TestOneLoad). Lifetimes are shortened by a random part, a
// tenth by default, so that entries that came together do not expire together. An idle cache has no goroutine and no
// timer; expired entries are removed by the next Sets. A cache that is dropped without Close leaks nothing.
//
// # Beside others
//
// 5 million entries of strings of 11 to 12 bytes with a TTL of 15 minutes, one process each, on 2 shared cores. Bytes
// and objects are exact; the times, of two runs, are as noisy as the machine. A process without a cache takes 0.1 to
// 0.2 ms for a collection.
//
//	                          bytes/entry   heap objects   full GC, CPU   Get, allocations
//	this package                       42           0.6k         0.2 ms                  0
//	coocood/freecache                  99           0.5k         0.2 ms                  0
//	allegro/bigcache v3               109            40k           1 ms                  2
//	elastic/go-freelru, [16]byte      114             16         0.1 ms                  0
//	VictoriaMetrics/fastcache          62            18k         0.5 ms                  0   (no TTL)
//	maypok86/otter v2                 153          15.1M         836 ms                  0
//	dgraph-io/ristretto v2            234           5.0M         269 ms                  0
//	Yiling-J/theine-go                186          15.0M        1839 ms                  0
//	karlseguin/ccache v3              181          20.0M        1915 ms                  2
//	bluele/gcache LRU                 245          35.0M        1987 ms                  1
//
// In turns in one run, a Get took 0.77 to 0.90 of fastcache's CPU at 1 to 8 goroutines, 0.80 to 0.90 of bigcache's,
// 0.53 to 0.57 of freecache's (284, 248, 266, 260 ns at 1, 2, 4, 8). Of a service around it p99.99 was 8.5 ms, with
// freecache 8.6, fastcache 13.7, bigcache 19, and 11.9 without any (medians of three starts: they differ by as much).
//
// Hit ratios, %, 6 million requests, room for 100,000 entries, all within their room:
//
//	                     zipf 1.0   zipf 0.8   with scans   shifting set   loop of 1.2   loop of 2
//	this package             80.8       56.0         51.7           71.3          81.5        48.2
//	theine-go                80.8       56.2         52.3           42.4          72.7        44.8
//	otter v2                 80.3       55.5         51.6           43.3          75.8        43.8
//	ristretto v2             78.9       53.9         49.9           42.3          77.4        40.0
//	LRU (go-freelru)         77.5       48.4         47.5           71.6           0.0         0.0
//
// The module in bench prints all this: make bench-remedies.
//
// # When not to use it
//
//   - For some thousand entries: a map and a mutex are simpler, and the collector does not mind them. An empty cache
//     takes some kilobytes, one in use a segment a shard.
//   - For values that are large graphs of pointers: each Get would decode one. Keep them in otter or theine.
//   - When callers keep the strings that they get for long: each keeps its segment, 1 to 512 KiB, in memory beyond
//     MaxBytes. Keep strings.Clone of them.
//   - When entries must not be lost: a full cache drops them, and so does a restart without Save.
//   - When several processes must see the same entries: this is one process's memory.
//   - For most of a process's memory, with Memory Heap and GOGC=100: the collector does not look into the cache, but
//     lets the heap grow to twice its size. Use Mapped, or GOMEMLIMIT.
//   - To hide a slow backend without a bound on it: the first load of each key still falls on it.
//
// # Limits
//
// An entry has 8 bytes of header and 9 to 12 of index in addition to its key and value, which are padded to 8. The
// largest is an eighth of a shard: with 64 MiB and 2 processors 1 MiB. Replaced and deleted entries keep their memory
// until their segment is empty or memory is needed; then up to an eighth may be dead. A sixteenth of MaxBytes stays
// free, for segments that are not full yet. The clock has milliseconds. The miniatures need entries: below some
// thousand their choice is rough. The mode changes only after several rounds of the working set. Range, Save and
// OnRemove see each key and value at a moment of its own, not all at one moment.
package cache
