package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
)

// An expectation is what an expert would say of a service.
type expectation struct {
	Name    string   `json:"name"`
	Program string   `json:"program,omitempty"` // its folder; the name where it is empty
	Args    []string `json:"args,omitempty"`    // of the service and of its load
	Env     []string `json:"env,omitempty"`     // of the service: NAME=value
	Loads   int      `json:"loads,omitempty"`   // how many of its loads run at once; 0 means one
	Quota   float64  `json:"quota,omitempty"`   // cores, of a cgroup's CPU quota; 0 means none
	Style   string   `json:"style"`
	Healthy bool     `json:"healthy,omitempty"`
	Kinds   []string `json:"kinds,omitempty"` // any of them is right
	// ends of the functions to blame; any of them is right. None: the process as a whole is ill
	Functions []string `json:"functions,omitempty"`
	// expressions for what the first finding's first remedy is called, and for what it is not: see TestSettings in
	// package diagnose
	Says  string   `json:"says,omitempty"`
	Never string   `json:"never,omitempty"`
	Also  []string `json:"also,omitempty"` // kinds that are true too, and no false alarm
	// of a healthy one: what it does is its work, and may be said below a warning
	Tolerated []string `json:"tolerated,omitempty"`
	Why       string   `json:"why"`
}

// program is the folder of the service's source.
func (e expectation) program() string { return cmp.Or(e.Program, e.Name) }

func readExpectations(file string) ([]expectation, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("reading what is expected: %w; run this in lab/, or give -programs", err)
	}
	var all []expectation
	if err := json.Unmarshal(text, &all); err != nil {
		return nil, fmt.Errorf("reading %s: %w", file, err)
	}
	for i := range all {
		e := &all[i]
		e.Kinds, e.Also, e.Tolerated = withKinds(e.Kinds), withKinds(e.Also), withKinds(e.Tolerated)
	}
	return all, nil
}

// withKinds adds the kinds that are looked for under other names.
func withKinds(names []string) []string {
	for _, d := range diagnose.Detectors() {
		if slices.ContainsFunc(d.OtherNames, func(name string) bool { return slices.Contains(names, name) }) {
			names = append(names, d.Kind)
		}
	}
	return names
}

// Scores from which a finding counts: casefile's bands.
const (
	noticeScore  = 25
	warningScore = 50
)

// Verdicts on a diagnosis.
const (
	hit        = "hit"         // the right kind at the right function, among the first two findings
	partial    = "partial"     // found, but further down, under another name, or at another place
	miss       = "miss"        // not found
	clean      = "clean"       // healthy, and no warning
	falseAlarm = "false alarm" // healthy, and a warning
)

// A judgement is the verdict, and the warnings that are not true.
type judgement struct {
	verdict string
	false   []casefile.Finding
	notices int // of a healthy service: findings below a warning that are not tolerated
}

// judge compares what was said with what an expert would say.
func (e expectation) judge(findings []casefile.Finding) judgement {
	j := judgement{verdict: clean}
	if !e.Healthy {
		j.verdict = e.verdict(findings)
	}
	for _, f := range findings {
		switch {
		case e.true(f) || f.Score < noticeScore:
		case f.Score >= warningScore:
			j.false = append(j.false, f)
		default:
			j.notices++
		}
	}
	if e.Healthy && len(j.false) > 0 {
		j.verdict = falseAlarm
	}
	return j
}

// true tells whether a finding may be said of the service. What a healthy one does for a living may be said, without
// alarm.
func (e expectation) true(f casefile.Finding) bool {
	if e.Healthy {
		return slices.Contains(e.Tolerated, f.Kind) && f.Score < warningScore
	}
	return slices.Contains(e.Kinds, f.Kind) || slices.Contains(e.Also, f.Kind)
}

func (e expectation) verdict(findings []casefile.Finding) string {
	verdict := miss
	for i, f := range findings {
		if f.Score < noticeScore {
			continue
		}
		kind, place := slices.Contains(e.Kinds, f.Kind), e.blames(f)
		if kind && place && i < 2 {
			return hit
		}
		if kind || place {
			verdict = partial
		}
	}
	return verdict
}

// rangeBody ends the name that the compiler gives to the body of a loop over a function: it stands in the function
// itself.
var rangeBody = regexp.MustCompile(`(-range[0-9]+)+$`)

// blames tells whether the place to change is one of those expected.
func (e expectation) blames(f casefile.Finding) bool {
	if len(f.Where) == 0 || len(e.Functions) == 0 {
		return len(e.Functions) == 0
	}
	return slices.ContainsFunc(e.Functions, func(end string) bool {
		name := rangeBody.ReplaceAllString(f.Where[0].Function, "")
		if !strings.HasSuffix(end, "[...]") {
			name = strings.TrimSuffix(name, "[...]") // a generic function, as the linker names it
		}
		return name == end || strings.HasSuffix(name, "/"+end)
	})
}
