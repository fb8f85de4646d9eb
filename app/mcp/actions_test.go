package mcp_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/app/mcp"
	"github.com/gocasebook/casebook/casefile"
)

// everything allows all actions: on a case in a folder, and code in another.
func everything(t testing.TB) (cfg mcp.Config, id string) {
	t.Helper()
	tool, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cfg = mcp.Config{Dir: t.TempDir(), Source: t.TempDir(), Tool: tool, Allow: mcp.Actions(),
		Targets: []mcp.Target{{Name: "shop", URL: "http://127.0.0.1:1"}},
		Access:  []string{"--bearer-file=/token"},
		Proofs: []mcp.Proof{{Name: "shop", Args: []string{"--rate", "300", "./server -addr {port}", "/items"}},
			{Name: "waits", Args: []string{"until-interrupted"}}},
		FixProof: []string{"--bench", "."}}
	if err := os.WriteFile(filepath.Join(cfg.Source, "main.go"), []byte("package main\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return cfg, writeCase(t, cfg.Dir, "foreign/nats-memory", func(c *casefile.Case) {
		c.Opinions = []casefile.Opinion{{ID: "O1", Author: "somebody", Cause: "nothing is deleted",
			Where: []casefile.At{{File: "memstore.go", Line: 309}}, Verdict: casefile.Supported}}
	}).Case.ID
}

type plan struct {
	Plan, Action, Dir, Command string
	Argv, Asks, Writes, Starts []string
	Limit                      float64 `json:"limit_seconds"`
	Expires                    time.Time
}

type runShown struct {
	Run, State, Problem, Said string
	Argv                      []string
	Exit                      *int `json:"exit_code"`
	Reward                    *mcp.Reward
	Result                    map[string]any
}

// A plan runs nothing. execute runs its words in its folder, once, and nothing else.
func TestPlanAndExecute(t *testing.T) {
	cfg, id := everything(t)
	c := connect(t, cfg)
	at := filepath.Join(cfg.Dir, id)
	for _, k := range []struct {
		tool string
		args object
		dir  string
		want []string
	}{
		{"plan_capture", object{"target": "shop", "seconds": 3, "kinds": []string{"cpu", "heap"},
			"reason": "it's\t--slow\n\x1b[2J"}, cfg.Dir,
			[]string{"capture", "--json", "--dir=" + cfg.Dir, "--profile=3s", "--kinds=cpu,heap",
				"--reason=it's --slow \ufffd[2J", "--bearer-file=/token", "--", "http://127.0.0.1:1"}},
		{"plan_lint", object{"case": id, "packages": []string{"./a/...", "./..."}}, cfg.Source,
			[]string{"lint", "--json", "--source=" + cfg.Source, "--case=" + at, "--", "./a/...", "./..."}},
		{"plan_lint", object{}, cfg.Source,
			[]string{"lint", "--json", "--source=" + cfg.Source, "--without-heat", "--", "./..."}},
		{"plan_fix", object{"case": id, "findings": []string{"MEM001", "perfsprint@a/b.go:25"}}, cfg.Source,
			[]string{"fix", "--json", "--quiet", "--source=" + cfg.Source, "--case=" + at, "--", "MEM001",
				"perfsprint@a/b.go:25"}},
		{"plan_fix", object{"findings": []string{"perfsprint@" + cfg.Source + "/main.go:1"}}, cfg.Source,
			[]string{"fix", "--json", "--quiet", "--source=" + cfg.Source, "--", "perfsprint@main.go:1"}},
		{"plan_fix", object{"case": id, "prove": true}, cfg.Source, []string{"fix", "--json", "--quiet",
			"--source=" + cfg.Source, "--case=" + at, "--prove", "--bench", ".", "--"}},
		{"plan_prove", object{"proof": "shop", "case": id}, cfg.Source,
			[]string{"prove", "--json", "--silent", "--case=" + at, "--rate", "300", "./server -addr {port}", "/items"}},
		{"plan_prove", object{"proof": "shop", "case": id, "opinion": "O1"}, cfg.Source,
			[]string{"prove", "--json", "--silent", "--opinion=O1", "--case=" + at, "--rate", "300",
				"./server -addr {port}", "/items"}},
	} {
		before := len(runsIn(t, k.dir))
		var p plan
		text := c.good(t, k.tool, k.args, &p).text
		want := append([]string{cfg.Tool}, k.want...)
		if !slices.Equal(p.Argv, want) || p.Dir != k.dir || !strings.Contains(text, "Nothing has run") {
			t.Fatalf("%s plans %q in %s, want %q in %s", k.tool, p.Argv, p.Dir, want, k.dir)
		}
		if n := len(runsIn(t, k.dir)); n != before {
			t.Fatalf("%s ran something: %v", k.tool, runsIn(t, k.dir)[before:])
		}
		c.refused(t, "execute", object{"plan": p.Plan, "argv": []string{"sh"}}, "unexpected additional properties")
		var r runShown
		c.good(t, "execute", object{"plan": p.Plan, "wait_seconds": 600}, &r)
		if r.State != "finished" || r.Exit == nil || !slices.Equal(r.Argv, want) || r.Result == nil {
			t.Fatalf("%s: %+v", k.tool, r)
		}
		if got := runsIn(t, k.dir)[before:]; len(got) != 1 || !slices.Equal(got[0].Argv, want) {
			t.Fatalf("%s ran %q, want %q once", k.tool, got, want)
		}
		if list, _ := r.Result["proposals"].([]any); k.tool == "plan_fix" && (len(list) != 1 ||
			list[0].(object)["diff"] != "-\told\n+\tnew\n") {
			t.Errorf("the diff is %q, and must be one that can be applied", list)
		}
		c.refused(t, "execute", object{"plan": p.Plan}, "executed once")
		if n := len(runsIn(t, k.dir)); n != before+1 {
			t.Errorf("%s ran %d times", k.tool, n-before)
		}
	}
}

// A proof's verdict, with its interval, is what an agent gets.
func TestReward(t *testing.T) {
	cfg, _ := everything(t)
	c := connect(t, cfg)
	var p plan
	c.good(t, "plan_prove", object{"proof": "shop"}, &p)
	var r runShown
	text := c.good(t, "execute", object{"plan": p.Plan, "wait_seconds": 600}, &r).text
	want := casefile.Effect{Value: 0.2, Low: 0.15, High: 0.25, Noise: 0.01}
	if r.Reward == nil || r.Reward.Verdict != casefile.Worse || r.Reward.Figure != "cpu_per_request" ||
		r.Reward.Effect == nil || *r.Reward.Effect != want || r.Reward.Promise == "" || *r.Exit != 1 {
		t.Errorf("reward %+v of %+v", r.Reward, r)
	}
	if !strings.Contains(text, "Verdict: worse") || !strings.Contains(text, "95 % interval") || r.Result["blocks"] != nil {
		t.Errorf("text: %s", text)
	}
}

// A run goes on when nobody waits for it. It ends when somebody says so, with what it has, and another may begin.
func TestRunStops(t *testing.T) {
	cfg, _ := everything(t)
	c := connect(t, cfg)
	var p, other plan
	var r runShown
	c.good(t, "plan_prove", object{"proof": "waits"}, &p)
	c.good(t, "plan_prove", object{"proof": "shop"}, &other)
	c.good(t, "execute", object{"plan": p.Plan, "wait_seconds": 0}, &r)
	if r.State != "running" || r.Exit != nil || r.Reward != nil {
		t.Fatalf("%+v, want one that goes on", r)
	}
	c.refused(t, "execute", object{"plan": other.Plan}, "one runs at a time")
	for !strings.Contains(r.Said, "waiting") { // it listens to an interrupt from then on
		c.good(t, "get_run", object{"run": r.Run, "wait_seconds": 0}, &r)
	}
	c.good(t, "get_run", object{"run": r.Run, "stop": true, "wait_seconds": 600}, &r)
	if r.State != "stopped" || r.Exit == nil || *r.Exit != 130 || r.Reward == nil {
		t.Errorf("%+v, want one that was stopped, with what it had", r)
	}
	c.refused(t, "get_run", object{"run": "x"}, "there is no run")
}

// What the code is when a plan is executed is what it was when the plan was made.
func TestChangedSourceVoidsPlan(t *testing.T) {
	cfg, _ := everything(t)
	git := filepath.Join(cfg.Source, ".git", "refs", "heads")
	if err := os.MkdirAll(git, 0o700); err != nil {
		t.Fatal(err)
	}
	c := connect(t, cfg)
	for _, change := range []struct {
		file string
		void bool
	}{{"main.go", true}, {"new.go", true}, {".git/refs/heads/main", true}, {".git/HEAD", true}, {".git/index", false}} {
		var p plan
		c.good(t, "plan_prove", object{"proof": "shop"}, &p)
		if err := os.WriteFile(filepath.Join(cfg.Source, change.file), []byte("package main // x\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		before := len(runsIn(t, cfg.Source))
		if !change.void {
			c.good(t, "execute", object{"plan": p.Plan, "wait_seconds": 600}, nil)
			continue
		}
		c.refused(t, "execute", object{"plan": p.Plan}, "have changed since the plan was made", "plan again")
		if n := len(runsIn(t, cfg.Source)); n != before {
			t.Errorf("%s changed, and %d ran", change.file, n-before)
		}
	}
}

// Only the operator says what may be addressed and run. Nothing that an agent writes becomes a flag, a path out of the
// folders, or a command.
func TestOnlyTheOperator(t *testing.T) {
	cfg, id := everything(t)
	c := connect(t, cfg)
	for _, k := range []struct {
		tool string
		args object
		want string
	}{
		{"plan_capture", object{"target": "http://127.0.0.1:1"}, "the operator gave shop"},
		{"plan_capture", object{"target": "other"}, "the operator gave shop"},
		{"plan_capture", object{"target": "shop", "url": "http://x"}, "additional properties"},
		{"plan_capture", object{"target": "shop", "kinds": []string{"cpu --dir=/"}}, "no kind of evidence"},
		{"plan_capture", object{"target": "shop", "kinds": []string{"cpu,--x"}}, "no kind of evidence"},
		{"plan_capture", object{"target": "shop", "seconds": 3600}, "want 1 to 60"},
		{"plan_lint", object{"packages": []string{"../..."}}, "no pattern"},
		{"plan_lint", object{"packages": []string{"./../..."}}, "no pattern"},
		{"plan_lint", object{"packages": []string{"./a/../../b"}}, "no pattern"},
		{"plan_lint", object{"packages": []string{"-toolexec=sh"}}, "no pattern"},
		{"plan_lint", object{"packages": []string{"std"}}, "no pattern"},
		{"plan_lint", object{"packages": []string{"./..\x00"}}, "no pattern"},
		{"plan_lint", object{"packages": []string{"http://127.0.0.1:1"}}, "no pattern"},
		{"plan_lint", object{"case": "/etc"}, "is not the name of a case"},
		{"plan_fix", object{"case": "../" + id}, "is not the name of a case"},
		{"plan_fix", object{"case": id, "findings": []string{"--write"}}, "neither"},
		{"plan_fix", object{"case": id, "findings": []string{"x@/etc/passwd:1"}}, "neither"},
		{"plan_fix", object{"case": id, "findings": []string{"x@../a.go:1"}}, "neither"},
		{"plan_fix", object{"case": id, "findings": []string{"x@a.go:1:--write"}}, "neither"},
		{"plan_fix", object{"findings": []string{}}, "fix what?"},
		{"plan_fix", object{"case": id, "server": "./x"}, "additional properties"},
		{"plan_prove", object{"proof": "sh -c id"}, "only the operator can add one"},
		{"plan_prove", object{"proof": "shop", "a": "./x"}, "additional properties"},
		{"plan_prove", object{"proof": "shop", "case": "nowhere"}, "there is no case"},
		{"plan_prove", object{"proof": "shop", "opinion": "O1"}, "name the case, too"},
		{"plan_prove", object{"proof": "shop", "case": id, "opinion": "O9"}, "it has O1"},
		{"plan_prove", object{"proof": "shop", "case": id, "opinion": "O1 --x"}, "it has O1"},
		{"execute", object{"plan": ""}, "there is no such plan"},
		{"execute", object{"plan": "AAAAAAAAAAAAAAAAAAAAAAAAAA"}, "there is no such plan"},
	} {
		c.refused(t, k.tool, k.args, k.want)
	}
	if n := len(runsIn(t, cfg.Source)) + len(runsIn(t, cfg.Dir)); n > 0 {
		t.Errorf("%d ran", n)
	}
}

// readingTools is how many tools there are that change nothing.
const readingTools = 12

// An action that is not allowed is no tool.
func TestAllow(t *testing.T) {
	all, _ := everything(t)
	for _, k := range []struct {
		allow []mcp.Action
		want  []string
	}{
		{[]mcp.Action{mcp.Capture}, []string{"plan_capture", "execute", "get_run"}},
		{[]mcp.Action{mcp.Lint, mcp.Fix}, []string{"plan_lint", "plan_fix", "execute", "get_run"}},
		{[]mcp.Action{mcp.Answer}, []string{"answer"}}, // which runs nothing that would be executed
	} {
		cfg := mcp.Config{Dir: all.Dir, Tool: all.Tool, Allow: k.allow, Source: all.Source}
		if slices.Contains(k.allow, mcp.Capture) {
			cfg.Targets = all.Targets
		}
		c := connect(t, cfg)
		tools, err := c.ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(tools.Tools) != readingTools+len(k.want) {
			t.Errorf("%v: %d tools, want %d", k.allow, len(tools.Tools), readingTools+len(k.want))
		}
		for _, tool := range tools.Tools {
			if a := tool.Annotations; tool.Name == "execute" && (a.ReadOnlyHint || a.OpenWorldHint == nil || !*a.OpenWorldHint) {
				t.Errorf("execute says %+v", a)
			}
			if a := tool.Annotations; tool.Name == "answer" && (a.ReadOnlyHint || a.DestructiveHint == nil ||
				*a.DestructiveHint || a.OpenWorldHint == nil || *a.OpenWorldHint) {
				t.Errorf("answer says %+v, want one that adds, in a closed world", a)
			}
		}
		c.refused(t, "plan_prove", object{"proof": "shop"}, "unknown tool")
	}
}

func TestConfig(t *testing.T) {
	all, _ := everything(t)
	for want, change := range map[string]func(*mcp.Config){
		"there is no action \"write\"":   func(c *mcp.Config) { c.Allow = []mcp.Action{"write"} },
		"--allow capture needs --target": func(c *mcp.Config) { c.Targets = nil },
		"--allow prove needs --proof":    func(c *mcp.Config) { c.Proofs = nil },
		"--target NAME=URL does nothing": func(c *mcp.Config) { c.Allow = []mcp.Action{mcp.Prove} },
		"--fix-proof does nothing":       func(c *mcp.Config) { c.Allow = []mcp.Action{mcp.Capture, mcp.Prove} },
		"need --source DIR":              func(c *mcp.Config) { c.Source = "" },
		"is not a folder":                func(c *mcp.Config) { c.Source = filepath.Join(all.Source, "main.go") },
		"no such file":                   func(c *mcp.Config) { *c = mcp.Config{Dir: c.Dir, Source: "nowhere"} },
		"\"a b\" is no name":             func(c *mcp.Config) { c.Targets = []mcp.Target{{Name: "a b", URL: "x"}} },
		"shop is given twice":            func(c *mcp.Config) { c.Proofs = append(c.Proofs[:1:1], c.Proofs[0]) },
		"shop has no address":            func(c *mcp.Config) { c.Targets = []mcp.Target{{Name: "shop"}} },
		"holds a user": func(c *mcp.Config) {
			c.Targets = []mcp.Target{{Name: "s", URL: "http://u:p@h"}}
		},
		"shop has no arguments":             func(c *mcp.Config) { c.Proofs = []mcp.Proof{{Name: "shop"}} },
		"nothing could run what is planned": func(c *mcp.Config) { c.Tool = "" },
	} {
		cfg := all
		change(&cfg)
		if _, err := mcp.New(cfg); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q, got %v", want, err)
		}
	}
}
