package prometheus

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	dto "github.com/prometheus/client_model/go"

	"github.com/gocasebook/casebook/vitals"
)

func TestParseSelector(t *testing.T) {
	for _, c := range []struct {
		text, name string
		labels     []label
		err        string
	}{
		{"up", "up", nil, ""},
		{" job:rate_5m ", "job:rate_5m", nil, ""},
		{"up{}", "up", nil, ""},
		{`up{a="b"}`, "up", []label{{"a", "b"}}, ""},
		{`up{ a = "b" , c = "}\"\\\n," , }`, "up", []label{{"a", "b"}, {"c", "}\"\\\n,"}}, ""},
		{"", "", nil, "not a selector"},
		{"1up", "", nil, "not a selector"},
		{"up down", "", nil, "not a selector"},
		{"up{", "", nil, "not a selector"},
		{`up{a="b"} > 1`, "", nil, "not a selector"},
		{"up{a}", "", nil, "not a label"},
		{`up{a="b}`, "", nil, "not a label"},
		{`up{a="b" c="d"}`, "", nil, "comma"},
		{`up{a=~"b"}`, "", nil, "=~ is not supported"},
	} {
		t.Run(c.text, func(t *testing.T) {
			s, err := parseSelector(c.text)
			if c.err != "" {
				if err == nil || !strings.Contains(err.Error(), c.err) {
					t.Errorf("the error is %v, want %q in it", err, c.err)
				}
				return
			}
			if err != nil || s.name != c.name || !slices.Equal(s.labels, c.labels) {
				t.Errorf("parsed to %q %q, %v; want %q %q", s.name, s.labels, err, c.name, c.labels)
			}
		})
	}
}

func TestNames(t *testing.T) {
	long := strings.Repeat("x", 80)
	metrics := []*metric{
		{selector: selector{name: "Queue:Length"}, kind: gaugeValue},
		{selector: selector{name: "queue_length"}, kind: gaugeValue},
		{selector: selector{name: "goroutines"}, kind: gaugeValue},
		{selector: selector{name: "t"}, kind: gaugeValue},
		{selector: selector{name: long}, kind: histogramP99},
		{selector: selector{name: long}, kind: histogramP99},
		{selector: selector{name: "s"}, kind: summaryQuantile, quantile: 0.999},
		{selector: selector{name: "c_total", labels: []label{{"path", "/ü?"}}}, kind: counterRate},
	}
	nameSignals(metrics, "page")
	want := []string{
		"queue_length", "queue_length_2", "metric_goroutines", "metric_t", strings.Repeat("x", 56) + "_p99",
		strings.Repeat("x", 54) + "_p99_2",
		"s_p99_9", "c_total_path____",
	}
	extra := make([]vitals.Signal, len(metrics))
	for i, m := range metrics {
		extra[i] = m.signal
		if m.signal.Name != want[i] {
			t.Errorf("signal %d is named %q, want %q", i, m.signal.Name, want[i])
		}
	}
	if _, err := vitals.NewCatalog(extra...); err != nil {
		t.Error(err)
	}
}

// Only wanted lines reach the parser, without what it does not know.
func TestFilter(t *testing.T) {
	in := strings.Join([]string{
		"# HELP a_total what\\n # TYPE a_total gauge", "# TYPE a_total counter", "# TYPE other counter",
		"# random remark",
		`a_total{x="}\" # {"} 1 1700000000000 # {trace="x"} 1`, "a_total\t2", "  a_total 3  ", "other 1",
		"a_total_more 1", "a_total", `a_total{x="1" 1`,
		`{"quoted.name"} 1`, "h_bucket{le=\"1\"} 1", "h_sum 1", "h_count 1", "\x80\xff", "# EOF",
	}, "\r\n")
	want := "# TYPE a_total counter\n" + `a_total{x="}\" # {"} 1` +
		"\na_total\t2\na_total 3\nh_bucket{le=\"1\"} 1\nh_sum 1\nh_count 1\n"
	got, samples := wanted{"a_total": true, "h": true}.filter(page{body: []byte(in)}, nil)
	if string(got) != want {
		t.Errorf("kept\n%q, want\n%q", got, want)
	}
	if samples != 8 {
		t.Errorf("counted %d samples, want 8", samples)
	}
}

// Whatever a page holds, reading it ends without a panic, and what is remembered stays consistent.
func FuzzPage(f *testing.F) {
	f.Add([]byte(histogramPage([4]int{1, 2, 3, 4})), false)
	f.Add([]byte("# TYPE c counter\nc_total{a=\"b\"} 1 1.5 # {x=\"y\"} 1\n# EOF\n"), true)
	f.Add([]byte("# TYPE s summary\ns{quantile=\"0.99\"} NaN\ns_sum -1\ns_count 1e300\n"), false)
	f.Add([]byte("# TYPE h gaugehistogram\nh_bucket{le=\"-Inf\"} +Inf\nh_bucket{le=\"NaN\"} 0\nh_gcount 1\n"), true)
	f.Fuzz(func(t *testing.T, body []byte, openMetrics bool) {
		texts := []string{"c_total", "s", "s_count", "h", `c_total{a="b"}`}
		var selectors []selector
		for _, text := range texts {
			s, err := parseSelector(text)
			if err != nil {
				t.Fatal(err)
			}
			selectors = append(selectors, s)
		}
		families, err := wantedBy(selectors).parse(page{body: body, openMetrics: openMetrics})
		if err != nil {
			return
		}
		for _, s := range selectors {
			m, err := learn(s, families)
			if err != nil {
				continue
			}
			m.value(families, 0)
			if v := m.value(families, time.Second); m.kind == counterRate && v != 0 && v == v {
				t.Errorf("%s: between two equal pages the rate is %g", s.text, v)
			}
		}
	})
}

func FuzzParseSelector(f *testing.F) {
	f.Add(`up{a="b",c="\\\""}`)
	f.Fuzz(func(t *testing.T, text string) {
		s, err := parseSelector(text)
		if err != nil {
			return
		}
		m := &metric{selector: s}
		nameSignals([]*metric{m}, "page")
		if _, err := vitals.NewCatalog(m.signal); err != nil {
			t.Error(err)
		}
		s.matches(&dto.Metric{})
	})
}

// BenchmarkParse is the work for a page of 10,000 series of which one family of 12 is wanted.
func BenchmarkParse(b *testing.B) {
	var body strings.Builder
	for i := range 10_000 {
		fmt.Fprintf(&body, "some_metric_%d_total{path=\"/a/b/c\",code=\"200\",method=\"GET\"} %d\n", i/100, i)
	}
	body.WriteString(histogramPage([4]int{1, 2, 3, 4}, [4]int{1, 2, 3, 4}))
	p := page{body: []byte(body.String())}
	b.SetBytes(int64(len(p.body)))
	for _, c := range []struct {
		name string
		w    wanted
	}{{"one", wanted{"h": true}}, {"all", everything()}} {
		b.Run("wanted="+c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := c.w.parse(p); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func everything() wanted {
	w := wanted{"h": true}
	for i := range 100 {
		w[fmt.Sprintf("some_metric_%d_total", i)] = true
	}
	return w
}
