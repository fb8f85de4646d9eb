package report

import (
	"io"
	"sync"
	"testing"
)

// TestTemplatesAreParsedOnce: a page of a small case takes less than the parsing of the templates alone, which each
// page did.
func TestTemplatesAreParsedOnce(t *testing.T) {
	in := Input{Case: sampleCase()}
	page := testing.AllocsPerRun(5, func() {
		if err := Write(io.Discard, in); err != nil {
			t.Fatal(err)
		}
	})
	parsing := testing.AllocsPerRun(5, func() {
		if _, err := parseTemplates(caseAssets); err != nil {
			t.Fatal(err)
		}
	})
	if page >= parsing {
		t.Errorf("a page makes %.0f allocations, and parsing its templates %.0f: want fewer for the page", page,
			parsing)
	}
}

// TestPagesAtOnce: the templates are shared, so pages that are written side by side must not differ from one that is
// written alone.
func TestPagesAtOnce(t *testing.T) {
	in := Input{Case: sampleCase()}
	want := render(t, in)
	pages := make([]string, 4)
	var all sync.WaitGroup
	for i := range pages {
		all.Go(func() { pages[i] = render(t, in) })
	}
	all.Wait()
	for i, got := range pages {
		if got != want {
			t.Errorf("page %d of %d that were written at once has %d bytes, alone it has %d", i+1, len(pages), len(got),
				len(want))
		}
	}
}
