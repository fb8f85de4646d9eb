// Package builder puts strings together.
package builder

import (
	"fmt"
	"strings"
)

type booking struct{ text, partner string }

// csv is lab/holdout3/statement.
func csv(bs []booking) string {
	out := "date;text\n"
	for _, b := range bs {
		out += b.text + ";" + quote(b.partner) + ";" +
			"\n"
	}
	return out
}

// pages is lab/holdout/reportd: a string for each page.
func pages(all [][]booking, seal func(string)) {
	for _, page := range all {
		text := ""
		for _, b := range page {
			text = text + b.text + "\r\n"
		}
		seal(text)
	}
}

// list asks for the length, and begins anew.
func list(names []string) (all []string) {
	var line string
	for _, n := range names {
		if len(line) > 80 {
			all = append(all, line)
			line = ""
		}
		line += strings.ToUpper(n) + ","
	}
	return append(all, line)
}

func quote(s string) string { return fmt.Sprintf("%q", s) }

// once does not grow in a loop.
func once(a, b string) string {
	s := a
	s += b
	return s
}

// shorter cuts.
func shorter(names []string) string {
	s := ""
	for _, n := range names {
		s += n
		s = strings.TrimSuffix(s, ",")
	}
	return s
}

// captured is written by a literal, too.
func captured(names []string) string {
	s := ""
	add := func(x string) { s += x }
	for _, n := range names {
		s += n
		add(n)
	}
	return s
}

// pointed has its address taken.
func pointed(names []string, scan func(*string)) string {
	s := ""
	for _, n := range names {
		s += n
	}
	scan(&s)
	return s
}

// doubled adds itself.
func doubled(n int) string {
	s := "x"
	for range n {
		s += s
	}
	return s
}

// parameter is no local variable.
func parameter(s string, n int) string {
	for range n {
		s += "x"
	}
	return s
}

type name string

// named is another type.
func named(n int) name {
	var s name
	for range n {
		s += "x"
	}
	return s
}
