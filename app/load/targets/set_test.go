package targets_test

import (
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/app/load/targets"
)

var users = &targets.Table{Name: "users.csv", Columns: []string{"id", "full name"},
	Rows: [][]string{{"7", "Ann"}, {"8", "Bo \"B\""}, {"9", "Cy"}}}

func compile(t testing.TB, opt targets.Options, ts ...targets.Target) *targets.Set {
	t.Helper()
	set, err := targets.Compile(ts, opt)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// show is a request as a line.
func show(t testing.TB, set *targets.Set, i uint64) string {
	t.Helper()
	req, err := set.Request(i)
	if err != nil {
		t.Fatal(err)
	}
	body := ""
	if req.Body != nil {
		b, err := io.ReadAll(req.Body)
		if err != nil || int64(len(b)) != req.ContentLength {
			t.Errorf("body %q, %v; the length is said to be %d", b, err, req.ContentLength)
		}
		body = string(b)
	}
	return fmt.Sprintf("%s %s host=%s x=%q body=%s", req.Method, req.URL, req.Host, req.Header["X"], body)
}

func TestRequests(t *testing.T) {
	header := func(values ...string) http.Header { return http.Header{"X": values} }
	for _, c := range []struct {
		name string
		opt  targets.Options
		ts   []targets.Target
		want []string // a line for each request; /…/ is a pattern
	}{
		{"constant", targets.Options{}, []targets.Target{{Method: "POST", URL: "http://h/a?b", Header: header("1", "2"),
			Body: []byte("hi")}},
			[]string{`POST http://h/a?b host=h x=["1" "2"] body=hi`}},
		{"in turns", targets.Options{}, []targets.Target{{Method: "GET", URL: "http://h/a"},
			{Method: "GET", URL: "http://h/b"}},
			[]string{`GET http://h/a host=h x=[] body=`, `GET http://h/b host=h x=[] body=`,
				`GET http://h/a host=h x=[] body=`}},
		{"below a base", targets.Options{Base: "http://h:80/v1/"}, []targets.Target{{Method: "GET", URL: "/a/{{seq}}"}},
			[]string{`GET http://h:80/v1/a/1 host=h:80 x=[] body=`}},
		{"host", targets.Options{Header: http.Header{"host": {"shop"}}},
			[]targets.Target{{Method: "GET", URL: "http://h/"}}, []string{`GET http://h/ host=shop x=[] body=`}},
		{"headers of all", targets.Options{Header: http.Header{"x": {"all"}}},
			[]targets.Target{{Method: "GET", URL: "http://h/"}, {Method: "GET", URL: "http://h/",
				Header: header("own")}},
			[]string{`GET http://h/ host=h x=["all"] body=`, `GET http://h/ host=h x=["own"] body=`}},
		{"numbers", targets.Options{}, []targets.Target{{Method: "GET", URL: "http://h/{{seq}}/{{seq 100}}",
			Header: header("{{seq -1}}"), Body: []byte("n={{seq}}")}},
			[]string{`GET http://h/1/100 host=h x=["-1"] body=n=1`, `GET http://h/2/101 host=h x=["0"] body=n=2`}},
		{"random", targets.Options{Seed: 3}, []targets.Target{{Method: "GET",
			URL: `http://h/{{rand 1 3}}/{{uuid}}/{{pick "a" "b" 5}}`}},
			[]string{
				`/^GET http://h/[123]/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/[ab5] host/`}},
		{"rows", targets.Options{Table: users}, []targets.Target{
			{Method: "GET", URL: "http://h/{{.id}}", Body: []byte(`{{csv "full name"}}`)}},
			[]string{`GET http://h/7 host=h x=[] body=Ann`, `GET http://h/8 host=h x=[] body=Bo "B"`,
				`GET http://h/9 host=h x=[] body=Cy`, `GET http://h/7 host=h x=[] body=Ann`}},
		{"every target sees every row", targets.Options{Table: users},
			[]targets.Target{{Method: "GET", URL: "http://h/a{{.id}}"}, {Method: "GET", URL: "http://h/b{{.id}}"}},
			[]string{`GET http://h/a7 host=h x=[] body=`, `GET http://h/b7 host=h x=[] body=`,
				`GET http://h/a8 host=h x=[] body=`}},
		{"all of text/template", targets.Options{Table: users},
			[]targets.Target{
				{Method: "GET",
					URL:  `http://h/{{printf "%03d" (seq 5)}}/{{if eq .id "7"}}seven{{else}}{{urlquery (csv "full name")}}{{end}}`,
					Body: []byte(`{{json (csv "full name")}}{{rand 4 4}}`)}},
			[]string{`GET http://h/005/seven host=h x=[] body="Ann"4`,
				`GET http://h/006/Bo+%22B%22 host=h x=[] body="Bo \"B\""4`}},
		{"no templates", targets.Options{Plain: true}, []targets.Target{
			{Method: "GET", URL: "http://h/", Body: []byte("{{seq}}{{")}},
			[]string{`GET http://h/ host=h x=[] body={{seq}}{{`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			set := compile(t, c.opt, c.ts...)
			for i, want := range c.want {
				got := show(t, set, uint64(i))
				if pattern, ok := strings.CutPrefix(want, "/"); ok {
					if !regexp.MustCompile(strings.TrimSuffix(pattern, "/")).MatchString(got) {
						t.Errorf("request %d: %s, want %s", i, got, want)
					}
				} else if got != want {
					t.Errorf("request %d:\n%s, want\n%s", i, got, want)
				}
			}
		})
	}
}

// TestStringHidesPasswords also in a URL that is none before it is rendered.
func TestStringHidesPasswords(t *testing.T) {
	for url, want := range map[string]string{
		"http://h/a":                     "GET http://h/a",
		"http://ann:s3cret@h/a":          "GET http://ann:xxxxx@h/a",
		"http://ann:s3cret@h/%zz{{seq}}": "GET http://h/%zz{{seq}}",
	} {
		if got := (&targets.Target{Method: "GET", URL: url}).String(); got != want {
			t.Errorf("%s is shown as %s, want %s", url, got, want)
		}
	}
}

// TestSeeds wants the same requests of the same seed, in whatever order they are made, and others of another.
func TestSeeds(t *testing.T) {
	target := targets.Target{Method: "GET", URL: "http://h/{{.id}}/{{rand 1 1000000}}/{{uuid}}"}
	opt := targets.Options{Table: users, Random: true, Seed: 1}
	one, two := compile(t, opt, target), compile(t, opt, target)
	opt.Seed = 2
	other := compile(t, opt, target)
	seen := make(map[string]bool)
	for i := range uint64(1000) {
		a, b := show(t, one, i), show(t, two, i)
		if a != b {
			t.Errorf("request %d: %s and %s of one seed", i, a, b)
		}
		if a == show(t, other, i) {
			t.Errorf("request %d: %s of two seeds", i, a)
		}
		seen[a] = true
	}
	if len(seen) != 1000 {
		t.Errorf("%d different requests, want 1000", len(seen))
	}
}

// TestRandEven wants each of ten numbers about a tenth of the time. A fixed seed: it does not fail by chance.
func TestRandEven(t *testing.T) {
	set := compile(t, targets.Options{Seed: 9}, targets.Target{Method: "GET", URL: "http://h/{{rand 0 9}}"})
	var counts [10]int
	const n = 10_000
	for i := range uint64(n) {
		req, err := set.Request(i)
		if err != nil {
			t.Fatal(err)
		}
		counts[req.URL.Path[1]-'0']++
	}
	for d, c := range counts {
		if c < n/10*85/100 || c > n/10*115/100 { // 5 standard deviations
			t.Errorf("%d came %d times of %d, want about a tenth", d, c, n)
		}
	}
}

func TestCompileRefuses(t *testing.T) {
	for _, c := range []struct {
		name   string
		target targets.Target
		opt    targets.Options
		want   string
	}{
		{"method", targets.Target{Method: "G T", URL: "http://h/"}, targets.Options{}, `"G T" is not a method`},
		{"no URL", targets.Target{Method: "GET", Line: 3}, targets.Options{}, "line 3: it has no URL"},
		{"path without a base", targets.Target{Method: "GET", URL: "/a"}, targets.Options{}, "give the base URL"},
		{"scheme", targets.Target{Method: "GET", URL: "ftp://h/"}, targets.Options{}, `scheme "ftp"`},
		{"no scheme", targets.Target{Method: "GET", URL: "localhost:8080/a"}, targets.Options{}, `scheme "localhost"`},
		{"no host", targets.Target{Method: "GET", URL: "http:///a"}, targets.Options{}, "has no host"},
		{"a bad URL", targets.Target{Method: "GET", URL: "http://h/%zz"}, targets.Options{}, "invalid URL escape"},
		{"a bad URL of a template", targets.Target{Method: "GET", URL: "http://h/%zz{{seq}}", Line: 2},
			targets.Options{}, "line 2: "},
		{"header", targets.Target{Method: "GET", URL: "http://h/", Header: http.Header{"a b": {"c"}}},
			targets.Options{}, `"a b" is not the name`},
		{"template", targets.Target{Method: "GET", URL: "http://h/{{seq"}, targets.Options{}, "--no-templates"},
		{"unknown function", targets.Target{Method: "GET", URL: "http://h/{{sequence}}"}, targets.Options{},
			`"sequence" not defined`},
		{"column without a table", targets.Target{Method: "GET", URL: "http://h/{{.id}}"}, targets.Options{},
			"give one with --csv FILE"},
		{"unknown column", targets.Target{Method: "GET", URL: "http://h/{{.di}}"}, targets.Options{Table: users},
			`users.csv has no column "di": it has id, full name`},
		{"unknown column of text/template", targets.Target{Method: "GET", URL: "http://h/{{.di | urlquery}}"},
			targets.Options{Table: users}, `"di"`},
		{"rand", targets.Target{Method: "GET", URL: "http://h/{{rand 5 1}}"}, targets.Options{}, "the lower first"},
		{"rand of nothing", targets.Target{Method: "GET", URL: "http://h/{{rand}}"}, targets.Options{},
			"two whole numbers"},
		{"pick", targets.Target{Method: "GET", URL: "http://h/{{pick}}"}, targets.Options{}, "the values to pick from"},
		{"seq", targets.Target{Method: "GET", URL: `http://h/{{seq "a"}}`}, targets.Options{}, "whole number"},
		{"endless", targets.Target{Method: "GET", URL: "http://h/",
			Body: []byte(`{{range 1000000000}}` + strings.Repeat("x", 1<<20) + `{{end}}`)}, targets.Options{},
			"does it loop?"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := targets.Compile([]targets.Target{c.target}, c.opt)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("err = %v, want one with %q", err, c.want)
			}
		})
	}
}

// BenchmarkRequest is what making a request costs: it is done on the goroutine that keeps the schedule.
func BenchmarkRequest(b *testing.B) {
	for _, c := range []struct {
		name   string
		target targets.Target
	}{
		{"constant", targets.Target{Method: "GET", URL: "http://127.0.0.1/items"}},
		{"pieces", targets.Target{Method: "POST", URL: "http://127.0.0.1/items/{{.id}}?n={{seq}}",
			Body: []byte(`{"a": {{rand 1 100}}, "b": "{{pick "x" "y"}}"}`)}},
		{"template",
			targets.Target{Method: "POST", URL: `http://127.0.0.1/items/{{printf "%s" .id}}?n={{seq | printf "%d"}}`,
				Body: []byte(`{"a": {{rand 1 100 | print}}, "b": "{{pick "x" "y" | print}}"}`)}},
	} {
		b.Run("kind="+c.name, func(b *testing.B) {
			set := compile(b, targets.Options{Table: users}, c.target)
			b.ReportAllocs()
			var i uint64
			for b.Loop() {
				if _, err := set.Request(i); err != nil {
					b.Fatal(err)
				}
				i++
			}
		})
	}
}
