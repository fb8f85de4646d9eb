package server

import (
	"bytes"
	"image/png"
	"io/fs"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/gocasebook/casebook"
	"github.com/gocasebook/casebook/app/browsertest"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/checkout"
	"github.com/gocasebook/casebook/internal/golden"
	"github.com/gocasebook/casebook/rule"
	"github.com/gocasebook/casebook/vitals"
)

// A picture is one in docs/pictures: what a window shows of a page of a recorded case.
type picture struct {
	file   string
	folder string // of the evidence, in evidence/cases
	rule   string // the default rule that trips on its vitals
	page   string // below the case's own; "" for that

	width, height int64
	shows         []string // what must be in the window: a selector each
}

// pictures are all that README.md and docs have.
var pictures = []picture{
	{"case.png", "trial/orders", "heap-quadruples", "", 1180, 800,
		[]string{"#title", ".finding[open] h3", ".finding[open] .places .file", ".finding[open] .impact",
			".finding[open] .remedies strong"}},
	{"profile.png", "foreign/registry-catalogue", "", "/profile?file=cpu.pb.gz", 1180, 800,
		[]string{".stage canvas"}},
}

// `make pictures` (this test with -update) makes the pictures of the documentation anew. Without, each is made and
// dropped: pixels differ by the fonts of a machine.
func TestPictures(t *testing.T) {
	b := browse(t)
	s := newEvidenceSite(t)
	for _, p := range pictures {
		c := p.put(t, s)
		openPage(b, s.url+"/cases/"+c.ID+p.page, p.width, "light")
		b.Do(chromedp.EmulateViewport(p.width, p.height))
		browsertest.Eval[bool](b, `document.fonts.ready.then(() => new Promise(f =>
			requestAnimationFrame(() => requestAnimationFrame(() => f(true)))))`)
		for _, selector := range p.shows {
			in := browsertest.Eval[bool](b, `((e) => { const r = e?.getBoundingClientRect();
				return !!r && r.height > 0 && r.top >= 0 && r.top < innerHeight })(document.querySelector("`+selector+`"))`)
			if !in {
				t.Errorf("%s does not show %s", p.file, selector)
			}
		}
		data, err := smaller(b.Picture())
		if err != nil {
			t.Fatal(err)
		}
		if !golden.Updating() {
			continue
		}
		if err := os.WriteFile(filepath.Join("../../docs/pictures", p.file), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	quiet(b, s.url)
}

// put makes the case that a picture is of: recorded evidence, with the trigger that its vitals give today's default
// rules, and what today's detectors say.
func (p *picture) put(t *testing.T, s *evidenceSite) casefile.Case {
	t.Helper()
	c, files := recorded(t, p.folder)
	at := files[0].Taken
	c.Target.Name = path.Base(c.Target.Build.Path)
	c.Trigger = casefile.Trigger{Rule: "manual", Time: at}
	if p.rule != "" {
		c.Trigger = p.trigger(t, files)
	}
	c.Schema, c.ID, c.Opened = casefile.Schema, casefile.NewID(at, c.Trigger.Rule), at
	f, err := written(t, c, files).Commit()
	if err != nil {
		t.Fatal(err)
	}
	if err := casebook.Diagnose(t.Context(), f); err != nil {
		t.Logf("%s: %v", p.folder, err) // what could not be read of a recording
	}
	var zip bytes.Buffer
	if err := casefile.Export(f, &zip); err != nil {
		t.Fatal(err)
	}
	wantCode(t, s.ask("PUT", "/api/v1/cases/"+c.ID, zip.Bytes()), http.StatusCreated)
	return f.Case
}

// trigger is what the rule says when the recorded vitals are played through it.
func (p *picture) trigger(t *testing.T, files []file) casefile.Trigger {
	t.Helper()
	var samples []vitals.Sample
	for _, f := range files {
		if f.Kind == casefile.Vitals {
			_, more, err := vitals.ReadJSONL(bytes.NewReader(f.data))
			if err != nil {
				t.Fatalf("%s of %s: %v", f.File, p.folder, err)
			}
			samples = append(samples, more...)
		}
	}
	outcomes, err := rule.Replay(rule.Default(), samples, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range outcomes {
		if o.Rule.Name == p.rule && len(o.Firings) > 0 {
			f := o.Firings[0]
			return casefile.Trigger{Rule: p.rule, Time: f.Time.UTC(), Text: f.Text, Signal: f.Signal.Name, Value: f.Value,
				Unit: string(f.Signal.Unit), Signals: o.Rule.When.Signals()}
		}
	}
	t.Fatalf("%s does not trip on the vitals of %s", p.rule, p.folder)
	return casefile.Trigger{}
}

// smaller packs a PNG again: Chromium packs for speed.
func smaller(data []byte) ([]byte, error) {
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&b, img)
	return b.Bytes(), err
}

// imageOfPage is ![text](file) in Markdown.
var imageOfPage = regexp.MustCompile(`!\[[^\]]*\]\(([^)\s]+)\)`)

// TestPicturesOfPages: the pictures that the documentation shows are those that `make pictures` makes, and no others are
// kept.
func TestPicturesOfPages(t *testing.T) {
	checkout.Need(t)
	const repository = "../.."
	pages, err := filepath.Glob(repository + "/*.md")
	if err != nil {
		t.Fatal(err)
	}
	err = filepath.WalkDir(repository+"/docs", func(path string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(path, ".md") {
			pages = append(pages, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	var shown, kept, made []string
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range imageOfPage.FindAllStringSubmatch(string(text), -1) {
			shown = append(shown, filepath.Join(filepath.Dir(page), m[1]))
		}
	}
	if kept, err = filepath.Glob(repository + "/docs/pictures/*"); err != nil {
		t.Fatal(err)
	}
	for _, p := range pictures {
		made = append(made, filepath.Join(repository, "docs/pictures", p.file))
	}
	for _, list := range []*[]string{&shown, &kept, &made} {
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
	if len(made) == 0 || !slices.Equal(shown, made) || !slices.Equal(kept, made) {
		t.Errorf("pages show %v, docs/pictures has %v, and make pictures makes %v: want the same", shown, kept, made)
	}
}
