package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gocasebook/casebook/app/assess"
	"github.com/gocasebook/casebook/app/casework"
	"github.com/gocasebook/casebook/app/fix"
	"github.com/gocasebook/casebook/app/lint"
	"github.com/gocasebook/casebook/app/source"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/number"
)

// targets are what the arguments name; without any, all findings of the evidence that have a cure, and what lint
// reports at hot lines. note is what speaks against the code being what ran.
func (f *fixFlags) targets(cmd *cobra.Command, args []string) (out []fix.Target, cfg fix.Config, note string,
	err error) {
	var findings []string
	cfg.Tags = f.tags
	if cfg.Tool, err = os.Executable(); err != nil {
		return nil, cfg, "", fmt.Errorf("fixing: %w", err)
	}
	at := f.source
	if at == "" {
		at = "."
	}
	for _, a := range args {
		if !strings.Contains(a, "@") {
			findings = append(findings, a)
			continue
		}
		t, err := diagnosticOf(at, a)
		if err != nil {
			return nil, cfg, "", err
		}
		out = append(out, t)
	}
	evidence, err := f.evidence()
	if err != nil {
		return nil, cfg, "", err
	}
	switch {
	case len(evidence) > 0:
		more, places, note, err := f.ofEvidence(cmd, at, evidence, findings, len(args) == 0)
		if err != nil {
			return nil, cfg, "", err
		}
		cfg.Dir = places.Tree.Dir
		if len(args) == 0 {
			hot, err := f.hotReports(cmd, cfg, evidence)
			if err != nil {
				return nil, cfg, "", err
			}
			more = append(more, hot...)
		}
		return append(out, more...), cfg, note, nil
	case len(findings) > 0:
		return nil, cfg, "", fmt.Errorf("%s is a finding of what? Name its case (--case ID) or profiles (--profile FILE); "+
			"a diagnostic of casebook lint is CHECK@FILE:LINE", findings[0])
	case len(out) == 0:
		return nil, cfg, "", errors.New("fix what? Name a case (--case ID) or profiles (--profile FILE) for all their " +
			"findings, or diagnostics of casebook lint: CHECK@FILE:LINE")
	}
	tree, err := source.Find(at, casefile.Build{})
	if err != nil {
		return nil, cfg, "", err
	}
	cfg.Dir, err = filepath.EvalSymlinks(tree.Dir)
	return out, cfg, "", err
}

func (f *fixFlags) evidence() ([]string, error) {
	evidence := slices.Clone(f.profiles)
	if f.caseID != "" {
		c, err := casework.Open(casework.Which{Dir: f.dir, ID: f.caseID})
		if info, folder := os.Stat(f.caseID); err != nil && folder == nil && info.IsDir() {
			return nil, fmt.Errorf("--case %s: there is no case.json; --profile reads a folder of profiles", f.caseID)
		}
		if err != nil {
			return nil, err
		}
		evidence = append(evidence, c.Path)
	}
	return evidence, nil
}

// diagnosticOf reads CHECK@FILE:LINE.
func diagnosticOf(dir, arg string) (fix.Target, error) {
	check, place, _ := strings.Cut(arg, "@")
	file, line, ok := strings.Cut(place, ":")
	line, _, _ = strings.Cut(line, ":") // of a column
	n, err := strconv.Atoi(line)
	if !ok || err != nil || n < 1 || check == "" {
		return fix.Target{}, fmt.Errorf("%q: want CHECK@FILE:LINE, as casebook lint --lines prints them", arg)
	}
	if !slices.ContainsFunc(lint.Checks(), func(c lint.Check) bool { return c.Name == check }) {
		return fix.Target{}, fmt.Errorf("%q: casebook lint has no check %s; casebook fix --list names those with a fix",
			arg, check)
	}
	if !filepath.IsAbs(file) {
		file = filepath.Join(dir, file)
	}
	file, err = filepath.Abs(file)
	if err == nil {
		file, err = filepath.EvalSymlinks(file)
	}
	if err != nil {
		return fix.Target{}, fmt.Errorf("%q: %w", arg, err)
	}
	return fix.Target{Name: arg, Check: check, Places: []fix.Place{{File: file, Line: n}}}, nil
}

// ofEvidence are the findings that names choose, or all that have a cure.
func (f *fixFlags) ofEvidence(cmd *cobra.Command, at string, evidence, names []string, all bool) ([]fix.Target,
	*source.Places, string, error) {
	ctx := cmd.Context()
	r := assess.DiagnoseRequest{What: evidence}
	end := watchProgress(&r, cmd.ErrOrStderr())
	done, err := assess.Diagnose(ctx, r)
	end()
	if err != nil {
		return nil, nil, "", err
	}
	if !done.Read() {
		return nil, nil, "", errors.Join(append(done.Failed, errors.New("no evidence could be read"))...)
	}
	at, err = filepath.EvalSymlinks(at)
	if err != nil {
		return nil, nil, "", err
	}
	places, err := source.FindPlaces(ctx, at, done.Build)
	if err != nil {
		return nil, nil, "", fmt.Errorf("the evidence is another program's: %w", err)
	}
	match := f.match(ctx, cmd, at, evidence)
	var out []fix.Target
	for _, name := range names {
		found := slices.DeleteFunc(slices.Clone(done.Findings), func(x casefile.Finding) bool {
			return !strings.EqualFold(x.ID, name) && !strings.EqualFold(x.Kind, name)
		})
		if len(found) == 0 {
			return nil, nil, "", fmt.Errorf("the evidence has no finding %s; it has %s", name, kindsOf(done.Findings))
		}
		for _, x := range found {
			out = append(out, findingTarget(places, match, x))
		}
	}
	for _, x := range done.Findings {
		if t := findingTarget(places, match, x); all && fix.Curable(t) {
			out = append(out, t)
		}
	}
	return out, places, match.String(), nil
}

// match compares the functions of the evidence with the code here.
func (f *fixFlags) match(ctx context.Context, cmd *cobra.Command, at string, evidence []string) *source.Match {
	l := lintFlags{source: at}
	heated, err := l.heat(ctx, cmd.ErrOrStderr(), evidence)
	if err != nil {
		return &source.Match{} // no profile says where functions begin
	}
	return heated.match
}

func kindsOf(fs []casefile.Finding) string {
	var out []string
	for _, f := range fs {
		out = append(out, f.ID+" "+f.Kind)
	}
	if len(out) == 0 {
		return "none"
	}
	return strings.Join(slices.Compact(out), ", ")
}

// findingTarget is a finding with the lines of its places that are here.
func findingTarget(places *source.Places, match *source.Match, x casefile.Finding) fix.Target {
	t := fix.Target{Name: x.ID + " " + x.Kind, Kind: x.Kind, Title: x.Title, Share: x.Impact.Share,
		Resource: x.Impact.Resource, Gain: x.Impact.Gain, Settings: fix.SettingsOf(x)}
	for _, w := range x.Where {
		t.Frames = append(t.Frames, w.Function)
		found := places.File(w)
		if found.File == "" || w.Line == 0 {
			continue
		}
		if rel, err := filepath.Rel(places.Tree.Dir, found.File); err != nil || !filepath.IsLocal(rel) {
			continue
		}
		if slices.Contains(match.Moved, w.Function) && t.Stale == "" {
			t.Stale = w.Function + " begins on another line here: this is not the code that ran"
		}
		if found.Stale != "" && t.Stale == "" {
			t.Stale = found.Stale
		}
		t.Places = append(t.Places, fix.Place{File: found.File, Line: w.Line})
	}
	return t
}

// hotReports are what lint reports at hot lines and has a fix for.
func (f *fixFlags) hotReports(cmd *cobra.Command, cfg fix.Config, evidence []string) (out []fix.Target, err error) {
	l := lintFlags{source: cfg.Dir}
	heated, err := l.heat(cmd.Context(), cmd.ErrOrStderr(), evidence)
	if err != nil {
		return nil, nil // without heat nothing is hot
	}
	res, err := lint.Run(cmd.Context(), lint.Request{Dir: cfg.Dir, Tags: cfg.Tags, Tool: cfg.Tool, Heat: heated.Map,
		On: f.busy.Say, Source: heated.match.String(), Stale: func(file string) string { return heated.stale[file] }})
	f.busy.Say("")
	if err != nil {
		return nil, err
	}
	for _, r := range res.Reports {
		t := fix.Target{Name: fmt.Sprintf("%s@%s:%d", r.Check, nearName(r.File), r.Line), Check: r.Check, Title: r.Message,
			Share: r.Share, Stale: r.Stale, Places: []fix.Place{{File: r.File, Line: r.Line}}}
		if r.Share > 0 {
			t.Title += fmt.Sprintf(" (%s of %s)", number.Share(r.Share), r.By)
		}
		if fix.Curable(t) {
			out = append(out, t)
		}
	}
	return out, nil
}
