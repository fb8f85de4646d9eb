package answer

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"github.com/gocasebook/casebook/app/facts"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/number"
)

func shareText(v float64) string { return number.Share(v) }

// thingText is a thing that is waited for, in words.
func thingText(thing string) string {
	switch thing {
	case "":
		return "something"
	case facts.Inside:
		return "something inside of a dependency"
	case facts.ForReader:
		return "a peer that does not read"
	case facts.ForPipe:
		return "the end of a child process's output"
	case facts.ForDisk, facts.ForCollector:
		return "the " + thing
	case facts.ForAnswer:
		return "an answer"
	}
	return "a " + thing
}

// A guess is a class of change that a text seems to name.
type guess struct {
	class
	first bool // in the first clause, which is what the answer would do
	word  string
	ruling
}

// clause ends where the first part of a change does.
var clause = regexp.MustCompile(`[.;:]\s|\n`)

// denied is how a text says that it does not mean what follows.
var denied = regexp.MustCompile(`\b(?:not?|never|without|instead of|rather than|avoid\w*|nor|than|neither|don't` +
	`|doesn't|isn't|` +
	`won't|useless|no need|removes? the|already)\b[^.;:]{0,40}$`)

// guesses are the classes of a change, each with what facts say of it.
func (c *check) guesses(s *situation) (all []guess) {
	text := strings.ToLower(c.a.Change)
	end := len(text)
	if at := clause.FindStringIndex(text); at != nil {
		end = at[0]
	}
	for _, k := range classes() {
		for _, m := range k.form.FindAllStringSubmatchIndex(text, 10) {
			if denied.MatchString(text[max(0, m[0]-80) : m[0]+1]) {
				continue
			}
			g := guess{class: k, first: m[0] < end, word: strings.TrimSpace(text[m[0]:m[1]])}
			if k.judge != nil {
				g.ruling = k.judge(s)
			} else {
				g.ruling = s.otherLibrary(formatIn(g.word))
			}
			if g.verdict != "" {
				all = append(all, g)
			}
			break
		}
	}
	if m := newer.FindStringSubmatchIndex(text); m != nil && !denied.MatchString(text[max(0, m[0]-80):m[0]+1]) {
		g := guess{class: class{name: "a newer release"}, first: m[0] < end, word: text[m[2]:m[3]]}
		if g.ruling = s.upgraded(g.word); g.verdict != "" {
			all = append(all, g)
		}
	}
	return all
}

// newer is how a text says that a module's release is to be a newer one.
var newer = regexp.MustCompile(`\b(?:upgrad\w+|updat\w+|bump\w*|go get|newer|latest)` +
	`(?: (?:release|version|of|to|the|-u))*` +
	` ((?:[a-z0-9-]+\.)+[a-z]+(?:/[\w.~-]*[\w~])+)`)

// formatIn is the format that words are about.
func formatIn(words string) string {
	for format := range works {
		if strings.Contains(words, format) {
			return format
		}
	}
	return ""
}

// cure checks whether what is measured at the place contradicts the change. What the answer would do first counts;
// where facts bear out one part of a change, others are not held against it.
func (c *check) cure(context.Context) {
	if len(c.at) == 0 {
		return // the place is refused already
	}
	s := c.situation()
	var good, bad *guess
	all := c.guesses(s)
	for i := range all {
		switch g := &all[i]; {
		case g.verdict == casefile.Supported && good == nil:
			good = g
		case g.verdict != casefile.Supported && g.first && (bad == nil || worse(g.verdict) > worse(bad.verdict)):
			bad = g
		}
	}
	switch {
	case good != nil:
		c.say(casefile.Supported, AboutCure, fmt.Sprintf("it reads as %s: %s", good.name, good.why), good.by...)
	case bad != nil:
		c.say(bad.verdict, AboutCure, fmt.Sprintf("it reads as %s: %s", bad.name, bad.why), bad.by...)
	case s.top != nil:
		c.say(casefile.Supported, AboutCure, "no fact at the place speaks against it", s.top)
	}
	if !c.user && !c.upgrades() && len(all) == 0 {
		c.notMine()
	}
}

// upgrades reports whether the change is a newer release of something.
func (c *check) upgrades() bool {
	return c.a.Change == "" || upgrade.MatchString(strings.ToLower(c.a.Change)) || len(c.a.Uses) > 0
}

var upgrade = regexp.MustCompile(`upgrad|newer|update|go get|bump|later|release|replace|setting|set |config` +
	`|option|v?\d+\.\d+\.\d+`)

// notMine notes that no place is in code that the user can change.
func (c *check) notMine() {
	for _, f := range c.at {
		if at, ok := f.Place(); ok && at.Owner == facts.User {
			c.say(casefile.Supported, AboutCure, fmt.Sprintf("no place is in code of the program; what it can "+
				"change is at %s",
				placeText(casefile.At{Function: at.Function, File: at.File, Line: at.Line})), f)
			return
		}
	}
}

// namings are what causes name. Each is strong: words that say one thing alone.
func namings() []namingOf {
	return []namingOf{
		{"a lock", form(`lock contention|contended (?:lock|mutex)|contention (?:on|for) (?:a ` +
			`|the )?(?:\w+ )?(?:lock|mutex)|` +
			`wait\w* (?:for|on) (?:a |the |its )?(?:\w+ )?(?:lock|mutex)|convoy`),
			func(s *situation) []*facts.Fact {
				return append(s.locks(), s.ended(facts.ForLock, facts.ForWriteLock, facts.ForReadLock)...)
			}},
		{"goroutines that leak", form(`leak\w* (?:a )?goroutines?|goroutines? (?:\w+ )?leak\w*|goroutine leak`),
			func(s *situation) []*facts.Fact { return s.stays }},
		{"memory that is held", form(`memory leak\w*|leak\w* (?:of )?memory|(?:heap|memory) (?:grows|is held` +
			`|is retained|fills)|` +
			`(?:retain|hold|keep)\w* (?:the |its |all )?(?:heap|memory)|unbounded (?:map|cache|slice)`),
			func(s *situation) []*facts.Fact { return append(s.memory[:len(s.memory):len(s.memory)], s.stays...) }},
		{"CPU", form(`(?:burns?|takes?|uses?|spends?|hogs?|saturat\w+|bound by) (?:\S+ ){0,3}(?:cpu|processor)` +
			`|cpu[- ]bound|busy loop|spins\b`),
			func(s *situation) []*facts.Fact { return s.costs }},
		{"another service that is slow", form(slowOther), func(s *situation) []*facts.Fact {
			return append(s.wait(facts.ForAnswer, facts.ForReader, facts.ForDisk), s.ended(facts.ForAnswer,
				facts.ForReader)...)
		}},
		{"the collector", form(`(?:garbage )?collect(?:or|ion) (?:takes|runs|uses|is|dominates)|gc (?:pressure` +
			`|overhead|pauses?|churn)`),
			func(s *situation) []*facts.Fact {
				if part, by := s.collector(); by != nil && part >= leastCollector {
					return []*facts.Fact{by}
				}
				return s.wait(facts.ForCollector)
			}},
	}
}

// A namingOf is a thing that a cause may name.
type namingOf struct {
	name string
	form *regexp.Regexp
	seen func(*situation) []*facts.Fact // facts that show it at the places
}

// cause checks that what a cause names is what facts show at the place.
func (c *check) cause(context.Context) {
	s := c.situation()
	if s.top == nil {
		return
	}
	text := strings.ToLower(c.a.Cause)
	var missing *namingOf
	for _, n := range namings() {
		m := n.form.FindStringIndex(text)
		if m == nil || denied.MatchString(text[max(0, m[0]-80):m[0]+1]) {
			continue
		}
		if by := n.seen(s); len(by) > 0 {
			c.say(casefile.Supported, AboutCure, fmt.Sprintf("its cause names %s, which %s shows", n.name, ids(by)),
				by...)
			return
		}
		if missing == nil {
			missing = &n
		}
	}
	if missing != nil {
		c.say(casefile.Unsupported, AboutCure, fmt.Sprintf("its cause names %s, and no fact of weight at the "+
			"place shows that: "+
			"%s does not", missing.name, s.top.ID), s.top)
	}
}
