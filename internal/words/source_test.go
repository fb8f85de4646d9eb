package words

import (
	"slices"
	"testing"

	"github.com/gocasebook/casebook/casefile"
)

func TestSource(t *testing.T) {
	got := Source(casefile.Frame{Line: 8, Source: &casefile.Excerpt{First: 7,
		Lines: []string{"", "\tfor {\x1b[2J", "\t\twork()  ", "  }"}}})
	want := []SourceLine{{7, "", false}, {8, "  for {\uFFFD[2J", true}, {9, "      work()", false}, {10, "}", false}}
	if !slices.Equal(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got := Source(casefile.Frame{Line: 8}); got != nil {
		t.Errorf("%+v without source", got)
	}
}
