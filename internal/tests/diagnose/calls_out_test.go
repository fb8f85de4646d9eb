package diagnose_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/diagnose"
)

// TestUnknownClientHangs: requests that hang below a client that nobody knows are found as below go-redis. Those that
// read what their own client sends are not.
func TestUnknownClientHangs(t *testing.T) {
	read := []string{"internal/poll.runtime_pollWait /usr/local/go/src/runtime/netpoll.go",
		"internal/poll.(*FD).Read /usr/local/go/src/internal/poll/fd_unix.go",
		"net.(*conn).Read /usr/local/go/src/net/net.go"}
	const serve = "net/http.(*conn).serve /usr/local/go/src/net/http/server.go"
	for _, c := range []struct {
		name  string
		stack []string
		loud  bool
	}{
		{"go-redis", append(read[:3:3], "github.com/redis/go-redis/v9.(*Client).Get "+
			"/go/pkg/mod/github.com/redis/go-redis/v9@v9.7.0/commands.go", "main.price /srv/app/main.go", serve), true},
		{"unknown", append(read[:3:3], "example.org/kv.(*Client).Get /go/pkg/mod/example.org/kv@v1.2.3/kv.go",
			"main.price /srv/app/main.go", serve), true},
		{"a slow body below a dependency", append(read[:3:3], "net/http.(*body).Read /usr/local/go/src/net/http/transfer.go",
			"example.org/bind.JSON /go/pkg/mod/example.org/bind@v1.2.3/json.go", "main.price /srv/app/main.go", serve), false},
	} {
		t.Run(c.name, func(t *testing.T) {
			var dump strings.Builder
			for i := range 40 {
				fmt.Fprintf(&dump, "goroutine %d [IO wait, 3 minutes]:\n", i+10)
				for _, f := range c.stack {
					name, file, _ := strings.Cut(f, " ")
					fmt.Fprintf(&dump, "%s(0x1)\n\t%s:12 +0x1d\n", name, file)
				}
				fmt.Fprintf(&dump, "created by net/http.(*Server).Serve in goroutine 1\n\t%s:30 +0x2a\n\n",
					"/usr/local/go/src/net/http/server.go")
			}
			rep := diagnose.Run(context.Background(), diagnose.Input{Evidence: []diagnose.Evidence{{Name: "goroutines.txt",
				Data: []byte(dump.String())}}}, diagnose.Options{})
			got := findingOf(rep.Findings, "goroutine-stuck")
			if got == nil || got.Where[0].Function != "main.price" || (got.Score >= loud) != (c.loud) {
				t.Errorf("40 requests hang: %+v, want goroutine-stuck at main.price, loud: %v", rep.Findings, c.loud)
			}
		})
	}
}
