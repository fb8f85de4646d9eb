package pasted

import (
	"bytes"
	"regexp"
)

// A named text is one that people give, that has no evidence in it which could be judged.
type named struct {
	is   *regexp.Regexp
	what string // may use the groups of is
	next string
}

const (
	giveFile        = "give the file that it was made from: go tool pprof -proto URL > profile.pb.gz fetches one"
	giveHeap        = "curl -fo heap.pb.gz 'http://HOST/debug/pprof/heap'"
	giveCPU         = "curl -fo cpu.pb.gz 'http://HOST/debug/pprof/profile?seconds=30'"
	anotherLanguage = "only Go programs can be judged here"

	giveDump = "curl -o goroutines.txt 'http://HOST/debug/pprof/goroutine?debug=2' and ls -l /proc/PID/fd show what " +
		"is open"
)

func namedTexts() []named {
	return []named{
		{regexp.MustCompile(`(?m)^Benchmark\S+\s+\d+\s+[\d.]+ ns/op`), "the results of go test -bench: they say " +
			"how long, and not where", "give a profile of the benchmark: go test -bench NAME -cpuprofile cpu.pb.gz"},
		{regexp.MustCompile(`(?m)(?:old (?:time|alloc|allocs)/op.*delta|(?:sec|B|allocs)/op.*vs base)`),
			"a table of benchstat: it says what changed, and not where", "give profiles of both versions: casebook " +
				"diagnose --base old.pb.gz new.pb.gz"},
		{regexp.MustCompile(`^\s*(?:strict )?digraph `), "a picture of a graph (dot)", giveFile},
		{regexp.MustCompile(`(?m)^Type: ((?:inuse|alloc)_objects|contentions)$`), "a table of $1 of go tool pprof: " +
			"numbers without their size are not judged", "print bytes or time (-sample_index=inuse_space, " +
			"alloc_space, delay), or " + giveFile},
		{regexp.MustCompile(`too many open files`), "a log, in which the process has too many open files; it does " +
			"not say which", giveDump},
		{regexp.MustCompile(`(?m)^# Overhead +Command|^# Samples: .* of event`), "the text of perf report",
			"give its stacks: perf script | stackcollapse-perf.pl > stacks.folded"},
		{regexp.MustCompile(`(?m)^(?:Alloc|Sys|HeapAlloc|NumGC) ?= ?\d`), "numbers of runtime.MemStats: they say how " +
			"much, and not where", giveHeap},
		{regexp.MustCompile(`Killed process \d+ \((\S{1,40})\).* anon-rss:(\d+)kB`), "the kernel's log: it killed $1, " +
			"which held $2 kB", giveHeap + " while it runs, before it is killed; casebook watch takes it when memory rises"},
		{regexp.MustCompile(`Reason: +OOMKilled|"reason": ?"OOMKilled"`), "kubectl's text: the container was killed for its " +
			"memory (OOMKilled)", giveHeap + " while it runs, before it is killed; casebook watch takes it when memory rises"},
		{regexp.MustCompile(`(?m)^(?:top - \d|Threads: +\d+ total|%Cpu\(s\):)`), "the text of top: it says that CPU is " +
			"used, and not by what", giveCPU},
		{regexp.MustCompile(`(?m)^% time +seconds +usecs/call`), "a table of strace -c: it counts system calls, and does " +
			"not say whose", giveCPU + "; curl -fo trace.out 'http://HOST/debug/pprof/trace?seconds=5'"},
		{regexp.MustCompile(`(?m)^(?:\[pid +\d+\] )?(?:\d\d:\d\d:\d\d\S* )?(?:futex|epoll_p?wait|nanosleep|read|write)\(.*\) += `),
			"lines of strace: system calls, without the code that makes them",
			"curl -fo trace.out 'http://HOST/debug/pprof/trace?seconds=5'"},
		{regexp.MustCompile(`\[rollup\]|(?m)^(?:Pss_Anon|VmRSS|AnonHugePages):`), "the kernel's account of a process's " +
			"memory: how much, and not what for", giveHeap + "; casebook capture takes both, and says what the rest is"},
		{regexp.MustCompile(`(?m)^CONTAINER(?: ID)? +(?:NAME +)?CPU %`), "the text of docker stats: how much a container " +
			"uses, and not what for", giveHeap + "; " + giveCPU},
		{regexp.MustCompile(`(?m)^NAME +CPU\(cores\) +MEMORY\(bytes\)`), "the text of kubectl top: how much a pod uses, " +
			"and not what for", giveHeap + "; " + giveCPU},
		{regexp.MustCompile(`(?m)^procs -+memory-+|%usr +%system|^avg-cpu: |^Device +.*%util`), "the text of vmstat, " +
			"pidstat or iostat: numbers of a machine", giveCPU},
		{regexp.MustCompile(`(?m)^M=\S+ P=\S+ G=\S+ \w+ Time=\d`), "the events of an execution trace as text",
			"give the trace itself: curl -fo trace.out 'http://HOST/debug/pprof/trace?seconds=5'"},
		{regexp.MustCompile(`^"?Time"?,"?\w`), "a table that a dashboard exported: how much, and not what for",
			"name the engine that it is of, with the time of the trouble: casebook diagnose 'prometheus://HOST:9090?…' " +
				"(docs/engines.md); " + giveHeap},
		{regexp.MustCompile(`(?m)^init \S+ @[\d.]+ ms, [\d.]+ ms clock`), "lines of GODEBUG=inittrace=1: the largest " +
			"number before \"ms clock\" is the package whose start takes long", "take the start's CPU: runtime/pprof in main, " +
			"or casebook watch from outside of a start"},
		{regexp.MustCompile(`^heap_v2/\d`), "a heap profile of jemalloc: memory of C or Rust code, of which Go's heap " +
			"knows nothing", "jeprof --text PROGRAM FILE shows it; of Go's own: " + giveHeap},
		{regexp.MustCompile(`(?m)^COMMAND +PID +.*USER +FD `), "a list of open files (lsof): what is open, and not by whom",
			giveDump},
		{regexp.MustCompile(`(?m)^\*? *Goroutine \d+ - (?:User|Runtime|Go|Start): `), "a list of delve: one line a goroutine, " +
			"without its stack", "curl -o goroutines.txt 'http://HOST/debug/pprof/goroutine?debug=2', or kill -QUIT PID"},
		{regexp.MustCompile(`(?m)^#\d+ +(?:0x[0-9a-f]+ in )?\S.* \(.*\) (?:at|from) `), "a backtrace of gdb or lldb: threads, " +
			"and not goroutines", "curl -o goroutines.txt 'http://HOST/debug/pprof/goroutine?debug=2', or kill -QUIT PID"},
		{regexp.MustCompile(`(?m)^\s*(?:Requests/sec|Requests per second|http_req_duration\.*):`), "the result of a load " +
			"generator: how slow it is, and not why", "take a profile while the load runs: casebook diagnose http://HOST:6060"},
		{regexp.MustCompile(`(?m)^\S+\.go:\d+:\d+: .*(?:escapes to heap|moved to heap: \w+)`), "what the compiler says of " +
			"variables (-gcflags=-m)", "casebook escape ranks those that cost: casebook escape --help"},
		{regexp.MustCompile(`(?m)^Full thread dump `), "a thread dump of Java", anotherLanguage},
		{regexp.MustCompile(`(?m)^Traceback \(most recent call last\):`), "a traceback of Python", anotherLanguage},
		{regexp.MustCompile(`(?m)^thread '.*' (?:\(\d+\) )?panicked at `), "a panic of Rust", anotherLanguage},
		{regexp.MustCompile(`(?m)^\s+at .*\(?node:internal/|^\s+at Object\.<anonymous> \(`), "a stack of Node.js", anotherLanguage},
	}
}

// namedHead is how much of a text is looked at.
const namedHead = 256 << 10

// Named says what a text is that holds nothing to judge, and what to give instead; "" for all that is no text.
func Named(data []byte) (what, next string) {
	text, _ := decoded(data)
	if text == nil || len(bytes.TrimSpace(text)) == 0 {
		return "", ""
	}
	text = text[:min(len(text), namedHead)]
	if bytes.Contains(text, raceBegins) {
		return "a report of Go's race detector that is cut: it has no two accesses with their lines", "run it again: go " +
			"test -race 2>&1 | tee race.txt, and give that"
	}
	for _, n := range namedTexts() {
		if m := n.is.FindSubmatchIndex(text); m != nil {
			return string(n.is.Expand(nil, []byte(n.what), text, m)), n.next
		}
	}
	return "", ""
}
