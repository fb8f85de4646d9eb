package diagnose_test

import (
	"strings"
	"testing"

	"github.com/gocasebook/casebook/diagnose"
)

// TestBatchSizesOfServices: sizes are those of the service, and not fixed ones.
func TestBatchSizesOfServices(t *testing.T) {
	for _, c := range []struct{ name, kind, want string }{
		{"clicks-each", "net-round-trips", "MaxItems: 32"},      // 12 a request, 8,300 writes a second
		{"wishes-redis-each", "net-round-trips", "makes 19 of"}, // 20 of which some have no answer to wait for
		{"letters-pieces", "io-small", "(conn, 4<<10)"},         // pieces of 4.5 bytes
		{"carbon-lines", "io-small", "(conn, 64<<10)"},          // 75 bytes a line, thousands of lines
		{"orders-journal-each", "io-fsync", "has 15 syncs now"}, // one for each position
		{"orders-badger-each", "io-fsync", "has 7 syncs now"},   // half of the requests are the sampler's
	} {
		t.Run(c.name, func(t *testing.T) {
			rep := diagnose.Run(t.Context(), loadCase(t, "modules/"+c.name), diagnose.Options{})
			f := findingOf(rep.Findings, c.kind)
			if f == nil {
				t.Fatalf("no %s", c.kind)
			}
			for _, r := range f.Remedies {
				if strings.Contains(r.Text, c.want) {
					return
				}
			}
			t.Errorf("remedies %+v, want %q in one of them", f.Remedies, c.want)
		})
	}
}
