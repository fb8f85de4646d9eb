package prometheus

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"
)

func parsePage(t testing.TB, names []string, body string) families {
	t.Helper()
	w := make(wanted)
	for _, n := range names {
		w[n] = true
	}
	f, err := w.parse(page{body: []byte("up 1\n" + body)})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// values are those of one selector on one page after another, 10 s apart.
func values(t testing.TB, text string, bodies ...string) (got []float64) {
	t.Helper()
	sel, err := parseSelector(text)
	if err != nil {
		t.Fatal(err)
	}
	names := []string{sel.name}
	if base, _, ok := cutPart(sel.name); ok {
		names = append(names, base)
	}
	m, err := learn(sel, parsePage(t, names, bodies[0]))
	if err != nil {
		t.Fatal(err)
	}
	for i, b := range bodies {
		elapsed := 10 * time.Second
		if i == 0 {
			elapsed = 0
		}
		got = append(got, m.value(parsePage(t, names, b), elapsed))
	}
	return got
}

func TestCounters(t *testing.T) {
	nan := math.NaN()
	for name, c := range map[string]struct {
		selector string
		pages    []string
		want     []float64 // per second
	}{
		"grows":       {"c_total", []string{"c_total 100", "c_total 130", "c_total 130"}, []float64{nan, 3, 0}},
		"begins anew": {"c_total", []string{"c_total 100", "c_total 20", "c_total 30"}, []float64{nan, 2, 1}},
		"sum": {"c_total", []string{"c_total{a=\"1\"} 100\nc_total{a=\"2\"} 50",
			"c_total{a=\"1\"} 110\nc_total{a=\"2\"} 70"}, []float64{nan, 3}},
		"one begins anew": {"c_total", []string{"c_total{a=\"1\"} 100\nc_total{a=\"2\"} 50",
			"c_total{a=\"1\"} 200\nc_total{a=\"2\"} 10"}, []float64{nan, 11}},
		"new series": {"c_total", []string{"c_total{a=\"1\"} 100",
			"c_total{a=\"1\"} 100\nc_total{a=\"2\"} 50"}, []float64{nan, 5}},
		"gone and back": {"c_total", []string{"c_total{a=\"1\"} 100\nc_total{a=\"2\"} 50", "c_total{a=\"1\"} 100",
			"c_total{a=\"1\"} 100\nc_total{a=\"2\"} 60"}, []float64{nan, 0, 1}},
		"family comes late": {"c_total", []string{"", "c_total 1e9", "c_total 1000000010"}, []float64{nan, nan, 1}},
		"family is gone":    {"c_total", []string{"c_total 100", "", "c_total 130"}, []float64{nan, nan, 3}},
		"order of labels": {"c_total", []string{`c_total{a="1",b="2"} 100`, `c_total{b="2",a="1"} 110`},
			[]float64{nan, 1}},
		"selected": {`c_total{a="2"}`, []string{"c_total{a=\"1\"} 100\nc_total{a=\"2\"} 50",
			"c_total{a=\"1\"} 900\nc_total{a=\"2\"} 60"}, []float64{nan, 1}},
		"without a label": {`c_total{a=""}`, []string{"c_total{a=\"1\"} 100\nc_total 50",
			"c_total{a=\"1\"} 900\nc_total 60"}, []float64{nan, 1}},
		"not a number": {"c_total", []string{"c_total 100", "c_total NaN", "c_total 120"},
			[]float64{nan, nan, 2}},
		"timestamps": {"c_total", []string{"c_total 100 1700000000000", "c_total\t110\t1700000001000"},
			[]float64{nan, 1}},
		"summary's count": {"s_count", []string{"# TYPE s summary\ns_sum 1\ns_count 5",
			"# TYPE s summary\ns_sum 1\ns_count 15"}, []float64{nan, 1}},
		"summary's sum": {"s_sum", []string{"# TYPE s summary\ns_sum 1\ns_count 5",
			"# TYPE s summary\ns_sum 21\ns_count 15"}, []float64{nan, 2}},
		"becomes a gauge": {"c_total", []string{"# TYPE c_total counter\nc_total 1",
			"# TYPE c_total gauge\nc_total 5"}, []float64{nan, nan}},
		"gauge": {"g", []string{"# TYPE g gauge\ng{a=\"1\"} 3\ng{a=\"2\"} 4\ng{a=\"3\"} NaN",
			"# TYPE g gauge\ng -1.5", ""}, []float64{7, -1.5, nan}},
		"untyped is a gauge": {"g", []string{"g 3"}, []float64{3}},
		"worst quantile": {"s",
			[]string{"# TYPE s summary\ns{a=\"1\",quantile=\"0.99\"} 3\ns{a=\"2\",quantile=\"0.99\"} " +
				"8\ns{a=\"3\",quantile=\"0.99\"} NaN"},
			[]float64{8}},
		"summary without one": {"s", []string{"# TYPE s summary\ns_sum 10\ns_count 5",
			"# TYPE s summary\ns_sum 40\ns_count 15", "# TYPE s summary\ns_sum 40\ns_count 15"},
			[]float64{nan, 3, nan}},
	} {
		t.Run(name, func(t *testing.T) {
			for i, p := range c.pages {
				c.pages[i] = p + "\n"
			}
			got := values(t, c.selector, c.pages...)
			for i, want := range c.want {
				if !(near(got[i], want) || math.IsNaN(got[i]) && math.IsNaN(want)) {
					t.Errorf("page %d gives %g, want %g", i+1, got[i], want)
				}
			}
		})
	}
}

// histogramPage has the series' cumulative counts of the bounds 0.1, 0.2, 0.4 and of all.
func histogramPage(series ...[4]int) string {
	var b strings.Builder
	b.WriteString("# TYPE h histogram\n")
	for i, s := range series {
		for j, le := range []string{"0.1", "0.2", "0.4", "+Inf"} {
			fmt.Fprintf(&b, "h_bucket{s=\"%d\",le=%q} %d\n", i, le, s[j])
		}
		fmt.Fprintf(&b, "h_sum{s=\"%d\"} 1\nh_count{s=\"%d\"} %d\n", i, i, s[3])
	}
	return b.String()
}

func TestHistograms(t *testing.T) {
	nan := math.NaN()
	for name, c := range map[string]struct {
		pages []string
		want  float64 // of the last page
	}{
		"nothing since": {[]string{histogramPage([4]int{5, 6, 7, 8}), histogramPage([4]int{5, 6, 7, 8})}, nan},
		"first page":    {[]string{histogramPage([4]int{5, 6, 7, 8})}, nan},
		"one bucket": {[]string{histogramPage([4]int{5, 6, 7, 8}), histogramPage([4]int{5, 106, 107, 108})},
			0.1 + 0.1*0.99},
		"first bucket":      {[]string{histogramPage([4]int{}), histogramPage([4]int{100, 100, 100, 100})}, 0.099},
		"beyond the bounds": {[]string{histogramPage([4]int{}), histogramPage([4]int{0, 0, 0, 100})}, 0.4},
		"tail":              {[]string{histogramPage([4]int{}), histogramPage([4]int{98, 98, 100, 100})}, 0.3},
		"two series": {[]string{histogramPage([4]int{}, [4]int{}),
			histogramPage([4]int{98, 98, 98, 98}, [4]int{0, 0, 2, 2})}, 0.3},
		"a series is new": {[]string{histogramPage([4]int{9, 9, 9, 9}),
			histogramPage([4]int{107, 107, 107, 107}, [4]int{0, 0, 2, 2})}, 0.3},
		"one begins anew": {[]string{histogramPage([4]int{500, 500, 500, 500}),
			histogramPage([4]int{98, 98, 100, 100})}, 0.3},
		"comes late": {[]string{"", histogramPage([4]int{1, 1, 1, 1})}, nan},
		"buckets that shrink": {[]string{histogramPage([4]int{10, 10, 10, 10}), histogramPage([4]int{5, 10, 10, 110})},
			0.4},
	} {
		t.Run(name, func(t *testing.T) {
			w := wanted{"h": true}
			m := &metric{selector: selector{name: "h"}, family: "h", kind: histogramP99}
			got := nan
			for _, body := range c.pages {
				f, err := w.parse(page{body: []byte("up 1\n" + body)})
				if err != nil {
					t.Fatal(err)
				}
				got = m.value(f, time.Second)
			}
			if !(math.Abs(got-c.want) < 1e-9 || math.IsNaN(got) && math.IsNaN(c.want)) {
				t.Errorf("the p99 is %g, want %g", got, c.want)
			}
		})
	}
}

func TestQuantileEdges(t *testing.T) {
	inf := math.Inf(1)
	for name, c := range map[string]struct {
		buckets []bucket
		want    float64
	}{
		"no buckets":     {nil, math.NaN()},
		"only +Inf":      {[]bucket{{inf, 10}}, math.NaN()},
		"negative bound": {[]bucket{{-1, 100}, {inf, 0}}, -1},
		"negative range": {[]bucket{{-2, 0}, {-1, 100}, {inf, 0}}, -1.01},
	} {
		t.Run(name, func(t *testing.T) {
			got := quantile(c.buckets, p99)
			if !(near(got, c.want) || math.IsNaN(got) && math.IsNaN(c.want)) {
				t.Errorf("quantile = %g, want %g", got, c.want)
			}
		})
	}
}

// When there are more series than can be remembered, the metric is absent. Names that come and go do not grow the
// memory.
func TestSeriesAreBounded(t *testing.T) {
	many := func(from, n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "c_total{id=\"%d\"} 1\n", from+i)
		}
		return b.String()
	}
	got := values(t, "c_total", many(0, 10), many(0, maxSeries+1), many(0, 10), many(0, 10))
	if !math.IsNaN(got[1]) || !math.IsNaN(got[2]) || got[3] != 0 {
		t.Errorf("around a page of too many series the values are %v, want absent on it and on the next", got)
	}
	m := &metric{selector: selector{name: "c_total"}, family: "c_total"}
	for i := range 5 {
		m.value(parsePage(t, []string{"c_total"}, many(i*maxSeries, maxSeries)), time.Second)
		if n := len(m.growth.last); n > 2*maxSeries {
			t.Errorf("%d series are remembered, want at most %d", n, 2*maxSeries)
		}
	}
}
