package pasted

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"

	"github.com/gocasebook/casebook/vitals"
)

// Some texts say what is wrong in words of their own, which no detector reads in the goroutines that they print: a test
// that took too long, goroutines that a test has left (goleak), two goroutines that use the same memory (go test -race).

// A Fault is what a text says of the goroutines in its piece; the zero value is none.
type Fault struct {
	Left  int    // goroutines that a test has left
	Test  string // that took too long
	After string // how long it was given: "10m0s"
	Races []Race
}

// IsZero reports that the text says nothing.
func (f *Fault) IsZero() bool { return f.Left == 0 && f.After == "" && len(f.Races) == 0 }

// A saying is a sentence of a text that is no fault of a line, and the next step.
type saying struct{ says, next string }

var (
	timedOut    = regexp.MustCompile(`(?m)^panic: test timed out after (\S+)$`)
	runningTest = regexp.MustCompile(`(?m)^\t+((?:Test|Example|Benchmark|Fuzz)\S*) \(\S+\)$`)
)

// fault is what a piece says of its goroutines; left is how many goroutines a test reported in it.
func (p *part) fault(left int) Fault {
	if !bytes.Contains(p.Data, []byte("panic: test timed out after ")) {
		return Fault{Left: left}
	}
	f := Fault{Left: left}
	if m := timedOut.FindSubmatch(p.Data); m != nil {
		f.After, f.Test = string(m[1]), "A test"
		if m := runningTest.FindSubmatch(p.Data); m != nil {
			f.Test = string(m[1])
		}
	}
	return f
}

// The race detector prints two accesses of the same memory, the later one first, and where their goroutines began:
//
//	WARNING: DATA RACE
//	Write at 0x00c00011c018 by goroutine 8:
//	  example.com/shop/stock.(*Store).Put()
//	      /srv/shop/stock/store.go:31 +0x9c
//
//	Previous read at 0x00c00011c018 by goroutine 7:
//	  …
//	Goroutine 8 (running) created at:
//	  …
var (
	raceBegins = []byte("WARNING: DATA RACE")
	raceAccess = regexp.MustCompile(`^\s*(?:Previous )?([Rr]ead|[Ww]rite|[Aa]tomic [a-z]+) (?:at 0x[0-9a-f]+ |of size )` +
		`.*by (?:goroutine (\d+)|.* goroutine.*):$`)
	raceBegan = regexp.MustCompile(`^\s*Goroutine (\d+) \(.*\) created at:$`)
	raceFunc  = regexp.MustCompile(`^\s+(\S.*)\(\)$`)
	racePlace = regexp.MustCompile(`^\s+(\S.*):(\d+)(?: \+0x[0-9a-f]+)?$`)
	raceRule  = []byte("==================")
)

// maxRaces bounds what is kept of a text: a test that races does so again and again.
const maxRaces = 20

// A Race is two accesses of the same memory without an order.
type Race struct {
	Accesses [2]Access
	Times    int // that it was reported
}

// An Access is one of them.
type Access struct {
	Does  string // "reads", "writes"
	Stack []Call // the leaf first
	id    string // of its goroutine
	began []Call
}

// A Call is a frame of a stack.
type Call struct {
	Function, File string
	Line           string
}

// races are the reports of a text.
type races struct {
	all  []Race
	cur  *Race
	n    int     // accesses of cur
	into *[]Call // what frames are of
	name string  // of a frame whose place is to come
}

// line takes a line of a report.
func (r *races) line(line []byte) bool {
	if bytes.Contains(line, raceBegins) {
		r.end()
		r.cur, r.n, r.into = &Race{Times: 1}, 0, nil
		return true
	}
	if r.cur == nil {
		return false
	}
	text := string(line[:min(len(line), 1<<12)])
	switch {
	case bytes.HasPrefix(bytes.TrimSpace(line), raceRule):
		r.end()
	case r.head(text):
	case racePlace.MatchString(text) && r.name != "":
		m := racePlace.FindStringSubmatch(text)
		if r.into != nil && len(*r.into) < maxDepth {
			*r.into = append(*r.into, Call{r.name, m[1], m[2]})
		}
		r.name = ""
	case raceFunc.MatchString(text):
		r.name = raceFunc.FindStringSubmatch(text)[1]
	case strings.TrimSpace(text) == "":
	default:
		r.into, r.name = nil, ""
	}
	return true
}

// head takes the line above a stack.
func (r *races) head(text string) bool {
	if m := raceAccess.FindStringSubmatch(text); m != nil {
		r.into = nil
		if r.n < len(r.cur.Accesses) {
			a := &r.cur.Accesses[r.n]
			a.Does, a.id = does(m[1]), m[2]
			r.into = &a.Stack
		}
		r.n++
		return true
	}
	if m := raceBegan.FindStringSubmatch(text); m != nil {
		r.into = nil
		for i := range r.cur.Accesses {
			if a := &r.cur.Accesses[i]; a.id == m[1] {
				r.into = &a.began
			}
		}
		return true
	}
	return false
}

func does(access string) string {
	access = strings.ToLower(access)
	if rest, ok := strings.CutPrefix(access, "atomic "); ok {
		return "atomically " + rest + "s"
	}
	return access + "s"
}

// end keeps a report that is whole, once.
func (r *races) end() {
	cur := r.cur
	r.cur, r.into, r.name = nil, nil, ""
	if cur == nil || len(cur.Accesses[0].Stack) == 0 || len(cur.Accesses[1].Stack) == 0 {
		return
	}
	for i := range r.all {
		if at := &r.all[i]; at.Accesses[0].Stack[0] == cur.Accesses[0].Stack[0] &&
			at.Accesses[1].Stack[0] == cur.Accesses[1].Stack[0] {
			at.Times++
			return
		}
	}
	if len(r.all) < maxRaces {
		r.all = append(r.all, *cur)
	}
}

// piece is the goroutines of all reports, as a dump.
func (r *races) piece() *part {
	r.end()
	if len(r.all) == 0 {
		return nil
	}
	var b strings.Builder
	n := 0
	for i := range r.all {
		for k := range r.all[i].Accesses {
			n++
			a := &r.all[i].Accesses[k]
			fmt.Fprintf(&b, "goroutine %d [running]:\n", n)
			for _, c := range a.Stack {
				fmt.Fprintf(&b, "%s(...)\n\t%s:%s\n", c.Function, c.File, c.Line)
			}
			if len(a.began) > 0 {
				fmt.Fprintf(&b, "created by %s\n\t%s:%s\n", a.began[0].Function, a.began[0].File, a.began[0].Line)
			}
			b.WriteString("\n")
		}
	}
	return &part{Piece: Piece{Data: []byte(b.String()), Fault: Fault{Races: r.all}}}
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
