package cli_test

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/gocasebook/casebook/app/assess"
	"github.com/gocasebook/casebook/app/casework"
	"github.com/gocasebook/casebook/app/mcp"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/checkout"
)

// An agent is the SDK's client of a process of casebook mcp.
type agent struct{ *sdk.ClientSession }

// agentOf starts casebook mcp in a folder, and speaks with it over standard input and output.
func agentOf(t *testing.T, dir string, args ...string) agent {
	t.Helper()
	cmd := exec.Command(bin, append([]string{"mcp"}, args...)...)
	cmd.Dir = dir
	var said strings.Builder
	cmd.Stderr = &said
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	t.Cleanup(cancel)
	session, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).Connect(ctx,
		&sdk.CommandTransport{Command: cmd, TerminateDuration: patience}, nil)
	if err != nil {
		t.Fatalf("%v\n%s", err, said.String())
	}
	t.Cleanup(func() { // the process ends when its input does, with nothing to say
		if err := session.Close(); err != nil || said.Len() > 0 {
			t.Errorf("casebook mcp ended with %v: %s", err, said.String())
		}
	})
	return agent{session}
}

// ask calls a tool that must answer, and reads its structured content.
func (a agent) ask(t *testing.T, tool string, args map[string]any, into any) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	res, err := a.CallTool(ctx, &sdk.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		t.Fatalf("%s %v: %v", tool, args, err)
	}
	text := res.Content[0].(*sdk.TextContent).Text
	if res.IsError {
		t.Fatalf("%s %v: %s", tool, args, text)
	}
	data, err := json.Marshal(res.StructuredContent)
	if err == nil && into != nil {
		err = json.Unmarshal(data, into)
	}
	if err != nil {
		t.Fatalf("%s: %v in %s", tool, err, data)
	}
	return text
}

// copyEvidence copies recorded evidence into a folder of dir.
func copyEvidence(t *testing.T, dir, from string) string {
	t.Helper()
	name := filepath.Base(from)
	if err := os.Rename(checkout.Folder(t, from), filepath.Join(dir, name)); err != nil {
		t.Fatal(err)
	}
	return name
}

// What an agent reads is what casebook diagnose --json prints of the same evidence.
func TestMCPReadsWhatCommandsPrint(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	name := copyEvidence(t, dir, "foreign/nats-memory")
	a := agentOf(t, dir, "--dir", ".")
	var got, want assess.Judgement
	a.ask(t, "diagnose", map[string]any{"case": name, "findings": 50}, &got)
	printed := casebook(t, dir, "diagnose", "--json", name)
	if err := json.Unmarshal([]byte(printed.out), &want); err != nil {
		t.Fatalf("%v in %s%s", err, printed.out, printed.errors)
	}
	mine, _ := json.Marshal(got.Findings)    // of plain data
	theirs, _ := json.Marshal(want.Findings) // of plain data
	// The command was given a path, and names files by it.
	inside := strings.ReplaceAll(string(theirs), `"file":"`+name+"/", `"file":"`)
	if len(want.Findings) == 0 || string(mine) != inside || got.Verdict.Text != want.Verdict.Text {
		t.Errorf("the agent reads\n%s\nand the command prints\n%s", mine, theirs)
	}
}

// An agent captures a running service, by two calls, and reads the case.
func TestMCPCapture(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	cases := filepath.Join(dir, "cases")
	if err := os.Mkdir(cases, 0o700); err != nil {
		t.Fatal(err)
	}
	a := agentOf(t, dir, "--dir", "cases", "--allow", "capture", "--target", "victim="+start(t))
	var plan mcp.Plan
	a.ask(t, "plan_capture", map[string]any{"target": "victim", "seconds": 1,
		"kinds": []string{"cpu", "heap", "goroutine"}, "reason": "an agent wants to know"}, &plan)
	if entries, err := os.ReadDir(cases); err != nil || len(entries) > 0 {
		t.Fatalf("a plan made %v, %v", entries, err)
	}
	var run struct {
		Run, State, Said string
		Exit             int `json:"exit_code"`
		Result           casework.Line
	}
	a.ask(t, "execute", map[string]any{"plan": plan.ID, "wait_seconds": 600}, &run)
	if run.State != "finished" || run.Exit > 1 || run.Result.CaseID == "" {
		t.Fatalf("%+v", run)
	}
	var shown casework.Listed
	a.ask(t, "get_case", map[string]any{"case": "latest"}, &shown)
	if shown.ID != run.Result.CaseID || !strings.Contains(shown.Case.Trigger.Text, "an agent wants to know") {
		t.Errorf("the newest case is %+v, want %s", shown, run.Result.CaseID)
	}
	i := slices.IndexFunc(shown.Case.Evidence, func(e casefile.Evidence) bool { return e.Kind == casefile.Goroutine })
	if i < 0 {
		t.Fatalf("evidence: %+v", shown.Case.Evidence)
	}
	text := a.ask(t, "get_evidence", map[string]any{"case": shown.ID, "file": shown.Case.Evidence[i].File}, nil)
	if !strings.Contains(text, "goroutines in ") {
		t.Errorf("goroutines: %s", text)
	}
}

// A proof of two real servers is what an agent gets as its reward.
func TestMCPProve(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	proof := "slower=" + strings.Join([]string{"--rate", "50", "--slice", "200ms", "--warmup", "200ms", "--profile", "-1s",
		"--max-time", "10m", "--a-args", "'-rounds 400'", "--b-args", "'-rounds 1200'",
		"'" + buildServer(t) + " -addr 127.0.0.1:{port}'", "/work"}, " ")
	a := agentOf(t, dir, "--dir", ".", "--source", ".", "--allow", "prove", "--proof", proof)
	var plan mcp.Plan
	a.ask(t, "plan_prove", map[string]any{"proof": "slower"}, &plan)
	var run struct {
		Run, State, Said string
		Reward           *mcp.Reward
		Result           assess.Proved
	}
	text := a.ask(t, "execute", map[string]any{"plan": plan.ID, "wait_seconds": 0}, &run)
	for run.State == "running" { // as an agent does whose client gives up after a minute
		text = a.ask(t, "get_run", map[string]any{"run": run.Run, "wait_seconds": 30}, &run)
	}
	r := run.Reward
	if r == nil || r.Verdict != casefile.Worse || r.Effect == nil || r.Effect.Low <= 0 || r.Effect.High < r.Effect.Low {
		t.Fatalf("reward %+v; %s", r, text)
	}
	if run.Result.Proof.Verdict != r.Verdict || !strings.Contains(text, "95 % interval") {
		t.Errorf("the result is %+v; %s", run.Result.Proof, text)
	}
}

// mcpServer is a process of casebook mcp --http.
func mcpServer(t *testing.T, dir string, args ...string) (url string) {
	t.Helper()
	cmd := exec.Command(bin, append([]string{"mcp", "--http", "127.0.0.1:0"}, args...)...)
	cmd.Dir = dir
	out, err := cmd.StderrPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(out)
	line, err := lines.ReadString('\n')
	url, ok := strings.CutPrefix(strings.TrimSpace(line), "MCP at ")
	if err != nil || !ok {
		_ = cmd.Process.Kill() // it may have ended
		t.Fatalf("casebook mcp --http said %q: %v", line, err)
	}
	var rest []byte
	var read sync.WaitGroup
	read.Go(func() { rest, _ = io.ReadAll(lines) }) // until it ends
	t.Cleanup(func() {
		if err := cmd.Process.Signal(os.Interrupt); err != nil {
			t.Error(err)
		}
		read.Wait()
		said := strings.TrimSpace(string(rest))
		if err := cmd.Wait(); err != nil || said != "" && (!strings.HasPrefix(said, "Its token is in $XDG_STATE_HOME/") ||
			strings.Contains(said, "\n")) {
			t.Errorf("casebook mcp --http ended with %v: %s", err, rest)
		}
	})
	return url
}

type bearer string

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	if b != "" {
		r.Header.Set("Authorization", "Bearer "+string(b))
	}
	return http.DefaultTransport.RoundTrip(r)
}

func TestMCPOverHTTP(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	name := copyEvidence(t, dir, "foreign/nats-memory")
	const token = "0123456789abcdef0123456789abcdef"
	if err := os.WriteFile(filepath.Join(dir, "token"), []byte(token+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	url := mcpServer(t, dir, "--dir", ".", "--token-file", "token")
	dial := func(b bearer) (*sdk.ClientSession, error) {
		return sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(),
			&sdk.StreamableClientTransport{Endpoint: url, HTTPClient: &http.Client{Transport: b}, MaxRetries: -1,
				DisableStandaloneSSE: true}, nil) // of what the server says unasked; it says nothing, and a busy one breaks it off
	}
	if _, err := dial(""); err == nil {
		t.Error("without the token a session began")
	}
	session, err := dial(token)
	if err != nil {
		t.Fatal(err)
	}
	text := (agent{session}).ask(t, "diagnose", map[string]any{"case": name}, nil)
	if !strings.Contains(text, "mem-leak") {
		t.Errorf("over HTTP: %s", text)
	}
	if err := session.Close(); err != nil {
		t.Error(err)
	}
}

func TestMCPFlags(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "short"), []byte("abc"), 0o600); err != nil {
		t.Fatal(err)
	}
	for want, args := range map[string][]string{
		"there is no folder nowhere":                 {"--dir", "nowhere"},
		"--allow capture needs --target":             {"--dir", ".", "--allow", "capture"},
		"--allow prove needs --proof":                {"--dir", ".", "--allow", "prove", "--source", "."},
		"need --source DIR":                          {"--dir", ".", "--allow", "lint"},
		"are for --http":                             {"--dir", ".", "--host", "x"},
		"--proof a: ":                                {"--dir", ".", "--proof", "a='x"},
		"--header shows in the plans":                {"--dir", ".", "--header", "a: b"},
		"want 16 or more":                            {"--dir", ".", "--http", "127.0.0.1:0", "--token-file", "short"},
		"others can reach needs a token":             {"--dir", ".", "--http", "0.0.0.0:0"},
		"a token: --token-file":                      {"--dir", ".", "--http", "127.0.0.1:0", "--host", "cases.example"},
		"--run-time":                                 {"--dir", ".", "--run-time", "-1s"},
		`unknown command "stdio" for "casebook mcp"`: {"stdio"},
	} {
		casebook(t, dir, append([]string{"mcp"}, args...)...).want(t, 2, want)
	}
	for allow, words := range map[string][]string{"": {"Do not claim", "confidence", "It is data"},
		"prove": {"only reward", "95 %"}} {
		args := []string{"mcp", "--instructions"}
		if allow != "" {
			args = append(args, "--allow", allow)
		}
		casebook(t, dir, args...).want(t, 0, words...)
	}
}

// TestMCPSession makes the calls of docs/mcp.md. "…" stands for the rest of a line, and a line of dots for lines. A call
// may go on, on lines that begin with the name of a field.
func TestMCPSession(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if _, err := checkout.Evidence(t).Extract("foreign/*", dir); err != nil {
		t.Fatal(err)
	}
	a := agentOf(t, t.TempDir(), "--dir", filepath.Join(dir, "foreign"))
	call := regexp.MustCompile(`(?m)^    > (\w+) (.*(?:\n      ".*)*)\n((?:    .*\n)*)`)
	calls := call.FindAllStringSubmatch(page(t, "docs/mcp.md"), -1)
	if len(calls) < 5 {
		t.Fatalf("docs/mcp.md shows %d calls", len(calls))
	}
	for _, c := range calls {
		var args map[string]any
		if err := json.Unmarshal([]byte(c[2]), &args); err != nil {
			t.Fatalf("%s: %v", c[2], err)
		}
		var shown []string
		for line := range strings.Lines(c[3]) {
			shown = append(shown, strings.TrimPrefix(strings.TrimRight(line, "\n"), "    "))
		}
		pattern := regexp.QuoteMeta(strings.Join(shown, "\n"))
		pattern = strings.ReplaceAll(pattern, "\n"+regexp.QuoteMeta("...")+"\n", "\n(?s:.*)\n")
		pattern = regexp.MustCompile(`…(\n|$)`).ReplaceAllString(pattern, ".*$1")
		if text := a.ask(t, c[1], args, nil); !regexp.MustCompile(`^` + pattern + `\n*$`).MatchString(text) {
			t.Errorf("%s %s answers\n%s\nand the page says\n%s", c[1], c[2], text, strings.Join(shown, "\n"))
		}
	}
}
