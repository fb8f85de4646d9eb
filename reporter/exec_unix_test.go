//go:build unix

package reporter

import (
	"strings"
	"testing"
)

func TestTail(t *testing.T) {
	var out tail
	for range 100 {
		if n, err := out.Write([]byte(strings.Repeat("x", 99) + "\n")); n != 100 || err != nil {
			t.Fatal(n, err)
		}
	}
	if n, err := out.Write([]byte(strings.Repeat("y", 3*maxOutput) + "end")); n != 3*maxOutput+3 || err != nil {
		t.Fatal(n, err)
	}
	if len(out.data) != maxOutput || !strings.HasSuffix(string(out.data), "yend") {
		t.Errorf("%d bytes kept, ending in %q", len(out.data), out.data[max(0, len(out.data)-9):])
	}
}
