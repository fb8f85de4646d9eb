package report

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/traces"
)

// Layers stand on each other, and the outline of each is that of all below it.
func TestLanePaths(t *testing.T) {
	got := lanePaths([]layer{{"a", []int{1000, 500}}, {"none", []int{0, 0}}, {"b", []int{0, 250, 1000}}}, 4)
	want := []lanePath{{"b", "M0 100H0V0H1V25H2V0H3V100H4V100Z"}, {"a", "M0 100H0V0H1V50H2V100H4V100Z"}}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	hostile := []layer{{"x", []int{-5, 1 << 40, 900}}, {"y", []int{0, 900, 900}}}
	for _, p := range lanePaths(hostile, 3) {
		if strings.Contains(p.D, "V-") || strings.Contains(p.D, "V1000") {
			t.Errorf("outside of the lane: %s", p.D)
		}
	}
}

// laneSummary is a trace of a second on two Ps: main.work runs on both, the collector marks in the second half.
func laneSummary() *traces.Summary {
	half := func(first, second int) []int {
		return append(slices.Repeat([]int{first}, 50), slices.Repeat([]int{second}, 50)...)
	}
	st := func(state, g string, first, second int) traces.Stretch {
		return traces.Stretch{State: state, Goroutine: g, Share: half(first, second),
			Total: time.Duration(first+second) * time.Second / 2000}
	}
	return &traces.Summary{Span: time.Second, Procs: 2, Use: traces.Use{Busy: time.Second, Idle: time.Second},
		Lanes: &traces.Lanes{Step: 10 * time.Millisecond, Group: 1, Procs: []traces.Lane{
			{st("running", "main.work", 1000, 500), st("collector", "", 0, 500)},
			{st("running", "main.work", 200, 0), st("running", "main.log", 100, 0), st("idle", "", 700, 1000)},
		}},
		Slowest: []traces.Request{{Kind: "net/http server", Took: 100 * time.Millisecond,
			Spent: traces.Spent{Running: 60e6, Lock: 40e6}, Course: &traces.Course{Step: time.Millisecond,
				States: traces.Lane{{State: "running", Share: slices.Repeat([]int{1000}, 60)},
					{State: "lock", Share: append(make([]int, 60), slices.Repeat([]int{1000}, 40)...)}}}},
			{Kind: "net/http server", Took: time.Millisecond}},
	}
}

func TestLaneChart(t *testing.T) {
	c := newLaneChart(laneSummary())
	if len(c.Rows) != 2 || c.Rows[1].Name != "P 1" || c.Rows[0].Steps != 100 {
		t.Fatalf("rows %+v", c.Rows)
	}
	var legend []string
	for _, k := range c.Legend {
		legend = append(legend, k.Class+" "+k.Name)
	}
	want := []string{"l-g0 main.work", "l-g1 main.log", "l-collector collector", "l-idle idle"}
	if !slices.Equal(legend, want) {
		t.Errorf("the legend is %q, want %q", legend, want)
	}
	if want := (lanePath{"l-g0", "M0 100H0V0H50V50H100V100Z"}); c.Rows[0].Paths[1] != want {
		t.Errorf("the first lane is %q, want %q in it", c.Rows[0].Paths, want)
	}
	if want := (shareRow{spaced("P 0"), spaced("75_%"), spaced("0_%"), spaced("25_%"), spaced("0_%"), spaced("0_%"),
		spaced("0_%"), spaced("main.work 75_%")}); c.Tables[0].Rows[0] != want {
		t.Errorf("in numbers it is %+v, want %+v", c.Tables[0].Rows[0], want)
	}
	times := c.Tables[1].Rows
	if len(times) != timeRows || times[0].Running != spaced("65_%") || times[0].Idle != spaced("35_%") ||
		times[9].Collector != spaced("25_%") || times[9].Name != spaced("900_ms to 1_s") {
		t.Errorf("by time it is %+v", times)
	}
	for group, want := range map[int]string{1: "P 2", 2: "P 4–5", 4: "P 8–9"} {
		if got := procName(2, group, 10); got != want {
			t.Errorf("lane 2 of %d Ps each is %q, want %q", group, got, want)
		}
	}
}

func TestCourseChart(t *testing.T) {
	c := newCourseChart(laneSummary())
	if len(c.Rows) != 1 {
		t.Fatalf("%d requests, want the one with a course", len(c.Rows))
	}
	r := c.Rows[0]
	want := []lanePath{{"p1", "M0 100H0V0H100V100Z"}, {"p0", "M0 100H0V0H60V100H100V100Z"}}
	if !slices.Equal(r.Paths, want) || r.Text != spaced("running 60_%, lock 40_%") || r.Steps != 100 {
		t.Errorf("%+v, want the paths %q", r, want)
	}
}

// Each state that has a texture has one in the style sheet, and the other way round.
func TestTexturesAreStyled(t *testing.T) {
	css, err := assets.ReadFile("assets/css/pages.css")
	if err != nil {
		t.Fatal(err)
	}
	rules := strings.ReplaceAll(string(css), ", .textures", " { } .textures")
	for _, x := range laneTextures() {
		for _, want := range []string{".textures ." + x.Class + " {",
			".lane ." + x.Class + " { fill: url(#lane-" + x.Class + ")",
			".lanekeys ." + x.Class + " { fill: url(#key-" + x.Class + ")"} {
			if !strings.Contains(rules, want) {
				t.Errorf("pages.css has no %q", want)
			}
		}
	}
	if n := strings.Count(string(css), "url(#"); n != 2*len(laneTextures()) {
		t.Errorf("pages.css uses %d textures, there are %d", n, 2*len(laneTextures()))
	}
}

// A summary of before there were lanes is shown without them, and one that makes no sense does no harm.
func TestTraceWithoutLanes(t *testing.T) {
	page := func(s *traces.Summary) string {
		var b bytes.Buffer
		if err := WriteTrace(&b, TraceInput{Case: casefile.Case{ID: "x"}, File: "trace.out", Trace: s}); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	with := page(laneSummary())
	if !strings.Contains(with, `class="lanes"`) || !strings.Contains(with, `id="courses"`) {
		t.Error("the lanes are not there: the test proves nothing")
	}
	old := laneSummary()
	old.Lanes = nil
	for i := range old.Slowest {
		old.Slowest[i].Course = nil
	}
	for _, s := range []*traces.Summary{old, {Lanes: &traces.Lanes{}},
		{Span: time.Second, Lanes: &traces.Lanes{Step: 1, Procs: make([]traces.Lane, 10_000)}},
		{Span: -1, Lanes: &traces.Lanes{Step: 1, Procs: make([]traces.Lane, 1)}}} {
		text := page(s)
		if len(text) > 2<<20 {
			t.Errorf("a page of %d bytes", len(text))
		}
		if s == old && (strings.Contains(text, `class="lanes"`) || strings.Contains(text, `id="courses"`) ||
			!strings.Contains(text, "Processors were busy")) {
			t.Error("an old summary is shown with lanes, or not at all")
		}
	}
}
