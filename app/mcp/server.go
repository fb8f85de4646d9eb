// Package mcp is `casebook mcp`: cases, diagnoses and proofs for an agent, by the Model Context Protocol.
//
// The problem: a language model that is asked why a service is slow gets a profile of megabytes, or a screen of a
// terminal, and makes the rest up. And who lets it run commands lets everybody run them whose text it reads: names in a
// profile are text. The approach: tools that read answer with the types of the commands' --json, bounded, saying what
// was cut, from one folder that no symbolic link leaves. Tools that run something are there only if the operator allows
// them, and take two calls: a plan says what exactly would run, and execute runs that and nothing else. What may be
// addressed and which commands a proof measures the operator says, never the model.
//
// Limits: what an allowed action does with the operator's code (building it, running its tests) it does with the
// operator's rights. Instructions to a model are not a fence; the fences are in code here.
package mcp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/gocasebook/casebook/internal/room"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// A Config says what an agent may see and do.
type Config struct {
	// Dir is the folder of cases, and of folders with profiles. Nothing outside of it is read for a tool that reads.
	Dir string
	// Allow are the actions that an agent may plan and execute. None is the default: it may only read.
	Allow []Action
	// Targets are the addresses that may be captured. An agent names them and does not see credentials.
	Targets []Target
	// Access are flags of `casebook capture` that say how targets are reached, such as --bearer-file=FILE.
	Access []string
	// Source is the folder of the code for lint, fix and prove, and for whoever asks for the source of a place. Empty:
	// of the program's own code nothing is read.
	Source string
	// Proofs are the measurements that may be run.
	Proofs []Proof
	// FixProof are the flags after `casebook fix --prove`, such as --bench=. ; empty: fix proves nothing.
	FixProof []string
	// RunTime bounds a run. Zero means DefaultRunTime.
	RunTime time.Duration
	// Tool is the path of casebook, which runs what is planned.
	Tool string
	// Version is told to clients.
	Version string
	// Log gets a line for each call. Nil means none.
	Log *slog.Logger
}

// A Target is a process that may be captured.
type Target struct{ Name, URL string }

// A Proof is a measurement that may be run: the words after `casebook prove`.
type Proof struct {
	Name string
	Args []string
}

// DefaultRunTime bounds a run.
const DefaultRunTime = time.Hour

// toolTime bounds a call that reads: a diagnosis takes seconds, on a machine without CPU left minutes.
const toolTime = 5 * time.Minute

// A Server answers agents. Close ends what it runs.
type Server struct {
	cfg  Config
	log  *slog.Logger
	base *base
	mcp  *sdk.Server
	gate room.Gate // one piece of evidence is parsed at a time
	desk *desk     // plans and runs
}

// New checks a configuration and opens its folder.
func New(cfg Config) (*Server, error) {
	if err := cfg.check(); err != nil {
		return nil, err
	}
	b, err := openBase(cfg.Dir)
	if err != nil {
		return nil, err
	}
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	if cfg.RunTime == 0 {
		cfg.RunTime = DefaultRunTime
	}
	s := &Server{cfg: cfg, log: cfg.Log, base: b, gate: room.NewGate(), desk: newDesk(cfg.Log)}
	s.mcp = sdk.NewServer(&sdk.Implementation{Name: "casebook", Title: "Casebook", Version: cfg.Version},
		&sdk.ServerOptions{Instructions: Instructions(cfg.Allow), Logger: slog.New(slog.DiscardHandler),
			Capabilities: &sdk.ServerCapabilities{Tools: &sdk.ToolCapabilities{}, Prompts: &sdk.PromptCapabilities{}}})
	s.addReading()
	s.addActions()
	s.addPrompt()
	return s, nil
}

// Close stops what runs, and closes the folder.
func (s *Server) Close() error {
	s.desk.close()
	return s.base.root.Close()
}

// maxMessage bounds a message of a client, in bytes. The largest arguments are a few names.
const maxMessage = 1 << 20

// Serve speaks with one client until it closes its end, or ctx ends.
func (s *Server) Serve(ctx context.Context, in io.ReadCloser, out io.WriteCloser) error {
	err := s.mcp.Run(ctx, &sdk.IOTransport{Reader: in, Writer: out, MaxLineLength: maxMessage})
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// A reply is what a tool answers with: a value that becomes structured content, and a text for clients that show none.
type reply struct {
	value any // nil: the text is all
	text  string
	most  int // bytes of text; 0: maxText
}

// A handler is what a tool does with its arguments.
type handler[In any] func(context.Context, *sdk.CallToolRequest, In) (reply, error)

// add adds a tool. Whatever its answer holds goes through clean: a name in a profile is a stranger's.
func add[In any](s *Server, t *sdk.Tool, own texts, run handler[In]) {
	schema, err := schemaOf[In](own)
	if err != nil {
		panic(err) // a tool that was written without it: every test sees that
	}
	t.InputSchema = schema
	sdk.AddTool(s.mcp, t, func(ctx context.Context, req *sdk.CallToolRequest, in In) (
		result *sdk.CallToolResult, _ any, err error) {
		began := time.Now()
		defer func() {
			if r := recover(); r != nil { // a detector that breaks on crafted evidence must not end the session
				s.log.Error("a tool broke", "tool", t.Name, "panic", r)
				err = fmt.Errorf("tool %s broke on this evidence; please report it with the case", t.Name)
			}
			s.log.Info("call", "tool", t.Name, "took", time.Since(began), "error", err)
			if err != nil {
				result, err = nil, errors.New(cleanText(err.Error(), maxText))
			}
		}()
		r, err := run(ctx, req, in)
		if err != nil {
			return nil, nil, err
		}
		text := &sdk.TextContent{Text: cleanText(r.text, cmp.Or(r.most, maxText))}
		result = &sdk.CallToolResult{Content: []sdk.Content{text}}
		if r.value == nil {
			return result, nil, nil
		}
		data, err := cleanValue(r.value)
		return result, data, err
	})
}

// reading is a tool that reads evidence: one at a time, within toolTime.
func reading[In any](s *Server, run func(context.Context, In) (reply, error)) handler[In] {
	return func(ctx context.Context, _ *sdk.CallToolRequest, in In) (r reply, err error) {
		ctx, cancel := context.WithTimeout(ctx, toolTime)
		defer cancel()
		var broke any
		waited := s.gate.Do(ctx, func() {
			defer func() { broke = recover() }() // the gate must open again
			r, err = run(ctx, in)
		})
		if broke != nil {
			panic(broke)
		}
		if err == nil {
			err = waited
		}
		return r, err
	}
}
