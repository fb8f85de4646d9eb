package mcp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/gocasebook/casebook"
	"github.com/gocasebook/casebook/app/mcp"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/checkout"
	"github.com/gocasebook/casebook/internal/leaktest"
)

// logFile names the file in which the tool of these tests notes what it is run with.
const logFile = "CASEBOOK_TEST_MCP_LOG"

// TestMain makes this binary the tool that plans run, when it is called as one.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && slices.Contains([]string{"capture", "lint", "fix", "prove"}, os.Args[1]) {
		os.Exit(beTool())
	}
	dir, err := os.MkdirTemp("", "casebook-mcp")
	if err == nil {
		err = os.Setenv(logFile, filepath.Join(dir, "log"))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	code := leaktest.Check(m.Run(), "casebook/app/mcp.")
	_ = os.RemoveAll(dir) // of the system's temporary folder
	os.Exit(code)
}

// A ran line is one run of the tool.
type ran struct {
	Dir  string
	Argv []string
}

// beTool notes how it was called, and does what the words after the flags say.
func beTool() int {
	dir, err := os.Getwd()
	if err == nil {
		var line []byte
		if line, err = json.Marshal(ran{dir, os.Args}); err == nil {
			err = appendTo(os.Getenv(logFile), string(line)+"\n")
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 99
	}
	switch {
	case slices.Contains(os.Args, "until-interrupted"):
		c := make(chan os.Signal, 1)
		signal.Notify(c, os.Interrupt)
		fmt.Fprintln(os.Stderr, "waiting")
		<-c
		fmt.Println(proofJSON)
		return 130
	case os.Args[1] == "prove":
		fmt.Println(proofJSON)
		return 1
	case os.Args[1] == "capture":
		fmt.Println(`{"event":"started"}` + "\n" + `{"event":"closed","case_id":"20261121T132512Z-manual-0123ab",` +
			`"diagnosis":{"findings":[]}}` + "\n" + `{"event":"ended"}`)
		return 0
	}
	fmt.Println(`{"schema":1,"reports":[{"check":"x","file":"\u001b[2Ja.go","line":3,"message":"m"}],` +
		`"proposals":[{"diff":"-\told\n+\tnew\n"}]}`)
	return 1
}

func appendTo(file, text string) error {
	f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return joinErrors(err, f.Close())
}

func joinErrors(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// runsIn are the runs of the tool in a folder.
func runsIn(t testing.TB, dir string) (out []ran) {
	t.Helper()
	data, err := os.ReadFile(os.Getenv(logFile))
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		var r ran
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		if r.Dir == real {
			out = append(out, r)
		}
	}
	return out
}

// proofJSON is what the tool prints of a proof.
const proofJSON = `{"kind":"casebook-proof","schema":1,"proof":{"taken":"2026-11-21T13:25:12Z","verdict":"worse",` +
	`"summary":"cpu_per_request went up.","method":"m","load":"l","before":{"label":"a"},"after":{"label":"b"},` +
	`"promise":"promised 5 %","figures":[{"name":"p99","unit":"seconds","better":"lower","before":{"value":1},` +
	`"after":{"value":1},"verdict":"same","p":1},{"name":"cpu_per_request","unit":"seconds","better":"lower","key":true,` +
	`"before":{"value":0.001,"n":9},"after":{"value":0.0012,"n":9},"verdict":"worse","p":0.001,` +
	`"effect":{"value":0.2,"low":0.15,"high":0.25,"noise":0.01}}]},"blocks":[{"a":{}},{"a":{}}]}`

// withVitals is a recorded case.
const withVitals = "modules/grpc"

// writeCase writes a case of recorded evidence into dir, diagnoses it, and returns its folder.
func writeCase(t testing.TB, dir, from string, change func(*casefile.Case)) *casefile.Folder {
	t.Helper()
	at := time.Date(2026, 11, 21, 13, 25, 12, 0, time.UTC)
	c := casefile.Case{Opened: at, Target: casefile.Target{Name: "shop"},
		Trigger: casefile.Trigger{Rule: "heap-quadruples", Time: at, Text: "the heap quadrupled"}}
	w, err := casefile.Dir(dir).Create(c)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range recordedEvidence(t, from) {
		folder := from
		if e.Kind == casefile.Vitals { // those of from were recorded without units
			folder = withVitals
		}
		e.GoFormat = strings.HasSuffix(e.File, ".pb.gz")
		if err := w.Add(e, checkout.File(t, folder+"/"+e.File)); err != nil {
			t.Fatal(err)
		}
	}
	f, err := w.Commit()
	if err != nil {
		t.Fatal(err)
	}
	if err := casebook.Diagnose(t.Context(), f); err != nil {
		t.Fatal(err)
	}
	if change != nil {
		if err := f.Update(change); err != nil {
			t.Fatal(err)
		}
	}
	return f
}

// recordedEvidence is what a case says of its files, as far as they can be parts of a case.
func recordedEvidence(t testing.TB, from string) []casefile.Evidence {
	t.Helper()
	var manifest struct{ Evidence []casefile.Evidence }
	if err := json.Unmarshal(checkout.File(t, from+"/manifest.json"), &manifest); err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(manifest.Evidence, func(e casefile.Evidence) bool {
		return !slices.Contains([]string{"cpu.pb.gz", "heap-before.pb.gz", "heap-after.pb.gz", "goroutine-dump.txt",
			"metrics.json", "vitals-before.jsonl"}, e.File)
	})
}

// A client is the SDK's own, connected to a server.
type client struct{ *sdk.ClientSession }

// connect starts a server and a client that speaks with it in memory.
func connect(t testing.TB, cfg mcp.Config) client {
	t.Helper()
	s, err := mcp.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	here, there := pipes()
	ended := make(chan error, 1)
	ctx, cancel := context.WithCancel(context.Background())
	go func() { ended <- s.Serve(ctx, there.in, there.out) }()
	session, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).Connect(ctx,
		&sdk.IOTransport{Reader: here.in, Writer: here.out}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := session.Close(); err != nil {
			t.Error(err)
		}
		if err := <-ended; err != nil {
			t.Error(err)
		}
		cancel()
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return client{session}
}

// An answer is a tool's: structured content as JSON, the text, and whether it is an error.
type answer struct {
	json, text string
	failed     bool
}

// call calls a tool with arguments, which may be anything that JSON can say.
func (c client) call(t testing.TB, tool string, args any) answer {
	t.Helper()
	res, err := c.CallTool(context.Background(), &sdk.CallToolParams{Name: tool, Arguments: args})
	if err != nil { // of the protocol: a client shows it, too
		return answer{text: err.Error(), failed: true}
	}
	a := answer{failed: res.IsError}
	for _, part := range res.Content {
		if text, ok := part.(*sdk.TextContent); ok {
			a.text += text.Text
		}
	}
	if res.StructuredContent != nil {
		data, err := json.Marshal(res.StructuredContent)
		if err != nil {
			t.Fatal(err)
		}
		a.json = string(data)
	}
	return a
}

// good calls a tool that must answer, and reads its structured content.
func (c client) good(t testing.TB, tool string, args, into any) answer {
	t.Helper()
	a := c.call(t, tool, args)
	if a.failed {
		t.Fatalf("%s %v: %s", tool, args, a.text)
	}
	if into != nil {
		if err := json.Unmarshal([]byte(a.json), into); err != nil {
			t.Fatalf("%s: %v in %s", tool, err, a.json)
		}
	}
	return a
}

// refused calls a tool that must refuse, and say so with these words.
func (c client) refused(t testing.TB, tool string, args any, words ...string) {
	t.Helper()
	a := c.call(t, tool, args)
	if !a.failed {
		t.Errorf("%s %v answered: %s", tool, args, a.text)
	}
	for _, w := range words {
		if !strings.Contains(a.text, w) {
			t.Errorf("%s %v: want %q in: %s", tool, args, w, a.text)
		}
	}
}
