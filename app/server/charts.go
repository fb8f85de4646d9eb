package server

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/gocasebook/casebook/app/store"
	"github.com/gocasebook/casebook/vitals"
)

// A rect is a bar of a chart, in the chart's own units.
type rect struct {
	X, Y, Height int
	Class        string // which part of a bar it is; empty for a whole one
}

// A chart has bars of sparkStep each, in a box of sparkHeight. Its text is for who does not see it.
type chart struct {
	Bars     []rect
	Width    int
	Height   int
	Most     int // what a full bar is
	Text     string
	From, To time.Time
}

const (
	sparkHeight  = 20
	sparkStep    = 4
	barWidth     = 3
	courseHeight = 60
)

// Path draws the bars of a class: one path takes a third of the bytes of a rect for each.
func (c *chart) Path(class string) string {
	var b strings.Builder
	for _, r := range c.Bars {
		if r.Class == class && r.Height > 0 {
			fmt.Fprintf(&b, "M%d %dv%dh%dv%dz", r.X, r.Y, r.Height, barWidth, -r.Height)
		}
	}
	return b.String()
}

// counts draws one number a part. Each chart has its own scale.
func counts(numbers []int, what string) *chart {
	most := 1
	for _, n := range numbers {
		most = max(most, n)
	}
	c := &chart{Width: sparkStep * len(numbers), Height: sparkHeight, Most: most, Text: what + listed(numbers)}
	for i, n := range numbers {
		height := (sparkHeight*n + most - 1) / most // one case of many is still seen
		c.Bars = append(c.Bars, rect{X: sparkStep * i, Y: sparkHeight - height, Height: height})
	}
	return c
}

// bars draws the cases of the last days of a service.
func bars(days []int) *chart { return counts(days, "cases per day, the last is today: ") }

func listed(numbers []int) string {
	words := make([]string, len(numbers))
	for i, n := range numbers {
		words[i] = fmt.Sprint(n)
	}
	return strings.Join(words, ", ")
}

// courseOf draws the cases of a time, those of critical and of warning findings at the bottom; nil without cases.
func courseOf(parts []store.Bar, span store.Span, r timeRange) *chart {
	most, all, critical := 0, make([]int, len(parts)), 0
	for i, p := range parts {
		all[i] = p.Cases
		most, critical = max(most, p.Cases), critical+p.Critical
	}
	if most == 0 {
		return nil
	}
	c := &chart{Width: sparkStep * len(parts), Height: courseHeight, Most: most, From: span.From,
		To: span.From.Add(time.Duration(len(parts)) * span.Step)}
	for i, p := range parts {
		y := courseHeight
		for _, part := range []struct {
			n     int
			class string
		}{{p.Critical, "critical"}, {p.Warning, "warning"}, {p.Cases - p.Critical - p.Warning, "other"}} {
			if part.n == 0 {
				continue
			}
			height := max(1, courseHeight*part.n/most)
			height = min(height, y)
			y -= height
			c.Bars = append(c.Bars, rect{sparkStep * i, y, height, part.class})
		}
	}
	c.Text = fmt.Sprintf("cases by %s since %s: %s; %d are open with a critical finding", r.Unit,
		span.From.Format("2 January 15:04"), listed(all), critical)
	return c
}

// coresOf draws the CPU of a service by minutes, NaN where it was not sampled; nil if nothing was. Each service has its
// own scale.
func coresOf(minutes []float64) *chart {
	most, last := 0.0, math.NaN()
	for _, v := range minutes {
		if !math.IsNaN(v) {
			most, last = max(most, v), v
		}
	}
	if math.IsNaN(last) || most <= 0 {
		return nil
	}
	c := &chart{Width: sparkStep * len(minutes), Height: sparkHeight}
	for i, v := range minutes {
		if math.IsNaN(v) {
			continue
		}
		height := int(math.Ceil(sparkHeight * v / most))
		c.Bars = append(c.Bars, rect{X: sparkStep * i, Y: sparkHeight - height, Height: height})
	}
	c.Text = fmt.Sprintf("CPU by minutes of the last hour: %s now, %s at most", vitals.Cores.Format(last),
		vitals.Cores.Format(most))
	return c
}
