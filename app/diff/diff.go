// Package diff writes the difference of two texts as diff -u and git do.
package diff

import (
	"fmt"
	"slices"
	"strings"
)

// context is how many lines a hunk shows around a change.
const contextLines = 3

// An op is a run of lines: kept, taken out or put in.
type op struct {
	kind  byte // ' ', '-', '+'
	lines []string
}

// Unified is the difference of two texts as diff -u prints it. An empty old one is that of a file that is new.
func Unified(name, old, now string) string {
	ops := compare(strings.SplitAfter(old, "\n"), strings.SplitAfter(now, "\n"))
	var b strings.Builder
	from := "a/" + name
	if old == "" {
		from = "/dev/null"
	}
	fmt.Fprintf(&b, "--- %s\n+++ b/%s\n", from, name)
	oldLine, newLine := 1, 1
	for i := 0; i < len(ops); i++ {
		if ops[i].kind == ' ' {
			oldLine, newLine = oldLine+len(ops[i].lines), newLine+len(ops[i].lines)
			continue
		}
		// A hunk goes on while what is kept between two changes is shown by both anyway.
		end := i
		for j := i; j < len(ops); j++ {
			if ops[j].kind != ' ' {
				end = j
			} else if len(ops[j].lines) > 2*contextLines {
				break
			}
		}
		var before []string
		if i > 0 {
			kept := ops[i-1].lines
			before = kept[max(0, len(kept)-contextLines):]
		}
		hunk := []op{{' ', before}}
		hunk = append(hunk, ops[i:end+1]...)
		if end+1 < len(ops) {
			kept := ops[end+1].lines
			hunk = append(hunk, op{' ', kept[:min(contextLines, len(kept))]})
		}
		writeHunk(&b, hunk, oldLine-len(before), newLine-len(before))
		for ; i <= end; i++ {
			if ops[i].kind != '+' {
				oldLine += len(ops[i].lines)
			}
			if ops[i].kind != '-' {
				newLine += len(ops[i].lines)
			}
		}
		i--
	}
	return b.String()
}

func writeHunk(b *strings.Builder, hunk []op, oldLine, newLine int) {
	var text strings.Builder
	oldCount, newCount := 0, 0
	for _, o := range hunk {
		for _, l := range o.lines {
			if l == "" {
				continue // behind the last newline
			}
			text.WriteByte(o.kind)
			text.WriteString(strings.TrimSuffix(l, "\n") + "\n")
			if !strings.HasSuffix(l, "\n") {
				text.WriteString("\\ No newline at end of file\n")
			}
			if o.kind != '+' {
				oldCount++
			}
			if o.kind != '-' {
				newCount++
			}
		}
	}
	fmt.Fprintf(b, "@@ -%s +%s @@\n%s", span(oldLine, oldCount), span(newLine, newCount), text.String())
}

func span(line, count int) string {
	if count == 0 {
		line--
	}
	if count == 1 {
		return fmt.Sprint(line)
	}
	return fmt.Sprintf("%d,%d", line, count)
}

// compare finds the lines that two texts share, in order: the longest common subsequence of what is between their
// common beginning and end.
func compare(a, b []string) (ops []op) {
	add := func(kind byte, lines ...string) {
		if len(lines) == 0 {
			return
		}
		if n := len(ops); n > 0 && ops[n-1].kind == kind {
			ops[n-1].lines = append(ops[n-1].lines, lines...)
			return
		}
		ops = append(ops, op{kind, slices.Clone(lines)})
	}
	first := 0
	for first < len(a) && first < len(b) && a[first] == b[first] {
		first++
	}
	last := 0
	for last < len(a)-first && last < len(b)-first && a[len(a)-1-last] == b[len(b)-1-last] {
		last++
	}
	add(' ', a[:first]...)
	x, y := a[first:len(a)-last], b[first:len(b)-last]
	longest := make([][]int, len(x)+1)
	for i := range longest {
		longest[i] = make([]int, len(y)+1)
	}
	for i := len(x) - 1; i >= 0; i-- {
		for j := len(y) - 1; j >= 0; j-- {
			if x[i] == y[j] {
				longest[i][j] = longest[i+1][j+1] + 1
			} else {
				longest[i][j] = max(longest[i+1][j], longest[i][j+1])
			}
		}
	}
	i, j := 0, 0
	for i < len(x) || j < len(y) {
		switch {
		case i < len(x) && j < len(y) && x[i] == y[j]:
			add(' ', x[i])
			i, j = i+1, j+1
		case i < len(x) && (j == len(y) || longest[i+1][j] >= longest[i][j+1]):
			add('-', x[i])
			i++
		default:
			add('+', y[j])
			j++
		}
	}
	add(' ', a[len(a)-last:]...)
	return ops
}
