// Package gctune sets GOGC and GOMEMLIMIT from the available memory.
//
// # Problem
//
// By default (GOGC=100) a Go service collects whenever its heap has doubled, also with most of its memory unused; Uber
// took 30 to 65 % off the p99 CPU of two services by a GOGC that follows the memory limit of their containers ("How We
// Saved 70K Cores Across 30 Mission-Critical Services"). GOGC=off with GOMEMLIMIT does the same with constants, and a
// constant knows nothing of what else is in the container: memory from C and mmap, a sidecar, a parent group's other
// children. Set for the worst of these it wastes memory, set for the usual it ends in an OOM kill. When the live heap
// comes near the limit it collects without a break: the runtime lets that take half of all CPU before it gives in.
//
// # Approach
//
// Ten times a second a Tuner reads the limits of memory, how much of them is used, and the runtime's own account.
//
//   - The target is 90 % of a limit. Limits are those of all cgroups that hold the process (v1 and v2, memory.high
//     too), each with the usage of everything below it, and Config.Limit for the process alone. The nearest counts.
//     Page cache that the kernel drops before it kills does not.
//   - GOMEMLIMIT becomes the target less what is not the Go runtime's, and 1 % more, for the runtime keeps 3 % of it
//     free. When others grow it falls at once, by twice what they took in the last half second besides; when they
//     shrink it rises with a half-life of 2 s.
//   - GOGC becomes the percentage at which the heap ends a tenth above that, so it seldom decides, but bounds the heap
//     should the live heap change before the next look.
//   - When the collector takes more than 20 % of the available CPU, memory is given above the target, as much as brings
//     it back to 20 % by the inverse proportion of cycles to room, up to the ceiling of 95 %. When that is not enough
//     it is told (Starved). Nothing is done then that could help: the live heap is too large for the limit, and the
//     runtime's own limiter stands between the service and a standstill. Config.Ceiling at 1 - Headroom holds the
//     target at any price.
//   - A process above its limit that allocates nothing, and so never collects, is made to, and its free memory given
//     back.
//
// Each change is reported with its numbers and its reason (Config.OnChange, Change.String) and counted (Stats). Stop
// and the end of Run restore what was found. A GOGC or GOMEMLIMIT that an operator has set in the environment is left
// alone, and the other one is tuned around it. If other code sets one of them meanwhile, the tuner stops with
// ErrTakenOver.
//
// The tuner looks at a tick and not at the end of each cycle (a finalizer that sets itself again, as others do),
// because its neighbours' memory grows between cycles too. Nothing is lost: between two looks GOMEMLIMIT holds whatever
// the live heap does. 90 and 95 % are the 10 and 5 % of headroom that go.dev/doc/gc-guide recommends for what the
// runtime is unaware of.
//
// # What it gains
//
// A service with 4000 requests a second in a cgroup of 320 MiB, on 2 shared cores: its CPU as a share of the CPU of the
// same service with other settings, under a steady load, bursts, a growing live heap and a growing neighbour (make
// bench-gctune):
//
//	                                  steady  burst  growing  neighbour
//	GOGC=100                            0.73   0.79     0.77       0.78
//	automemlimit as it comes            0.76   0.72     0.74       0.77
//	gctuner, 70 % of the limit          0.75   0.81     0.74       0.91
//	ballast, 1/4 of the target          0.95   0.96     0.90       0.97
//	GOGC=off, GOMEMLIMIT at the target  0.95   0.99     1.01   OOM kill
//
// Beside the two best constants that a search finds for each load, of those that stay below the target (192 MiB,
// medians of five pairs): 1.02 and 1.04, 1.01 and 1.04, 1.00 and 1.01, 1.00 and 1.02. A single pair says little: the
// same constant beside itself gives 0.96 to 1.06 under the steady load, 1.01 in the median of ten. The kernel's own
// peak of the cgroup was below the target in every run.
//
// The 1.04 of the steady load is not random. It is the lead of a constant made for one load: GOMEMLIMIT=183MiB peaks at
// 98 % of the target and collects 11 times where gctune, at 94 %, does 12 or 13 times. That space is kept for what a
// calm load does not show: with the same settings a burst peaks at 98 % of the target and a growing neighbour at 97 %.
// The same constant is at 101 % under the bursts, and ends in an OOM kill beside the neighbour. A tuner that learned
// under a calm load to fill the space would be above the target with the next burst.
//
// # Cost
//
// One goroutine. A look costs about 3 µs and no garbage, 0.003 % of a core at the default interval (BenchmarkIdle), and
// once a second 12 µs for memory.stat. Setting GOGC or GOMEMLIMIT does not stop the world.
//
// # When not to use it
//
//   - Where GC CPU is small already. If it is 2 % of the process's CPU, 2 % is all there is to win.
//   - Where memory beside Go's never changes, no limit ever does, and the live heap stays far below: GOGC=off with a
//     constant GOMEMLIMIT does as well. The module in bench measures both.
//   - Where unused memory is worth something to others: without a limit of its own, a process that takes all it may is
//     a bad neighbour. Config.MaxGOGC bounds it.
//   - With a live heap above about 80 % of the target. The cure is a smaller heap or more memory.
//   - Beside another tuner (automemlimit, gctuner) or a ballast: take that out.
//   - In a library. Whether memory is spent is the service's decision.
//
// # Limits
//
// If others take more than about 5 % of the limit a second, the tuner follows too late to stay below the target; the
// ceiling and the rest of the headroom are for that. The runtime counts the collector's CPU by the clock, also while
// the kernel lets others run: a process that is short of CPU seems to collect more than it does, and is given memory
// above the target early (seen in 1 of 32 runs of the bench while other work had the machine's cores: 4 % above the
// target, below the ceiling).
//
// Memory that the runtime has mapped but nobody has touched counts as used, as it does for GOMEMLIMIT. Outside Linux
// there are no cgroups, and of the process's own memory only the Go runtime's is seen.
package gctune
