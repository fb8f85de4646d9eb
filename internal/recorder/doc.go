// Package recorder keeps what a process did just before it misbehaved.
//
// A profile that is started when a rule trips shows what came after. Holmes, which works so, found the culprit of none
// of eight CPU spikes of half a second or less (mosn.io/holmes v1.0.2 at an interval of 1 s, CPU rule at 70 %;
// lab/bench/holmes measures both). Only something that always runs can show the past:
//
//   - [CPU] takes one CPU profile after the other and keeps the last ones. When a rule trips, Cut ends the window under
//     way, and whatever burnt CPU within the last half minute is in one of the windows.
//   - [Trace] keeps the last seconds of the execution trace, with the runtime's flight recorder. That costs about 1 µs
//     for each switch of goroutines, so it runs only where the cost, estimated from the rate of events, is small, or
//     for a while when somebody expects trouble.
//
// What is bounded is the cost while it hurts: in busy seconds, as a share of the CPU that the process uses in them. A
// share of all time would let a service that is saturated for a tenth of it pay ten times the limit whenever somebody
// waits (measured before this bound: +6 % of CPU a request at a limit of 1 %). The formula is at governor; the prices
// of events, and where they come from, are at load.estimated; `go run ./bench/recorder` in lab measures both.
//
// The runtime has one CPU profiler and one flight recorder per process. Neither recorder insists: when somebody else
// uses the one that it needs it waits, says so, and tries again. A person's `go tool pprof` would be refused while CPU
// uses the profiler, so CPU.Handler serves such profiles from the recorder.
//
// Both start nothing on their own: Run does the work and returns when all it started has ended. Nothing here prints,
// panics into its host, or gives out memory that it writes to again.
//
// Limits of CPU: there are gaps between windows, about 1 ms in an idle process, 10 to 25 ms with all cores busy, and
// 0.1 to 1 s when many more goroutines are runnable than there are cores or other processes crowd the machine
// (BenchmarkGap); on macOS they are 0.1 to 0.2 s always, because the runtime's profile writer sleeps there. A window
// therefore does not end while the process is busier than usual (calm.go). Who calls pprof.StopCPUProfile without
// having started a profile ends ours; the window then claims more time than it holds. Who calls
// runtime.SetCPUProfileRate is not seen at all.
//
// Limits of Trace: the estimate does not know system calls other than read and write, and no system calls at all except
// on Linux. The tracer follows frame pointers, and a dependency's assembly that breaks them can crash a traced process
// (golang/go issues 61766, 73664 and 75478, some open in Go 1.26): such a service sets GODEBUG=tracefpunwindoff=1,
// which makes tracing several times more expensive than estimated, or TraceConfig.MaxCost below 0.
package recorder
