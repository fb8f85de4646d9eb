package diagnose_test

import (
	"bytes"
	"testing"

	"github.com/gocasebook/casebook/diagnose"
)

// TestTextOfGoroutines: a debug=1 text leaves out the runtime's frames, and one that was pasted has lost its marks;
// what it shows is judged all the same.
func TestTextOfGoroutines(t *testing.T) {
	unread := profileOf("goroutine", crowd{n: 866, stack: "net/http.(*persistConn).readLoop"},
		crowd{n: 866, stack: "net/http.(*persistConn).writeLoop"})
	idle := profileOf("goroutine", crowd{n: 200, stack: "internal/poll.(*FD).Read net.(*conn).Read bufio.(*Reader).Peek " +
		"net/http.(*persistConn).readLoop"}, crowd{n: 200, stack: "net/http.(*persistConn).writeLoop"})
	const asks = "database/sql.(*DB).conn database/sql.(*DB).query github.com/x/sqlx.(*DB).Get " +
		"github.com/y/echo.(*Echo).ServeHTTP net/http.serverHandler.ServeHTTP net/http.(*conn).serve"
	for name, tt := range map[string]struct {
		text  []byte
		kind  string // "": nothing is found
		place string
	}{
		"bodies that nobody reads": {unread, "connection-leak", "net/http.(*persistConn).readLoop"},
		"without marks":            {bytes.ReplaceAll(unread, []byte("#\t"), []byte("   ")), "connection-leak", ""},
		"with spaces for tabs":     {bytes.ReplaceAll(unread, []byte("\t"), []byte("    ")), "connection-leak", ""},
		"idle connections":         {idle, "", ""},
		"a pool that nobody uses, below libraries alone": {profileOf("goroutine", crowd{n: 30_000, stack: asks}),
			"connection-leak", "github.com/x/sqlx.(*DB).Get"},
		"idle clients of a server": {profileOf("goroutine", crowd{n: 3000, stack: "internal/poll.(*FD).Read " +
			"net/http.(*connReader).Read bufio.(*Reader).Peek net/http.(*conn).serve"}), "", ""},
	} {
		fs := diagnose.Run(t.Context(), apart(0, tt.text), diagnose.Options{}).Findings
		switch {
		case tt.kind == "" && len(fs) > 0:
			t.Errorf("%s: found %s: %s", name, fs[0].Kind, fs[0].Title)
		case tt.kind != "" && (len(fs) == 0 || fs[0].Kind != tt.kind):
			t.Errorf("%s: found %v, want %s", name, kinds(fs), tt.kind)
		case tt.place != "" && fs[0].Where[0].Function != tt.place:
			t.Errorf("%s: at %s, want %s", name, fs[0].Where[0].Function, tt.place)
		}
	}
}
