package diagnose_test

import (
	"slices"
	"testing"

	"github.com/gocasebook/casebook/diagnose"
)

// TestOpeners: in a process that is both ends of TLS connections, the code that opens them is named first, also where
// net/http's own goroutines do it on its behalf.
func TestOpeners(t *testing.T) {
	const (
		curve    = "crypto/internal/fips140/nistec.p256Mul "
		pay      = curve + "crypto/tls.(*Conn).clientHandshake crypto/tls.(*Dialer).DialContext main.pay main.main"
		bank     = curve + "crypto/tls.(*Conn).serverHandshake crypto/tls.(*Conn).Read main.serveBank"
		library  = curve + "crypto/tls.(*Conn).clientHandshake net/http.(*persistConn).addTLS.func2"
		server   = curve + "crypto/tls.(*Conn).serverHandshake net/http.(*conn).serve"
		callHTTP = "net/http.(*Client).Do net/http.(*Client).Get main.rate:7 main.serve:4"
	)
	calls := liveHeap(t, heapLine{callHTTP, 0, 8 * mib, 1000})
	for _, tt := range []struct {
		name  string
		cpu   map[string]int64
		want  []string
		roles []string
	}{
		{"lines of the user's", map[string]int64{pay: 200, bank: 300, workStack: 500},
			[]string{"main.pay", "main.serveBank"},
			[]string{"opens the connection", "accepts the connection"}},
		{"goroutines of net/http", map[string]int64{library: 200, server: 300, workStack: 500},
			[]string{"main.rate", "net/http.(*conn).serve"},
			[]string{"calls the HTTP client", "accepts the connection"}},
		{"a server alone", map[string]int64{server: 400, workStack: 600}, []string{"net/http.(*conn).serve"},
			[]string{"accepts the connection"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f, score := scoreOf(t, diagnose.Input{Evidence: []diagnose.Evidence{cpuProfile(t, 10, tt.cpu),
				{Name: "heap.pb.gz", Taken: noon, Data: calls}}}, "net-dns-tls")
			var names, roles []string
			for _, w := range f.Where {
				names, roles = append(names, w.Function), append(roles, w.Role)
			}
			if score < 50 || !slices.Equal(names, tt.want) || !slices.Equal(roles, tt.roles) {
				t.Errorf("%d at %q, who %q; want 50 or more at %q, who %q", score, names, roles, tt.want, tt.roles)
			}
		})
	}
}
