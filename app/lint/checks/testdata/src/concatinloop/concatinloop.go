package concatinloop

import (
	"fmt"
	"strings"
)

type page struct{ text string }

func plain(parts []string) string {
	s := ""
	for _, p := range parts {
		s = s + p + ";" // want `each turn copies the whole string`
	}
	return s
}

func sprintf(parts []string) (s string) {
	for _, p := range parts {
		s = fmt.Sprintf("%s%s\n", s, p) // want `each turn copies the whole string`
	}
	return s
}

func (p *page) add(parts []string) {
	for _, part := range parts {
		p.text += part // want `each turn copies the whole string`
	}
}

func nested(rows [][]string, p *page) {
	for _, r := range rows {
		for _, c := range r {
			p.text = p.text + c // want `each turn copies the whole string`
		}
	}
}

// What follows is fine.

func builder(parts []string) string {
	var b strings.Builder
	for _, p := range parts {
		b.WriteString(p)
	}
	return b.String()
}

func others(parts []string) (s string) {
	for _, p := range parts {
		s += p // stringsbuilder's
	}
	return s
}

func afresh(parts []string) (out []string) {
	s := ""
	for _, p := range parts {
		s = p
		s = s + ";"
		out = append(out, s)
	}
	return out
}

func inner(pages []*page) {
	for _, p := range pages {
		p.text += "." // another page each turn
	}
}

func one(parts []string) string {
	s := "x"
	for _, p := range parts {
		if p != "" {
			s = s + p
			break
		}
	}
	return s
}

func sums(ns []int) (n int) {
	for _, x := range ns {
		n = n + x
	}
	return n
}
