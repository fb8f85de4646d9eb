package diagnose_test

import (
	"slices"
	"testing"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
)

// TestClientDials: a dependency that requests call opens connections all the time, in goroutines of its own or below
// their lines; what others dial is not of the requests.
func TestClientDials(t *testing.T) {
	const (
		server = " net/http.HandlerFunc.ServeHTTP net/http.serverHandler.ServeHTTP net/http.(*conn).serve"
		dial   = "syscall.connect net.(*netFD).connect net.(*sysDialer).dialTCP net.(*Dialer).DialContext"
		call   = "example.org/team/lib.(*Client).Ask main.price" + server
	)
	for _, tt := range []struct {
		name  string
		ticks map[string]int64
		at    string // "": nothing is found
	}{
		{"in a goroutine of its own", map[string]int64{dial + " example.org/team/lib.(*conn).open": 100,
			"strconv.Atoi example.org/team/lib.(*conn).shake example.org/team/lib.(*conn).open": 100, call: 50}, "main.price"},
		{"below the line", map[string]int64{dial + " " + call: 150}, "main.price"},
		{"no request calls it", map[string]int64{dial + " example.org/team/lib.(*conn).open": 200,
			"example.org/team/lib.(*Client).Ask main.load main.main": 50}, ""},
		{"another module dials", map[string]int64{dial + " example.org/other/lib.(*conn).open": 200, call: 50}, ""},
		{"it keeps them", map[string]int64{dial + " example.org/team/lib.(*conn).open": 5, call: 300}, ""},
		{"the program's own", map[string]int64{dial + " main.price" + server: 200}, ""},
	} {
		ticks := map[string]int64{"main.rest main.main": 500}
		for stack, n := range tt.ticks {
			ticks[stack] += n
		}
		in := diagnose.Input{Evidence: []diagnose.Evidence{cpuProfile(t, 10, ticks)},
			Build: casefile.Build{Module: "example.com/app"}}
		fs := diagnose.Run(t.Context(), in, diagnose.Options{}).Findings
		i := slices.IndexFunc(fs, func(f casefile.Finding) bool { return f.Kind == "net-no-keepalive" })
		if i < 0 != (tt.at == "") || i >= 0 && fs[i].Where[0].Function != tt.at {
			t.Errorf("%s: finding %d of %v, want one at %q", tt.name, i, fs, tt.at)
		}
	}
}
