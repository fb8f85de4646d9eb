// Package phones is the phones gateway of a classified-ads site, a real service from an engineering article rebuilt:
// given a user, an item, its category and the phone of the listing, it answers with the number that a buyer may see.
// It is healthy or sick by its flags.
//
// The problem it shows: two LRU caches hold millions of short strings behind pointers (-cache=gcache). Every GC cycle
// walks all of them; near a memory limit cycles follow each other and the collector takes the CPU that requests need.
// The cure is the same cache without pointers (-cache=freelru). The other diseases are the call-tracking users in an
// array: every look at one scans it (-set=array; cured by a map), and /sync scans it twice for each user that it
// changes (-set=array -apply=scan; cured by merging all changes in one walk). Nothing is made up: no garbage is
// allocated that a request does not need.
//
// Reading order: gateway.go decides; query.go and sync.go take input; set.go and cache.go say what is kept in memory,
// with one file an implementation; client.go calls the upstreams. Main is the gateway as a command, UpstreamsMain the
// three services behind it (backends.go), and Requests the load for both; TrackedRequests and SyncRequests load the
// set. Users, items and phones exist only as arithmetic on their ids (space.go), so that all sides agree without
// sharing data.
//
// Limits: concurrent misses of one key each call the upstream; there is no limit on requests in flight, so that
// overload shows as latency and not as refusals. Only /sync and /tracked are bounded, and refuse what is too much with
// 503.
package phones
