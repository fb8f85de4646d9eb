package stacks

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"

	"github.com/gocasebook/casebook/diagnose/known"
)

// Before the first goroutine a crash prints why the process ends, in lines of the runtime's own:
//
//	fatal error: concurrent map writes
//
//	panic: runtime error: index out of range [5] with length 3 [recovered]
//		panic: wrapped
//	[signal SIGSEGV: segmentation violation code=0x1 addr=0x0 pc=0x47a750]
//
//	runtime: out of memory: cannot allocate 268435456-byte block (67108864 in use)
//	fatal error: out of memory
//
//	runtime stack:
//	runtime.throw({0x76d76d, 0x16})
//
// The goroutine that it was printed for comes first. net/http prints the same of a panic that it caught, behind "http:
// panic serving ADDRESS: ", and goes on.

// A Crash is why a process ended, or which panic a server caught.
type Crash struct {
	Kind   CrashKind
	Text   string    // in the words of the runtime or of the panic: "concurrent map writes"
	Signal string    // "SIGSEGV"; "" where none is printed
	Stack  []FrameID // of the goroutine that ended it, the leaf first; nil where the text ends before
	Bytes  int64     // that the system did not give; 0 where that is not printed
	Caught bool      // by a server, which went on

	system bool // Stack is the system's, on which the runtime itself runs; a goroutine's replaces it
}

// A CrashKind is what a process died of.
type CrashKind uint8

// The kinds. A dump that somebody asked for by SIGQUIT, and that of a test that took too long, show goroutines as they
// were and no fault of theirs.
const (
	CrashFatal    CrashKind = iota // an error of the runtime that has no kind of its own
	CrashPanic                     // nobody recovered it
	CrashDeadlock                  // no goroutine can go on: the runtime has looked at all
	CrashMap                       // two goroutines use a map at the same time
	CrashMemory                    // the system gave no memory
	CrashStack                     // a goroutine's stack is larger than is allowed
	CrashThreads                   // too many threads, or the system gave none
	CrashForeign                   // a signal in code that is not Go's
	CrashFault                     // an address that cannot be used: of a mapping, or by unsafe
	CrashAsked                     // somebody sent SIGQUIT or SIGABRT
	CrashTimeout                   // a test took too long
)

// Asked reports whether the text shows a process as it was: somebody wanted to see its goroutines.
func (k CrashKind) Asked() bool { return k == CrashAsked || k == CrashTimeout }

// fatals are the runtime's words behind "fatal error: ", by how they begin (throw and fatal in proc.go, malloc.go,
// stack.go, os_linux.go, map*.go, signal_unix.go and mbitmap.go of Go 1.5 to 1.27).
var fatals = []struct {
	begins string
	kind   CrashKind
}{{"all goroutines are asleep", CrashDeadlock}, {"no goroutines (main called", CrashDeadlock},
	{"concurrent map ", CrashMap}, {"out of memory", CrashMemory}, {"runtime: out of memory", CrashMemory},
	{"runtime: cannot allocate", CrashMemory}, {"runtime: cannot map pages", CrashMemory},
	{"cannot allocate memory", CrashMemory}, {"stack overflow", CrashStack}, {"thread exhaustion", CrashThreads},
	{"newosproc", CrashThreads}, {"unexpected signal during runtime execution", CrashForeign}, {"fault", CrashFault},
	{"found bad pointer", CrashFault}, {"bad pointer", CrashFault}, {"checkptr", CrashFault}}

const (
	fatalPrefix = "fatal error: "
	panicPrefix = "panic: "
	caughtInfix = "http: panic serving " // and the client's address
	systemStack = "runtime stack:"

	maxCrashes   = 1000 // that are kept of a text: a server may catch panics for days
	maxCrashText = 500  // bytes of what a panic says
)

var (
	signalLine  = regexp.MustCompile(`^(SIG[A-Z]{2,7}): `)
	signalNoted = regexp.MustCompile(`^\[signal (SIG[A-Z]{2,7})`)
	notGiven    = regexp.MustCompile(`cannot allocate ([0-9]{1,18})-byte block`)
	firstHex    = regexp.MustCompile(`\(0x([0-9a-f]{1,15})[,)]`)
)

// isCrash recognises the text of a crash that has no goroutine in it: cut, or printed with GOTRACEBACK=none.
func isCrash(b []byte) bool {
	head := b[:min(len(b), sniffed)]
	begins := func(prefix string) bool {
		return bytes.HasPrefix(head, []byte(prefix)) || bytes.Contains(head, []byte("\n"+prefix))
	}
	return begins(fatalPrefix) && (begins(systemStack) || begins("fatal error: all goroutines are asleep")) ||
		begins(panicPrefix) && (begins("[signal SIG") || begins("panic: runtime error: "))
}

// crashLine reads a line that is in no goroutine.
func (d *dump) crashLine(line []byte) {
	if d.crashDetail(line) {
		return
	}
	text := string(bytes.TrimRight(line, " \t"))
	switch {
	case strings.HasPrefix(text, fatalPrefix):
		d.fatal(strings.TrimPrefix(text, fatalPrefix))
	case strings.HasPrefix(text, panicPrefix):
		d.begin(Crash{Kind: CrashPanic}).say(strings.TrimPrefix(text, panicPrefix))
	case strings.Contains(text, caughtInfix):
		_, said, _ := strings.Cut(text, caughtInfix)
		_, said, _ = strings.Cut(said, ": ")
		d.begin(Crash{Kind: CrashPanic, Caught: true}).say(said)
	case signalLine.MatchString(text):
		d.signal(signalLine.FindStringSubmatch(text)[1])
	case text == systemStack && d.crash != nil:
		d.open, d.system, d.created, d.lock = true, true, NoFrame, 0
		d.state = d.state[:0]
	}
}

// begin is the crash whose lines follow. The runtime may print several of one: what it lacked, and then the error.
func (d *dump) begin(c Crash) *Crash {
	if d.crash == nil || d.crash.Stack != nil && !d.crash.system || d.crash.Caught != c.Caught {
		if len(d.set.Crashes) == maxCrashes {
			d.crash = &Crash{} // not kept
		} else {
			d.set.Crashes = append(d.set.Crashes, &Crash{})
			d.crash = d.set.Crashes[len(d.set.Crashes)-1]
		}
	}
	c.Bytes, c.Signal = d.crash.Bytes, d.crash.Signal
	*d.crash = c
	return d.crash
}

func (d *dump) fatal(text string) {
	kind := CrashFatal
	for _, f := range fatals {
		if strings.HasPrefix(text, f.begins) {
			kind = f.kind
			break
		}
	}
	d.begin(Crash{Kind: kind}).say(text)
}

// signal is a line like "SIGSEGV: segmentation violation", which the runtime prints where a signal met code that is not
// Go's, and of those that somebody sends to see the goroutines.
func (d *dump) signal(name string) {
	kind := CrashForeign
	if name == "SIGQUIT" || name == "SIGABRT" {
		kind = CrashAsked
	}
	d.begin(Crash{Kind: kind}).Text = name
	d.crash.Signal = name
}

// say takes what a panic or an error says. A panic may be raised again, by who recovered it.
func (c *Crash) say(text string) {
	text = strings.TrimSuffix(strings.TrimSuffix(text, " [recovered]"), " [recovered, repanicked]")
	if strings.HasPrefix(text, "test timed out after ") {
		c.Kind = CrashTimeout
	}
	c.Text = short(text, maxCrashText)
}

// crashDetail reads what the runtime prints around the line that says what happened.
func (d *dump) crashDetail(line []byte) bool {
	has := func(prefix string) bool { return bytes.HasPrefix(line, []byte(prefix)) }
	switch {
	case has("runtime: out of memory"), has("runtime: cannot allocate"):
		c := d.begin(Crash{Kind: CrashMemory})
		if m := notGiven.FindSubmatch(line); m != nil {
			c.Bytes, _ = strconv.ParseInt(string(m[1]), 10, 64)
		}
	case has("runtime: goroutine stack exceeds "):
		d.begin(Crash{Kind: CrashStack})
	case has("unexpected fault address "):
		d.begin(Crash{Kind: CrashFault})
	case d.crash == nil || d.crash.Stack != nil:
		return false
	case has("[signal SIG"):
		if m := signalNoted.FindSubmatch(line); m != nil {
			d.crash.Signal = string(m[1])
		}
	case has("signal arrived during cgo execution"):
		d.crash.Kind = CrashForeign
	default:
		return false
	}
	return true
}

// asked reads how much memory a function of the allocator was asked for, from its first argument.
func (d *dump) asked(line, fn []byte) {
	if d.crash == nil || d.crash.Kind != CrashMemory || d.crash.Bytes > 0 ||
		!known.Of(string(fn)).Does(known.TakesSize) {
		return
	}
	if m := firstHex.FindSubmatch(line); m != nil {
		d.crash.Bytes, _ = strconv.ParseInt(string(m[1]), 16, 64)
	}
}

// died gives the crash that was read the first stack below it, and reports whether it is no goroutine of the moment:
// the system's stack, or that of a panic that was caught.
func (d *dump) died() (apart bool) {
	c := d.crash
	if c == nil || c.Stack != nil && !c.system {
		return d.system
	}
	if len(d.stack) > 0 || !d.system {
		c.Stack, c.system = append([]FrameID{}, d.stack...), d.system
	}
	return d.system || c.Caught
}

// Origin is the part of a crash's stack that led to it: below the outermost panic, since a deferred function may have
// raised another one, and without the runtime's own frames.
func (t *Table) Origin(c *Crash) []FrameID {
	from := 0
	for i, id := range c.Stack {
		if f := t.Func(id); f.Owner == Runtime && (f.Name == "panic" || f.Does(known.RaisesPanic)) {
			from = i + 1
		}
	}
	return c.Stack[from:]
}
