package main

import (
	"fmt"
	"strconv"
)

// element is what all parts of a picture have: they add themselves to the document.
type element struct {
	doc    *string
	indent string
}

func (e element) emit(parts ...string) {
	line := e.indent
	for _, p := range parts {
		line += p
	}
	*e.doc = *e.doc + line + "\n"
}

func num(v float64) string { return strconv.FormatFloat(v, 'f', 1, 64) }

// canvas is a picture of a fixed size.
type canvas struct {
	element
	width, height float64
}

func newCanvas(w, h float64) *canvas {
	c := &canvas{element{new(string), ""}, w, h}
	c.emit(`<svg xmlns="http://www.w3.org/2000/svg" width="`, num(w), `" height="`, num(h), `">`)
	c.indent = "  "
	return c
}

func (c *canvas) group(class string, draw func(g *group)) {
	c.emit(`<g class="`, class, `">`)
	draw(&group{element{c.doc, c.indent + "  "}, c.height})
	c.emit(`</g>`)
}

func (c *canvas) String() string { return *c.doc + "</svg>\n" }

// group is parts of a picture that look alike.
type group struct {
	element
	height float64
}

func (g *group) line(x1, y1, x2, y2 float64) {
	g.emit(`<line x1="`, num(x1), `" y1="`, num(g.height-y1), `" x2="`, num(x2), `" y2="`, num(g.height-y2), `"/>`)
}

func (g *group) dot(x, y float64, title string) {
	g.emit(`<circle r="1.5" cx="`, num(x), `" cy="`, num(g.height-y), `"><title>`, title, `</title></circle>`)
}

func (g *group) text(x, y float64, s string) {
	g.emit(`<text x="`, num(x), `" y="`, num(g.height-y), `">`, s, `</text>`)
}

// chart draws a series with its axis.
func chart(s *series, points []float64) string {
	c := newCanvas(800, 240)
	low, high := s.bounds(points)
	scale := func(v float64) float64 { return 20 + 200*(v-low)/(high-low+1e-9) }
	step := c.width / float64(len(points))
	c.group("axis", func(g *group) {
		for i := range 5 {
			v := low + (high-low)*float64(i)/4
			g.line(0, scale(v), c.width, scale(v))
			g.text(2, scale(v)+2, num(v)+s.unit)
		}
	})
	c.group("line", func(g *group) {
		for i := 1; i < len(points); i++ {
			g.line(step*float64(i-1), scale(points[i-1]), step*float64(i), scale(points[i]))
		}
	})
	c.group("dots", func(g *group) {
		for i, v := range points {
			if i%4 == 0 {
				g.dot(step*float64(i), scale(v), fmt.Sprintf("%s %s%s", s.name, num(v), s.unit))
			}
		}
	})
	return c.String()
}
