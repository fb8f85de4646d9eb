// Package messages is a service that keeps the newest message of each sender: PUT /messages/SENDER stores one, GET
// gives it back. The messages are in Pebble, a log-structured store of RocksDB's kind, in a folder of its own.
//
// A log-structured store writes what it is given to a log and to small sorted tables, and merges these into larger
// ones again and again (compaction). A value goes through each of these merges, so that the store writes a message
// some ten times (-values inline, which is Pebble's default). That is what it does to large values; with -values
// separate it writes them once, beside the tables, and merges only the keys with references to them, as WiscKey does
// (Lu and others, "WiscKey: Separating Keys from Values in SSD-conscious Storage", FAST 2016).
//
// A message is on the disk when the operating system writes it: who sends it has it too, and sends it again after a
// crash.
//
// Reading order: main.go, config.go, service.go for the requests, store.go for Pebble.
package messages
