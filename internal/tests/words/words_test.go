package words_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/words"
)

func TestOf(t *testing.T) {
	f := casefile.Finding{
		ID: "GC003", Kind: "gc-pointer-heap", Title: "Pointers", Score: 83, Confidence: 0.9,
		Summary:  "The collector takes 30 % of the CPU.",
		Evidence: []casefile.Basis{{File: `during\heap.pb.gz`, Text: "12 MiB"}},
		Impact: casefile.Impact{Resource: "cpu", Share: 0.3, Text: "30 % of the CPU used",
			Gain: casefile.Gain{Low: 0.2031, High: 0.2614, Arithmetic: "most of it"}},
		Remedies: []casefile.Remedy{{Title: "One", Text: "Keep values. The collector takes 30 % of the CPU."}},
		CausedBy: []string{"MEM001", "MEM002"},
		Source:   []casefile.Settled{{Verdict: casefile.Adds, Text: "the map grows at :7"}},
	}
	got := words.Of(f)
	for _, c := range [][2]string{
		{got.Head, "CRITICAL 83"},
		{got.Cost, ""}, // the summary has the number
		{got.Gain, "20–26 % of cpu"},
		{got.How, "most of it"},
		{got.Basis[0].File, "heap.pb.gz"},
		{got.Said[0], "adds: the map grows at :7"},
		{got.Sure, "confidence 90 %, caused by MEM001, MEM002"},
		{got.Remedies[0].Text, "Keep values."},
		{f.Remedies[0].Text, "Keep values. The collector takes 30 % of the CPU."}, // the case stays as it is
	} {
		if c[0] != c[1] {
			t.Errorf("%q, want %q", c[0], c[1])
		}
	}
	f.Impact.Gain = casefile.Gain{Arithmetic: "at most 30 %: if it is mapped"}
	if got := words.Of(f); got.Gain != "unknown" || got.How != f.Impact.Gain.Arithmetic {
		t.Errorf("of a gain without ends: %q, %q", got.Gain, got.How)
	}
	if got := words.Of(casefile.Finding{}); got.Gain != "" || got.Cost != "" {
		t.Errorf("of nothing: gain %q, cost %q", got.Gain, got.Cost)
	}
}

func TestFrames(t *testing.T) {
	for _, c := range []struct {
		f                 casefile.Frame
		place, line, part string
	}{
		{casefile.Frame{Function: "main.load"}, "main.load", "", ""},
		{casefile.Frame{Function: "main.load", File: "a.go", Share: 0.3123}, "main.load (a.go)", "a.go", "31.2 %"},
		{casefile.Frame{Function: "main.load", File: "a.go", Line: 4, Share: 0.5, Role: "caller"},
			"main.load (a.go:4)", "a.go:4", "50 % caller"},
		{casefile.Frame{Function: "main.load", Line: 4, Role: "holder"}, "main.load", "", "holder"},
	} {
		if got := words.Place(c.f); got != c.place {
			t.Errorf("place %q, want %q", got, c.place)
		}
		if got := words.Line(c.f); got != c.line {
			t.Errorf("line %q, want %q", got, c.line)
		}
		if got := words.Part(c.f); got != c.part {
			t.Errorf("part %q, want %q", got, c.part)
		}
	}
}

func TestUndecided(t *testing.T) {
	all := []casefile.Undecided{
		{Kind: "a", Reason: "no heap profile", CaptureNext: "heap"},
		{Kind: "b", Reason: "too short", CaptureNext: "cpu"},
		{Kind: "c", Reason: "one heap profile", CaptureNext: "heap"},
		{Kind: "d", Reason: "no heap profile", CaptureNext: "heap"},
	}
	got := words.Undecided(all)
	want := []words.Open{
		{Next: "heap", Reasons: []words.Reason{{Text: "no heap profile", Kinds: []string{"a", "d"}}, {Text: "one heap profile", Kinds: []string{"c"}}}},
		{Next: "cpu", Reasons: []words.Reason{{Text: "too short", Kinds: []string{"b"}}}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	if kinds := got[0].Kinds(); !reflect.DeepEqual(kinds, []string{"a", "d", "c"}) {
		t.Errorf("kinds %q", kinds)
	}
}

func TestFunction(t *testing.T) {
	for name, want := range map[string]string{
		"github.com/bluele/gcache.(*LRUCache).set":                    "gcache.(*LRUCache).set",
		"example.com/lru.Cache[go.shape.string,*example.com/x.Y].Get": "lru.Cache[...].Get",
		"github.com/minio/minio-go/v7.(*Client).do":                   "minio.(*Client).do",
		"github.com/redis/go-redis/v9/internal/pool.(*Conn).Close":    "pool.(*Conn).Close",
		"gopkg.in/natefinch/lumberjack%2ev2.(*Logger).Write":          "lumberjack.(*Logger).Write",
		"github.com/nats-io/nats%2ego.(*Conn).readLoop.func1":         "nats.(*Conn).readLoop.func1",
		"github.com/eclipse/paho%2emqtt%2egolang.startComms":          "paho.mqtt.golang.startComms",
		"v8.io/go-.f": "go-.f",
		"v7.f":        "v7.f",
		"memmove":     "memmove",
		"main.main":   "main.main",
		"":            "",
	} {
		if got := words.Function(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}

func TestSentences(t *testing.T) {
	for _, text := range []string{"", "One.", "One at v1.2.3 and 4. Two!\nThree? `code` ends. 9 more e.g. this.", "…\n\nÄ. Ö."} {
		if got := strings.Join(words.Sentences(text), ""); got != text {
			t.Errorf("the sentences of %q are together %q", text, got)
		}
	}
	want := []string{"At cart.go:12 v1.2 is read. ", "Then `x` is. ", "`y` too."}
	if got := words.Sentences(strings.Join(want, "")); !slices.Equal(got, want) {
		t.Errorf("sentences %q, want %q", got, want)
	}
}

func TestSource(t *testing.T) {
	got := words.Source(casefile.Frame{Line: 8, Source: &casefile.Excerpt{First: 7,
		Lines: []string{"", "\tfor {\x1b[2J", "\t\twork()  ", "  }"}}})
	want := []words.SourceLine{{Number: 7, Text: "", Here: false}, {Number: 8, Text: "  for {\uFFFD[2J", Here: true},
		{Number: 9, Text: "      work()", Here: false}, {Number: 10, Text: "}", Here: false}}
	if !slices.Equal(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got := words.Source(casefile.Frame{Line: 8}); got != nil {
		t.Errorf("%+v without source", got)
	}
}
