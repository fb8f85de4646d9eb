package report

import (
	"slices"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/app/sourceurl"
)

func sourceTemplate(t testing.TB) sourceurl.Template {
	t.Helper()
	tmpl, err := sourceurl.Parse("https://git.example.com/phones/blob/{revision}/{path}#L{line}")
	if err != nil {
		t.Fatal(err)
	}
	return tmpl
}

// Places link to the source at the build's revision. Dependencies and the standard library link to their own version.
func TestPageLinksToSource(t *testing.T) {
	in := sampleInput(t)
	in.Links.Source = sourceTemplate(t)
	page := render(t, in)
	for _, want := range []string{
		`href="https://git.example.com/phones/blob/4be1a7d0c3e58b6f1a2094d7e3c5b8a1f0e2d3c4/main.go#L31"`,
		`href="https://github.com/bluele/gcache/blob/v0.0.2/lru.go#L54"`,
		`href="https://github.com/golang/go/blob/go1.26.8/src/net/url/url.go#L990"`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page has no %s", want)
		}
	}
	if plain := render(t, sampleInput(t)); strings.Contains(plain, `href="http`) ||
		strings.Contains(plain, `"folders"`) {
		t.Error("a page that was not asked for links has some")
	}
}

func TestPageSaysWhyThereAreNoLinks(t *testing.T) {
	in := sampleInput(t)
	in.Links.Source = sourceTemplate(t)
	in.Case.Target.Build.Revision = ""
	if page := text(render(t, in)); !strings.Contains(page, "no links to the source: the build has no revision") {
		t.Error("the page does not say that the build has no revision")
	}
	in.Case.Target.Build.Revision, in.Case.Target.Build.Modified = "4be1a7d", true
	if page := text(render(t, in)); !strings.Contains(page, "with uncommitted changes: line numbers may differ") {
		t.Error("the page does not say that the tree had changes")
	}
}

// Hostile evidence with links enabled: the names in it are escaped behind the user's own scheme and host.
func TestHostileLinks(t *testing.T) {
	b := browse(t)
	for _, text := range []string{"https://git.example.com/{path}?r={revision}&p={package}#L{line}",
		"vscode://file/{file}:{line}"} {
		in := hostileInput(t)
		tmpl, err := sourceurl.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		in.Links.Source = tmpl
		for i := range in.Case.Findings {
			in.Case.Findings[i].Where[0].Function, in.Case.Findings[i].Where[0].File = "main."+attack,
				"/srv/"+attack+"/main.go"
			in.Case.Findings[i].Where[1].Function, in.Case.Findings[i].Where[1].File = "main.f",
				"javascript:window.owned=1//main.go"
		}
		in.Case.Target.Build.Path, in.Case.Target.Build.Module, in.Case.Target.Build.Revision = "m", "m", "4be1a7d"
		b.open(in, 1280)
		links := eval[[]string](b,
			`[...document.querySelectorAll('a')].map(a => a.href).filter(h => !h.startsWith('file:') || h.includes('owned'))`)
		prefix, _, _ := strings.Cut(text, "{")
		if len(links) == 0 {
			t.Errorf("%s: no place has a link: the test proves nothing", text)
		}
		if i := slices.IndexFunc(links, func(l string) bool { return !strings.HasPrefix(l, prefix) }); i >= 0 {
			t.Errorf("%s: evidence made the link %q", text, links[i])
		}
		if got := eval[string](b, `String(window.owned)`); got != "undefined" {
			t.Errorf("%s: window.owned is %s: the input executed code", text, got)
		}
		b.quiet()
	}
}
