package mcp

import (
	"context"
	"fmt"
	"strings"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/gocasebook/casebook/internal/number"
)

// Waiting for a run: clients give up on calls that take long, after a minute as a rule.
const (
	usualWait   = 30  // seconds
	mostWait    = 600 // seconds
	tellsAfter  = 5 * time.Second
	progressTop = 200 // bytes of a line
)

type executeArgs struct {
	Plan string `json:"plan"`
	Wait *int   `json:"wait_seconds,omitempty"`
}

type runArgs struct {
	Run  string `json:"run"`
	Wait *int   `json:"wait_seconds,omitempty"`
	Stop bool   `json:"stop,omitempty"`
}

// A shownRun is what execute and get_run answer with.
type shownRun struct {
	Run      string   `json:"run"`
	State    string   `json:"state"` // running, finished, stopped, failed
	Action   Action   `json:"action"`
	Argv     []string `json:"argv"`
	Dir      string   `json:"dir"`
	Case     string   `json:"case,omitempty"`
	Seconds  float64  `json:"seconds"`
	ExitCode *int     `json:"exit_code,omitempty"` // as the command's help says
	Reward   *Reward  `json:"reward,omitempty"`    // of prove
	Result   any      `json:"result,omitempty"`    // what the command printed with --json
	Said     string   `json:"said,omitempty"`      // the end of what it printed beside it
	Problem  string   `json:"problem,omitempty"`
	Cut      []string `json:"cut"`
}

func (s *Server) execute(ctx context.Context, req *sdk.CallToolRequest, in executeArgs) (reply, error) {
	p, err := s.desk.take(in.Plan, time.Now())
	if err != nil {
		return reply{}, err
	}
	if err := s.still(&p); err != nil {
		return reply{}, err
	}
	r, err := s.desk.start(p)
	if err != nil {
		return reply{}, err
	}
	return s.await(ctx, req, r, in.Wait)
}

// still refuses a plan whose code or case is not what it was.
func (s *Server) still(p *Plan) error {
	if p.State != "" {
		state, err := sourceState(p.Dir)
		if err != nil {
			return err
		}
		if state != p.State {
			return fmt.Errorf("the files in %s have changed since the plan was made, so that it would run something "+
				"else; plan again", p.Dir)
		}
	}
	if p.Case == "" {
		return nil
	}
	e, err := s.base.open(p.Case)
	if err != nil {
		return err
	}
	e.close()
	return nil
}

func (s *Server) getRun(ctx context.Context, req *sdk.CallToolRequest, in runArgs) (reply, error) {
	r, err := s.desk.find(in.Run)
	if err != nil {
		return reply{}, err
	}
	if in.Stop {
		r.stop()
	}
	return s.await(ctx, req, r, in.Wait)
}

// await waits for the end of a run, and tells the client meanwhile that it goes on. Who gives up waiting does not end
// the run.
func (s *Server) await(ctx context.Context, req *sdk.CallToolRequest, r *run, wait *int) (reply, error) {
	seconds := usualWait
	if wait != nil {
		seconds = max(min(*wait, mostWait), 0)
	}
	over := time.NewTimer(time.Duration(seconds) * time.Second)
	defer over.Stop()
	tick := time.NewTicker(tellsAfter)
	defer tick.Stop()
	for {
		select {
		case <-r.done:
			return r.reply()
		case <-over.C:
			return r.reply()
		case <-ctx.Done():
			return reply{}, ctx.Err()
		case <-tick.C:
			r.tell(ctx, req)
		}
	}
}

// tell sends a notification of progress to a client that asked for some.
func (r *run) tell(ctx context.Context, req *sdk.CallToolRequest) {
	if req == nil || req.Session == nil || req.Params.GetProgressToken() == nil {
		return
	}
	lines := strings.Split(strings.TrimSpace(r.errs.String()), "\n")
	_ = req.Session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{ProgressToken: req.Params.GetProgressToken(),
		Progress: time.Since(r.began).Seconds(), Message: cleanText(lines[len(lines)-1], progressTop)}) // lost: none
}

// reply shows a run.
func (r *run) reply() (reply, error) {
	out := shownRun{Run: r.id, State: running, Action: r.plan.Action, Argv: r.plan.Argv, Dir: r.plan.Dir,
		Case: r.plan.Case, Seconds: time.Since(r.began).Seconds(), Said: r.errs.String(), Cut: []string{}}
	if !r.ended() {
		return reply{value: out, text: fmt.Sprintf("Run %s is under way for %s; get_run waits for it.\n%s", r.id,
			number.Seconds(out.Seconds), out.Said)}, nil
	}
	r.mu.Lock()
	state, code, took, err := r.state, r.code, r.took, r.err
	r.mu.Unlock()
	out.State, out.Seconds, out.ExitCode = state, took.Seconds(), &code
	if err != nil {
		out.Problem = err.Error()
	}
	result, err := r.result()
	if err != nil {
		out.Problem = err.Error()
	}
	text := fmt.Sprintf("Run %s %s after %s with exit code %d.\n", r.id, state, number.Seconds(out.Seconds), code)
	if r.plan.Action == Prove {
		if out.Reward = rewardOf(r.out.Bytes()); out.Reward != nil {
			text += out.Reward.text()
		} else {
			text += "There is no proof: nothing is proved.\n"
		}
	}
	if object, ok := result.(map[string]any); ok {
		delete(object, "blocks") // of a proof: each turn's figures, for a page
	}
	var cut []string
	if result != nil {
		if out.Result, cut, err = fit(result, rowsOfLists, maxResult-maxString*2); err != nil {
			out.Problem = err.Error()
		}
	} else if out.Problem == "" {
		out.Problem = "the command printed no result"
	}
	for _, part := range []string{out.Problem, resultText(out.Result), out.Said} {
		if part != "" {
			text += strings.TrimRight(part, "\n") + "\n"
		}
	}
	out.Cut = append(out.Cut, cut...)
	return reply{value: out, text: text}, nil
}

// resultText is what a result comes to, for clients that show only text: of fix the diffs, of lint and capture the
// first lines. The result itself has all.
func resultText(result any) string {
	object, _ := result.(map[string]any)
	var b strings.Builder
	proposals, _ := object["proposals"].([]any)
	for _, p := range proposals {
		p, _ := p.(map[string]any)
		fmt.Fprintf(&b, "%v:%v %v %v\n%v\n", value(p["file"]), value(p["line"]), value(p["text"]), value(p["refused"]),
			value(p["diff"]))
	}
	reports, _ := object["reports"].([]any)
	for i, r := range reports {
		if r, _ := r.(map[string]any); i < usualRows {
			fmt.Fprintf(&b, "%v@%v:%v %v (share %v)\n", r["check"], r["file"], r["line"], r["message"], value(r["share"]))
		}
	}
	if id, ok := object["case_id"]; ok {
		fmt.Fprintf(&b, "Case %v; get_case shows it.\n", id)
	}
	return b.String()
}

// value is a field that may be absent.
func value(v any) any {
	if v == nil {
		return ""
	}
	return v
}
