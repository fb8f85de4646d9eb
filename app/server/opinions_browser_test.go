package server

import (
	"net/http/httptest"
	"testing"

	"github.com/gocasebook/casebook/app/browsertest"
)

// A person says on the page of a case what is wrong, and sees it there as it was checked. What was said is text.
func TestAnswerInABrowser(t *testing.T) {
	sv, c := newAnswering(t)
	web := httptest.NewServer(sv.Handler())
	t.Cleanup(web.Close)
	b := browse(t)
	at := web.URL + "/cases/" + c.ID
	look(b, at, "answer")
	fill := func(name, text string) {
		t.Helper()
		browsertest.Eval[bool](b, `(document.querySelector('.answer [name=`+name+`]').value = '`+text+`', true)`)
	}
	browsertest.Eval[bool](b, `(document.querySelector('.answer').open = true)`)
	b.Accessible("the form")
	fill("function", "main.f")
	fill("diff", `--- a/x.go\n+++ b/x.go\n@@ -1 +1 @@\n-\told\n+\tnew`)
	browsertest.Eval[bool](b, `(document.querySelector('.answer form').requestSubmit(), true)`)
	if n := browsertest.Eval[int](b, `document.querySelectorAll('.opinion').length`); n != 0 {
		t.Error("the form was sent without a cause")
	}
	fill("cause", `<img src=x onerror="window.owned=1"> nobody ends it`)
	browsertest.Eval[bool](b, `(document.querySelector('.answer form').requestSubmit(), true)`)
	await(t, "the opinion on the page", func() bool {
		return browsertest.Eval[bool](b, `document.readyState == 'complete' && !!document.querySelector('.opinion')`)
	})
	wantText(b, ".opinion", "O1 ? unsupported", "by this machine", `<img src=x onerror="window.owned=1"> nobody ends it`,
		"main.f", "Diff, 5 lines")
	if browsertest.Eval[bool](b, `!!window.owned || !!document.querySelector('.opinion img')`) {
		t.Error("what somebody said is more than text")
	}
	if hash := browsertest.Eval[string](b, `location.hash`); hash != "#opinions" {
		t.Errorf("the form leads to %q", hash)
	}
	quiet(b, web.URL)
}
