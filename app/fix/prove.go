package fix

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/app/revision"
	"github.com/gocasebook/casebook/app/tool"
	"github.com/gocasebook/casebook/internal/number"
)

// A Verdict is what a measurement says of a change.
type Verdict string

// The verdicts. Only what is better is kept.
const (
	Better  Verdict = "better"
	Worse   Verdict = "worse"
	Same    Verdict = "same"
	Unclear Verdict = "cannot tell"
)

// A Figure is one that was measured on both sides.
type Figure struct {
	Subject string  `json:"subject"`
	Name    string  `json:"name"`
	Unit    string  `json:"unit,omitempty"`
	Before  float64 `json:"before"`
	After   float64 `json:"after"`
	Change  float64 `json:"change"` // after/before − 1
	Sure    bool    `json:"sure"`   // more than chance and the noise of the machine explain
}

// A Measurement is what was measured of a change.
type Measurement struct {
	Verdict Verdict  `json:"verdict"`
	Figures []Figure `json:"figures"`
	Method  string   `json:"method"`
}

// What a measured gain is against the promised one.
const (
	GainWithin = "within"
	GainMore   = "more"
	GainLess   = "less"
)

// A Proof is what became of a change.
type Proof struct {
	Kept   bool   `json:"kept"`
	Reason string `json:"reason,omitempty"` // why it was not
	Tests  string `json:"tests"`            // what was run
	Commit string `json:"commit,omitempty"`
	// Promise compares the finding's gain with what was measured; "" if it promised nothing that was.
	Promise string `json:"promise,omitempty"`
	Gain    string `json:"gain,omitempty"` // against the promised range: GainWithin, GainMore or GainLess

	*Measurement
}

// A Measure compares two commits of the repository that a folder is in; packages are those that the change is in.
type Measure func(ctx context.Context, dir, base, head string, packages []string) (*Measurement, error)

// A Prover builds, tests and measures changes in worktrees, one by one, each on those that were kept before it.
type Prover struct {
	Config
	// Measure compares two commits of the repository that Dir is in; packages are those that the change is in.
	Measure Measure
	Branch  string       // gets the commits of what was kept; "": none
	Say     func(string) // progress; nil: nobody is told
}

// Prove proves changes and says in each what became of it. Whatever happens no worktree is left.
func (p *Prover) Prove(ctx context.Context, ps []Proposal) error {
	if err := Clean(ctx, p.Dir); err != nil {
		return err
	}
	if p.Branch != "" {
		if _, err := (tool.Git{Dir: p.Dir}).Run(ctx, "check-ref-format", "--branch", p.Branch); err != nil {
			return fmt.Errorf("--branch %s: that is no name for a branch", p.Branch)
		}
		if _, err := (tool.Git{Dir: p.Dir}).Run(ctx, "rev-parse", "--verify", "--quiet", "refs/heads/"+p.Branch); err == nil {
			return fmt.Errorf("--branch %s: there is one already; name another", p.Branch)
		}
	}
	out, err := tool.Git{Dir: p.Dir}.Run(ctx, "rev-parse", "HEAD")
	if err != nil {
		return err
	}
	head := strings.TrimSpace(string(out))
	first := head
	for i := range ps {
		if ps[i].Refused != "" {
			continue
		}
		commit, err := p.one(ctx, head, ps, i)
		if err != nil {
			return err
		}
		if commit != "" {
			head = commit
		}
	}
	if p.Branch == "" || head == first {
		return nil
	}
	_, err = tool.Git{Dir: p.Dir}.Run(ctx, "branch", p.Branch, head)
	return err
}

// kept are the changes before one that were kept, and that one.
func kept(ps []Proposal, i int) []Proposal { return append(Kept(ps[:i]), ps[i]) }

// one proves a change on a commit; its own is "" if it was not kept.
func (p *Prover) one(ctx context.Context, base string, ps []Proposal, i int) (commit string, err error) {
	c := &ps[i]
	if c.By == bySetting {
		c.Refused = "it is no change of the program: give casebook prove both ways to start it"
		return "", nil
	}
	c.Proof = &Proof{}
	with := kept(ps, i)
	files, err := together(with)
	if err != nil {
		return "", err
	}
	if why := with[len(with)-1].Refused; why != "" {
		c.Refused, c.Proof = why, nil
		return "", nil
	}
	p.say("%s: %s at %s", c.Target.Name, c.Text, nearName(p.Dir, c.File, c.Line))
	tree, err := revision.CheckOut(ctx, p.Dir, base)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, tree.Close()) }()
	for file, data := range files {
		rel, err := filepath.Rel(p.Dir, file)
		if err != nil {
			return "", err
		}
		if err := os.WriteFile(filepath.Join(tree.Dir, rel), data, 0o644); err != nil { // git keeps its mode
			return "", fmt.Errorf("changing the worktree: %w", err)
		}
	}
	packages := p.packages(c)
	if why, err := p.builds(ctx, tree, packages, c.Proof); why != "" || err != nil {
		c.Proof.Reason = why
		return "", err
	}
	if commit, err = p.commit(ctx, tree, c); err != nil {
		return "", err
	}
	if err := p.measure(ctx, base, commit, packages, c); err != nil || !c.Proof.Kept {
		return "", err
	}
	if commit, err = p.commit(ctx, tree, c, "--amend"); err == nil { // with the proof
		c.Proof.Commit = commit
	}
	return commit, err
}

func (p *Prover) say(format string, args ...any) {
	if p.Say != nil {
		p.Say(fmt.Sprintf(format, args...))
	}
}

// packages are the folders of a change's files, as the go command names them.
func (p *Prover) packages(c *Proposal) (out []string) {
	for file := range c.files {
		if rel, err := filepath.Rel(p.Dir, filepath.Dir(file)); err == nil {
			out = append(out, strings.TrimSuffix("./"+filepath.ToSlash(rel), "/.")) // "." is the module's own
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func (p *Prover) tags() []string {
	if p.Tags == "" {
		return nil
	}
	return []string{"-tags=" + p.Tags}
}

// builds builds the module and runs the packages' tests. A failure that is there without the change, too, says so.
func (p *Prover) builds(ctx context.Context, tree *revision.Tree, packages []string, proof *Proof) (why string,
	err error) {
	p.say("building, and running the tests of %s", strings.Join(packages, " "))
	build := slices.Clip(append([]string{"build"}, p.tags()...))
	if _, err := tool.Run(ctx, tree.Dir, "go", append(build, "./...")...); err != nil {
		if _, before := tool.Run(ctx, p.Dir, "go", append(build, "./...")...); before == nil || ctx.Err() != nil {
			return "it does not build: " + err.Error(), ctx.Err()
		}
		// A package is broken without the change, too: only those that are changed must build.
		if _, err := tool.Run(ctx, tree.Dir, "go", append(build, packages...)...); err != nil {
			return "it does not build: " + err.Error(), ctx.Err()
		}
	}
	test := append(append([]string{"test"}, p.tags()...), packages...)
	out, err := tool.Run(ctx, tree.Dir, "go", test...)
	if err == nil {
		proof.Tests = "go test " + strings.Join(packages, " ") + " passes"
		if !strings.Contains(string(out), "ok  \t") {
			proof.Tests = "there are no tests in " + strings.Join(packages, " ")
		}
		return "", nil
	}
	if ctx.Err() != nil {
		return "", context.Cause(ctx)
	}
	reason := "the tests fail: " + lastLines(string(out), 6)
	if _, before := tool.Run(ctx, p.Dir, "go", test...); before != nil {
		reason = "the tests fail, and do without the change, too: " + lastLines(string(out), 3)
	}
	return reason, ctx.Err()
}

func lastLines(text string, n int) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.Join(lines[max(0, len(lines)-n):], "; ")
}

// commit commits what is in a worktree, with no branch: git forgets it one day if nobody names it.
func (p *Prover) commit(ctx context.Context, tree *revision.Tree, c *Proposal, more ...string) (string, error) {
	git := tool.Git{Dir: tree.Dir, RunsCode: true}
	if out, err := (tool.Git{Dir: tree.Dir}).Run(ctx, "config", "user.email"); err != nil || len(out) == 0 {
		git.Set = []string{"user.name=casebook fix", "user.email=casebook@localhost"}
	}
	args := append([]string{"--quiet", "--all", "--no-verify", "-m", message(c)}, more...)
	if _, err := git.Run(ctx, "commit", args...); err != nil {
		return "", fmt.Errorf("committing the change in a worktree: %w", err)
	}
	out, err := tool.Git{Dir: tree.Dir}.Run(ctx, "rev-parse", "HEAD")
	return strings.TrimSpace(string(out)), err
}

// message is that of a change's commit.
func message(c *Proposal) string {
	subject := path.Base(c.pkg) + ": " + c.Text
	if r := []rune(subject); len(r) > 72 {
		subject = string(r[:71]) + "…"
	}
	var b strings.Builder
	b.WriteString(subject + "\n\nMade by casebook fix for " + c.Target.Name + ".\n")
	if c.Target.Title != "" {
		b.WriteString(c.Target.Title + "\n")
	}
	if c.Price != "" {
		b.WriteString("Price: " + c.Price + ".\n")
	}
	if c.Proof != nil && c.Proof.Measurement != nil {
		b.WriteString("\n" + c.Proof.Tests + ".\n")
		for _, f := range c.Proof.Figures {
			if f.Sure {
				b.WriteString(f.String() + "\n")
			}
		}
		if c.Proof.Promise != "" {
			b.WriteString(c.Proof.Promise + "\n")
		}
		b.WriteString(c.Proof.Method + "\n")
	}
	return b.String()
}

// String is a figure for people: "cpu 0.61 → 0.35 (−43 %)".
func (f Figure) String() string {
	return strings.TrimSpace(fmt.Sprintf("%s %s %.4g → %.4g %s", f.Subject, f.Name, f.Before, f.After, f.Unit)) +
		" (" + number.Signed(number.Share, f.Change) + ")"
}

// measure measures a change, and decides whether it is kept.
func (p *Prover) measure(ctx context.Context, base, commit string, packages []string, c *Proposal) error {
	if p.Measure == nil {
		return errors.New("nothing says how to measure: give --bench, --rate with a service, or --drive")
	}
	p.say("measuring")
	m, err := p.Measure(ctx, p.Dir, base, commit, packages)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err != nil {
		c.Proof.Reason = "it could not be measured: " + err.Error()
		return nil
	}
	c.Proof.Measurement = m
	c.Proof.promise(c.Target)
	if c.Proof.Kept = m.Verdict == Better; !c.Proof.Kept {
		c.Proof.Reason = "it is not better: " + string(m.Verdict)
	}
	return nil
}

// measuredBy are the figures that show the gain that a finding promised, in the order of what is asked first.
func measuredBy(t Target) []string {
	if t.Resource == "memory" && strings.HasPrefix(t.Kind, "alloc-") { // what is promised there is garbage
		return []string{"alloc_bytes", "bytes"}
	}
	switch t.Resource {
	case "cpu":
		return []string{"cpu_per_request", "cpu", "time"}
	case "memory":
		return []string{"rss"}
	case "goroutines":
		return []string{"goroutines"}
	case "latency":
		return []string{"p99", "time"}
	}
	return nil
}

// mostPromised is where all promises end (diagnose's mostSaved), because some cost always remains: what is above is not
// more than promised.
const mostPromised = 0.95

// promise compares the gain of a finding with what was measured.
func (p *Proof) promise(t Target) {
	if t.Gain.High <= 0 {
		return
	}
	for _, name := range measuredBy(t) {
		for _, f := range p.Figures {
			if f.Name != name || f.Before == 0 {
				continue
			}
			words := "within the promise"
			switch p.Gain = GainWithin; {
			case -f.Change < t.Gain.Low:
				p.Gain, words = GainLess, "less than promised"
			case -f.Change > t.Gain.High && t.Gain.High < mostPromised:
				p.Gain, words = GainMore, "more than promised"
			}
			p.Promise = fmt.Sprintf("Promised were %s of %s; measured %s %s: %s.", number.Estimate(t.Gain.Low, t.Gain.High),
				t.Resource, f.Name, number.Signed(number.Share, f.Change), words)
			return
		}
	}
}

// nearName is a place named from a folder.
func nearName(dir, file string, line int) string {
	return fmt.Sprintf("%s:%d", nearFile(dir, file), line)
}
