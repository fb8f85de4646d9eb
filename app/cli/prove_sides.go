package cli

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/gocasebook/casebook/app/prove/child"
	"github.com/gocasebook/casebook/app/prove/revision"
	"github.com/gocasebook/casebook/casefile"
)

// build builds the revisions, if any, and names the sides. The func that it returns removes the builds; it is never
// nil.
func (p *provePlan) build(ctx context.Context, view *proveView) (closeAll func() error, err error) {
	var builds []*revision.Build
	closeAll = func() error {
		var errs []error
		for _, b := range builds {
			errs = append(errs, b.Close())
		}
		return errors.Join(errs...)
	}
	if p.pkg == "" {
		p.label(&p.name[0], &p.a, &p.b, "A")
		p.label(&p.name[1], &p.b, &p.a, "B")
		return closeAll, nil
	}
	for i, spec := range []*child.Spec{&p.a, &p.b} {
		view.say("building %s of %s", p.pkg, p.rev[i])
		b, err := revision.New(ctx, ".", p.rev[i], p.pkg)
		if err != nil {
			return closeAll, err
		}
		builds = append(builds, b)
		spec.Args = append([]string{b.Binary}, spec.Args[1:]...)
		spec.Dir = b.Dir
		if p.name[i] == "" {
			p.name[i] = b.Label()
		}
	}
	return closeAll, nil
}

// label names a side by what it has and the other does not.
func (p *provePlan) label(name *string, own, other *child.Spec, otherwise string) {
	if *name != "" {
		return
	}
	there := make(map[string]bool)
	for _, w := range append(append([]string(nil), other.Env...), other.Args...) {
		there[w] = true
	}
	var words []string
	for _, w := range append(append([]string(nil), own.Env...), own.Args...) {
		if !there[w] {
			words = append(words, w)
		}
	}
	if *name = strings.Join(words, " "); *name == "" {
		*name = otherwise
	}
}

// variant returns a side as the proof stores it.
func (p *provePlan) variant(s *child.Spec) casefile.Variant {
	i := 0
	if s == &p.b {
		i = 1
	}
	v := casefile.Variant{Label: p.name[i], Command: s.Command()}
	if p.pkg != "" {
		v.Command = fmt.Sprintf("%s at %s", child.Join(append([]string{p.pkg}, s.Args[1:]...)), p.rev[i])
	}
	return v
}

// marginShare reads "2%" or "0.02"; NaN is refused by the trial.
func (f *proveFlags) marginShare() (float64, error) {
	text, percent := strings.CutSuffix(strings.TrimSpace(f.margin), "%")
	v, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if percent {
		v /= 100
	}
	if err != nil || !(v > 0 && v < 1) {
		return 0, fmt.Errorf("--margin: %q is not a share above 0 and below 100%%, such as 2%%", f.margin)
	}
	return v, nil
}
