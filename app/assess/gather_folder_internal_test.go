package assess

import (
	"strings"
	"testing"
	"time"
)

// What is looked at in folders has three bounds, each with its own words.
func TestLookIsBounded(t *testing.T) {
	for name, c := range map[string]struct {
		look look
		want string
	}{
		"within": {look{files: maxLooked - 1, bytes: maxLookedSize, began: time.Now()}, ""},
		"files":  {look{files: maxLooked, began: time.Now()}, "more than 10000 files"},
		"bytes":  {look{bytes: maxLookedSize + 1, began: time.Now()}, "it took 4 GiB"},
		"time":   {look{began: time.Now().Add(-maxLookedTime - time.Second)}, "it took 2m0s"},
	} {
		err := c.look.enough("x")
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
		if again := c.look.enough("y"); again != err && c.want != "" {
			t.Errorf("%s: the next file says %v, want the same", name, again)
		}
	}
}
