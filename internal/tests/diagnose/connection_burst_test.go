package diagnose_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
)

// idleConnections is a goroutine profile of n connections of net/http's client that nobody uses.
func idleConnections(n int) []byte {
	return fmt.Appendf(nil, "goroutine profile: total %d\n%d @ 0x1 0x2 0x3 0x4\n"+
		"#\t0x1\tinternal/poll.runtime_pollWait+0x1\t/go/src/runtime/netpoll.go:351\n"+
		"#\t0x2\tnet.(*conn).Read+0x1\t/go/src/net/net.go:194\n"+
		"#\t0x3\tnet/http.(*persistConn).Read+0x1\t/go/src/net/http/transport.go:2122\n"+
		"#\t0x4\tnet/http.(*persistConn).readLoop+0x1\t/go/src/net/http/transport.go:2275\n\n", n, n)
}

// dumpedConnections is the same as a dump.
func dumpedConnections(n int) []byte {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "goroutine %d [IO wait]:\ninternal/poll.runtime_pollWait(0x1, "+
			"0x72)\n\t/go/src/runtime/netpoll.go:351 +0x85\nnet.(*conn).Read(0x1)\n\t/go/src/net/net.go:194 "+
			"+0x45\nnet/http.(*persistConn).Read(0x1)\n\t/go/src/net/http/transport.go:2122 "+
			"+0x47\nnet/http.(*persistConn).readLoop(0x1)\n\t/go/src/net/http/transport.go:2275 +0x172\ncreated by "+
			"net/http.(*Transport).dialConn in goroutine 1\n\t/go/src/net/http/transport.go:1944 +0x174f\n\n", i+2)
	}
	return []byte(b.String())
}

// TestBurstOfConnections: connections that are left open stay, and those of a burst do not. The dump is taken between
// the two profiles.
func TestBurstOfConnections(t *testing.T) {
	at := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		name                  string
		first, between, after int
		want                  bool
	}{
		{"each stays", 20, 120, 240, true},
		{"none is there between", 28, 0, 267, false},
		{"few are there between", 28, 32, 267, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := diagnose.Input{Evidence: []diagnose.Evidence{
				{Name: "goroutine.txt", Kind: casefile.Goroutine, Taken: at, Data: idleConnections(c.first)},
				{Name: "goroutine-after.txt", Kind: casefile.Goroutine, Taken: at.Add(20 * time.Second),
					Data: idleConnections(c.after)},
			}}
			in.Evidence = append(in.Evidence, diagnose.Evidence{Name: "goroutine-dump.txt", Kind: casefile.GoroutineDump,
				Taken: at.Add(10 * time.Second), Data: append(dumpedConnections(c.between),
					"goroutine 1 [select (no cases)]:\nmain.main()\n\t/src/main.go:9 +0x1\n\n"...)})
			if f, score := scoreOf(t, in, "connection-leak"); score > 0 != c.want {
				t.Errorf("scores %d (%s), want a finding: %v", score, f.Summary, c.want)
			}
		})
	}
}
