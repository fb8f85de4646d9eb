package report

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/app/load"
	"github.com/gocasebook/casebook/vitals"
)

// courseFile is ten windows of 2 s at 100 a second. From the fifth on half of the answers are errors, and the eighth
// had none.
func courseFile() *load.File {
	f := &load.File{Plan: load.Plan{Pace: "constant ramp 0..200 20s", Arrivals: "constant"}}
	for i := range 10 {
		w := load.FileWindow{Index: i, Start: float64(2 * i), Seconds: 2}
		w.Sent, w.OK = 200, 200
		if i >= 4 {
			w.OK, w.Errors.Status5xx = 100, 100
		}
		w.Latency = load.Quantiles{Count: 200, P50: 0.01, P90: 0.02, P99: 0.03, P999: 0.04 + float64(i)/100}
		if i == 7 {
			w.OK, w.Errors.Status5xx, w.Latency = 0, 0, load.Quantiles{}
		}
		f.Total.Errors.Status5xx += w.Errors.Status5xx
		f.Windows = append(f.Windows, w)
	}
	return f
}

func TestCourse(t *testing.T) {
	c := courseOf(courseFile())
	if len(c) != 3 || c[0].Name != "Rate" || c[1].Name != "Errors" || c[2].Name != "Latency" {
		t.Fatalf("the course has %+v, want rate, errors and latency", c)
	}
	line := func(chart int, label string) []float64 {
		i := slices.IndexFunc(c[chart].Lines, func(l CourseLine) bool { return l.Label == label })
		if i < 0 {
			t.Fatalf("%s has no line %q", c[chart].Name, label)
		}
		return c[chart].Lines[i].Values
	}
	// A ramp from 0 to 200 a second has 10·t²/2 requests due until t: 20 in the first window, 380 in the last. Arrivals
	// are whole numbers.
	if due := line(0, "scheduled"); math.Abs(due[0]-10) > 0.5 || math.Abs(due[9]-190) > 0.5 {
		t.Errorf("due are %v a second, want 10 to 190", due)
	}
	if sent, ok := line(0, "sent"), line(0, "succeeded"); sent[3] != 100 || ok[3] != 100 || sent[5] != 100 ||
		ok[5] != 50 || ok[7] != 0 {
		t.Errorf("sent %v, succeeded %v", sent, ok)
	}
	if e := line(1, "of the answers and failures"); e[3] != 0 || e[5] != 0.5 || !math.IsNaN(e[7]) {
		t.Errorf("errors %v, want 0, 0.5, and nothing where nothing came", e)
	}
	if q := line(2, "p99.9"); q[0] != 0.04 || !math.IsNaN(q[7]) {
		t.Errorf("p99.9 %v", q)
	}
	if p := c[2].plot(); len(p.Lines) != 8 {
		t.Errorf("%d lines are drawn, want 4 with a gap each", len(p.Lines))
	}
}

// Too many windows are joined: sums of rates and errors, the highest quantile.
func TestCourseJoinsWindows(t *testing.T) {
	f := courseFile()
	f.Windows = slices.Repeat(f.Windows, 100)
	for i := range f.Windows {
		f.Windows[i].Start = float64(2 * i)
	}
	c := courseOf(f)
	if n := len(c[2].Lines[3].Values); n > maxStretches || n < maxStretches/3 {
		t.Errorf("%d points, want at most %d", n, maxStretches)
	}
	if got := c[2].Lines[3].Values[0]; got != 0.06 {
		t.Errorf("the first of three windows has p99.9 %v, want the highest of them, 0.06", got)
	}
	if !strings.Contains(c[2].Note, "highest of 3 consecutive windows") {
		t.Errorf("the note is %q", c[2].Note)
	}
}

func TestCourseWithoutErrorsOrWindows(t *testing.T) {
	f := courseFile()
	f.Windows, f.Total.Errors = f.Windows[:4], load.Errors{}
	f.Plan.Pace = "replay arrivals.csv"
	c := courseOf(f)
	if len(c[1].Lines) != 0 || c[1].Note == "" || c[1].plot() != nil {
		t.Errorf("errors are %+v, want a sentence in place of an empty chart", c[1])
	}
	if len(c[0].Lines) != 2 {
		t.Errorf("%d lines of the rate, want no schedule of a replay", len(c[0].Lines))
	}
	f.Windows = f.Windows[:1]
	if got := courseOf(f); got != nil {
		t.Errorf("of one window there is a course: %+v", got)
	}
}

// The page opens with how the run went. The distribution and the figures come after it.
func TestLoadPageOpensWithTheCourse(t *testing.T) {
	page := renderComparison(t, sampleOfLoad(t))
	at := func(id string) int { return strings.Index(page, `<section id="`+id+`"`) }
	if at("course") < 0 || at("course") > at("latency") || at("latency") > at("figures") {
		t.Errorf("course at %d, latency at %d, figures at %d", at("course"), at("latency"), at("figures"))
	}
	if strings.Contains(renderComparison(t, sampleComparison(t)), `id="course"`) {
		t.Error("a comparison has a course")
	}
	b := browse(t)
	b.Prefer("light")
	b.show(page, 390)
	b.settle()
	b.Shoot("load-course-390")
	for _, name := range []string{"Rate", "Errors", "Latency"} {
		if n := eval[int](b, `document.querySelectorAll('#course [aria-label="`+name+`"]').length`); n != 1 {
			t.Errorf("%d charts of %s, want one", n, name)
		}
	}
	if w := eval[int](b, `document.documentElement.scrollWidth`); w > 390 {
		t.Errorf("the page is %d px wide in a window of 390", w)
	}
	b.quiet()
}

func TestCourseTicks(t *testing.T) {
	ticks := func(end float64) (out []string) {
		c := Course{Name: "Rate", Unit: vitals.PerSecond,
			Lines: []CourseLine{{At: []float64{0, end}, Values: []float64{1, 2}}}}
		for _, x := range c.plot().X {
			out = append(out, x.Text)
		}
		return out
	}
	for end, want := range map[float64]string{4: "0 s, 1 s, 2 s, 3 s, 4 s", 25: "0:00, 0:05, 0:10, 0:15, 0:20, 0:25",
		600: "0:00, 2:00, 4:00, 6:00, 8:00, 10:00"} {
		if got := strings.ReplaceAll(strings.Join(ticks(end), ", "), nbsp, " "); got != want {
			t.Errorf("a run of %v s has the ticks %s, want %s", end, got, want)
		}
	}
}
