package play

import (
	"strings"
	"testing"
)

// TestReadFixed: what casebook fix made is kept with its place in the lab; where it made nothing, its reasons are the
// error.
func TestReadFixed(t *testing.T) {
	f, err := readFixed("alloc-fmt", "/tmp/tree/lab", []byte(`{"schema":1,"proposals":[
		{"target":{"name":"x","places":[]},"refused":"no"},
		{"target":{"name":"x","places":[]},"by":"sprintf","text":"join","file":"/tmp/tree/lab/ads/keys.go","line":24,"diff":"--- a"}]}`))
	if err != nil || f.text() != "sprintf at ads/keys.go:24: join" || f.Changes[0].Diff != "--- a" {
		t.Errorf("%+v, %v", f, err)
	}
	_, err = readFixed("alloc-fmt", "/", []byte(`{"proposals":[{"target":{"places":[]},"refused":"it is stored"}]}`))
	if err == nil || !strings.Contains(err.Error(), "it is stored") {
		t.Errorf("%v, want the reason", err)
	}
	if (&Result{}).madeBy() != "hand" || (&Result{Fixed: f}).madeBy() != "`casebook fix`" {
		t.Error("the cure is not said to be by hand, or by casebook fix")
	}
}
