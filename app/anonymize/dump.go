package anonymize

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/gocasebook/casebook/diagnose/stacks"
)

// states are what the runtime prints of a goroutine's state (runtime/traceback.go and waitReasonStrings in
// runtime/runtime2.go, Go 1.20 to 1.27), and what may follow.
var states = regexp.MustCompile(`^(idle|runnable|running|syscall|waiting|dead|copystack|preempted|leaked|` +
	`chan (receive|send)( \(nil chan\))?|select( \(no cases\))?|semacquire|sleep|IO wait|finalizer wait|cleanup wait|` +
	`sync\.(Cond\.Wait|Mutex\.Lock|RWMutex\.R?Lock|WaitGroup\.Wait)|coroutine|panicwait|dumping heap|debug call|` +
	`GC (assist marking|assist wait|sweep wait|scavenge wait|worker \((idle|active|init)\)|weak to strong wait)|` +
	`wait for GC cycle|GC mark termination|GOMAXPROCS updater \(idle\)|` +
	`garbage collection( scan)?|mark wait \(idle\)|force gc \(idle\)|update GOMAXPROCS \(idle\)|stopping the world|` +
	`flushing proc caches|trace (reader \(blocked\)|goroutine status|proc status)|` +
	`timer goroutine \(idle\)|page trace flush|synctest\.(Run|Wait)|chan (receive|send) \(synctest\)|chan (receive|` +
	`send) \(durable\)|select \(durable\)|sleep \(durable\))( \((scan|durable|leaked)\))*$`)

var (
	dumpStart = regexp.MustCompile(`(?m)^goroutine [0-9]{1,19} .*\[.*\].*:\r?$`)
	header    = regexp.MustCompile(`^goroutine ([0-9]{1,19}) .*?\[([^\]]*)\].*:$`)
	minutes   = regexp.MustCompile(`^[0-9]{1,9} minutes$`)
	creator   = regexp.MustCompile(`^created by (.+?)(?: in goroutine ([0-9]{1,19}))?$`)
	place     = regexp.MustCompile(`^\t(.+):([0-9]{1,9})(?: .*)?$`)
	address   = regexp.MustCompile(`^\((0x[0-9a-f]{1,16})(\??)[,)]`)
	lockFuncs = regexp.MustCompile(`^(internal/)?sync\.\(\*(RW)?Mutex\)\.`)
)

// A dumpWriter rewrites a goroutine dump, goroutine by goroutine.
type dumpWriter struct {
	*names
	out    bytes.Buffer
	locks  map[string]int // addresses of locks, by the number they get: a cycle of locks stays one
	fn     string         // the function whose place comes next, as it was
	line   string         // what is printed of it
	open   bool           // inside a goroutine
	copied int
}

// dump rewrites the text of every goroutine's stack. Values of arguments go; which goroutines wait for the same lock
// stays.
func (n *names) dump(data []byte) ([]byte, error) {
	data, err := unpacked(data, stacks.MaxDump)
	if err != nil || !dumpStart.Match(data[:min(len(data), 64<<10)]) {
		return nil, errUnknown
	}
	w := dumpWriter{names: n, locks: make(map[string]int)}
	for line := range strings.Lines(string(data)) {
		w.next(strings.TrimRight(line, "\r\n"))
	}
	if w.copied == 0 {
		return nil, errUnknown
	}
	return w.out.Bytes(), nil
}

// unpacked undoes gzip, up to limit bytes.
func unpacked(data []byte, limit int) ([]byte, error) {
	if !bytes.HasPrefix(data, []byte{0x1f, 0x8b}) {
		return data[:min(len(data), limit)], nil
	}
	zr, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(io.LimitReader(zr, int64(limit)))
}

// next takes over what a line says, where it is one of those that a dump has; any other line is dropped.
func (w *dumpWriter) next(line string) {
	if h := header.FindStringSubmatch(line); h != nil {
		w.header(h[1], h[2])
		return
	}
	switch {
	case !w.open:
	case line == "":
		w.open, w.fn = false, ""
	case strings.HasPrefix(line, "..."):
		w.out.WriteString("...additional frames elided...\n")
	case line[0] == '\t':
		w.place(line)
	case strings.HasPrefix(line, "created by "):
		c := creator.FindStringSubmatch(line)
		if c == nil {
			return
		}
		w.fn, w.line = c[1], "created by "+w.function(c[1])
		if c[2] != "" {
			w.line += " in goroutine " + c[2]
		}
	case strings.HasSuffix(line, ")") && strings.LastIndexByte(line, '(') > 0:
		at := strings.LastIndexByte(line, '(')
		w.fn = line[:at]
		w.line = w.function(w.fn) + w.arguments(line[at:])
	}
}

// header writes a goroutine's first line without its labels: Go 1.27 prints them behind the brackets, Go 1.26 within,
// where GODEBUG=tracebacklabels=1 asks for them: "[select, 2 minutes labels:{"path": "/items"}]".
func (w *dumpWriter) header(number, brackets string) {
	brackets, _, _ = strings.Cut(brackets, " labels:{")
	words := strings.Split(brackets, ", ")
	if !states.MatchString(words[0]) {
		words[0] = "waiting"
	}
	kept := words[:1]
	for _, word := range words[1:] {
		if minutes.MatchString(word) || word == "locked to thread" {
			kept = append(kept, word)
		}
	}
	if w.copied > 0 {
		w.out.WriteByte('\n')
	}
	w.open, w.fn = true, ""
	w.copied++
	fmt.Fprintf(&w.out, "goroutine %s [%s]:\n", number, strings.Join(kept, ", "))
}

// place writes a function with its place: without a place it is not a frame.
func (w *dumpWriter) place(line string) {
	p := place.FindStringSubmatch(line)
	if w.fn == "" || p == nil {
		return
	}
	fmt.Fprintf(&w.out, "%s\n\t%s:%s\n", w.line, w.file(p[1], w.fn), p[2])
	w.fn = ""
}

// arguments returns those of a call without their values. Of a lock's methods the first is the lock's address: its
// stand-in is a number that says which lock it is, and not where.
func (w *dumpWriter) arguments(args string) string {
	a := address.FindStringSubmatch(args)
	if a == nil || !lockFuncs.MatchString(w.fn) {
		return "(...)"
	}
	number, ok := w.locks[a[1]]
	if !ok {
		number = len(w.locks) + 1
		w.locks[a[1]] = number
	}
	return fmt.Sprintf("(0x%x%s)", 0xc000000000+16*number, a[2])
}
