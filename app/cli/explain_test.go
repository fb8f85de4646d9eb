package cli_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/diagnose"
)

func TestDetectors(t *testing.T) {
	r := inProcess(t, "detectors")
	r.want(t, 0, "ID", "kind", "needs", "what is wrong")
	for _, d := range diagnose.Detectors() {
		r.want(t, 0, d.ID+" ", d.Kind)
	}
	for _, l := range strings.Split(r.out, "\n") {
		if n := len([]rune(l)); n > 80 {
			t.Errorf("a line of %d columns: %s", n, l)
		}
	}
	var list struct {
		Schema    int
		Detectors []struct {
			ID, Kind, Title, Text string
			Needs                 [][]string
		}
	}
	r = inProcess(t, "detectors", "--json")
	if err := json.Unmarshal([]byte(r.out), &list); err != nil || list.Schema != 1 ||
		len(list.Detectors) != len(diagnose.Detectors()) {
		t.Fatalf("%v: schema %d, %d detectors", err, list.Schema, len(list.Detectors))
	}
	for _, d := range list.Detectors {
		if d.ID == "" || d.Kind == "" || d.Title == "" || d.Text == "" || d.Needs == nil {
			t.Errorf("incomplete: %+v", d)
		}
	}
}

// Every detector's explanation fits in 80 columns: only paths, commands and code, which may not be cut, are wider.
func TestExplain(t *testing.T) {
	for _, d := range diagnose.Detectors() {
		t.Run(d.Kind, func(t *testing.T) {
			r := inProcess(t, "explain", d.Kind)
			r.want(t, 0, d.ID+" "+d.Kind, strings.Fields(d.Text)[0])
			if !strings.HasPrefix(d.Kind, "evidence-") { // for those, a better capture is the remedy
				r.want(t, 0, "What to do, in this order:", "price: ", "Before", "After")
			}
			if strings.Contains(r.out, diagnose.Line) {
				t.Errorf("a placeholder is left:\n%s", r.out)
			}
			text, _, _ := strings.Cut(r.out, "\nBefore\n")
			narrow(t, text)
			if byID := inProcess(t, "explain", strings.ToLower(d.ID)); byID.out != r.out {
				t.Errorf("by its ID it says something else:\n%s", byID.out)
			}
			for _, name := range d.OtherNames {
				r.want(t, 0, "Also called", name)
				inProcess(t, "explain", name).want(t, 0, "Also called", name)
			}
		})
	}
}

// What explain prints as JSON says the same as the text.
func TestExplainJSON(t *testing.T) {
	var d struct {
		Kind     string
		Remedies []struct{ Title, Text, Calls, Price string }
		Packages []struct{ Path, Licence, Does, Not string }
	}
	r := inProcess(t, "explain", "--json", "cpu-json")
	if err := json.Unmarshal([]byte(r.out), &d); err != nil || d.Kind != "cpu-json" || len(d.Remedies) < 2 ||
		len(d.Packages) == 0 {
		t.Fatalf("%v: %+v", err, d)
	}
	text := strings.Join(strings.Fields(inProcess(t, "explain", "cpu-json").out), " ")
	for _, rem := range d.Remedies {
		if rem.Price == "" || !strings.Contains(text, rem.Title) {
			t.Errorf("remedy %+v, want a price, and its title in the text", rem)
		}
	}
	for _, p := range d.Packages {
		if p.Does == "" || p.Not == "" || !strings.Contains(text, p.Path) {
			t.Errorf("package %+v, want what it does and when not, and its path in the text", p)
		}
	}
}

func TestExplainUnknown(t *testing.T) {
	for _, c := range []struct{ name, want, not string }{
		{"gc-cp", "did you mean gc-cpu", "goroutine"},
		{"GC01", "GC001", ""},
		{"goroutine-leek", "goroutine-leak", ""},
		{"xyzzy-plugh", `no detector is called "xyzzy-plugh"; 'casebook detectors' lists them`, "did you mean"},
		{"\x1b[2J", "no detector", "\x1b"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := inProcess(t, "explain", c.name)
			r.want(t, 2, c.want)
			if c.not != "" && strings.Contains(r.errors, c.not) {
				t.Errorf("%q in: %s", c.not, r.errors)
			}
		})
	}
	inProcess(t, "explain").want(t, 2, "takes one ID or kind", "casebook explain gc-cpu")
}
