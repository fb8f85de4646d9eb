package instance

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gocasebook/casebook/internal/room"
	"github.com/gocasebook/casebook/vitals"
)

func TestExpvar(t *testing.T) {
	page := ""
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/svc/debug/vars" {
			http.NotFound(w, r)
			return
		}
		fmt.Fprint(w, page)
	}))
	defer srv.Close()
	src, err := Expvar(strings.Replace(srv.URL, "http://", "http://ann:s3cret@", 1)+"/svc/debug/vars?token=s3cret",
		"memstats.NumGC", "queue.size_bytes", "jobs_total", "latency.p99-seconds", "name")
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(src.Name, "s3cret") || !strings.HasSuffix(src.Name, "/svc/debug/vars") {
		t.Errorf("the source is called %q; want the page's address and no secret", src.Name)
	}
	want := []vitals.Signal{
		{Name: "memstats_numgc", Unit: vitals.Count}, {Name: "queue_size_bytes", Unit: vitals.Bytes},
		{Name: "jobs_total", Unit: vitals.PerSecond},
		{Name: "latency_p99_seconds", Unit: vitals.Seconds}, {Name: "name", Unit: vitals.Count},
	}
	for i, s := range src.Signals {
		if s.Name != want[i].Name || s.Unit != want[i].Unit || s.Text == "" {
			t.Errorf("signal %d is %+v, want %+v", i, s, want[i])
		}
	}
	if _, err := vitals.NewCatalog(src.Signals...); err != nil {
		t.Errorf("the signals are no catalog: %v", err)
	}
	for i, c := range []struct {
		page, fault string
		present     []bool
	}{
		{`{"memstats": {"NumGC": 7}, "queue": {"size_bytes": 1.5e3}, "jobs_total": 5, "latency": {"p99-seconds": 0.25}, "name": 1}`,
			"",
			[]bool{true, true, false, true, true}}, // a first total has no rate yet
		{`{"memstats": {"NumGC": 7}, "queue.size_bytes": 1500, "jobs_total": 9, "latency": {"p99-seconds": 0.25}, "name": "x"}`,
			"name is not a number",
			[]bool{true, true, true, true, false}},
		{`{"memstats": {"NumGC": 7}, "queue": {"size_bytes": 1e999}, "jobs_total": 3, "latency": []}`,
			"latency.p99-seconds is not on the page",
			[]bool{true, false, false, false, false}}, // the total shrank: another process
		{`[1]`, "cannot unmarshal", []bool{false, false, false, false, false}},
		{`{"memstats"`, "unexpected end of JSON input", []bool{false, false, false, false, false}},
	} {
		page = c.page
		values := []float64{math.NaN(), math.NaN(), math.NaN(), math.NaN(), math.NaN()}
		err := src.Read(t.Context(), values)
		if (err != nil) != (c.fault != "") || err != nil &&
			(!strings.Contains(err.Error(), c.fault) || strings.Contains(err.Error(), "s3cret")) {
			t.Errorf("reading %d: error is %v, want %q in it", i, err, c.fault)
		}
		for j, present := range c.present {
			if !math.IsNaN(values[j]) != present {
				t.Errorf("reading %d: %s is %g, want it present: %v", i, want[j].Name, values[j], present)
			}
		}
	}
}

// A rate is over the time between two readings, whatever came between.
func TestExpvarRate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := 100
		r := &expvarReader{url: mustParse(t, "http://h/"), party: room.NewParty(),
			vars: []expvarSignal{{path: "x_total", rate: true}}}
		r.client = &http.Client{Transport: roundTrip(func(req *http.Request) (*http.Response, error) {
			rec := httptest.NewRecorder()
			if n < 0 {
				rec.WriteHeader(http.StatusBadGateway)
			}
			_ = json.NewEncoder(rec).Encode(map[string]int{"x_total": n})
			return rec.Result(), nil
		})}
		for i, c := range []struct {
			after time.Duration
			n     int
			want  float64
			fails bool
		}{
			{0, 100, math.NaN(), false}, {2 * time.Second, 110, 5, false}, {time.Second, -1, math.NaN(), true},
			{3 * time.Second, 150, 10, false}, {time.Second, 150, 0, false}, {time.Second, 10, math.NaN(), false},
			{time.Second, 11, 1, false},
		} {
			time.Sleep(c.after)
			n = c.n
			values := []float64{math.NaN()}
			if err := r.read(t.Context(), values); (err != nil) != c.fails {
				t.Errorf("reading %d: %v", i, err)
			}
			if got := values[0]; got != c.want && !(math.IsNaN(got) && math.IsNaN(c.want)) {
				t.Errorf("reading %d: %g a second, want %g", i, got, c.want)
			}
		}
	})
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestExpvarRefuses(t *testing.T) {
	for _, c := range []struct {
		url   string
		names []string
		want  string
	}{
		{"ftp://ann:s3cret@h/", []string{"x"}, "scheme"},
		{"http://ann:s3cret@h:port", []string{"x"}, "not a URL"},
		{"h:1", nil, "no variable name"},
		{"h:1", []string{"a.b", "a_b"}, "would both be the signal a_b"},
		{"h:1", []string{"..."}, "names no variable"},
	} {
		_, err := Expvar(c.url, c.names...)
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "s3cret") {
			t.Errorf("%s %q: error is %v, want %q in it", c.url, c.names, err, c.want)
		}
	}
	for in, want := range map[string]string{
		"h:1": "http://h:1/debug/vars", "http://h/debug/pprof/": "http://h/debug/vars",
		"http://h/svc/debug/vars": "http://h/svc/debug/vars",
		"https://h/svc":           "https://h/svc/debug/vars",
	} {
		if u, err := expvarURL(in); err != nil || u.String() != want {
			t.Errorf("%s is %s (%v), want %s", in, u, err, want)
		}
	}
}

// A page that hangs keeps the reader no longer than the context allows.
func TestExpvarSlow(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(hang))
	defer srv.Close()
	src, err := Expvar(srv.URL, "x")
	if err != nil {
		t.Fatal(err)
	}
	wantLate(t, "expvar", func(ctx context.Context) error { return src.Read(ctx, []float64{math.NaN()}) })
}

func FuzzLookup(f *testing.F) {
	f.Add([]byte(`{"a": {"b.c": 1}}`), "a.b.c")
	f.Add([]byte(`{"a.b": {"c": null}}`), "a.b.c")
	f.Fuzz(func(t *testing.T, data []byte, path string) {
		var page map[string]json.RawMessage
		if json.Unmarshal(data, &page) != nil {
			return
		}
		if v, err := lookup(page, path); math.IsNaN(v) != (err != nil) {
			t.Errorf("%g, %v", v, err)
		}
	})
}
