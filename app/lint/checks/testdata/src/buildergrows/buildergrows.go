package buildergrows

import (
	"fmt"
	"io"
	"strings"
)

func joined(names []string) string {
	var b strings.Builder // want `b grows from nothing: Grow it`
	for i, n := range names {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(n)
	}
	return b.String()
}

func labels(m map[string]string) string {
	b := strings.Builder{} // want `b grows from nothing`
	for k, v := range m {
		fmt.Fprintf(&b, "%s=%q,", k, v)
	}
	return b.String()
}

func key(a, b, c string) string {
	k := new(strings.Builder) // want `k grows from nothing`
	k.WriteString(a)
	k.WriteByte('/')
	k.WriteString(b)
	k.WriteByte('/')
	k.WriteString(c)
	return k.String()
}

func escaped(s string) string {
	b := &strings.Builder{} // want `b grows from nothing`
	for _, r := range s {
		if r == '"' {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// What follows is fine.

func sized(names []string) string {
	var b strings.Builder
	b.Grow(16 * len(names))
	for _, n := range names {
		b.WriteString(n)
	}
	return b.String()
}

func pair(a, b string) string {
	var s strings.Builder
	s.WriteString(a)
	s.WriteString(b)
	return s.String()
}

func render(w io.Writer, n int) { fmt.Fprint(w, n) }

func given(ns []int) string {
	var b strings.Builder
	for _, n := range ns {
		render(&b, n)
	}
	return b.String()
}

func each(names []string) (out []string) {
	for _, n := range names {
		var b strings.Builder // a text of two pieces
		b.WriteString("/")
		b.WriteString(n)
		out = append(out, b.String())
	}
	return out
}

func initNames(names []string) string {
	var b strings.Builder
	for _, n := range names {
		b.WriteString(n)
	}
	return b.String()
}
