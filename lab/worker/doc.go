// Package worker is the event pipeline of a classified-ads site: a worker that consumes one topic three times, once for
// each of three groups, and a broker for it. It is healthy or sick by its flags.
//
// A record of the topic is a zlib-compressed message of protocol buffers with some tens of events. Each group
// decompresses and decodes it, completes the events from a catalogue of listings in memory, and stores what it makes of
// them in files: the archive everything, as compressed messages; the table a line an event, for the analysts' database;
// the counts how often what was seen. Groups store in batches: one fsync a batch, and only then are the offsets
// committed. So a record is stored at least once, whatever dies; after the death of a process, or when a commit fails,
// the last batch may be stored twice.
//
// With -store the table is in a database instead, a row an event: lab store (StoreMain), which speaks Thrift.
// With -fetch-every the archive's messages are there, too, and a timer takes them all out again and counts their
// events.
//
// What can be wrong with it are things that people have found in such workers, each by one flag: compressing at the
// best level (-compression zlib-9), decoding by reflection (-proto dynamic), a system call for each cell of a table
// (-write direct) or for each field that goes to the database (-transport socket), keys and lines made with fmt
// (-format fmt), a buffer for each record (-buffers new), which a pool does not cure where the collector visits a large
// catalogue (-catalogue pointers), and a collector that runs all the time because GOGC leaves it little room (-gc
// runtime).
//
// A broker that goes away is waited for; a disk that is full, or a database that is away, holds the group up, which
// stores the same batch again and again until it can, at most every 5 s; a record that cannot be read is left out,
// counted and logged. Memory is bounded by the size of a batch and of a fetch.
//
// Reading order: worker.go and group.go are the flow; inflate.go, codec*.go and deflate.go the formats; keeper.go what
// is kept: archive.go, table.go and counts.go the sinks, segment.go the files, rowstore.go, messagestore.go and
// fetcher.go over database.go what is in the database. On the other side are BrokerMain (broker.go, producer.go) and
// StoreMain (store.go, tables.go); world.go is what all know.
//
// Limits: one worker a group. The embedded broker and the store keep everything in memory and are for tests and the
// lab.
package worker
