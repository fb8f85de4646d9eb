// Package holmes is the API of mosn.io/holmes v1.0.2 on top of package casebook: change the import, keep the code.
//
// The problem: holmes samples its own process, and when CPU, memory, threads, goroutines or the live heap exceed a
// limit or jump against their mean, it writes a profile into a file. Services carry years of thresholds in its options.
// This package reads the same options, with the same defaults, and writes the same kinds of files, under the same
// names, to the same reporters.
//
//	h, err := holmes.New(
//		holmes.WithCollectInterval("1s"),
//		holmes.WithDumpPath("/var/lib/orders"),
//		holmes.WithCPUDump(20, 25, 80, time.Minute),
//	)
//	h.EnableCPUDump().EnableGoroutineDump().Start()
//	defer h.Stop()
//
// The approach: the options become rules of a casebook.Watch, which samples, judges and keeps a case of every incident
// in the folder casebook-cases of the dump path. When a rule trips, this package writes holmes' file: snapshots at
// once, CPU profiles from the trip's case, or of their own where it joined another's. So a heap or goroutine profile is
// taken twice, once for the file and once for the case. One trip is one file and one report, and two of a thread or
// GC-heap trip, as in holmes.
//
// What is the same, beside names and defaults: a kind is judged against the last ten values, from the tenth interval
// on, and that history goes on whatever Set, Enable…, Disable… or Stop and Start do between; goroutines and threads are
// reckoned in whole numbers; the number of goroutines is the one that holmes would find, the service's and three of its
// own, without those of the watch below. holmes' own tests run against this package (lab/holmes). Its reporters are
// here, too: reporters/http_reporter and reporters/pyroscope_reporter.
//
// What behaves better:
//
//	mosn.io/holmes v1.0.2                                 this package
//	----------------------------------------------------  ----------------------------------------------------------
//	a CPU profile begins after the trip: short spikes      the profile was running: the file has the seconds before
//	  are gone by then                                       the trip, too (go tool pprof -tagfocus=phase=before)
//	sees the CPU of one second in each interval, and       sees all of it, and goes on while it captures; 100 ms is a
//	  nothing while it profiles                              good interval
//	about 130 µs and 290 allocations a tick                about 12 µs and none, without a logger
//	the current value is part of the mean it is held to    the mean is that of the ten intervals before
//	percentages are cut to whole numbers                   thresholds are whole, values are not: 70.9 % is above 70;
//	                                                         goroutines and threads are whole, as are their limits
//	Stop and Start empty the history                       it goes on
//	memory is a share of the machine's; WithCGroup reads   of the cgroup's limit, v2 or v1, else of the machine's
//	  v1 only, and ends the loop where there is none
//	the live heap is NextGC/2, wrong but for GOGC=100      it is read from the runtime
//	an error of reading ends the loop for good             the next tick tries again
//	interval "0s" panics; two WithCollectInterval before   both are plain settings; what cannot be is an error of
//	  Start block forever; the rest is not checked          New or Set that names the option
//	Set that fails leaves half of its options set          all or nothing
//	Enable…, Disable… and Stop race with the loop          they do not
//	a reporter's thread profile is overwritten by the      every reporter owns its bytes
//	  goroutine profile that follows
//	a reporter that hangs blocks later ones without a      counted and logged; Stop abandons it after five seconds
//	  word; one that panics ends the process
//	an empty CPU file stays when the profiler is taken     waits for the profiler; no file without a profile
//	files have the millisecond as their name, mode 0644,   name with process and random letters, 0600, written whole,
//	  are appended to, and stay forever                     the newest 200 of the folder or 1 GiB are kept
//	a text dump loses its last entry when it has ten or    it keeps them all
//	  fewer
//	a text dump of the heap has the ten smallest entries   the ten largest
//	  (the runtime of Go 1.25 writes them first)
//	a heap profile shows the last collection but one: not  where it explains less than half of the heap, a
//	  what was made since, and tripped the rule              collection comes first, if those take less than 1 % of
//	                                                         the time
//	shrinking goes on after Stop and DisableShrinkThread,  it ends with Stop, and when the threads are few enough
//	  to a number counted once
//	prints to stdout unless told otherwise                 never prints to stdout; without WithLogger it is silent
//	a profile is the format string of its log line         an argument; binary ones in base64
//	logs "NODUMP" once a tick and type                     at debug level only
//
// Limits: types of mosn.io/pkg cannot be named here, so WithLogger takes ErrorLogger, which every logger of mosn.io/pkg
// satisfies; what NewStdLogger and NewFileLog return can be given to WithLogger and NewPyroscopeReporter, but not to
// other code that wants one of mosn's (it has no SetLogLevel). Holmes has no Lock and Unlock. Intervals below 100 ms
// sample every 100 ms, those above a minute every minute; the mean is over ten of the intervals asked for. The mean and
// the warm-up of the live heap are over ten intervals, not ten GC cycles. Of percentages, a threshold of equality
// ("current >= mean" with a diff of 0) wants the value above the mean. A CPU trip while another one's profile is being
// taken is in that one's file; a CPU file has four seconds after the trip where it has some before. The snapshots for
// holmes' files, and the CPU profiles of trips that joined a case, are outside the watch's budget; the cool-downs bound
// them.
//
// Where CPU dumps are enabled before Start, a CPU profile runs always, for 0.2 to 0.8 % of the CPU that the process
// uses (enabled later, the profile begins with the trip, as in holmes). It holds the process's one CPU profiler: mount
// ProfileHandler in the place of net/http/pprof's Profile.
package holmes
