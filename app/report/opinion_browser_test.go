package report

import (
	"fmt"
	"strings"
	"testing"
)

// What others say stands beside the findings, in both colours and on a phone; the form of a server is part of the page.
func TestOpinionsInBrowser(t *testing.T) {
	b := browse(t)
	in := sampleInput(t)
	for _, width := range []int64{1440, 390} {
		for _, colours := range []string{"light", "dark"} {
			b.Prefer(colours)
			in.Links = Links{Served: true, Answer: ByForm}
			b.open(in, width)
			eval[bool](b, `document.querySelectorAll('#opinions details').forEach(d => d.open = true), true`)
			b.settle()
			b.Shoot(fmt.Sprintf("opinions-%s-%d", colours, width))
			b.Accessible(fmt.Sprintf("opinions in %s colours at %d px", colours, width))
			if over := eval[int](b, `document.documentElement.scrollWidth - innerWidth`); over > 0 {
				t.Errorf("at %d px the page is %d px too wide", width, over)
			}
		}
	}
	for what, want := range map[string]string{
		`[...document.querySelectorAll('.opinion h3')].map(h => h.innerText).join()`: "" +
			"O1 ✓ supported,O2 ✗ contradicted",
		`document.querySelector('#finding-0 .caused a').getAttribute('href')`: "#opinion-0",
		`document.querySelector('#opinion-0 .caused a').getAttribute('href')`: "#finding-0",
		`[...document.querySelectorAll('.diff .added')].map(s => s.innerText.slice(1).trim()).join()`: "g.cache, _ = " +
			"freelru.New[key, value](5_000_000, hash)",
		`String(document.querySelector('#opinion-1 .said').tabIndex)`: "0",
		`[...document.querySelectorAll('.answer [name]')].map(e => e.name + (e.required ? '!' : '')).join()`: "" +
			"function,file,line,cause!,change,diff,author",
	} {
		if got := eval[string](b, what); got != want {
			t.Errorf("%s is %q, want %q", what, got, want)
		}
	}
	b.quiet()
}

// A page without opinions says nothing of them on disk; one that is served invites.
func TestNoOpinions(t *testing.T) {
	in := sampleInput(t)
	in.Case.Opinions = nil
	if page := render(t, in); strings.Contains(page, `id="opinions"`) || strings.Contains(page, "<form") {
		t.Error("a page on disk has a place for opinions, and nobody gave one")
	}
	in.Links = Links{Served: true, Answer: ByCommand}
	page := render(t, in)
	if !strings.Contains(page, "casebook answer "+in.Case.ID) || strings.Contains(page, "<form") {
		t.Error("a page of a folder's case does not say which command takes an opinion")
	}
	if !strings.Contains(page, "form-action &#39;none&#39;") {
		t.Error("a page without a form lets forms be sent")
	}
	in.Links.Answer = ByForm
	page = render(t, in)
	if !strings.Contains(page, `action="/cases/`+in.Case.ID+`/opinions"`) || !strings.Contains(page,
		"form-action &#39;self&#39;") {
		t.Error("a page that is served to who may write has no form")
	}
}
