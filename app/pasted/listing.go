package pasted

import (
	"regexp"
	"strconv"
	"strings"
)

// The text of -list has the lines of functions, with what each takes itself and with what it calls:
//
//	Total: 4.30s
//	ROUTINE ======================== shop/price.Match in /src/shop/price/price.go
//	      20ms      3.21s (flat, cum) 74.65% of Total
//	      10ms       10ms     19:	for _, s := range names {
//	         .      3.04s     20:		re := regexp.MustCompile(pattern)
//
// What a line calls has no name there. Functions that are listed may call each other: those whose numbers no longer
// fit into the total are left out.
var (
	listHead  = regexp.MustCompile(`^ROUTINE =+ (\S.*) in (\S.*)$`)
	listSum   = regexp.MustCompile(`^ *(?:([\d.]+)([a-zA-Z]*)|\.) +([\d.]+)([a-zA-Z]*) \(flat, cum\)`)
	listEntry = regexp.MustCompile(`^ *(?:([\d.]+)([a-zA-Z]*)|\.) +(?:([\d.]+)([a-zA-Z]*)|\.) +(\d+):(.*)$`)
)

// NotShown stands for what a text leaves out: a frame without a symbol, as package stacks calls them.
const NotShown = "[not shown]"

var notShown = place{function: NotShown}

// A listing is read from such a text.
type listing struct {
	at   place // the function whose lines follow
	sum  int64 // of the functions so far
	skip bool  // this function's lines are in another's
}

func (l *listing) begins(text string) bool {
	if !strings.HasPrefix(text, "ROUTINE ") {
		return false
	}
	m := listHead.FindStringSubmatch(text)
	if m == nil {
		return false
	}
	l.at, l.skip = place{function: m[1], file: m[2]}, false
	return true
}

// line takes a line below the head.
func (l *listing) line(t *pprofText, text string) bool {
	if m := listSum.FindStringSubmatch(text); m != nil {
		whole := t.amount(m[3], m[4])
		l.skip = t.total > 0 && l.sum+whole > t.total+t.total/100 // the numbers are rounded
		if !l.skip {
			l.sum += whole
		}
		return true
	}
	m := listEntry.FindStringSubmatch(text)
	if m == nil {
		if strings.TrimSpace(text) != "" && !strings.HasPrefix(strings.TrimSpace(text), ".") {
			t.in = 0 // what follows is no list any more
			return t.about(text)
		}
		return true
	}
	if l.skip {
		return true
	}
	at := l.at
	at.line, _ = strconv.ParseInt(m[5], 10, 32) // the pattern has digits alone; a line beyond that is none
	own, whole := t.amount(m[1], m[2]), t.amount(m[3], m[4])
	if own > 0 {
		t.rows = append(t.rows, row{own, []place{at}, m[6]})
	}
	if whole > own {
		t.rows = append(t.rows, row{whole - own, []place{notShown, at}, m[6]})
	}
	return true
}
