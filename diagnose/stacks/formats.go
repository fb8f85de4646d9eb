package stacks

import (
	"bytes"
	"regexp"
)

// What other tools record is named, with the way to a format that can be read: somebody who passes perf.data has a
// profile of the right program in the wrong format.

// A foreignForm is a format that is not read.
type foreignForm struct {
	is     func(head []byte) bool
	reason string
	next   string
}

// foldPerf is the way from perf's stacks to folded ones, which are read.
const foldPerf = "perf script -i FILE | stackcollapse-perf.pl > stacks.folded (from " +
	"github.com/brendangregg/FlameGraph), which is read here"

// javaScript is what to do with a profile of a JavaScript engine, or of a tool that shows other tools' profiles.
const javaScript = "give the Go program's own: curl -o cpu.pb.gz http://HOST/debug/pprof/profile?seconds=10"

func foreignForms() []foreignForm {
	magic := func(m string) func([]byte) bool { return func(b []byte) bool { return bytes.HasPrefix(b, []byte(m)) } }
	json := func(keys ...string) func([]byte) bool {
		return func(b []byte) bool {
			if b = bytes.TrimLeft(b, " \t\r\n\ufeff"); !bytes.HasPrefix(b, []byte("{")) &&
				!bytes.HasPrefix(b, []byte("[")) {
				return false
			}
			for _, k := range keys {
				if !bytes.Contains(b, []byte(k)) {
					return false
				}
			}
			return true
		}
	}
	return []foreignForm{
		{magic("PERFILE2"), "Linux perf's recording (perf.data)", "fold its stacks: " + foldPerf},
		{magic("FLR\x00"), "a recording of Java's Flight Recorder (JFR)",
			"only Go programs can be judged here; jfrconv of async-profiler makes a flame graph or a pprof file of " +
				"this one"},
		{json("speedscope.app/file-format-schema"), "a profile in speedscope's format",
			"give the pprof file that it was made from, which speedscope opens as well"},
		{json(`"traceEvents"`), "a Chrome trace (trace events)", "only pprof files are read; " + javaScript},
		{json(`"ph":`, `"ts":`), "a Chrome trace (trace events)", "only pprof files are read; " + javaScript},
		{json(`"callFrame"`, `"nodes"`), "a CPU profile of Chrome or Node.js (.cpuprofile)",
			"only Go programs can be judged here; " + javaScript},
		{json(`"meta"`, `"preprocessedProfileVersion"`), "a Firefox profile (Gecko, samply)",
			"give what it was made from: a pprof file, or perf's stacks, folded (" + foldPerf + ")"},
		{json(`"stackTable"`, `"frameTable"`), "a Firefox profile (Gecko, samply)",
			"give what it was made from: a pprof file, or perf's stacks, folded (" + foldPerf + ")"},
		{perfScript.Match, "the text of perf script",
			"fold its stacks: stackcollapse-perf.pl FILE > stacks.folded (from github.com/brendangregg/FlameGraph), " +
				"which is read here"},
	}
}

// perfScript is an event of perf script and the first frame below it:
//
//	shop 4021/4026 [001] 5214.771520:   10101010 cpu-clock:u:
//	            4a1b2c main.work+0x2c (/usr/bin/shop)
var perfScript = regexp.MustCompile(
	`(?m)^\S.*\s\d+(?:/\d+)?\s+(?:\[\d+\]\s+)?\d+\.\d+:\s.*:.*\n\s+[0-9a-f]+ .+ \(.*\)\s*$`)

// foreignHead is how much of a file tells its format.
const foreignHead = 8 << 10

// foreignFormat names a format that is not read; nil for any other file.
func foreignFormat(b []byte) *Problem {
	head := b[:min(len(b), foreignHead)]
	for _, f := range foreignForms() {
		if f.is(head) {
			return problem(f.next, "%s", f.reason)
		}
	}
	return nil
}
