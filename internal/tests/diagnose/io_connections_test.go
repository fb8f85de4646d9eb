package diagnose_test

import (
	"strings"
	"testing"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
)

// TestConnections: pieces are told from small messages by what the profile alone shows. The recorded services of
// lab/modules (TestModules) show it with the kernel's counts.
func TestConnections(t *testing.T) {
	const read = kernelRead + "bufio.(*Reader).fill bufio.(*Reader).ReadSlice "
	for _, tt := range []struct {
		name  string
		ticks map[string]int64 // of 1,000, with the rest elsewhere
		fn    string           // to name; "" for nothing
		doubt bool
	}{
		{"fields from four places", map[string]int64{kernelWrite + "main.a main.put main.main": 160,
			kernelWrite + "main.b main.put main.main": 150, kernelWrite + "main.c main.put main.main": 150,
			kernelWrite + "main.d main.put main.main": 150, read + "main.main": 5}, "main.a", false},
		{"one place in a loop, or one message a call", map[string]int64{kernelWrite + "main.put main.main": 600}, "",
			true},
		{"the same at little cost", map[string]int64{kernelWrite + "main.put main.main": 300}, "", false},
		{"a command each, four kinds of answers", map[string]int64{kernelWrite + "main.a main.do main.main": 150,
			kernelWrite + "main.b main.do main.main": 150, kernelWrite + "main.c main.do main.main": 150,
			read + "main.main": 120}, "", false},
		{"a line to syslog for each request", map[string]int64{kernelWrite + "fmt.Fprintf main.log " + handler: 300,
			serverAnswer: 300}, "", false},
		{"many pieces for each request", map[string]int64{kernelWrite + "main.a main.put " + handler: 210,
			kernelWrite + "main.b main.put " + handler: 200, kernelWrite + "main.c main.put " + handler: 200,
			serverAnswer: 40}, "main.a", false},
		{"a library, one write a call", map[string]int64{kernelWrite + "github.com/x/statsd.(*Client).send " +
			"github.com/x/statsd.(*Client).Inc main.count main.main": 600}, "", false},
		{"a library, five a call", map[string]int64{
			kernelWrite + "github.com/x/wire.a github.com/x/wire.(*Client).Put main.store main.main": 120,
			kernelWrite + "github.com/x/wire.b github.com/x/wire.(*Client).Put main.store main.main": 120,
			kernelWrite + "github.com/x/wire.c github.com/x/wire.(*Client).Put main.store main.main": 120,
			kernelWrite + "github.com/x/wire.d github.com/x/wire.(*Client).Put main.store main.main": 120,
			kernelWrite + "github.com/x/wire.e github.com/x/wire.(*Client).Put main.store main.main": 120,
		}, "main.store", false},
		{"questions that wait for answers", map[string]int64{kernelWrite + redisClient + askingLine: 400,
			kernelRead + redisClient + askingLine: 100, serverAnswer: 50}, "", false},
		{"a library that is the server", map[string]int64{
			kernelWrite + "bufio.(*Writer).Flush github.com/x/smtp.(*Conn).answer " +
				"github.com/x/smtp.(*Server).Serve.func1": 400,
			read + "github.com/x/smtp.(*Conn).line github.com/x/smtp.(*Server).Serve.func1": 100},
			"", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			rest := int64(1000)
			for _, n := range tt.ticks {
				rest -= n
			}
			tt.ticks["main.rest main.main"] = rest
			in := diagnose.Input{Evidence: []diagnose.Evidence{cpuProfile(t, 10, tt.ticks)},
				Build: casefile.Build{Module: "example.com/app"}}
			rep := diagnose.Run(t.Context(), in, diagnose.Options{})
			got := findingOf(rep.Findings, "io-small")
			switch {
			case tt.fn == "" && got != nil:
				t.Errorf("found: %s", got.Title)
			case tt.fn != "" && (got == nil || got.Where[0].Function != tt.fn || got.Score > capUnsure):
				t.Errorf("%+v; want %s, at %d or less: it is not counted", got, tt.fn, capUnsure)
			}
			if doubt := undecidedWhy(rep.Undecided, "io-small"); strings.Contains(doubt, "not known") != tt.doubt {
				t.Errorf("undecided is %q, want a doubt: %v", doubt, tt.doubt)
			}
		})
	}
}

// TestConnectionsUncounted: without the kernel's counts, as from another machine, nobody is accused who is not
// with them.
func TestConnectionsUncounted(t *testing.T) {
	wanted := map[string]bool{ // whether it is still named
		"spans-tsocket": true, "quotes-fields": true, "letters-pieces": true,
		"carbon-lines": false, "meters-bytes": false, "newsgroup-lines": false,
		"resp": false, "talk": false, "names": false, "counters": false, "vod": false, "audit": false, "tape": false,
		"nats": false, "websocket": false, "websocket-coder": false, "redis": false, "grpc": false, "fasthttp": false,
	}
	for name, want := range wanted {
		t.Run(name, func(t *testing.T) {
			in := loadCase(t, "modules/"+name)
			var left []diagnose.Evidence
			for _, e := range in.Evidence {
				if e.Kind != casefile.Vitals {
					left = append(left, e)
				}
			}
			in.Evidence = left
			got := findingOf(diagnose.Run(t.Context(), in, diagnose.Options{}).Findings, "io-small")
			if (got != nil) != want {
				t.Errorf("found %+v, want something: %v", got, want)
			}
			if got != nil && got.Score > capUnsure {
				t.Errorf("a score of %d without counts, want %d at the most", got.Score, capUnsure)
			}
		})
	}
}
