package child_test

import (
	"testing"

	"github.com/gocasebook/casebook/app/child"
)

// What does not fit is taken and dropped, from the byte on that is one too many.
func TestHead(t *testing.T) {
	h := child.Head{Most: 5}
	for _, step := range []struct {
		write, want string
		over        bool
	}{{"abc", "abc", false}, {"de", "abcde", false}, {"", "abcde", false}, {"f", "abcde", true}, {"", "abcde", true}} {
		if n, err := h.Write([]byte(step.write)); n != len(step.write) || err != nil {
			t.Fatalf("writing %q: %d, %v", step.write, n, err)
		}
		if h.String() != step.want || string(h.Bytes()) != step.want || h.Over() != step.over {
			t.Errorf("after %q: %q, over %t; want %q, %t", step.write, h.String(), h.Over(), step.want, step.over)
		}
	}
	cut := child.Head{Most: 2}
	if n, _ := cut.Write([]byte("abc")); n != 3 || cut.String() != "ab" || !cut.Over() {
		t.Errorf("took %d, kept %q, over %t", n, cut.String(), cut.Over())
	}
}
