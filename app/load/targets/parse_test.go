package targets_test

import (
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/app/load/targets"
)

// folder is a folder with a body in it.
func folder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "body.json"), []byte(`{"a": 1}`), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestParse(t *testing.T) {
	dir := folder(t)
	none := http.Header{}
	for _, c := range []struct {
		name, text string
		want       []targets.Target
	}{
		{"one line", "GET http://h/a?b=c d", []targets.Target{{Method: "GET", URL: "http://h/a?b=c d", Header: none,
			Line: 1}}},
		{"vegeta's example", `GET http://goku:9090/path/to/dragon?item=ball
# a comment
X-Account-ID: 8675309
X-Account-ID: 99

DELETE http://goku:9090/path/to/remove
Confirmation-Token: 90215
Authorization: Token DEADBEEF

POST /path
Content-Type: application/json
@body.json
HEAD http://goku:9090/next
`, []targets.Target{
			{Method: "GET", URL: "http://goku:9090/path/to/dragon?item=ball",
				Header: http.Header{"X-Account-Id": {"8675309", "99"}}, Line: 1},
			{Method: "DELETE", URL: "http://goku:9090/path/to/remove",
				Header: http.Header{"Confirmation-Token": {"90215"}, "Authorization": {"Token DEADBEEF"}}, Line: 6},
			{Method: "POST", URL: "/path", Header: http.Header{"Content-Type": {"application/json"}},
				Body: []byte(`{"a": 1}`), Line: 10},
			{Method: "HEAD", URL: "http://goku:9090/next", Header: none, Line: 13},
		}},
		{"JSON lines", `{"method":"POST","url":"http://h/","header":{"X":["a","b"],"Y":"c"},"body":"aGk="}

{"url":"http://h/2","text":"plain"}
{"method":"PUT","url":"http://h/3","json":{"a":[1]}}
`, []targets.Target{
			{Method: "POST", URL: "http://h/", Header: http.Header{"X": {"a", "b"}, "Y": {"c"}}, Body: []byte("hi"),
				Line: 1},
			{Method: "GET", URL: "http://h/2", Header: none, Body: []byte("plain"), Line: 3},
			{Method: "PUT", URL: "http://h/3", Header: http.Header{"Content-Type": {"application/json"}},
				Body: []byte(`{"a":[1]}`), Line: 4},
		}},
		{"Windows", "\ufeffGET http://h/\r\nA: b\r\n\r\n",
			[]targets.Target{{Method: "GET", URL: "http://h/", Header: http.Header{"A": {"b"}}, Line: 1}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := targets.Parse(strings.NewReader(c.text), dir)
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got, c.want) {
				t.Errorf("got  %+v\nwant %+v", got, c.want)
			}
		})
	}
}

func TestParseRefuses(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"nothing", "\n# only\n", "no targets: want lines like GET http"},
		{"a URL alone", "http://127.0.0.1/", "line 1: \"http://127.0.0.1/\" is not a target: want METHOD URL"},
		{"no header", "GET http://h/\nX-A b\n", `line 2: "X-A b" is not a header`},
		{"name with a space", "GET http://h/\nX A: b\n", "is not a header"},
		{"no body", "GET http://h/\n@nowhere.json\n", "line 2: reading the body: open nowhere.json"},
		{"a folder as body", "GET http://h/\n@.\n", "reading the body"},
		{"broken JSON", `{"url":`, "line 1: unexpected EOF; want one JSON object per line"},
		{"unknown field", `{"uri":"http://h/"}`, `unknown field "uri"`},
		{"body is text", `{"url":"http://h/","body":"{}"}`, "or give text or json instead of body"},
		{"two bodies", `{"url":"http://h/","text":"a","json":1}`, "several bodies"},
		{"two objects", `{"url":"http://h/"} {"url":"http://h/"}`, "something comes after"},
		{"a brace too many", `{"url":"http://h/"}}`, "something comes after"},
		{"a line without end", "GET http://h/" + strings.Repeat("x", 17<<20), "put the body into a file"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := targets.Parse(strings.NewReader(c.text), ".")
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("err = %v, want one with %q", err, c.want)
			}
		})
	}
}

func TestReadTable(t *testing.T) {
	got, err := targets.ReadTable(strings.NewReader("\ufeffid,\"full name\"\r\n1,\"Ann, B\"\r\n2,\"x\ny\"\r\n"),
		"users.csv")
	if err != nil {
		t.Fatal(err)
	}
	want := &targets.Table{Name: "users.csv", Columns: []string{"id", "full name"},
		Rows: [][]string{{"1", "Ann, B"}, {"2", "x\ny"}}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	for _, c := range []struct{ name, text, want string }{
		{"empty", "", "t.csv is empty: want a first line"},
		{"only a header", "id,name\n", "no row below"},
		{"too few fields", "id,name\n1,a\n2\n", "line 3: wrong number of fields"},
		{"a quote", "id\na\"b\n", "line 2"},
		{"a column without a name", "id,\n1,2\n", `column 2 is named ""`},
		{"a column twice", "id,id\n1,2\n", `column 2 is named "id"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := targets.ReadTable(strings.NewReader(c.text), "t.csv")
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("err = %v, want one with %q", err, c.want)
			}
		})
	}
	if _, err := targets.ReadTableFile("nowhere.csv"); err == nil || !strings.Contains(err.Error(), "nowhere.csv") {
		t.Errorf("err = %v, want one that names the file", err)
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"GET http://h/a\nA: b\n\nPOST /x\n",
		`{"method":"POST","url":"http://h/{{seq}}","header":{"X":["a"],"Y":"c"},"body":"aGk="}`,
		"GET http://h/{{.id}}/{{rand 1 9}}\n", `{"url":"http://h/","json":{"a":"{{if .id}}{{uuid}}{{end}}"}}`,
	} {
		f.Add(s)
	}
	table := &targets.Table{Name: "t", Columns: []string{"id"}, Rows: [][]string{{"a b"}, {"2"}}}
	f.Fuzz(func(t *testing.T, text string) {
		if strings.Contains(text, "@") || strings.Contains(text, "range") {
			t.Skip() // would read files, or loop for long
		}
		ts, err := targets.Parse(strings.NewReader(text), ".")
		if err != nil {
			return
		}
		set, err := targets.Compile(ts, targets.Options{Base: "http://127.0.0.1", Table: table, Seed: 1})
		if err != nil {
			return
		}
		req, err := set.Request(7)
		if err == nil && (req.URL.Host == "" || req.Method == "" || req.Header == nil) {
			t.Errorf("the request %+v lacks something", req)
		}
	})
}

func FuzzReadTable(f *testing.F) {
	f.Add("id,name\n1,a\n2,\"b\nc\"\n")
	f.Fuzz(func(t *testing.T, text string) {
		table, err := targets.ReadTable(strings.NewReader(text), "t")
		if err != nil {
			return
		}
		for _, row := range table.Rows {
			if len(row) != len(table.Columns) {
				t.Errorf("a row of %d fields, columns %q", len(row), table.Columns)
			}
		}
	})
}
