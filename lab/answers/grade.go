package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path"
	"regexp"
	"strings"

	"github.com/gocasebook/casebook/app/answer"
)

// A grade is what the patterns of a case say of an answer.
type grade string

const (
	hit      grade = "HIT"     // the place and the cure, and no wrong cure
	partial  grade = "PARTIAL" // the place or the cure
	wrong    grade = "WRONG"   // neither, or a cure that does not help
	none     grade = "NONE"    // there was no answer
	unjudged grade = "?"       // there are no patterns for the case
)

// grades are all, in the order of the table.
func grades() []grade { return []grade{hit, partial, wrong, none, unjudged} }

// A pattern has the words of a right answer to one case. It is wide, and no substitute for reading.
type pattern struct {
	place, cure *regexp.Regexp
	wrong       *regexp.Regexp // cures that do not help; nil where there are none
}

// readPatterns reads a file of patterns, by the names of cases; "" is none.
func readPatterns(file string) (map[string]pattern, error) {
	if file == "" {
		return nil, nil
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("-patterns: %w", err)
	}
	var written map[string]struct{ Place, Cure, Wrong string }
	if err := json.Unmarshal(data, &written); err != nil {
		return nil, fmt.Errorf(`-patterns: %s: %w; want {"NAME": {"place": REGEXP, "cure": …, "wrong": …}}`, file, err)
	}
	all := make(map[string]pattern, len(written))
	var errs []error
	for name, w := range written {
		compile := func(field, expr string) *regexp.Regexp {
			if expr == "" && field == "wrong" {
				return nil
			}
			re, err := regexp.Compile(expr)
			if err != nil || expr == "" {
				errs = append(errs, fmt.Errorf("-patterns: %s: %s: want a regular expression: %w", name, field, err))
			}
			return re
		}
		all[name] = pattern{compile("place", w.Place), compile("cure", w.Cure), compile("wrong", w.Wrong)}
	}
	return all, errors.Join(errs...)
}

// grade judges an answer by its words. Of a wrong cure only what it wants to change counts: a cause may say that a
// setting does not help.
func (p pattern) grade(a *answer.Answer) grade {
	if p.place == nil {
		return unjudged
	}
	change := a.Change
	if change == "" {
		change = a.Cause
	}
	place := p.place.MatchString(placesText(a) + " " + a.Cause + " " + a.Change)
	cure := p.cure.MatchString(a.Change + " " + a.Cause + " " + added(a.Diff))
	bad := p.wrong != nil && p.wrong.MatchString(change)
	switch {
	case place && cure && !bad:
		return hit
	case bad && !cure, !place && !cure:
		return wrong
	}
	return partial
}

func placesText(a *answer.Answer) string {
	var b strings.Builder
	for _, at := range a.Place {
		fmt.Fprintf(&b, "%s %s ", at.Function, path.Base(at.File))
	}
	return b.String()
}

// added are the lines that a diff adds.
func added(diff string) string {
	var b strings.Builder
	for line := range strings.Lines(diff) {
		if strings.HasPrefix(line, "+") && !strings.HasPrefix(line, "+++") {
			b.WriteString(line)
		}
	}
	return b.String()
}
