package mcp_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/casefile"
)

// FuzzTools calls each tool with whatever JSON says. No answer holds what is outside of the folder, no call breaks the
// server, and nothing runs but what a plan said before. PLAN in the arguments is the plan that the fuzzer made last.
func FuzzTools(f *testing.F) {
	cfg, id := everything(f)
	outside := f.TempDir()
	stranger := writeCase(f, outside, "foreign/nats-memory", func(c *casefile.Case) { c.Target.Name = secret })
	for dir, name := range map[string]string{outside: "secret.txt", cfg.Source: "own.txt"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(secret), 0o600); err != nil {
			f.Fatal(err)
		}
	}
	plantLinks(f, cfg.Dir, outside, stranger.Path, filepath.Join(cfg.Dir, id))
	c := connect(f, cfg)
	tools := toolNames(f, c)
	for i, tool := range tools {
		f.Add(uint8(i), `{}`)
		f.Add(uint8(i), `{"case":"`+id+`","file":"cpu.pb.gz","target":"shop","proof":"shop","plan":"PLAN","kind":"gc-cpu"}`)
		for _, args := range seeds(tool, id, cfg.Dir, outside) {
			f.Add(uint8(i), args)
		}
	}
	var planned plan
	f.Fuzz(func(t *testing.T, n uint8, args string) {
		tool := tools[int(n)%len(tools)]
		raw := json.RawMessage(strings.ReplaceAll(args, "PLAN", planned.Plan))
		if !json.Valid(raw) || strings.Contains(args, "until-interrupted") || strings.Contains(args, `"waits"`) {
			return
		}
		before := len(runsIn(t, cfg.Source)) + len(runsIn(t, cfg.Dir))
		a := c.callRaw(t, tool, raw)
		mustHide(t, tool, args, a)
		switch {
		case strings.HasPrefix(tool, "plan_") && !a.failed:
			if err := json.Unmarshal([]byte(a.json), &planned); err != nil {
				t.Fatal(err)
			}
			mustStay(t, cfg.Dir, cfg.Source, planned.Argv)
		case tool == "execute" && !a.failed:
			c.awaitRun(t, a)
		}
		all := append(runsIn(t, cfg.Source), runsIn(t, cfg.Dir)...)
		switch n := len(all) - before; {
		case n == 0:
		case n > 1 || tool != "execute" || a.failed:
			t.Fatalf("%s %s ran %d commands", tool, args, n)
		case !slices.ContainsFunc(all, func(r ran) bool { return slices.Equal(r.Argv, planned.Argv) }):
			t.Fatalf("what ran was not planned: %q", all)
		}
		if err := c.Ping(t.Context(), nil); err != nil {
			t.Fatalf("%s %s ended the server: %v", tool, args, err)
		}
	})
}

func toolNames(t testing.TB, c client) (names []string) {
	t.Helper()
	list, err := c.ListTools(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
	}
	return names
}

// seeds are arguments that a tool may take for more than they are.
func seeds(tool, id, dir, outside string) (out []string) {
	for _, name := range hostileNames(dir, outside) {
		text, _ := json.Marshal(name) // of a string
		out = append(out, `{"case":`+string(text)+`}`)
		switch tool {
		case "get_evidence":
			out = append(out, `{"case":"folder","file":`+string(text)+`}`,
				`{"case":"`+id+`","file":"cpu.pb.gz","base":`+string(text)+`}`,
				`{"case":"`+id+`","file":"cpu.pb.gz","view":"peek","function":`+string(text)+`}`)
		case "fact":
			out = append(out, `{"case":"`+id+`","ids":[`+string(text)+`]}`)
		case "code":
			out = append(out, `{"case":"`+id+`","place":`+string(text)+`}`,
				`{"case":"`+id+`","costs":true,"place":`+string(text)+`}`)
		case "check_answer", "answer":
			out = append(out, strings.ReplaceAll(`{"case":"`+id+`","answer":{"place":[{"function":X,"file":X,"line":-1}],`+
				`"cause":X,"diff":X,"rests":[X],"numbers":[{"value":1e308}]},"author":X}`, "X", string(text)))
		case "compare":
			out = append(out, `{"old":"`+id+`","new":`+string(text)+`}`)
		case "plan_prove":
			out = append(out, `{"proof":"shop","case":"`+id+`","opinion":`+string(text)+`}`)
		case "plan_lint":
			out = append(out, `{"packages":[`+string(text)+`]}`, `{"packages":["./"]}`)
		case "plan_fix":
			out = append(out, `{"case":"`+id+`","findings":[`+string(text)+`]}`, `{"findings":["x@a.go:1"],"prove":true}`)
		case "plan_capture":
			out = append(out, `{"target":"shop","reason":`+string(text)+`,"kinds":["cpu"]}`)
		}
	}
	return append(out, `{"rows":-1}`, `{"rows":1e99}`, `[]`, `null`, `"x"`, `{"case":{"$ref":"#"}}`,
		strings.Repeat(`[`, 9999),
		`{"case":"folder","tokens":-1,"anonymous":true}`, `{"case":"`+id+`","tokens":1e9}`,
		`{"case":"`+id+`","place":"memstore.go:309","before":-1,"after":1e9}`, `{"case":"`+id+`","answer":"none"}`,
		`{"proof":"shop","case":"`+id+`","opinion":"O1"}`,
		`{"case":"`+id+`","file":"metrics.json","view":"text","offset":-1}`, `{"wait_seconds":-1,"plan":"PLAN"}`)
}

// callRaw is call with arguments as they are.
func (c client) callRaw(t testing.TB, tool string, args json.RawMessage) answer {
	t.Helper()
	if tool == "execute" || tool == "get_run" { // who waits for ten minutes finds nothing
		var object map[string]any
		if json.Unmarshal(args, &object) == nil && object != nil {
			object["wait_seconds"] = 0
			args, _ = json.Marshal(object) // it was JSON
		}
	}
	return c.call(t, tool, args)
}

// awaitRun waits for the end of what was executed.
func (c client) awaitRun(t *testing.T, a answer) {
	t.Helper()
	var r runShown
	if err := json.Unmarshal([]byte(a.json), &r); err != nil {
		t.Fatal(err)
	}
	c.good(t, "get_run", object{"run": r.Run, "wait_seconds": 600}, &r)
	if r.State != "finished" {
		t.Fatalf("the run is %+v", r)
	}
}

// mustStay fails if a planned command has a path out of both folders, or a flag that no planner writes.
func mustStay(t *testing.T, dir, source string, argv []string) {
	t.Helper()
	known := []string{"--json", "--silent", "--quiet", "--prove", "--bench", "--rate", "--without-heat", "--"}
	ours := []string{"--dir=" + dir, "--case=" + dir + "/", "--profile=" + dir + "/", "--source=" + source, "--kinds=",
		"--opinion=O", "--reason=", "--bearer-file=/token"}
	for _, word := range argv[2:] {
		if _, path, is := strings.Cut(word, "="); is && strings.HasPrefix(word, "--case=") && strings.Contains(path, "..") {
			t.Errorf("%q leads out", word)
		}
		if strings.HasPrefix(word, "-") && !slices.Contains(known, word) && !strings.HasPrefix(word, "--profile=") &&
			!slices.ContainsFunc(ours, func(p string) bool { return strings.HasPrefix(word, p) }) {
			t.Errorf("a plan has the flag %q: %q", word, argv)
		}
		if strings.HasPrefix(word, "/") && word != "/items" || strings.HasPrefix(word, "..") {
			t.Errorf("a plan has the path %q: %q", word, argv)
		}
	}
}
