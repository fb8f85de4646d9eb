package diagnose_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/diagnose"
)

// goroutineText is a goroutine of a dump, with a line for each function, the leaf first.
func goroutineText(id int, state string, functions ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "goroutine %d [%s]:\n", id, state)
	for i, f := range functions {
		file := "/srv/app/main.go"
		if !strings.HasPrefix(f, "main.") {
			file = "/usr/local/go/src/runtime/rt.go"
		}
		fmt.Fprintf(&b, "%s(0x10000000, 0x2)\n\t%s:%d +0x1d\n", f, file, 10+i)
	}
	return b.String() + "\n"
}

// TestCrashes: the text of a crash is read for what the process died of, at the line of the program's own.
func TestCrashes(t *testing.T) {
	waits := goroutineText(1, "sync.WaitGroup.Wait", "sync.runtime_SemacquireWaitGroup", "sync.(*WaitGroup).Wait",
		"main.main")
	for name, tt := range map[string]struct {
		text  string
		kind  string // "": nothing is found
		form  string
		place string
		says  string // part of the title or the summary
	}{
		"a map": {"fatal error: concurrent map writes\n\n" + goroutineText(5, "running", "internal/runtime/maps.fatal",
			"main.fill") + goroutineText(6, "runnable", "main.fill"), "crash", "concurrent-map", "main.fill",
			"other goroutines"},
		"a panic raised again": {"panic: runtime error: index out of range [5] with length 3 [recovered]\n\tpanic: " +
			"wrapped\n\n" +
			goroutineText(1, "running", "panic", "main.safe.func1", "panic", "main.parse", "main.main"),
			"crash", "index", "main.parse", ""},
		"a nil pointer": {"panic: runtime error: invalid memory address or nil pointer dereference\n[signal SIGSEGV: " +
			"segmentation violation code=0x1 addr=0x0 pc=0x1]\n\n" + goroutineText(1, "running", "panic", "main.use"),
			"crash", "nil-pointer", "main.use", "SIGSEGV"},
		"memory": {"runtime: out of memory: cannot allocate 67108864-byte block (276594688 in use)\nfatal error: " +
			"out of " +
			"memory\n\nruntime stack:\nruntime.throw({0x1, 0x2})\n\t/usr/local/go/src/runtime/panic.go:1 +0x1\n\n" +
			goroutineText(1, "running", "runtime.systemstack_switch", "runtime.mallocgc", "main.load"),
			"crash", "memory", "main.load", "64 MiB"},
		"memory, cut before the goroutine": {"fatal error: runtime: out of memory\n\nruntime " +
			"stack:\nruntime.largeAlloc(" +
			"0x10000000, 0x1)\n\t/usr/local/go/src/runtime/malloc.go:1 +0x1\n", "crash", "memory", "[unknown]",
			"256 MiB"},
		"a recursion": {"runtime: goroutine stack exceeds 1000000000-byte limit\nfatal error: stack overflow\n\n" +
			goroutineText(1, "running", "fmt.newPrinter", "fmt.Sprintf", "main.N.String", "fmt.Sprintf") +
			goroutineText(2, "runnable", "main.work"), "crash", "recursion", "main.N.String", ""},
		"C": {"SIGSEGV: segmentation violation\nPC=0x1 m=0\nsignal arrived during cgo execution\n\n" +
			goroutineText(1, "syscall", "runtime.cgocall", "main._Cfunc_crash", "main.weigh"), "crash", "foreign-code",
			"main.weigh", "SIGSEGV"},
		"files": {"panic: open /etc/x: too many open files\n\n" + goroutineText(1, "running", "main.open"), "crash",
			"open-files", "main.open", ""},
		"asleep": {"fatal error: all goroutines are asleep - deadlock!\n\n" + waits, "goroutine-deadlock", "",
			"main.main",
			"nobody calls Done"},
		"senders before Wait": {"fatal error: all goroutines are asleep - deadlock!\n\n" + waits +
			goroutineText(7, "chan send", "runtime.gopark", "main.work"), "goroutine-deadlock", "", "main.work",
			"only after all have ended"},
		"a lock taken again": {"fatal error: all goroutines are asleep - deadlock!\n\n" + goroutineText(1,
			"sync.Mutex.Lock",
			"internal/sync.(*Mutex).lockSlow", "sync.(*Mutex).Lock", "main.(*S).size", "main.(*S).put"),
			"goroutine-deadlock", "", "main.(*S).size", "main.(*S).put"},
		"a caught panic": {"2026/01/02 10:00:00 http: panic serving [::1]:5: runtime error: index out of range [0] " +
			"with length " +
			"0\n" + goroutineText(12, "running", "net/http.(*conn).serve.func1", "panic", "main.greet"),
			"request-panic",
			"index", "main.greet", "caught 1 panic"},

		"a dump that was asked for": {"SIGQUIT: quit\nPC=0x1 m=0\n\n" + waits, "", "", "", ""},
		"a test that took too long": {"panic: test timed out after 10m0s\n\n" + waits, "", "", "", ""},
		"a dump of a live process":  {waits + goroutineText(3, "running", "main.use"), "", "", "", ""},
		"a log that says panic":     {"time=1 msg=\"panic: no\"\n\n" + waits, "", "", "", ""},
		"a deadlock of the database": {"Error 1213: Deadlock found when trying to get lock\n\n" + waits, "", "", "",
			""},
	} {
		rep := diagnose.Run(t.Context(), apart(0, []byte(tt.text)), diagnose.Options{})
		fs := rep.Findings
		if tt.kind == "" {
			if len(fs) > 0 {
				t.Errorf("%s: found %s: %s", name, fs[0].Kind, fs[0].Title)
			}
			continue
		}
		if len(fs) == 0 {
			t.Errorf("%s: found nothing, want %s; problems: %v", name, tt.kind, rep.Problems)
			continue
		}
		f := fs[0]
		if f.Kind != tt.kind || f.Form != tt.form || f.Where[0].Function != tt.place || f.Severity() == "notice" {
			t.Errorf("%s: found %s %q at %s (%d), want %s %q at %s", name, f.Kind, f.Form, f.Where[0].Function, f.Score,
				tt.kind, tt.form, tt.place)
		}
		if !strings.Contains(f.Title+f.Summary, tt.says) {
			t.Errorf("%s: %s\n%s\nlacks %q", name, f.Title, f.Summary, tt.says)
		}
		for _, u := range rep.Undecided {
			if tt.kind != "request-panic" && strings.HasPrefix(u.CaptureNext, "curl") {
				t.Errorf("%s: %s asks the dead: %s", name, u.Kind, u.CaptureNext)
			}
		}
	}
}
