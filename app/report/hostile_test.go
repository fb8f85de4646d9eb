package report

import (
	"bytes"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/pprof/profile"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/profiletest"
	"github.com/gocasebook/casebook/vitals"
)

// attack breaks out of every context of a page that is not escaped.
const attack = "`'\"></script></style></title></svg>--><img src=x " +
	"onerror=\"window.owned=1\"><script>window.owned=1</script>{{.}} ${window.owned=1} javascript:window.owned=1 " +
	"\u2028\x00\xff"

// poison fills every string and every list of a value with the attack.
func poison(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(attack)
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			v.Set(reflect.ValueOf(tripped))
			return
		}
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				poison(v.Field(i))
			}
		}
	case reflect.Array:
		for i := range v.Len() {
			poison(v.Index(i))
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		poison(v.Index(0))
		poison(v.Index(1))
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		poison(v.Elem())
	case reflect.Float64:
		v.SetFloat(0.5)
	case reflect.Int, reflect.Int64:
		v.SetInt(75)
	case reflect.Bool:
		v.SetBool(true)
	}
}

func hostileInput(t testing.TB) Input {
	t.Helper()
	in := Input{Vitals: sampleVitals(30, time.Second)}
	poison(reflect.ValueOf(&in.Case).Elem())
	in.VitalsHeader.Absent = map[string]string{"throttled": attack, attack: attack}
	in.Profiles = []Profile{
		{File: attack, Kind: attack, Phase: attack, Data: hostileProfile(t)},
		{File: attack, Kind: attack, Phase: attack, Data: []byte(attack)},
	}
	return in
}

func hostileProfile(t testing.TB) []byte {
	t.Helper()
	evil := &profile.Function{ID: 1, Name: attack, Filename: attack}
	fine := &profile.Function{ID: 2, Name: "main.main", Filename: "main.go"}
	p := &profile.Profile{
		SampleType: []*profile.ValueType{{Type: attack, Unit: attack}},
		Function:   []*profile.Function{evil, fine},
		Location: []*profile.Location{{ID: 1, Line: []profile.Line{{Function: evil, Line: 1},
			{Function: fine, Line: 2}}}},
	}
	p.Sample = []*profile.Sample{{Location: p.Location, Value: []int64{7}}}
	return profiletest.Encode(t, p)
}

func TestHostileCaseExecutesNothing(t *testing.T) {
	b := browse(t)
	b.open(hostileInput(t), 1280)
	b.harmless()
	if !eval[bool](b, `document.querySelector('.tabs button').textContent.includes('<img src=x')`) {
		t.Error("the profile's hostile name is not shown as text")
	}
	b.quiet()
}

// harmless fails the test when hostile input did anything on a page whose own script runs.
func (b *browser) harmless() {
	b.T.Helper()
	if !eval[bool](b, `document.documentElement.classList.contains('js') && !!document.querySelector('.tabs button')`) {
		b.T.Error("the page's own script did not run: the test proves nothing")
	}
	if got := eval[string](b, `String(window.owned)`); got != "undefined" {
		b.T.Errorf("window.owned is %s: the input executed code", got)
	}
	if n := eval[int](b,
		`document.querySelectorAll('img, iframe, object, foreignObject, body script:not([type]) ~ script').length`); n != 0 {
		b.T.Errorf("the input made %d elements", n)
	}
	links := eval[[]string](b,
		`[...document.querySelectorAll('a, use')].map(a => a.getAttribute('href')).filter(h => !h.startsWith('#'))`)
	if len(links) != 0 {
		b.T.Errorf("the input made links: %q", links)
	}
}

// The policy allows two hashes. The browser would refuse anything else inline, so nothing else may be there.
func TestPageHasNothingInline(t *testing.T) {
	page := render(t, hostileInput(t))
	for _, bad := range []string{" style=", " onclick=", " onload=", "javascript:", "unsafe-"} {
		text := strings.ReplaceAll(page, "javascript:window.owned", "") // inside escaped text it is text
		if at := strings.Index(text, bad); at >= 0 && !strings.Contains(bundled(t), bad) {
			t.Errorf("the page contains %q: …%s…", bad, text[max(at-60, 0):min(at+60, len(text))])
		}
	}
	if n := strings.Count(page, "<script"); n != 2+strings.Count(bundled(t), "<script") {
		t.Errorf("the page has %d script elements, want the data and the script", n)
	}
}

func bundled(t testing.TB) string {
	t.Helper()
	b, err := newBundle(caseAssets)
	if err != nil {
		t.Fatal(err)
	}
	return b.script + b.style
}

func render(t testing.TB, in Input) string {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, in); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func FuzzWrite(f *testing.F) {
	f.Add(hostileProfile(f), attack, 0.5)
	f.Add([]byte{}, "", 0.0)
	f.Add([]byte{0x1f, 0x8b, 8, 0}, "gc_cpu", -1e300)
	f.Fuzz(func(t *testing.T, data []byte, text string, v float64) {
		in := Input{Profiles: []Profile{{File: text, Kind: text, Data: data}}}
		in.Case.Trigger = casefile.Trigger{Signal: text, Text: text, Value: v, Unit: text}
		in.Case.Findings = []casefile.Finding{{Title: text, Summary: text, Confidence: v,
			Where:  []casefile.Frame{{Function: text, File: text, Share: v}},
			Impact: casefile.Impact{Share: v, Gain: casefile.Gain{Low: v, High: v}}}}
		in.Case.Opinions = []casefile.Opinion{{ID: text, Author: text, Cause: text, Change: text, Diff: text,
			Verdict: text,
			Where:   []casefile.At{{Function: text, File: text, Line: len(data)}}, Rests: []string{text},
			Gain: &casefile.Claim{Resource: text, Low: v, High: v}, Reasons: []casefile.Reason{{Text: text,
				About: text}},
			Proof: &casefile.OpinionProof{Verdict: casefile.Verdict(text), Summary: text}}}
		in.Case.Proof = &casefile.Proof{Figures: []casefile.Figure{{Unit: text,
			Before: casefile.Stat{Value: v, High: v, N: 1}, After: casefile.Stat{Value: v, N: 1}}}}
		s := vitals.NewSample(tripped)
		s.Set(vitals.CPU, v)
		in.Vitals = []vitals.Sample{s}
		if page := render(t, in); !strings.Contains(page, "</html>") {
			t.Error("the page is incomplete")
		}
	})
}
