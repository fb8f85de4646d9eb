package pasted

import (
	"bytes"
	"fmt"
	"path"
	"regexp"
	"strconv"
	"strings"

	"github.com/gocasebook/casebook/vitals"
)

// Some texts say what is wrong in words of their own, which no detector reads in what they are made of: a test that
// took too long, goroutines that a test has left (goleak), a queue of goroutines before each processor.

// A saying is such a sentence, and the next step.
type saying struct{ says, next string }

var (
	timedOut    = regexp.MustCompile(`(?m)^panic: test timed out after (\S+)$`)
	runningTest = regexp.MustCompile(`(?m)^\t+((?:Test|Example|Benchmark|Fuzz)\S*) \(\S+\)$`)
	minutes     = regexp.MustCompile(`(\d+) minutes`)
	framePlace  = regexp.MustCompile(`^\s+(\S.*):(\d+)(?: \+0x| fp=|$)`)
)

// says is what a piece says by itself; left is how many goroutines a test reported in it.
func (p *part) says(left int) saying {
	if bytes.Contains(p.Data, []byte("panic: test timed out after ")) {
		if m := timedOut.FindSubmatch(p.Data); m != nil {
			return ofTimeout(string(m[1]), p.Data)
		}
	}
	if left == 0 {
		return saying{}
	}
	for b := range bytes.SplitSeq(p.Data, []byte("\n\n")) {
		if at, state := standing(b); at != "" {
			more := ""
			if left > 1 {
				more = fmt.Sprintf(" and %d more", left-1)
			}
			return saying{fmt.Sprintf("A test ended and left a goroutine that stands at %s (%s)%s", at, state, more),
				"end it where its owner is closed: cancel its context, or close its channel, and wait for it; go test " +
					"says whether it is gone"}
		}
	}
	return saying{}
}

// ofTimeout names the place where a test stood when it took too long: of its goroutines, the one that waited longest.
func ofTimeout(after string, text []byte) saying {
	name, where, longest := "A test", "", -1
	if m := runningTest.FindSubmatch(text); m != nil {
		name = "The test " + string(m[1])
	}
	for b := range bytes.SplitSeq(text, []byte("\n\n")) {
		at, state := standing(b)
		if at == "" || !bytes.Contains(b, []byte("testing.tRunner(")) {
			continue
		}
		waited := 0
		if m := minutes.FindStringSubmatch(state); m != nil {
			waited, _ = strconv.Atoi(m[1]) // of digits alone; what is too large is the largest
		}
		if waited > longest {
			where, longest = fmt.Sprintf(": it stood at %s (%s)", at, state), waited
		}
	}
	if where == "" {
		return saying{}
	}
	return saying{name + " took longer than " + after + where, "look for what should end the wait at that line; " +
		"go test -run NAME -timeout 30s prints the goroutines again, sooner"}
}

// standing is the first line of a goroutine that is not of the runtime, package sync or testing, and its state.
func standing(goroutine []byte) (at, state string) {
	lines := strings.Split(string(goroutine[:min(len(goroutine), 64<<10)]), "\n")
	for len(lines) > 0 && !strings.HasPrefix(lines[0], "goroutine ") {
		lines = lines[1:]
	}
	if len(lines) == 0 {
		return "", ""
	}
	_, state, _ = strings.Cut(lines[0], "[")
	state, _, _ = strings.Cut(state, "]")
	for i := 1; i+1 < len(lines); i++ {
		m := framePlace.FindStringSubmatch(lines[i+1])
		name := strings.TrimSpace(lines[i])
		if open := strings.LastIndexByte(name, '('); open > 0 && strings.HasSuffix(name, ")") {
			name = name[:open]
		}
		if m == nil || beneath.MatchString(name) || strings.HasPrefix(name, "testing.") ||
			strings.HasPrefix(name, "created by ") || strings.HasPrefix(name, "time.goFunc") {
			continue
		}
		name = name[strings.LastIndexByte(name, '/')+1:]
		return fmt.Sprintf("%s (%s:%s)", name, path.Base(strings.ReplaceAll(m[1], `\`, "/")), m[2]), state
	}
	return "", ""
}

// queued says that goroutines wait for processors in every line of schedtrace, at least one behind each that runs.
func (t *runtimeTrace) queued() saying {
	sum, procs, n := 0.0, 0.0, 0
	for _, m := range t.moments {
		q, ok := m.values[vitals.GoroutinesRunnable]
		if !ok {
			continue
		}
		procs = m.values[vitals.GoMaxProcs]
		if q < procs || procs == 0 {
			return saying{}
		}
		sum, n = sum+q, n+1
	}
	if n < leastLines {
		return saying{}
	}
	return saying{fmt.Sprintf("The CPU is used up: in each of %d lines of schedtrace goroutines wait for one of %.0f "+
		"processors, %.0f on average", n, procs, sum/float64(n)),
		"curl -fo cpu.pb.gz 'http://HOST/debug/pprof/profile?seconds=30' says what uses it"}
}
