package mcp_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/gocasebook/casebook/app/assess"
	"github.com/gocasebook/casebook/app/casework"
	"github.com/gocasebook/casebook/app/mcp"
	"github.com/gocasebook/casebook/app/store"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/traces"
	"github.com/gocasebook/casebook/internal/checkout"
)

type object = map[string]any

// Without --allow there are the tools that read, and each says that it only reads.
func TestToolsRead(t *testing.T) {
	c := connect(t, mcp.Config{Dir: t.TempDir()})
	got, err := c.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tool := range got.Tools {
		names = append(names, tool.Name)
		a := tool.Annotations
		if a == nil || !a.ReadOnlyHint || a.OpenWorldHint == nil || *a.OpenWorldHint {
			t.Errorf("%s: annotations %+v, want one that reads in a closed world", tool.Name, a)
		}
	}
	want := []string{"brief", "check_answer", "code", "compare", "diagnose", "explain", "fact", "get_case", "get_evidence",
		"known", "list_cases", "rules_status"}
	if slices.Sort(names); !slices.Equal(names, want) {
		t.Errorf("tools %q, want %q", names, want)
	}
	if text := c.InitializeResult().Instructions; text != mcp.Instructions(nil) || strings.Contains(text, "execute") {
		t.Errorf("instructions: %q, want those for reading", text)
	}
}

// Answers decode as the types of the commands' --json.
func TestReading(t *testing.T) {
	dir := t.TempDir()
	f := writeCase(t, dir, "foreign/nats-memory", nil)
	for name, from := range map[string]string{"recorded": "foreign/nats-memory", "signals": withVitals} {
		if err := os.Rename(checkout.Folder(t, from), filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	c := connect(t, mcp.Config{Dir: dir})

	var list struct {
		Cases   []store.Summary
		Folders []string
	}
	c.good(t, "list_cases", object{}, &list)
	if len(list.Cases) != 1 || list.Cases[0].ID != f.Case.ID || list.Cases[0].Kind != "mem-leak" ||
		!slices.Equal(list.Folders, []string{"recorded", "signals"}) {
		t.Errorf("list: %+v", list)
	}
	for filter, want := range map[string]int{"service=shop": 1, "service=other": 0, "kind=mem-leak": 1, "kind=gc-cpu": 0,
		"score=100": 0} {
		name, value, _ := strings.Cut(filter, "=")
		args := object{name: value}
		if name == "score" {
			args[name] = 100
		}
		if c.good(t, "list_cases", args, &list); len(list.Cases) != want {
			t.Errorf("%s: %d cases, want %d", filter, len(list.Cases), want)
		}
	}

	var shown casework.Listed
	text := c.good(t, "get_case", object{"case": "latest"}, &shown).text
	if shown.ID != f.Case.ID || shown.Case == nil || len(shown.Case.Findings) == 0 ||
		shown.Case.Findings[0].Kind != "mem-leak" || !strings.Contains(text, "storeRawMsg") {
		t.Errorf("case: %+v\n%s", shown, text)
	}

	for _, name := range []string{f.Case.ID, "recorded"} {
		var d assess.Diagnosed
		text = c.good(t, "diagnose", object{"case": name}, &d).text
		if d.Verdict == nil || len(d.Findings) == 0 || d.Findings[0].ID != "MEM001" || d.Findings[0].Where[0].Line != 309 {
			t.Errorf("diagnose %s: %+v", name, d)
		}
		if !strings.Contains(text, "MEM001 mem-leak, score 74") || !strings.Contains(text, "memstore.go:309") {
			t.Errorf("diagnose %s: %s", name, text)
		}
	}

	var x assess.Explained
	if c.good(t, "explain", object{"kind": "mem001"}, &x); x.Kind != "mem-leak" || len(x.Remedies) == 0 {
		t.Errorf("explain: %+v", x)
	}
	var r assess.Replayed
	c.good(t, "rules_status", object{"case": f.Case.ID}, &r)
	var rows assess.KnownList
	if c.good(t, "known", object{"name": "github.com/segmentio/kafka-go"}, &rows); len(rows.Rows) == 0 {
		t.Error("nothing is known of kafka-go")
	}
	c.refused(t, "known", object{"name": "example.org/nothing"}, "nothing is known")
	if r.Samples == 0 || len(r.Rules) < 5 {
		t.Errorf("rules: %+v", r)
	}
	rule := r.Rules[0].Rule
	c.good(t, "rules_status", object{"case": "signals", "rule": rule}, &r)
	if len(r.Rules) != 1 || r.Rules[0].Rule != rule {
		t.Errorf("one rule: %+v", r.Rules)
	}
}

func TestCompare(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"nats-healthy", "nats-memory"} {
		if err := os.Rename(checkout.Folder(t, "foreign/"+name), filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	c := connect(t, mcp.Config{Dir: dir})
	var d assess.Diagnosed
	text := c.good(t, "compare", object{"old": "nats-healthy", "new": "nats-memory"}, &d).text
	if d.Comparison == nil || len(d.Comparison.Changes) == 0 || !strings.Contains(text, "new: MEM001") {
		t.Errorf("%s\n%+v", text, d.Comparison)
	}
}

func TestEvidence(t *testing.T) {
	dir := t.TempDir()
	f := writeCase(t, dir, "foreign/nats-memory", nil)
	traced := filepath.Join(dir, "traced")
	if err := os.Mkdir(traced, 0o700); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile("../trace/testdata/go1.26.trace")
	if err == nil {
		err = os.WriteFile(filepath.Join(traced, "app.trace"), data, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	c := connect(t, mcp.Config{Dir: dir})
	const store = "github.com/nats-io/nats-server/v2/server.(*memStore).storeRawMsg"
	type row struct {
		Function string
		Line     int
		Self     int64
		Total    int64
		Value    int64
		Count    int64
		Before   *int64
		State    string
	}
	var got struct {
		View, Value, Unit, Kind, Text      string
		Total                              int64
		Functions, Callers, Callees, Lines []row
		Function                           *row
		Groups, States                     []row
		Trace                              *traces.Summary
		Cut                                []string
		Next                               int64
	}
	ask := func(args object) answer {
		t.Helper()
		got.Functions, got.Callers, got.Callees, got.Lines, got.Groups, got.Cut = nil, nil, nil, nil, nil, nil
		if args["case"] == nil {
			args["case"] = f.Case.ID
		}
		return c.good(t, "get_evidence", args, &got)
	}

	ask(object{"file": "heap-after.pb.gz", "rows": 3})
	if got.View != "top" || got.Value != "inuse_space" || len(got.Functions) != 3 || got.Functions[0].Function != store ||
		!slices.ContainsFunc(got.Cut, func(s string) bool { return strings.HasPrefix(s, "functions: 3 of ") }) {
		t.Errorf("top: %+v", got)
	}
	whole := got.Functions[0].Self
	ask(object{"file": "heap-after.pb.gz", "base": "heap-before.pb.gz", "function": "storeRawMsg"})
	if len(got.Functions) != 1 || got.Functions[0].Self <= 0 || got.Functions[0].Self >= whole {
		t.Errorf("since the base: %+v, want less than %d", got.Functions, whole)
	}
	if ask(object{"file": "heap-after.pb.gz", "value": "alloc_objects"}); got.Unit != "count" {
		t.Errorf("alloc_objects: %+v", got)
	}
	ask(object{"file": "heap-after.pb.gz", "view": "peek", "function": "storeRawMsg"})
	if got.Function == nil || got.Function.Function != store || len(got.Callers) == 0 ||
		!strings.Contains(got.Callers[0].Function, "memStore") || got.Callers[0].Value > got.Function.Total {
		t.Errorf("peek: %+v", got)
	}
	ask(object{"file": "heap-after.pb.gz", "view": "lines", "function": store})
	if !slices.ContainsFunc(got.Lines, func(r row) bool { return r.Line == 309 && r.Self > 0 }) {
		t.Errorf("lines: %+v, want line 309", got.Lines)
	}
	if ask(object{"file": "cpu.pb.gz", "sort": "total", "rows": 5}); got.Value != "cpu" || len(got.Functions) != 5 ||
		got.Functions[0].Total < got.Functions[4].Total {
		t.Errorf("total: %+v", got)
	}
	ask(object{"file": "goroutine-dump.txt"})
	sum := int64(0)
	for _, s := range got.States {
		sum += s.Count
	}
	if got.View != "goroutines" || got.Total == 0 || sum != got.Total || len(got.Groups) == 0 {
		t.Errorf("goroutines: %d in all, %d by state; %+v", got.Total, sum, got.Groups)
	}
	ask(object{"file": "metrics.json"})
	if got.View != "text" || !strings.Contains(got.Text, "{") {
		t.Errorf("text: %+v", got)
	}
	ask(object{"file": "goroutine-dump.txt", "view": "text"})
	first, next := got.Text, got.Next
	ask(object{"file": "goroutine-dump.txt", "view": "text", "offset": next})
	if next != int64(len(first)) || got.Text == first {
		t.Errorf("the text goes on at %d after %d bytes", next, len(first))
	}
	a := ask(object{"case": "traced", "file": "app.trace", "rows": 3})
	if got.View != "trace" || got.Trace == nil || got.Trace.Procs == 0 || len(got.Trace.Goroutines) > 3 ||
		!strings.Contains(a.text, "GOMAXPROCS") {
		t.Errorf("trace: %+v\n%s", got.Trace, a.text)
	}

	for words, args := range map[string]object{
		"goroutine-dump.txt, metrics": {"file": "nothing.pb.gz"},
		"it has alloc_objects":        {"file": "heap-after.pb.gz", "value": "cpu"},
		"which function?":             {"file": "cpu.pb.gz", "view": "peek"},
		"name one: ":                  {"file": "cpu.pb.gz", "view": "peek", "function": "server"},
		"no function of":              {"file": "cpu.pb.gz", "view": "lines", "function": "nowhere"},
		"there is no view":            {"file": "cpu.pb.gz", "view": "flame"},
		"not of goroutines":           {"file": "cpu.pb.gz", "view": "goroutines"},
		"is no execution trace":       {"file": "cpu.pb.gz", "view": "trace"},
		"is not text":                 {"file": "cpu.pb.gz", "view": "text"},
		"another kind of profile":     {"file": "cpu.pb.gz", "base": "heap-before.pb.gz"},
		"want self or total":          {"file": "cpu.pb.gz", "sort": "name"},
		"outside of":                  {"file": "metrics.json", "offset": 1 << 40},
		`unexpected additional prope`: {"file": "cpu.pb.gz", "path": "/etc/passwd"},
	} {
		args["case"] = f.Case.ID
		c.refused(t, "get_evidence", args, words)
	}
	c.refused(t, "get_evidence", object{"case": "traced", "file": "app.trace", "table": "x"}, "it has ", "goroutines")
}

// No name and no link leads out of the folder, into whatever has a secret.
func TestNothingOutside(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	f := writeCase(t, dir, "foreign/nats-memory", nil)
	stranger := writeCase(t, outside, "foreign/nats-memory", func(c *casefile.Case) { c.Target.Name = secret })
	if err := os.WriteFile(filepath.Join(outside, "secret.txt"), []byte(secret), 0o600); err != nil {
		t.Fatal(err)
	}
	plantLinks(t, dir, outside, stranger.Path, f.Path)
	c := connect(t, mcp.Config{Dir: dir})
	for _, name := range append(hostileNames(dir, outside), "linked", "linked-file", stranger.Case.ID) {
		for _, tool := range []string{"get_case", "diagnose", "rules_status", "brief"} {
			mustHide(t, tool, name, c.call(t, tool, object{"case": name}))
			if a := c.call(t, tool, object{"case": name}); !a.failed {
				t.Errorf("%s %.40q answered: %.200s", tool, name, a.text)
			}
		}
		for _, args := range []object{{"case": name, "file": "secret.txt"}, {"case": f.Case.ID, "file": name},
			{"case": "folder", "file": name}, {"case": "folder", "file": "cpu.pb.gz", "base": name}} {
			if args["base"] == "" { // is none
				continue
			}
			a := c.call(t, "get_evidence", args)
			if mustHide(t, "get_evidence", name, a); !a.failed {
				t.Errorf("get_evidence %v answered: %.200s", args, a.text)
			}
		}
		a := c.call(t, "compare", object{"old": f.Case.ID, "new": name})
		mustHide(t, "compare", name, a)
	}
	// What reads all there is passes by the links.
	mustHide(t, "list_cases", "", c.good(t, "list_cases", object{}, nil))
	mustHide(t, "get_case", "folder", c.good(t, "get_case", object{"case": "folder"}, nil))
	mustHide(t, "diagnose", "folder", c.good(t, "diagnose", object{"case": "folder"}, nil))
	// Evidence of a case that was replaced by a link out of its folder.
	at := filepath.Join(f.Path, "metrics.json")
	if err := joinErrors(os.Remove(at), os.Symlink(filepath.Join(outside, "secret.txt"), at)); err != nil {
		t.Fatal(err)
	}
	a := c.call(t, "get_evidence", object{"case": f.Case.ID, "file": "metrics.json"})
	if mustHide(t, "get_evidence", "metrics.json", a); !a.failed {
		t.Errorf("a link was followed: %s", a.text)
	}
}

const secret = "TOP-SECRET-7351"

// plantLinks puts links to what is outside into dir, and a folder with a profile and links.
func plantLinks(t testing.TB, dir, outside, stranger, inside string) {
	t.Helper()
	folder := filepath.Join(dir, "folder")
	profile, err := os.ReadFile(filepath.Join(inside, "cpu.pb.gz"))
	if err == nil {
		err = joinErrors(os.Mkdir(folder, 0o700), os.WriteFile(filepath.Join(folder, "cpu.pb.gz"), profile, 0o600))
	}
	if err != nil {
		t.Fatal(err)
	}
	for link, to := range map[string]string{"linked": outside, filepath.Base(stranger): stranger, "linked-file": stranger,
		"folder/secret.txt": filepath.Join(outside, "secret.txt"), "folder/up": "..", "folder/out": outside} {
		if err := os.Symlink(to, filepath.Join(dir, link)); err != nil {
			t.Skip(err)
		}
	}
}

func hostileNames(dir, outside string) []string {
	return []string{"", ".", "..", "../" + filepath.Base(outside), outside, dir, outside + "/secret.txt", "secret.txt",
		"up", "folder/../../" + filepath.Base(outside), "folder/secret.txt", "folder/out", "./folder", "folder/",
		"folder\x00", "\x00", "-rf", "--dir=/", "~", "$HOME", "%2e%2e", `..\..`, "con", "a b", "\u202efolder",
		"/etc/passwd", "file:///etc/passwd",
		"http://127.0.0.1:1/", strings.Repeat("a", 1<<16), strings.Repeat("../", 1000), ".hidden", "latest/../linked"}
}

func mustHide(t testing.TB, tool, name string, a answer) {
	t.Helper()
	if strings.Contains(a.json+a.text, secret) {
		t.Errorf("%s %.60q shows what is outside: %.300s %.300s", tool, name, a.text, a.json)
	}
}

// Whatever a case says, an answer has no character that a terminal obeys, and is bounded.
func TestForeignText(t *testing.T) {
	const attack = "a\x1b]0;owned\x07\x1b[2J\r\u202eb\u2066\x00\u0085"
	dir := t.TempDir()
	f := writeCase(t, dir, "foreign/nats-memory", func(c *casefile.Case) {
		c.Trigger.Text = attack
		c.Target.Labels = map[string]string{attack: attack}
		finding := c.Findings[0]
		finding.Title, finding.Summary = attack, strings.Repeat(attack, 50)
		finding.Where = make([]casefile.Frame, 20)
		for i := range finding.Where {
			finding.Where[i] = casefile.Frame{Function: fmt.Sprint(attack, i), Line: i}
		}
		c.Findings = slices.Repeat([]casefile.Finding{finding}, 50)
	})
	c := connect(t, mcp.Config{Dir: dir})
	var shown struct {
		Case casefile.Case
		Cut  []string
	}
	for tool, args := range map[string]object{"get_case": {"case": f.Case.ID, "findings": 50}, "list_cases": {}} {
		a := c.good(t, tool, args, &shown)
		var text strings.Builder
		collect(t, a.json, &text)
		for _, r := range text.String() + a.text {
			if r != '\n' && r != '\t' && !unicode.IsPrint(r) {
				t.Fatalf("%s: %U is left", tool, r)
			}
		}
		if len(a.json) > 128<<10 || len(a.text) > 16<<10 {
			t.Errorf("%s: %d bytes, and %d of text", tool, len(a.json), len(a.text))
		}
	}
	a := c.good(t, "get_case", object{"case": f.Case.ID}, &shown)
	if len(shown.Case.Findings) != 5 || !slices.Contains(shown.Cut, "findings: 5 of 50") ||
		!strings.Contains(a.text, "findings: 5 of 50") {
		t.Errorf("%d findings, cut %q", len(shown.Case.Findings), shown.Cut)
	}
}

// collect gathers the strings of a JSON text as they are when it is read.
func collect(t *testing.T, data string, out *strings.Builder) {
	t.Helper()
	var tree any
	if err := json.Unmarshal([]byte(data), &tree); err != nil {
		t.Fatal(err)
	}
	var walk func(any)
	walk = func(v any) {
		switch v := v.(type) {
		case string:
			out.WriteString(v)
		case []any:
			for _, x := range v {
				walk(x)
			}
		case object:
			for k, x := range v {
				out.WriteString(k)
				walk(x)
			}
		}
	}
	walk(tree)
}

// A list goes on where it ended.
func TestListPages(t *testing.T) {
	dir := t.TempDir()
	for range 5 {
		writeCase(t, dir, "foreign/nats-memory", nil)
	}
	c := connect(t, mcp.Config{Dir: dir})
	seen := make(map[string]bool)
	after := ""
	for range 3 {
		var page struct {
			Cases []store.Summary
			Next  string
		}
		c.good(t, "list_cases", object{"limit": 2, "after": after}, &page)
		for _, s := range page.Cases {
			if seen[s.ID] {
				t.Errorf("%s is listed twice", s.ID)
			}
			seen[s.ID] = true
		}
		after = page.Next
	}
	if len(seen) != 5 || after != "" {
		t.Errorf("%d cases, next %q; want 5 on three pages", len(seen), after)
	}
}

func TestNothingToRead(t *testing.T) {
	if _, err := mcp.New(mcp.Config{Dir: filepath.Join(t.TempDir(), "x")}); err == nil ||
		!strings.Contains(err.Error(), "casebook watch and casebook capture make one") {
		t.Errorf("a folder that is not there: %v", err)
	}
	c := connect(t, mcp.Config{Dir: t.TempDir()})
	c.refused(t, "get_case", object{"case": "latest"}, "there is no case yet")
	c.refused(t, "diagnose", object{"case": "some"}, "there is no case some", "list_cases")
	c.refused(t, "explain", object{"kind": "gc-cp"}, "did you mean gc-cpu")
}
