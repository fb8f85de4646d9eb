// Package tables holds the lab's micro-benchmarks: what is often said of Go's performance, measured on this machine.
//
// The problem: advice such as "never range by value" or "replace the mutex by an atomic" outlives the compiler, the
// runtime and the hardware it was measured on. Here each piece of advice is a group of contestants that do the same
// work in different ways. They are part of the binary (no `go test` needed), and run in turns, so that what else the
// machine does meets all alike.
//
// Before a group is measured its contestants must have computed the same result. The figure is the CPU time of the
// process for one operation, garbage collection included, unless a column says otherwise: on a shared machine it varies
// less than the time on the wall. It is the median over the turns; ± is half of the distance between the quartiles.
//
// Limits: one process, tight loops, warm caches, a small live heap. A service has other neighbours in the caches and a
// larger heap to collect, so that a ratio here is a bound for the hot loop and no promise for a service.
//
// Reading order: table.go is what comes out, run.go what is run; measure.go measures a group, matchup.go several of
// the same columns; one file a table: arrays.go, range.go, goroutines.go, pool.go …; holds.go and verdict.go say what
// became of the advice.
package tables
