// Package cache keeps millions of entries where the garbage collector does not look.
//
// # Problem
//
// A map of 5 million strings is 10 million heap objects, and a cache library around it makes 15 to 35 million of them. Every
// collection visits each one: one to three seconds of CPU a cycle, taken from requests. The libraries that keep bytes instead of objects
// copy each value that is read, evict the oldest whatever it is worth, and some return what was evicted.
//
// # Approach
//
// Entries lie one behind the other in segments, pieces of memory without pointers, and are never changed there. An index of
// 8-byte words says where (index.go). So the collector sees some hundred objects, whatever the number of entries, and a
// reader needs no lock: it reads a word, then the record, then looks whether the word is still the same. A segment that is given
// up goes to the collector, which keeps it as long as somebody holds a string of it: Get returns strings without copying them.
//
// Eviction is S3-FIFO, whose queues are the order of the records in memory, with the share of its small queue chosen by what the
// cache is asked for (tune.go): a sample of the keys is played in three miniature caches all the time. Scans pass through; a
// working set that shifts is followed; of a loop that is larger than the cache as much as fits is kept.
//
//	phones, err := cache.New(cache.Config[string, string]{
//		MaxBytes: 256 << 20,
//		TTL:      15 * time.Minute,
//	})
//	…
//	phone, ok := phones.Get("79990000001")
//
// Keys are compared in full: equal hashes never return another key's value. At rest a cache has no goroutine and no timer.
package cache
