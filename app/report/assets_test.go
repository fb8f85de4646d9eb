package report

import (
	"io"
	"sync"
	"testing"
)

// TestTemplatesAreParsedOnce: writing a page of a small case takes less time than parsing the templates, which once
// happened for each page.
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

// TestPagesAtOnce: the templates are shared, so pages written at the same time must not differ from a page written
// alone.
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
