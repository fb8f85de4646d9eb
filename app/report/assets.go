package report

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"strings"
	"sync"

	"github.com/gocasebook/casebook/app/site"
)

//go:embed assets/html assets/css assets/script assets/third_party/uplot
var assets embed.FS

// assetNames are a page's own files: its script, which `make web` makes of the TypeScript in web/, and its styles in the
// order in which they are joined, after that of package site.
type assetNames struct {
	script string
	styles []string
	uplot  bool // the page draws time series with uPlot
}

var (
	caseAssets = assetNames{
		script: "main.js",
		styles: []string{"vitals.css", "findings.css", "opinions.css", "flame.css", "proof.css",
			"print.css"},
		uplot: true,
	}
	comparisonAssets = assetNames{
		script: "comparison.js",
		styles: []string{"flame.css", "proof.css", "plot.css", "comparison.css", "print.css"},
	}
	profileAssets = assetNames{
		script: "profile.js",
		styles: []string{"flame.css", "pages.css", "print.css"},
	}
	tableAssets = assetNames{
		script: "search.js",
		styles: []string{"findings.css", "pages.css", "print.css"},
	}
)

const (
	uplot   = "assets/third_party/uplot/"
	scripts = "assets/script/"
)

// A bundle is the page's one script and one style sheet, as the text between their tags.
type bundle struct{ script, style string }

// newBundle joins the embedded files. uPlot's licence goes where its code goes.
func newBundle(a assetNames) (bundle, error) {
	var script []string
	var style []string
	if a.uplot {
		script = append(script, "/*! uPlot\n", uplot+"LICENSE", "*/\n", uplot+"uPlot.iife.min.js")
		style = append(style, uplot+"uPlot.min.css")
	}
	script = append(script, scripts+a.script)
	for _, name := range a.styles {
		style = append(style, "assets/css/"+name)
	}
	js, err := join(script)
	if err != nil {
		return bundle{}, err
	}
	css, err := join(style)
	return bundle{js, bareStyle(site.Style) + css}, err
}

// join puts files one after the other; a part that ends with a newline is text itself.
func join(parts []string) (string, error) {
	var out strings.Builder
	for _, p := range parts {
		if strings.HasSuffix(p, "\n") {
			out.WriteString(p)
			continue
		}
		b, err := assets.ReadFile(p)
		if err != nil {
			return "", fmt.Errorf("reading an embedded file: %w", err)
		}
		out.WriteString(bare(p, string(b)))
	}
	return out.String(), nil
}

// bare drops from our own files what no browser needs: of a script the line that says what made it, of a style sheet
// indentation and comments that have their own line. No string of ours goes over the end of a line.
func bare(name, text string) string {
	if strings.Contains(name, "third_party") {
		return text + "\n"
	}
	if strings.HasPrefix(name, scripts) {
		_, text, _ = strings.Cut(text, "\n")
		return text
	}
	return bareStyle(text)
}

func bareStyle(text string) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line != "" && !(strings.HasPrefix(line, "/*") && strings.HasSuffix(line, "*/")) {
			out.WriteString(line)
			out.WriteByte('\n')
		}
	}
	return out.String()
}

// policy admits the bundle and nothing else: no other script, no style attribute, no request. The only image is the
// empty icon that keeps browsers from asking for one. forms is where forms may go: nowhere, but for a page that a
// server shows to somebody who may write.
func (b bundle) policy(forms string) string {
	return "default-src 'none'; script-src " + hash(b.script) + "; style-src " + hash(b.style) +
		"; img-src data:; base-uri 'none'; form-action " + forms
}

func hash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// The templates of the pages are parsed and escaped once, when the first page is written: they are the same for every
// case, and parsing them takes longer than writing a small page.
var (
	caseTemplates       = sync.OnceValues(func() (*template.Template, error) { return parseTemplates(caseAssets) })
	comparisonTemplates = sync.OnceValues(func() (*template.Template,
		error) {
		return parseTemplates(comparisonAssets)
	})
	profileTemplates = sync.OnceValues(func() (*template.Template, error) { return parseTemplates(profileAssets) })
	tableTemplates   = sync.OnceValues(func() (*template.Template, error) { return parseTemplates(tableAssets) })
)

// parseTemplates reads the templates with the functions that they need.
func parseTemplates(a assetNames) (*template.Template, error) {
	b, err := newBundle(a)
	if err != nil {
		return nil, err
	}
	t := template.New("report").Funcs(templateFuncs(b)).Funcs(site.Functions())
	_, err = t.ParseFS(assets, "assets/html/*.html")
	if err == nil {
		t, err = t.ParseFS(site.Templates, "html/*.html")
	}
	if err != nil {
		return nil, fmt.Errorf("parsing the page's templates: %w", err)
	}
	return t, nil
}
