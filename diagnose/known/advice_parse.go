package known

import (
	"fmt"
	"slices"
	"strings"
)

// The format of rows/*.txt: blocks of lines, parted by an empty line; a line is a key and a text; one that begins with #
// is a comment.
//
//	module github.com/segmentio/kafka-go v0.4.47
//
//	default Writer.BatchTimeout 1s
//	at .(*Writer).WriteMessages
//	says WriteMessages waits until its batch is full, or for BatchTimeout
//	why WriteMessages returns when its batch has been sent, and …
//	do Set BatchTimeout to some 10 ms: a message then waits no longer than that for others.
//	cost more and smaller requests to the broker
//	source writer.go
//
// A default may have lines "unset .Writer.BatchTimeout Async": a literal of the type Writer of the root package that does
// not name its field BatchTimeout leaves the default, which does not bite if it names one of the fields behind. They were
// read in the source: of many types the constructor has the default, and the zero field means something else.
//
// A block that begins with "module" says of which modules the next ones are, with the release in which they were read;
// "also" adds one of the same names. A row begins with its sort and its subject.

// bySort is by which facts an advice of a sort shows that does not say so.
var bySort = map[About]Seen{AboutDefault: Waiting, AboutEnd: Holding | Staying, AboutOnce: OnCPU,
	AboutGrowth: Holding, AboutCost: OnCPU, AboutFault: OnCPU}

// seenBy are the facts by their names in a file.
var seenBy = map[string]Seen{"cpu": OnCPU, "wait": Waiting, "held": Holding, "goroutines": Staying,
	"silence": Silence}

// Limits of a row's texts, in bytes.
const (
	mostSays = 90
	mostText = 300
)

// ParseAdvices reads the rows of a file. Each problem begins with where it is, and its row is left out.
func ParseAdvices(name, text string) (rows []*Advice, problems []string) {
	var modules []Release
	var a *Advice
	bad := false
	problem := func(line int, format string, args ...any) {
		bad = true
		problems = append(problems, fmt.Sprintf("%s:%d: %s", name, line, fmt.Sprintf(format, args...)))
	}
	end := func(line int) {
		if a == nil {
			return
		}
		if missing := a.incomplete(); missing != "" {
			problem(line, "the row %q has no %s", a.Subject, missing)
		}
		if !bad {
			rows = append(rows, a)
		}
		a = nil
	}
	inHead := false
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		n := i + 1
		line = strings.TrimRight(line, " \t\r")
		if strings.HasPrefix(line, "#") {
			continue
		}
		key, value, _ := strings.Cut(line, " ")
		value = strings.TrimSpace(value)
		switch {
		case line == "":
			end(n)
			inHead = false
		case value == "":
			problem(n, "%q has no text", key)
		case len(value) > mostText:
			problem(n, "%s has %d bytes, %d at most", key, len(value), mostText)
		case key == "module" || key == "also" && inHead:
			path, version, two := strings.Cut(value, " ")
			if !two {
				problem(n, "module %s has no version", path)
			}
			if key == "module" {
				end(n)
				modules, inHead = nil, true
			}
			modules = append(slices.Clip(modules), Release{path, version})
		case a == nil && bySort[About(key)] != 0:
			bad = false
			a = &Advice{About: About(key), Subject: value, Modules: modules, Seen: bySort[About(key)],
				Line: fmt.Sprintf("%s:%d", name, n)}
			if len(modules) == 0 {
				problem(n, "the row comes before any module")
			}
		case a == nil:
			problem(n, "a row begins with default, end, once, grows, costs or fault, not with %q", key)
		default:
			if what := a.set(key, value); what != "" {
				problem(n, "%s", what)
			}
		}
	}
	end(len(lines))
	return rows, problems
}

// set takes a line of a row; what is wrong with it, or "".
func (a *Advice) set(key, value string) string {
	one := map[string]*string{"says": &a.Says, "why": &a.Why, "cost": &a.Cost, "source": &a.Source,
		"holds": &a.Holds}[key]
	switch {
	case key == "says" && len(value) > mostSays:
		return fmt.Sprintf("says has %d bytes, %d at most", len(value), mostSays)
	case one != nil && *one != "":
		return fmt.Sprintf("%s is there twice", key)
	case one != nil:
		*one = value
	case key == "page":
		a.Source = strings.TrimSpace(a.Source + " " + value)
	case key == "at":
		a.At = append(a.At, strings.Fields(value)...)
	case key == "below":
		a.Below = append(a.Below, strings.Fields(value)...)
	case key == "stays":
		a.Stays = append(a.Stays, strings.Fields(value)...)
	case key == "unset" && a.About == AboutDefault:
		a.Unset = append(a.Unset, value)
	case key == "do":
		a.Do = append(a.Do, value)
	case key == "seen":
		a.Seen = 0
		for _, fact := range strings.Fields(value) {
			if seenBy[fact] == 0 {
				return fmt.Sprintf("seen is cpu, wait, held or goroutines, not %q", fact)
			}
			a.Seen |= seenBy[fact]
		}
	default:
		return fmt.Sprintf("no row has a line %q", key)
	}
	return ""
}

// incomplete is what a row lacks; "" if nothing.
func (a *Advice) incomplete() string {
	switch {
	case len(a.At) == 0 && len(a.Stays) == 0:
		return `"at", a function at which the fact stands`
	case a.Says == "":
		return `"says", its headline`
	case a.Why == "":
		return `"why"`
	case len(a.Do) == 0:
		return `"do", what the user changes`
	case a.Source == "":
		return `"source", where it was read`
	}
	return ""
}
