package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/google/pprof/profile"
	"github.com/spf13/cobra"

	"github.com/gocasebook/casebook/casefile"
)

// terminalAttack clears a screen, renames a window, moves the cursor, reverses the direction of text and begins a line
// of its own.
const terminalAttack = "evil\x1b[2J\x1b]0;owned\x07\r\x08\u202egnp.exe\u2066\u200f\u0085\u2028\u009b31m\nFORGED\tline"

// obeys fails the test if output has a character that a terminal acts on, or a line that foreign text began.
func obeys(t *testing.T, what, text string) {
	t.Helper()
	for _, line := range strings.Split(text, "\n") {
		for _, r := range line {
			if r != '\t' && !unicode.IsGraphic(r) {
				t.Fatalf("%s: %U reaches the terminal: %q", what, r, line)
			}
		}
		if strings.HasPrefix(line, "FORGED") {
			t.Fatalf("%s: foreign text began a line of its own:\n%s", what, text)
		}
	}
}

// runs runs a command line in this process and checks its output.
func runs(t *testing.T, args ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var out, errs bytes.Buffer
	Run(ctx, args, &out, &errs)
	what := strings.Join(args, " ")
	obeys(t, what+": stdout", out.String())
	obeys(t, what+": stderr", errs.String())
	return out.String() + errs.String()
}

// infect puts the attack into every string of a value.
func infect(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(v.String() + terminalAttack)
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			return
		}
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				infect(v.Field(i))
			}
		}
	case reflect.Slice:
		if v.Len() == 0 {
			v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		}
		for i := range v.Len() {
			infect(v.Index(i))
		}
	case reflect.Map:
		if v.Type() == reflect.TypeFor[map[string]string]() {
			v.Set(reflect.ValueOf(map[string]string{terminalAttack: terminalAttack}))
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		infect(v.Elem())
	case reflect.Float64:
		v.SetFloat(0.5)
	case reflect.Int:
		v.SetInt(75)
	}
}

func hostileProfile(t *testing.T) []byte {
	t.Helper()
	main := &profile.Function{ID: 1, Name: "main.hot" + terminalAttack, Filename: "/src/main.go" + terminalAttack}
	root := &profile.Function{ID: 2, Name: "runtime.main", Filename: "/go/src/runtime/proc.go"}
	p := &profile.Profile{
		SampleType: []*profile.ValueType{{Type: "samples", Unit: "count"}, {Type: "cpu", Unit: "nanoseconds"}},
		PeriodType: &profile.ValueType{Type: "cpu", Unit: "nanoseconds"}, Period: 1e7, DurationNanos: 10e9,
		Comments: []string{terminalAttack},
		Function: []*profile.Function{main, root},
		Location: []*profile.Location{{ID: 1, Line: []profile.Line{{Function: main, Line: 7}}},
			{ID: 2, Line: []profile.Line{{Function: root, Line: 9}}}},
	}
	p.Sample = []*profile.Sample{{Location: p.Location, Value: []int64{900, 9e9},
		Label: map[string][]string{terminalAttack: {terminalAttack}}}}
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// hostileCase writes a case in which every string is an attack, except where a folder could not have one.
func hostileCase(t *testing.T, dir string) string {
	t.Helper()
	w, err := casefile.Dir(dir).Create(casefile.Case{Opened: time.Now(),
		Trigger: casefile.Trigger{Rule: "gc", Time: time.Now()}})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Add(casefile.Evidence{File: "cpu.pb.gz", Kind: casefile.CPU, Phase: casefile.During, Taken: time.Now(),
		Seconds: 10}, hostileProfile(t)); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Commit(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, w.ID())
	file := filepath.Join(path, "case.json")
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var c casefile.Case
	if err := json.Unmarshal(data, &c); err != nil {
		t.Fatal(err)
	}
	id, evidence := c.ID, c.Evidence[0]
	infect(reflect.ValueOf(&c).Elem())
	c.Schema, c.ID = casefile.Schema, id
	c.Evidence[0].File, c.Evidence[0].SHA256 = evidence.File, evidence.SHA256
	if data, err = json.Marshal(c); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func hostileFile(t *testing.T, name string, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestNoTerminalObeysACase: every field of case.json, as every command that prints a case prints it.
func TestNoTerminalObeysACase(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := hostileCase(t, dir)
	for _, args := range [][]string{
		{"case", "ls", "--dir", dir}, {"case", "ls", "--dir", dir, "--json"}, {"case", "show", "--dir", dir},
		{"case", "show", "--dir", dir, "--verbose"},
		{"case", "show", "--dir", dir, "--json"}, {"case", "prune", "--dir", dir, "--dry-run", "--keep-cases", "0"},
		{"diagnose", path}, {"diagnose", path, "--verbose"},
		{"diagnose", path, "--json"}, {"diagnose", path, "--markdown"}, {"diagnose", path, "--sarif"},
		{"rules", "test", "--rules", path, path}, {"case", "report", "--dir", dir},
	} {
		if said := runs(t, args...); args[1] == "show" && !strings.Contains(said, "evil") {
			t.Errorf("%s does not show the case, and the test proves nothing:\n%s", strings.Join(args, " "), said)
		}
	}
}

// TestNoTerminalObeysAFile: profiles, rules, vitals, results of load and proofs whose names are attacks.
func TestNoTerminalObeysAFile(t *testing.T) {
	t.Parallel()
	evil, err := json.Marshal(terminalAttack)
	if err != nil {
		t.Fatal(err)
	}
	quoted := string(evil)
	raw := terminalAttack
	rules := hostileFile(t, "rules.json",
		[]byte(`{"schema":1,"rules":[{"name":`+quoted+`,"text":`+quoted+
			`,"warmup":"-1s","when":{"signal":"goroutines","above":1}}]}`))
	unknown := hostileFile(t, "unknown.json",
		[]byte(`{"schema":1,"rules":[{"name":`+quoted+`,"when":{"signal":`+quoted+`,"above":1,`+quoted+
			`:2}},{"name":"a","when":{"signal":`+quoted+`}}]}`))
	vitals := hostileFile(t, "vitals.jsonl",
		[]byte(`{"schema":1,"units":{"goroutines":"","evil":`+quoted+`},"texts":{"evil":`+quoted+`},"absent":{"rss":`+
			quoted+`}}`+"\n"+
			`{"t":"2026-11-21T13:25:12Z","goroutines":57}`+"\n"+`{"t":`+quoted+`}`+"\n"))
	prof, garbage := hostileFile(t, "cpu.pb.gz", hostileProfile(t)),
		hostileFile(t, "garbage"+strings.ReplaceAll(raw, "/", ""), []byte(raw))
	dump := hostileFile(t, "dump.txt", []byte("goroutine 1 [chan receive, 5 minutes]:\nmain.f"+strings.ReplaceAll(raw,
		"\n", "")+"()\n\t/src/"+strings.ReplaceAll(raw, "\n", "")+".go:1 +0x1\n"))
	result := hostileFile(t, "load.json", []byte(`{"schema":1,"kind":`+quoted+`,"plan":{"pace":`+quoted+`}}`))
	for _, args := range [][]string{
		{"diagnose", prof}, {"diagnose", "--verbose", prof}, {"diagnose", "--json", prof}, {"diagnose", "--markdown",
			prof},
		{"diagnose", garbage}, {"diagnose", dump}, {"diagnose", "--verbose", vitals},
		{"rules", "check", rules}, {"rules", "check", unknown}, {"rules", "explain", rules},
		{"rules", "explain", unknown}, {"rules", "print", rules}, {"rules", "test", "--rules", rules, vitals},
		{"rules", "test", "--rules", unknown, vitals}, {"compare", result, result}, {"compare", prof, garbage},
		{"gate", "--proof", result}, {"watch", "--config", garbage}, {"watch", "--config", result},
		{"case", "import", garbage}, {"load", "--targets", garbage, "127.0.0.1:1"}, {"prove", result},
	} {
		runs(t, args...)
	}
}

// TestNoTerminalObeysATarget: error pages, answers and headers of a target.
func TestNoTerminalObeysATarget(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]http.HandlerFunc{
		"error": func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, terminalAttack, http.StatusInternalServerError)
		},
		"text": func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(terminalAttack)) },
		"index": func(w http.ResponseWriter, r *http.Request) {
			if strings.HasSuffix(r.URL.Path, "/pprof/") {
				_,
					_ = w.Write([]byte("<html><title>/debug/pprof/</title><a href='goroutine?debug=1'>goroutine</a> " +
					"<a href='" +
					terminalAttack + "'>" + terminalAttack + "</a>"))
				return
			}
			w.Header().Set("Content-Type", terminalAttack)
			http.Error(w, terminalAttack, http.StatusTeapot)
		},
	} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(answer)
			defer server.Close()
			dir := t.TempDir()
			for _, args := range [][]string{
				{"diagnose", "--dir", dir, "--profile", "1s", server.URL},
				{"capture", "--dir", dir, "--profile", "1s", server.URL},
				{"watch", "--dir", dir, "--for", "300ms", server.URL},
				{"watch", "--dir", dir, "--for", "300ms", "--json", server.URL},
				{"watch", "--dir", dir, "--for", "300ms", "--prometheus", server.URL, server.URL},
				{"watch", "--dir", dir, "--for", "300ms", "--expvar", server.URL, "--var", "x", server.URL},
				{"load", "--duration", "200ms", "--rate", "10", server.URL},
			} {
				runs(t, args...)
			}
		})
	}
}

// TestNoTerminalObeysACommandLine: words and flags, which a script may get from somewhere else.
func TestNoTerminalObeysACommandLine(t *testing.T) {
	t.Parallel()
	var walk func(c *cobra.Command, way []string)
	walk = func(c *cobra.Command, way []string) {
		switch c.Name() {
		case "completion", "help", "man": // they measure, or write shell scripts
			return
		}
		runs(t, append(way[:len(way):len(way)], "--"+terminalAttack)...)
		runs(t, append(way[:len(way):len(way)], terminalAttack)...)
		for _, sub := range c.Commands() {
			walk(sub, append(way[:len(way):len(way)], sub.Name()))
		}
	}
	walk(rootCommand(), nil)
}
