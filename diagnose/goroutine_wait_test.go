package diagnose

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/internal/profiletest"
)

// A crowd is n goroutines with the same stack. Functions of the stack, the leaf first, may have a line, and in a dump
// their first argument: "main.wait@0x20:12".
type crowd struct {
	n       int
	state   string // "chan send, 3 minutes"
	stack   string
	created string
}

const (
	conn     = "net/http.(*conn).serve"
	client   = "net/http.(*persistConn).roundTrip net/http.(*Transport).roundTrip net/http.(*Client).do"
	poll     = "internal/poll.runtime_pollWait internal/poll.(*FD).Read net.(*conn).Read"
	lockWait = "internal/sync.runtime_SemacquireMutex internal/sync.(*Mutex).Lock sync.(*Mutex).Lock"
	readLoop = "net/http.(*persistConn).readLoop"
)

// dumpOf is a debug=2 dump.
func dumpOf(crowds ...crowd) []byte {
	var b bytes.Buffer
	id := 0
	for _, c := range crowds {
		for range c.n {
			id++
			fmt.Fprintf(&b, "goroutine %d [%s]:\n", id, c.state)
			for _, f := range strings.Fields(c.stack) {
				printFrame(&b, f, "(0x1)")
			}
			if c.created != "" {
				b.WriteString("created by ")
				printFrame(&b, c.created, " in goroutine 1")
			}
			b.WriteByte('\n')
		}
	}
	return b.Bytes()
}

func printFrame(b *bytes.Buffer, f, after string) {
	name, line := f, "7"
	if i := strings.LastIndexByte(f, ':'); i > 0 {
		name, line = f[:i], f[i+1:]
	}
	if fn, arg, ok := strings.Cut(name, "@"); ok {
		name, after = fn, "("+arg+")"
	}
	fmt.Fprintf(b, "%s%s\n\t%s:%s +0x1\n", name, after, goFile(name), line)
}

// goFile is the file of a function in a build without -trimpath.
func goFile(name string) string {
	if strings.HasPrefix(name, "main.") {
		return "/src/app/main.go"
	}
	if strings.Contains(name, ".com/") {
		return "/root/go/pkg/mod/" + profiletest.File(name)
	}
	return "/usr/local/go/src/" + profiletest.File(name)
}

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// apart are captures a few seconds after one another.
func apart(seconds int, data ...[]byte) Input {
	var in Input
	for i, d := range data {
		in.Evidence = append(in.Evidence, Evidence{Name: fmt.Sprintf("%d.txt", i+1),
			Taken: noon.Add(time.Duration(i*seconds) * time.Second), Data: d})
	}
	return in
}

// TestReceiver: locks are fields of a receiver.
func TestReceiver(t *testing.T) {
	for name, want := range map[string]string{
		"main.(*Store).get":                       "main.Store",
		"main.(*Store).get.func1":                 "main.Store",
		"example.com/a.b/store.(*Cache[...]).Get": "example.com/a.b/store.Cache",
		"main.Store.Len":                          "main.Store",
		"main.run.func1":                          "main.run",
		"github.com/x/y.open":                     "github.com/x/y.open",
		"github.com/x/y.(*T).m.gowrap1":           "github.com/x/y.T",
		"":                                        "",
		"github.com/x/y":                          "github.com/x/y",
	} {
		if got := receiver(name); strings.ReplaceAll(got, "(*", "") != want {
			t.Errorf("receiver of %q is %q, want %q", name, got, want)
		}
	}
}
