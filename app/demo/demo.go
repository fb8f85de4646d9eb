// Package demo has what `casebook demo` shows the whole loop on: a small sick service, its clients and its source.
//
// The problem: who has installed casebook wants to see what it does before there is an incident, and has neither this
// repository nor Go. The lab's services need modules that casebook should not link.
//
// The approach: a shop of a hundred lines with an ordinary fault and its repair (shop.go), which casebook runs as a
// process of its own. Its source is in the program, so that the line of a finding can be shown. Clients ask it without
// a break, so that it is as busy as it can be on any machine: how much of its CPU the garbage collector takes then does
// not depend on how fast the machine is.
//
// The limits: one fault, and one that a detector knows by name. What Casebook does with faults that it was not made for
// is measured elsewhere (docs/evidence/accuracy.md).
package demo

import (
	_ "embed"
	"fmt"
	"strings"
)

// File is the shop's source, as its name is in profiles.
const File = "shop.go"

// Repair says what the repaired shop does differently.
const Repair = "the expression is compiled once, when the shop starts (compiled in " + File + ")"

//go:embed shop.go
var source string

// Excerpt is the function around a line of File and, because that is how shop.go is written, its repair: the paragraph
// of the line and the two that follow, with the numbers of the lines. It is empty for a line without text.
func Excerpt(line int) string {
	lines := strings.Split(source, "\n")
	if line < 1 || line > len(lines) || lines[line-1] == "" {
		return ""
	}
	first := line
	for first > 1 && lines[first-2] != "" {
		first--
	}
	var b strings.Builder
	for n, paragraphs := first, 3; n <= len(lines); n++ {
		mark, text := ' ', strings.ReplaceAll(lines[n-1], "\t", "    ")
		if n == line {
			mark = '>'
		}
		if text == "" {
			paragraphs--
		}
		if paragraphs == 0 {
			break
		}
		b.WriteString(strings.TrimRight(fmt.Sprintf("%c %3d  %s", mark, n, text), " ") + "\n")
	}
	return b.String()
}
