package diagnose

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/diagnose/traces"
)

// TestClosedByCollector: what finalizers close is said of the line that opens it and does not close it; of a few, or of
// lines that close what they open, nothing is said.
func TestClosedByCollector(t *testing.T) {
	site := func(n int64, functions ...string) traces.Site {
		s := traces.Site{Times: traces.Times{Count: n, Total: time.Millisecond}}
		for i, fn := range functions {
			pkg, _, _ := strings.Cut(fn, ".")
			f := traces.Frame{Function: fn, File: "/usr/local/go/src/" + pkg + "/a.go", Line: 10 + i}
			if pkg == "main" {
				f.File = "/src/shop/main.go"
			}
			s.Stack = append(s.Stack, f)
		}
		return s
	}
	opens := func(n int64, by string) traces.Site {
		return site(n, "syscall.openat", "os.OpenFile", "os.Open", by, "net/http.(*conn).serve")
	}
	finalizes := func(n int64) traces.Site {
		return site(n, "syscall.Close", "os.(*file).close", "runtime.runFinalizers")
	}
	closes := site(300, "syscall.Close", "os.(*File).Close", "main.template", "net/http.(*conn).serve")
	for name, tt := range map[string]struct {
		calls []traces.Site
		at    string
	}{
		"pictures": {[]traces.Site{opens(80, "main.picture"), finalizes(70)}, "main.picture"},
		"another line that does": {[]traces.Site{opens(300, "main.template"), closes, opens(80, "main.picture"),
			finalizes(70)}, "main.picture"},
		"all is closed":          {[]traces.Site{opens(300, "main.template"), closes}, ""},
		"a few":                  {[]traces.Site{opens(80, "main.picture"), finalizes(4)}, ""},
		"nobody is seen to open": {[]traces.Site{opens(3, "main.picture"), finalizes(70)}, ""},
	} {
		data, err := json.Marshal(traces.Summary{Name: "trace.out", Span: 10 * time.Second, Syscalls: tt.calls})
		if err != nil {
			t.Fatal(err)
		}
		r, _ := read(t.Context(), Input{Evidence: []Evidence{{Name: "trace.out", Kind: traces.KindSummary, Data: data}}})
		f, ok := closedByCollector(r)
		if ok != (tt.at != "") || ok && f.Where[0].Function != tt.at {
			t.Errorf("%s: %t, %+v; want %q", name, ok, f.Where, tt.at)
		}
	}
}
