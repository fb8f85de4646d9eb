// Command holmes compares Casebook with mosn.io/holmes v1.0.2, in one run.
//
// The problem: figures of two tools that were taken on different days, by different programs, say nothing of the tools.
// Here both watch the same service under the same load, in turns, on the same machine.
//
// The approach: every service is a child process, this program again, with one of the watchers (watchers.go) inside.
// Four parts print a table each: what one tick costs (tick.go), what being watched costs a saturated JSON service
// (http.go), what the watcher weighs (memory.go), and whether a CPU spike's culprit is in the evidence (spikes.go).
// Everything that is judged is a ratio or a count; each ratio stands beside one of "nothing" against "nothing", which
// is the noise.
//
// The limits: holmes' collect is not exported, so its tick is measured by the gopsutil calls that it makes, without its
// second of sleep. The load comes from the same machine. It is a module of its own, so that holmes' requirements (gin,
// gopsutil of 2020, mosn's packages) burden neither app/ nor the root module; it is not in go.work.
//
//	cd lab/bench/holmes && GOWORK=off go run . -spikes 20
package main
