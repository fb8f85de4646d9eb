package words

import (
	"slices"
	"strings"
	"testing"
)

func TestSentences(t *testing.T) {
	for _, text := range []string{"", "One.", "One at v1.2.3 and 4. Two!\nThree? `code` ends. 9 more e.g. this.", "…\n\nÄ. Ö."} {
		if got := strings.Join(Sentences(text), ""); got != text {
			t.Errorf("the sentences of %q are together %q", text, got)
		}
	}
	want := []string{"At cart.go:12 v1.2 is read. ", "Then `x` is. ", "`y` too."}
	if got := Sentences(strings.Join(want, "")); !slices.Equal(got, want) {
		t.Errorf("sentences %q, want %q", got, want)
	}
}
