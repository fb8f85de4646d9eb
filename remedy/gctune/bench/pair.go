package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
)

// pairNamed reads A/B.
func pairNamed(text string) (a, b variant, err error) {
	left, right, ok := strings.Cut(text, "/")
	if !ok {
		return a, b, fmt.Errorf("-pair %s: want two variants, as in gctune/fixed:-1,180", text)
	}
	if a, err = variantNamed(left); err != nil {
		return a, b, fmt.Errorf("-pair %s: %w", text, err)
	}
	if b, err = variantNamed(right); err != nil {
		return a, b, fmt.Errorf("-pair %s: %w", text, err)
	}
	return a, b, nil
}

// runPair runs two variants beside each other, again and again, and prints the ratio of their CPU, with its spread. A
// variant beside itself shows how much of a ratio is random.
func runPair(ctx context.Context, p plan, l load, a, b variant, out io.Writer) error {
	var ofA, ofB []outcome
	var ratios []float64
	for range p.rounds {
		x, y, err := sideBySide(ctx, p, l, a, b)
		if err != nil {
			return err
		}
		ofA, ofB = append(ofA, x), append(ofB, y)
		if x.Failed == nil && y.Failed == nil {
			ratios = append(ratios, x.perRequest()/y.perRequest())
		}
	}
	fmt.Fprintf(out, "\n%s: %s; limit %d MiB, target %d, %v each\n", l.name, l.text, limit>>20, target>>20, p.measure)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, header)
	row(w, a, ofA, median(ratios))
	row(w, b, ofB, 1)
	w.Flush()
	slices.Sort(ratios)
	fmt.Fprintf(out, "CPU of %s is × %.3f of %s (%d rounds: %.3f)\n", a.name, median(ratios), b.name, len(ratios),
		ratios)
	return nil
}
