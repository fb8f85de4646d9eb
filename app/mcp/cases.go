package mcp

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gocasebook/casebook/app/casework"
	"github.com/gocasebook/casebook/app/render"
	"github.com/gocasebook/casebook/app/store"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/number"
)

// Bounds of a list of cases.
const (
	usualCases = 20
	mostCases  = 100
	mostLooked = 2000 // cases that are read for one list, however few pass
)

type listArgs struct {
	Service string `json:"service,omitempty"`
	Kind    string `json:"kind,omitempty"`
	Score   int    `json:"score,omitempty"`
	After   string `json:"after,omitempty"`
	Limit   int    `json:"limit,omitempty"`
}

// A listed page is what list_cases answers with.
type listedPage struct {
	Cases   []store.Summary `json:"cases"`          // as GET /api/v1/cases of casebook serve has them
	Next    string          `json:"next,omitempty"` // for after
	Folders []string        `json:"folders"`        // with profiles, and without a case
	Cut     []string        `json:"cut"`
}

func (s *Server) listCases(ctx context.Context, in listArgs) (reply, error) {
	names, err := s.base.names()
	if err != nil {
		return reply{}, err
	}
	page := listedPage{Cases: []store.Summary{}, Folders: []string{}, Cut: []string{}}
	limit := bounded(in.Limit, usualCases, mostCases)
	slices.Reverse(names) // cases begin with their time
	looked, cases, unreadable := 0, 0, 0
	for _, name := range names {
		if !casefile.ValidID(name) {
			page.Folders = append(page.Folders, name)
			continue
		}
		cases++
		if page.Next != "" || in.After != "" && name >= in.After {
			continue
		}
		if len(page.Cases) == limit || looked == mostLooked || ctx.Err() != nil {
			page.Next = name + "~" // behind the one before it
			continue
		}
		looked++
		f, err := casefile.OpenIn(s.base.root, name)
		if err != nil {
			unreadable++
			continue
		}
		if passes(&in, &f.Case) {
			page.Cases = append(page.Cases, store.Summarize(&f.Case))
		}
	}
	if unreadable > 0 {
		page.Cut = append(page.Cut, number.Things(unreadable, "case")+" could not be read")
	}
	slices.Sort(page.Folders)
	if n := len(page.Folders); n > mostCases {
		page.Folders = page.Folders[:mostCases]
		page.Cut = append(page.Cut, fmt.Sprintf("folders: %d of %d", mostCases, n))
	}
	return reply{value: page, text: listText(&page, cases)}, nil
}

// bounded is a number that somebody asks for: the usual one for none, and the most for more.
func bounded(n, usual, most int) int {
	if n <= 0 {
		return usual
	}
	return min(n, most)
}

func passes(in *listArgs, c *casefile.Case) bool {
	worst, kind := 0, in.Kind == ""
	for i := range c.Findings {
		worst = max(worst, c.Findings[i].Score)
		kind = kind || c.Findings[i].Kind == in.Kind
	}
	return kind && worst >= in.Score && (in.Service == "" || c.Target.Name == in.Service)
}

func listText(page *listedPage, cases int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s of %d, newest first.\n", number.Things(len(page.Cases), "case"), cases)
	for i := range page.Cases {
		c := &page.Cases[i]
		what := "no findings; " + cmp.Or(c.Verdict, c.Text)
		if c.Findings > 0 {
			what = fmt.Sprintf("score %d: %s", c.Score, c.Title)
		}
		fmt.Fprintf(&b, "%s  %s  %s  %s\n", c.ID, c.Opened.Format(time.RFC3339), render.Plain(c.Service),
			render.Plain(what))
	}
	if len(page.Folders) > 0 {
		fmt.Fprintf(&b, "Folders with profiles, for diagnose and get_evidence: %s\n", strings.Join(page.Folders, ", "))
	}
	if page.Next != "" {
		fmt.Fprintf(&b, "More: list_cases with after %s\n", page.Next)
	}
	return b.String()
}

type caseArgs struct {
	Case     string `json:"case"`
	Findings int    `json:"findings,omitempty"`
}

// Bounds of a diagnosis.
const (
	usualFindings = 5
	mostFindings  = 50
	rowsOfLists   = 60 // of every other list in an answer
)

// A shownCase is what get_case answers with: an element of `casebook case ls --json`, and what was cut.
type shownCase struct {
	casework.Listed
	Files []casefile.Evidence `json:"files,omitempty"` // of a folder without a case
	Cut   []string            `json:"cut"`
}

func (s *Server) getCase(_ context.Context, in caseArgs) (reply, error) {
	e, err := s.base.open(in.Case)
	if err != nil {
		return reply{}, err
	}
	defer e.close()
	out := shownCase{Listed: casework.Listed{ID: e.Name}}
	if e.Case == nil {
		if out.Files, err = e.files(); err != nil {
			return reply{}, err
		}
		if len(out.Files) == 0 {
			return reply{}, fmt.Errorf("%s holds no case and no files that can be read here", e.Name)
		}
		return fitted(out, "This folder holds files and no case; diagnose says what is wrong, get_evidence looks into "+
			"one: "+fileNames(out.Files), nil)
	}
	c := e.Case.Case
	out.Path, out.Case = e.Case.Path, &c
	var cut []string
	c.Diagnosis, cut = firstFindings(c.Diagnosis, in.Findings)
	return fitted(out, caseText(&c), cut)
}

func fileNames(files []casefile.Evidence) string {
	names := make([]string, len(files))
	for i, f := range files {
		names[i] = f.File
	}
	return strings.Join(names, ", ")
}

// firstFindings keeps so many findings, and the reasons of what could not be judged as a number: they are as many as
// there are detectors.
func firstFindings(d casefile.Diagnosis, n int) (casefile.Diagnosis, []string) {
	var cut []string
	n = bounded(n, usualFindings, mostFindings)
	if all := len(d.Findings); all > n {
		d.Findings = d.Findings[:n]
		cut = append(cut, fmt.Sprintf("findings: %d of %d", n, all))
	}
	return d, cut
}

func caseText(c *casefile.Case) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Case %s\nTarget: %s\nOpened: %s\nTripped: %s: %s\n", c.ID, c.Target.Name,
		c.Opened.Format(time.RFC3339), c.Trigger.Rule, c.Trigger.Text)
	b.WriteString(diagnosisText(&c.Diagnosis))
	if c.Proof != nil {
		fmt.Fprintf(&b, "Proof: %s. %s\n", c.Proof.Verdict, c.Proof.Summary)
	}
	fmt.Fprintf(&b, "Evidence: %s\n", fileNames(c.Evidence))
	return b.String()
}

// fitted bounds an answer, and adds to it what was cut.
func fitted(v any, text string, cut []string) (reply, error) {
	tree, more, err := fit(v, rowsOfLists, maxValue)
	if err != nil {
		return reply{}, err
	}
	cut = append(append([]string{}, cut...), more...)
	if object, ok := tree.(map[string]any); ok {
		object["cut"] = cut
	}
	if len(cut) > 0 {
		text = strings.TrimRight(text, "\n") + "\nCut: " + strings.Join(cut, "; ") + "\n"
	}
	return reply{value: tree, text: text}, nil
}
