package mcp

import (
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/number"
)

// addActions adds the tools of the allowed actions: to plan each, to execute a plan, and to look at a run.
func (s *Server) addActions() {
	if s.may(Capture) {
		add(s, &sdk.Tool{Name: "plan_capture", Title: "Plan a capture", Annotations: planning(), Description: "Plans " +
			"taking profiles of a running service into a new case. Runs nothing: execute does. Targets: " + s.targetNames()},
			captureTexts, planner(s, s.planCapture))
	}
	if s.may(Answer) {
		s.addAnswer()
	}
	if s.may(Lint) {
		add(s, &sdk.Tool{Name: "plan_lint", Title: "Plan a lint", Annotations: planning(), Description: "Plans reading " +
			"the source for known mistakes of speed, ranked by what the profiles of a case pay there. Runs nothing."},
			lintTexts, planner(s, s.planLint))
	}
	if s.may(Fix) {
		add(s, &sdk.Tool{Name: "plan_fix", Title: "Plan a fix", Annotations: planning(), Description: "Plans making the " +
			"change that a finding or a diagnostic of lint asks for, as a diff. No file is changed. " + s.fixProofText()},
			fixTexts, planner(s, s.planFix))
	}
	if s.may(Prove) {
		add(s, &sdk.Tool{Name: "plan_prove", Title: "Plan a proof", Annotations: planning(), Description: "Plans a " +
			"measurement of two versions under the same load. Its verdict, with its interval, says whether a change is " +
			"one for the better. The operator wrote the measurements: " + s.proofNames()},
			proveTexts, planner(s, s.planProve))
	}
	if !runs(s.cfg.Allow) {
		return
	}
	yes, no := true, false
	add(s, &sdk.Tool{Name: "execute", Title: "Execute a plan",
		Annotations: &sdk.ToolAnnotations{DestructiveHint: &no, OpenWorldHint: &yes},
		Description: "Runs exactly what a plan says. A plan is executed once, and expires. Answers when the run has " +
			"ended, or after wait_seconds with its state; get_run waits on."}, executeTexts, s.execute)
	add(s, &sdk.Tool{Name: "get_run", Title: "Look at a run", Annotations: &sdk.ToolAnnotations{DestructiveHint: &no,
		IdempotentHint: true, OpenWorldHint: &no},
		Description: "The state and the result of a run. With stop it is ended, and keeps what it has."}, runTexts,
		s.getRun)
}

func planning() *sdk.ToolAnnotations {
	no := false
	return &sdk.ToolAnnotations{ReadOnlyHint: true, OpenWorldHint: &no}
}

// runs reports whether something may be executed.
func runs(allow []Action) bool {
	return slices.ContainsFunc(allow, func(a Action) bool { return a != Answer })
}

func (s *Server) may(a Action) bool { return slices.Contains(s.cfg.Allow, a) }

func (s *Server) targetNames() string {
	var names []string
	for _, t := range s.cfg.Targets {
		names = append(names, t.Name)
	}
	return strings.Join(names, ", ")
}

func (s *Server) proofNames() string {
	var names []string
	for _, p := range s.cfg.Proofs {
		names = append(names, p.Name)
	}
	return strings.Join(names, ", ")
}

func (s *Server) fixProofText() string {
	if len(s.cfg.FixProof) == 0 {
		return "The operator has named no measurement for fixes: leave prove out."
	}
	return "With prove each change is built, tested and measured: " + strings.Join(s.cfg.FixProof, " ")
}

// planner makes a tool of a func that plans.
func planner[In any](s *Server, plan func(In) (Plan, error)) handler[In] {
	return func(_ context.Context, _ *sdk.CallToolRequest, in In) (reply, error) {
		p, err := plan(in)
		if err != nil {
			return reply{}, err
		}
		if p, err = s.desk.put(p, time.Now()); err != nil {
			return reply{}, err
		}
		return reply{value: p, text: p.text()}, nil
	}
}

func (p *Plan) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Plan %s: %s\nNothing has run. execute with this plan runs exactly:\n  %s\n  in %s\n", p.ID, p.Action,
		p.Command, p.Dir)
	list := func(what string, all []string) {
		if len(all) > 0 {
			fmt.Fprintf(&b, "%s: %s\n", what, strings.Join(all, ", "))
		}
	}
	list("Asks", p.Asks)
	list("Reads", p.Reads)
	list("Writes", p.Writes)
	list("Starts", p.Starts)
	fmt.Fprintf(&b, "Time: %s; stopped after %s\nCost: %s\nExpires: %s\n", p.Time,
		number.Duration(time.Duration(p.Limit*float64(time.Second))), p.Cost, p.Expires.Format(time.RFC3339))
	return b.String()
}

type captureArgs struct {
	Target  string   `json:"target"`
	Seconds int      `json:"seconds,omitempty"`
	Kinds   []string `json:"kinds,omitempty"`
	Reason  string   `json:"reason,omitempty"`
}

// Bounds of a capture.
const (
	usualSeconds = 10
	mostSeconds  = 60
	maxReason    = 200
)

func (s *Server) planCapture(in captureArgs) (Plan, error) {
	i := slices.IndexFunc(s.cfg.Targets, func(t Target) bool { return t.Name == in.Target })
	if i < 0 {
		return Plan{}, fmt.Errorf("there is no target %.80q; the operator gave %s", in.Target, s.targetNames())
	}
	if in.Seconds < 0 || in.Seconds > mostSeconds {
		return Plan{}, fmt.Errorf("seconds is %d; want 1 to %d", in.Seconds, mostSeconds)
	}
	seconds := bounded(in.Seconds, usualSeconds, mostSeconds)
	args := []string{"capture", "--json", "--dir=" + s.base.dir, fmt.Sprintf("--profile=%ds", seconds)}
	for _, kind := range in.Kinds {
		if !casefile.ValidKind(kind) {
			return Plan{}, fmt.Errorf("%.40q is no kind of evidence; kinds are cpu, heap, allocs, goroutine, mutex, "+
				"block, trace", kind)
		}
	}
	if len(in.Kinds) > 0 {
		args = append(args, "--kinds="+strings.Join(in.Kinds, ","))
	}
	reason := plainLine(in.Reason, maxReason)
	if reason == "" {
		reason = "an agent asked for it"
	}
	args = append(append(append(args, "--reason="+reason), s.cfg.Access...), "--", s.cfg.Targets[i].URL)
	limit := time.Duration(seconds)*time.Second + captureBeside
	return Plan{Action: Capture, Argv: s.argv(args), Dir: s.base.dir, Asks: []string{s.cfg.Targets[i].URL},
		Reads: []string{}, Writes: []string{s.base.dir}, Time: fmt.Sprintf("about %d s", seconds+captureUsual),
		Limit: s.limit(limit),
		Cost: "profiling slows the service by some percent while it lasts; the folder's hourly budget bounds CPU, bytes " +
			"and pauses, and what it refuses is not taken"}, nil
}

// What a capture takes beside its profiles: samples before it, and answers of a service that is busy.
const (
	captureUsual  = 10 // seconds
	captureBeside = 5 * time.Minute
)

func (s *Server) argv(args []string) []string { return append([]string{s.cfg.Tool}, args...) }

// limit is how long a run may take, in seconds.
func (s *Server) limit(d time.Duration) float64 { return min(d, s.cfg.RunTime).Seconds() }

type lintArgs struct {
	Case     string   `json:"case,omitempty"`
	Packages []string `json:"packages,omitempty"`
}

func (s *Server) planLint(in lintArgs) (Plan, error) {
	p, err := s.sourcePlan(Lint)
	if err != nil {
		return Plan{}, err
	}
	args := []string{"lint", "--json", "--source=" + s.cfg.Source}
	heat := "--without-heat"
	if in.Case != "" {
		if heat, err = s.evidenceFlag(&p, in.Case); err != nil {
			return Plan{}, err
		}
	}
	args = append(args, heat, "--")
	if len(in.Packages) == 0 {
		in.Packages = []string{"./..."}
	}
	for _, pattern := range in.Packages {
		if !localPattern(pattern) {
			return Plan{}, fmt.Errorf("%.80q is no pattern of packages below the operator's folder; one such as "+
				"./internal/... is", pattern)
		}
	}
	p.Argv = s.argv(append(args, in.Packages...))
	p.Time, p.Cost = "seconds; minutes the first time", "the go command type-checks the packages and what they import, "+
		"on all processors, into its own cache"
	return p, nil
}

// sourcePlan is what plans have in common that read the code.
func (s *Server) sourcePlan(a Action) (Plan, error) {
	state, err := sourceState(s.cfg.Source)
	if err != nil {
		return Plan{}, err
	}
	return Plan{Action: a, Dir: s.cfg.Source, Reads: []string{s.cfg.Source}, Writes: []string{}, State: state,
		Limit: s.cfg.RunTime.Seconds()}, nil
}

// evidenceFlag names an entry by its whole path, so that the command finds this one and no other.
func (s *Server) evidenceFlag(p *Plan, name string) (string, error) {
	e, err := s.base.open(name)
	if err != nil {
		return "", err
	}
	defer e.close()
	p.Case = e.Name
	at := filepath.Join(s.base.dir, e.Name)
	p.Reads = append(p.Reads, at)
	if e.Case == nil {
		return "--profile=" + at, nil
	}
	return "--case=" + at, nil
}

// localPattern reports whether a pattern of packages stays below a folder: "./a/b", "./...".
func localPattern(pattern string) bool {
	rest, ok := strings.CutPrefix(pattern, "./")
	return ok && localPath(strings.ReplaceAll(rest, "...", "_"))
}

// localPath reports whether a path has only plain parts, none of which leads up.
func localPath(name string) bool {
	return name == "" || len(name) <= maxName && filepath.IsLocal(filepath.FromSlash(name)) && path.Clean(name) == name &&
		!strings.Contains(name, "..") && strings.IndexFunc(name, func(r rune) bool {
		return !isNameRune(r) && r != '.' && r != '/'
	}) < 0
}

type fixArgs struct {
	Case     string   `json:"case,omitempty"`
	Findings []string `json:"findings,omitempty"`
	Prove    bool     `json:"prove,omitempty"`
}

func (s *Server) planFix(in fixArgs) (Plan, error) {
	p, err := s.sourcePlan(Fix)
	if err != nil {
		return Plan{}, err
	}
	args := []string{"fix", "--json", "--quiet", "--source=" + s.cfg.Source}
	if in.Case != "" {
		flag, err := s.evidenceFlag(&p, in.Case)
		if err != nil {
			return Plan{}, err
		}
		args = append(args, flag)
	}
	p.Time, p.Cost = "seconds to minutes", "the go command type-checks the packages of the findings"
	if in.Prove {
		switch {
		case !s.may(Prove):
			return Plan{}, fmt.Errorf("prove is not allowed here; leave it out, or ask the operator for --allow prove")
		case len(s.cfg.FixProof) == 0:
			return Plan{}, fmt.Errorf("the operator has named no measurement for fixes (--fix-proof); leave prove out")
		}
		args = append(append(args, "--prove"), s.cfg.FixProof...)
		p.Starts = []string{"go build, go test and the measurement, in worktrees in the system's temporary folder: " +
			strings.Join(s.cfg.FixProof, " ")}
		p.Time, p.Cost = "minutes for each change", "all processors while it builds and measures"
	}
	if in.Case == "" && len(in.Findings) == 0 {
		return Plan{}, fmt.Errorf("fix what? Name a case, or diagnostics of lint as CHECK@FILE:LINE")
	}
	args = append(args, "--")
	for _, f := range in.Findings {
		f = strings.Replace(f, "@"+s.cfg.Source+string(filepath.Separator), "@", 1) // lint names files by their whole path
		if !findingName(f) {
			return Plan{}, fmt.Errorf("%.80q is neither the ID or kind of a finding nor CHECK@FILE:LINE", f)
		}
		args = append(args, f)
	}
	p.Argv = s.argv(args)
	return p, nil
}

// findingName reports whether a word is the ID or kind of a finding, or a diagnostic with a file below the folder.
func findingName(word string) bool {
	check, place, at := strings.Cut(word, "@")
	if !at {
		return validName(word)
	}
	file, line, ok := strings.Cut(place, ":")
	return ok && validName(check) && file != "" && localPath(file) && line != "" && len(line) < 8 &&
		strings.Trim(line, "0123456789") == ""
}

type proveArgs struct {
	Proof   string `json:"proof"`
	Case    string `json:"case,omitempty"`
	Opinion string `json:"opinion,omitempty"`
}

func (s *Server) planProve(in proveArgs) (Plan, error) {
	i := slices.IndexFunc(s.cfg.Proofs, func(p Proof) bool { return p.Name == in.Proof })
	if i < 0 {
		return Plan{}, fmt.Errorf("there is no proof %.80q; the operator gave %s, and only the operator can add one",
			in.Proof, s.proofNames())
	}
	p, err := s.sourcePlan(Prove)
	if err != nil {
		return Plan{}, err
	}
	args := []string{"prove", "--json", "--silent"}
	if in.Opinion != "" {
		if err := s.hasOpinion(in.Case, in.Opinion); err != nil {
			return Plan{}, err
		}
		args = append(args, "--opinion="+in.Opinion)
	}
	if in.Case != "" {
		flag, err := s.evidenceFlag(&p, in.Case)
		switch {
		case err != nil:
			return Plan{}, err
		case !strings.HasPrefix(flag, "--case="):
			return Plan{}, fmt.Errorf("%s is a folder of profiles and no case: a proof has no place there", p.Case)
		}
		args, p.Writes = append(args, flag), append(p.Writes, strings.TrimPrefix(flag, "--case="))
	}
	p.Argv = s.argv(append(args, s.cfg.Proofs[i].Args...))
	p.Starts = []string{"both versions of the server and their load, as the operator wrote: casebook prove " +
		strings.Join(s.cfg.Proofs[i].Args, " ")}
	p.Time = "until the answer is clear: minutes"
	p.Cost = "both servers, their load and perhaps their builds run on this machine; nothing else should meanwhile"
	return p, nil
}

// hasOpinion reports an error unless a case has an opinion.
func (s *Server) hasOpinion(name, id string) error {
	if name == "" {
		return errors.New("opinion is one of a case: name the case, too")
	}
	e, err := s.base.open(name)
	if err != nil {
		return err
	}
	defer e.close()
	var have []string
	if e.Case != nil {
		for i := range e.Case.Case.Opinions {
			if e.Case.Case.Opinions[i].ID == id && validName(id) {
				return nil
			}
			have = append(have, e.Case.Case.Opinions[i].ID)
		}
	}
	if len(have) == 0 {
		return fmt.Errorf("%s has no opinion; the tool answer keeps one, where it is allowed", e.Name)
	}
	return fmt.Errorf("%s has no opinion %.20q; it has %s", e.Name, id, strings.Join(have, ", "))
}
