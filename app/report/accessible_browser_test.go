package report

import (
	"fmt"
	"strings"
	"testing"
)

// A recorder keeps what would fail a test.
type recorder struct {
	testing.TB
	errors []string
}

func (r *recorder) Errorf(format string, args ...any) {
	r.errors = append(r.errors, fmt.Sprintf(format, args...))
}

// What keeps people from reading a page fails a test, under a content policy that lets no script of others in.
func TestAccessibleSeesWhatIsWrong(t *testing.T) {
	b := browse(t)
	b.show(`<!DOCTYPE html><html lang="en"><head><title>Bad</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"></head>
<body><main><h1>Bad</h1><h4>Below</h4><p style="color: #bbb; background: #fff">pale</p><input>
<details><summary>More</summary><button></button></details></main><p>outside</p></body></html>`, 1280)
	r := &recorder{TB: t}
	b.T = r
	b.Accessible("a bad page")
	b.T = t
	got := strings.Join(r.errors, "\n")
	for _, want := range []string{"color-contrast", "label", "button-name", "heading-order", "region", "target-size"} {
		if !strings.Contains(got, "a bad page: "+want+": ") {
			t.Errorf("nothing is said of %s:\n%s", want, got)
		}
	}
	if len(r.errors) != 6 {
		t.Errorf("%d rules are broken, want 6:\n%s", len(r.errors), got)
	}
}
